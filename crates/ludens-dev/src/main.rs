//! `cargo dev`: tests, fuzzing, sanitizer, goldens, page, oracle and rivals.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use ludens_dev::{checks, corpus, fuzz, goldens, page, picture, python, sanitize};

/// What a developer of Ludens runs.
#[derive(Parser)]
#[command(name = "cargo dev")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everything a change must pass: format, lints, dependencies, tests, docs, goldens, oracle
    Test {
        /// Only format, lints and unit tests
        #[arg(long)]
        fast: bool,
        /// Compile the comparison with Burn too, which has some 750 packages
        #[arg(long, conflicts_with = "fast")]
        burn: bool,
        /// Try many machines on a Ray cluster of this one too, which takes minutes
        #[arg(long, conflicts_with = "fast")]
        ray: bool,
    },
    /// Fuzz the parsers with libFuzzer
    Fuzz {
        /// One of the targets of fuzz/fuzz_targets; all one after another without it
        target: Option<String>,
        /// How long each is fuzzed
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// Only write the inputs that fuzzing starts from anew
        #[arg(long)]
        seeds: bool,
    },
    /// Run the tests of ludens-nn and ludens-ntuple under AddressSanitizer
    Sanitize,
    /// Write the golden files anew
    Goldens,
    /// Draw the picture of a Former board anew
    Picture,
    /// Build the web app's page anew
    Page {
        /// Only check it, and play in a browser
        #[arg(long)]
        check: bool,
    },
    /// Compare the rules of some games with OpenSpiel's, move by move
    Oracle {
        /// Random games per game
        #[arg(long, default_value_t = 200)]
        games: u32,
    },
    /// Measure random play beside OpenSpiel's, interleaved
    Rivals {
        /// Rounds of one measurement each
        #[arg(long, default_value_t = 3)]
        rounds: u32,
    },
}

fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Test { fast, burn, ray } => checks::test(checks::Choice { fast, burn, ray }),
        Command::Fuzz { seeds: true, .. } => corpus::write(),
        Command::Fuzz { target, seconds, .. } => fuzz::fuzz(target.as_deref(), seconds),
        Command::Sanitize => sanitize::sanitize(),
        Command::Goldens => goldens::write(),
        Command::Picture => picture::write(),
        Command::Page { check: true } => page::check(),
        Command::Page { check: false } => page::build(),
        Command::Oracle { games } => python::oracle(games),
        Command::Rivals { rounds } => python::rivals(rounds),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The chain of causes on one line; a backtrace would bury it.
            checks::log(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
