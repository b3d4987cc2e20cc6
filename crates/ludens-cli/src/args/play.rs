//! Commands about one position: show, read, play, solve, and the web app.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;

use crate::units;

/// Which position to begin with.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct PositionArgs {
    /// Position in the game's notation, @FILE, or - for standard input
    #[arg(value_name = "POSITION", allow_hyphen_values = true, group = "origin")]
    pub(crate) position: Option<String>,
    /// Random position of a seed
    #[arg(long, value_name = "SEED", group = "origin", allow_negative_numbers = true, value_parser = units::whole::<u64>(0..=u64::MAX))]
    pub(crate) random: Option<u64>,
    /// With --random: this many random moves after the start [default: 0, or 8 in games with a fixed start]
    #[arg(long, value_name = "N", requires = "random", value_parser = units::whole::<u32>(0..=100_000))]
    pub(crate) plies: Option<u32>,
    /// Former: the board of a day, YYYY-MM-DD [default: today in Oslo]
    #[arg(long, value_name = "DATE", group = "origin")]
    pub(crate) date: Option<String>,
    /// Former: one of the thesis' random boards, 1 to 1000
    #[arg(long, value_name = "N", group = "origin", allow_negative_numbers = true, value_parser = units::whole::<usize>(1..=1000))]
    pub(crate) thesis: Option<usize>,
    /// Puzzle of a day, YYYY-MM-DD: one move wins (games for two), or a board with a par (SameGame)
    #[arg(long, value_name = "DATE", group = "origin")]
    pub(crate) puzzle: Option<String>,
}

impl PositionArgs {
    /// The generator that is named, with its value.
    pub(crate) fn generator(&self) -> Option<(&'static str, String)> {
        let date = self.date.as_ref().map(|date| ("date", date.clone()));
        let thesis = self.thesis.map(|number| ("thesis", number.to_string()));
        let puzzle = self.puzzle.as_ref().map(|date| (ludens_engine::puzzle::NAME, date.clone()));
        date.or(thesis).or(puzzle)
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ShowArgs {
    /// Game with an optional variant, such as sevn:base=5
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReadArgs {
    /// Game with an optional variant, such as samegame:rows=10,cols=10
    pub(crate) game: String,
    /// PNG, JPEG or WebP file, or - for standard input
    #[arg(value_name = "IMAGE", allow_hyphen_values = true)]
    pub(crate) image: PathBuf,
    /// How to read [default: the game's usual way]
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// Corners of the board's cells in pixels: top left, top right, bottom right, bottom left [default: found]
    #[arg(long, value_name = "X,Y,X,Y,X,Y,X,Y", allow_hyphen_values = true)]
    pub(crate) corners: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PlayArgs {
    /// Game with an optional variant, such as sevn:base=5
    #[arg(required_unless_present = "resume")]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Who plays first [default: human, or who did in the resumed game]
    #[arg(long, value_name = "AGENT")]
    pub(crate) first: Option<String>,
    /// Who plays second [default: random, or who did in the resumed game]
    #[arg(long, value_name = "AGENT")]
    pub(crate) second: Option<String>,
    /// Lines of text instead of the full screen
    #[arg(long)]
    pub(crate) plain: bool,
    /// Keep the record of the game in this file, written anew after every move
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Go on with a recorded game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "origin"])]
    pub(crate) resume: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SolveArgs {
    /// Game with an optional variant, such as samegame:penalty=colour
    #[arg(default_value = "former")]
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Solver with optional parameters; `ludens games GAME` lists them
    #[arg(long, value_name = "NAME[:K=V,..]")]
    pub(crate) solver: Option<String>,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// Go on until the line is proven best; in 2048, 2584, Threes!: exact values of a small board
    #[arg(long, visible_alias = "exact")]
    pub(crate) prove: bool,
    /// With --exact in 2048, 2584, Threes!: the file that keeps the values, read if it is there
    #[arg(long, value_name = "FILE", requires = "prove")]
    pub(crate) table: Option<PathBuf>,
    /// Draw every step of the line
    #[arg(long)]
    pub(crate) explain: bool,
    /// With --json: also a line for every piece of progress
    #[arg(long, requires = "json")]
    pub(crate) stream: bool,
}

/// What a search may cost.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct BudgetArgs {
    /// Time, such as 100ms, 5s or 2m [default: 5s, none with --prove or another limit]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Positions to generate; with one thread this makes results repeatable
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = units::whole::<u64>(1..=u64::MAX))]
    pub(crate) nodes: Option<u64>,
    /// Resource units of the single-player MCTS text
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = units::whole::<u64>(1..=u64::MAX))]
    pub(crate) ru: Option<u64>,
    /// Memory for tables, such as 512M or 8G [default: half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = units::memory)]
    pub(crate) memory: Option<usize>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ServeArgs {
    /// Port; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = DEFAULT_PORT)]
    pub(crate) port: u16,
    /// Address to listen on; for any but this machine's own, every request needs the token that is printed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// Do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

impl Default for ServeArgs {
    fn default() -> Self {
        ServeArgs { port: DEFAULT_PORT, address: IpAddr::V4(Ipv4Addr::LOCALHOST), no_open: false }
    }
}

const DEFAULT_PORT: u16 = 8048;
