//! Commands that list, check, count and measure.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::PositionArgs;
use crate::units;

#[derive(Debug, ClapArgs)]
pub(crate) struct GamesArgs {
    /// Only this game
    #[arg(value_name = "GAME")]
    pub(crate) game: Option<String>,
    /// Print a JSON schema of all parameters of games, agents, solvers and recipes
    #[arg(long)]
    pub(crate) schema: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ModelsArgs {
    /// Read the networks as a whole and compare their checksums
    #[arg(long)]
    pub(crate) verify: bool,
    /// Write the mean of networks to a file: snapshots of a run, or separate runs
    #[arg(long, value_name = "FILE", requires = "networks", conflicts_with = "verify")]
    pub(crate) average: Option<PathBuf>,
    /// Networks, as files or folders of runs [default: those of the program and of LUDENS_HOME]
    #[arg(value_name = "NETWORK")]
    pub(crate) networks: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PerftArgs {
    /// Game with an optional variant, such as sevn:base=5
    pub(crate) game: String,
    /// How many moves deep; nature's outcomes count as moves
    #[arg(allow_negative_numbers = true, value_parser = units::whole::<u16>(1..=1000))]
    pub(crate) depth: u16,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// Only this game
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Seconds of random play per game
    #[arg(long, value_name = "S", default_value_t = 1.0, allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) seconds: f64,
    /// The speed of neural networks instead
    #[arg(long, conflicts_with_all = ["game", "signatures"])]
    pub(crate) nn: bool,
    /// What every solver and agent finds with a fixed budget, instead of speeds
    #[arg(long, conflicts_with = "seconds")]
    pub(crate) signatures: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if (0.01..=3600.0).contains(&s) => Ok(s),
        _ => Err("expected seconds from 0.01 to 3600".to_owned()),
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Check the file, and replay every line and every game that it holds
    Check {
        /// The store [default: results.sqlite in LUDENS_HOME]
        #[arg(long, value_name = "FILE")]
        store: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Convert and check a public file of boards, and keep it in LUDENS_HOME
    Add {
        /// The game: samegame
        game: String,
        /// Boards in one of the formats of docs/reproduce.md
        file: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum RecordCommand {
    /// Replay records by the rules and sum them up
    Check {
        /// Files in either format, or - for standard input
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The game of 2048-framework records, which do not name it
        #[arg(long, value_name = "GAME", default_value = "2048")]
        game: String,
    },
    /// Rewrite a record in another format
    Convert {
        /// File in either format, or - for standard input
        file: PathBuf,
        /// The format to write
        #[arg(long)]
        to: RecordFormat,
        /// The game of 2048-framework records, which do not name it
        #[arg(long, value_name = "GAME", default_value = "2048")]
        game: String,
    },
}

/// The formats of whole games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum RecordFormat {
    /// Ludens' own, for every game
    Ludens,
    /// The 2048-framework's, for 2048, 2584 and Threes!
    Framework,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
