//! The `ludens` command: a thin front over `ludens-engine`.

mod args;
mod commands;
mod draw;
mod failure;
mod interrupt;
mod output;
mod program;
mod source;
mod tui;
mod units;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::args::{Args, Command, ServeArgs};
use crate::failure::Failure;
use crate::output::Output;

/// Threads beside those of `--threads`: for signals, a proof beside a search, input and output.
const HELPERS: usize = 4;
/// Threads that are asked for at most: whoever wants more has such a machine.
const MOST_ASKED: usize = 256;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return refuse(&error),
    };
    let mut out = Output::new(args.common);
    for text in std::env::args_os().filter_map(|text| text.into_string().ok()) {
        ludens_engine::old_names(&text).iter().for_each(|note| out.note(note));
    }
    let command = args.command.unwrap_or_else(|| Command::Serve(ServeArgs::default()));
    let done = enough_threads(&command, &out).and_then(|()| match &command {
        Command::Games(command) => commands::games::run(command, &mut out),
        Command::Show(command) => commands::show::run(command, &mut out),
        Command::Read(command) => commands::read::run(command, &mut out),
        Command::Play(command) => commands::play::run(command, &mut out),
        Command::Solve(command) => commands::solve::run(command, &mut out),
        Command::Analyze => commands::analyze::run(&mut out),
        Command::Serve(command) => commands::serve::run(command, &mut out),
        Command::Eval(command) => commands::eval::run(command, &mut out),
        Command::Ablate(command) => commands::ablate::run(command, &mut out),
        Command::Arena(command) => commands::arena::run(command, &mut out),
        Command::Merge(command) => commands::merge::run(command, &mut out),
        Command::Selfplay(command) => commands::selfplay::run(command, &mut out),
        Command::Engine(command) => commands::engine::run(command, &mut out),
        Command::Reproduce(command) => commands::reproduce::run(command, &mut out),
        Command::Train(command) => commands::train::run(command, &mut out),
        Command::Tune(command) => commands::tune::run(command, &mut out),
        Command::Models(command) => commands::models::run(command, &mut out),
        Command::Perft(command) => commands::perft::run(command, &mut out),
        Command::Bench(command) => commands::bench::run(command, &mut out),
        Command::Record(command) => commands::record::run(command, &mut out),
        Command::Store(command) => commands::store::run(command, &mut out),
        Command::Data(command) => commands::data::run(command, &mut out),
        Command::Completions(command) => commands::manual::completions(command, &mut out),
        Command::Man => commands::manual::man(&mut out),
    });
    match done.and_then(|()| out.finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => Failure::of(&error).end(&error),
    }
}

/// Asks for the threads of a command before it begins: searches that are refused one can only
/// panic.
fn enough_threads(command: &Command, out: &Output) -> anyhow::Result<()> {
    use Command::{Completions, Data, Games, Man, Merge, Models, Read, Record, Show, Store};
    if matches!(
        command,
        Completions(_)
            | Data(_)
            | Games(_)
            | Man
            | Merge(_)
            | Models(_)
            | Read(_)
            | Record(_)
            | Show(_)
            | Store(_)
    ) {
        return Ok(());
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let wanted = out.common.threads.map_or(cores, usize::from).min(MOST_ASKED);
    Ok(ludens_core::platform::thread::check(wanted + HELPERS)?)
}

/// Help, the version, or what is wrong with the command line.
fn refuse(refused: &clap::Error) -> ExitCode {
    if refused.kind() == ErrorKind::ValueValidation {
        // What is wrong and what would be right is on the first line.
        let text = refused.to_string();
        let line = text.lines().next().unwrap_or_default();
        output::complain(line.strip_prefix("error: ").unwrap_or(line));
        return ExitCode::from(2);
    }
    let printed = refused.print().and_then(|()| std::io::stdout().flush());
    match printed.map_err(|e| anyhow::Error::new(e).context("standard output")) {
        Err(error) if !refused.use_stderr() => Failure::of(&error).end(&error),
        _ => ExitCode::from(u8::try_from(refused.exit_code()).unwrap_or(2)),
    }
}
