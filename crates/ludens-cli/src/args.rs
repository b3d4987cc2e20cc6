//! The command line.

mod learn;
mod measure;
mod play;
mod tools;

use clap::{Args as ClapArgs, Parser, Subcommand};

pub(crate) use learn::{TrainArgs, TuneArgs};
pub(crate) use measure::{
    AblateArgs, ArenaArgs, EngineArgs, EvalArgs, MergeArgs, ReproduceArgs, SelfPlayArgs, StoreArgs,
    SuiteArgs,
};
pub(crate) use play::{
    BudgetArgs, PlayArgs, PositionArgs, ReadArgs, ServeArgs, ShowArgs, SolveArgs,
};
pub(crate) use tools::{
    BenchArgs, CompletionsArgs, DataCommand, GamesArgs, ModelsArgs, PerftArgs, RecordCommand,
    RecordFormat, StoreCommand,
};

use crate::units;

/// Solves puzzles and plays board games.
#[derive(Debug, Parser)]
#[command(name = "ludens", version, propagate_version = true)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Without a command, the web app is served
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Flags of every command.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Common {
    /// Print JSON: one document, or JSON lines where results come bit by bit
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Seed of all randomness; the same seed gives the same result
    #[arg(long, global = true, value_name = "N", allow_negative_numbers = true, value_parser = units::whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: Option<u64>,
    /// Threads to use, where a command can use more than one
    #[arg(long, global = true, value_name = "N", value_parser = units::whole::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Tell more on standard error
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Tell nothing but errors on standard error
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the games with their variants, and the agents
    Games(GamesArgs),
    /// Draw a position
    Show(ShowArgs),
    /// Read a position from a picture
    Read(ReadArgs),
    /// Play in the terminal
    Play(PlayArgs),
    /// Find the best line of a puzzle, or the exact values of a position of a game for two
    Solve(SolveArgs),
    /// Search what is asked for in JSON lines on standard input
    Analyze,
    /// Serve the web app and open it; what `ludens` alone does
    Serve(ServeArgs),
    /// Run a solver over a suite of boards and sum up
    Eval(EvalArgs),
    /// Compare variants of a solver on the same boards
    Ablate(AblateArgs),
    /// Let agents play against each other and rate them
    Arena(ArenaArgs),
    /// Join the shards of an evaluation, a contest or self-play and print its results
    Merge(MergeArgs),
    /// Play the games that the next iteration of a run learns from
    Selfplay(SelfPlayArgs),
    /// Play as a program that others talk to, in the lines of docs/protocol.md
    Engine(EngineArgs),
    /// Measure the published tables and figures again
    Reproduce(ReproduceArgs),
    /// Learn to play
    Train(TrainArgs),
    /// Find the settings that a recipe learns best with
    Tune(TuneArgs),
    /// List, verify or average networks
    Models(ModelsArgs),
    /// Count the paths of 1, 2, .. moves
    Perft(PerftArgs),
    /// Print the engine's signature and measure its speed
    Bench(BenchArgs),
    /// Check or convert game records
    #[command(subcommand)]
    Record(RecordCommand),
    /// Check the store of results
    #[command(subcommand)]
    Store(StoreCommand),
    /// Keep published boards, which the program does not ship, for experiments
    #[command(subcommand)]
    Data(DataCommand),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
}
