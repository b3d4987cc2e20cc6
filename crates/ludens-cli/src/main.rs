//! The `ludens` command: a thin front over `ludens-registry`.

mod args;
mod commands;
mod draw;
mod failure;
mod interrupt;
mod output;
mod source;
mod tui;
mod units;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};
use crate::failure::Failure;
use crate::output::Output;

fn main() -> ExitCode {
    let args = Args::parse();
    let mut out = Output::new(args.common);
    let done = match &args.command {
        Command::Games(command) => commands::games::run(command, &mut out),
        Command::Show(command) => commands::show::run(command, &mut out),
        Command::Play(command) => commands::play::run(command, &mut out),
        Command::Solve(command) => commands::solve::run(command, &mut out),
        Command::Perft(command) => commands::perft::run(command, &mut out),
        Command::Bench(command) => commands::bench::run(command, &mut out),
        Command::Record(command) => commands::record::run(command, &mut out),
        Command::Completions(command) => commands::manual::completions(command, &mut out),
        Command::Man => commands::manual::man(&mut out),
    };
    match done.and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let failure = Failure::of(&error);
            if let Some(message) = failure.message(&error) {
                out.complain(&message);
            }
            failure.exit_code()
        }
    }
}
