//! Arguments of what measures: suites, contests, shards, published tables.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueEnum};
use ludens_runs::ablate::Variation;
use ludens_runs::arena::{Reuse, Shard};

use super::BudgetArgs;
use crate::units;

#[derive(Debug, ClapArgs)]
pub(crate) struct EvalArgs {
    /// Game with an optional variant, such as samegame:penalty=colour
    pub(crate) game: String,
    /// Boards: a file, thesis-random, daily:FROM..TO, random:COUNT or random:COUNT,SEED
    #[arg(long, value_name = "SUITE", required_unless_present = "agent")]
    pub(crate) suite: Option<String>,
    /// Who plays, such as net:model=DIR on a suite; 2048, 2584, Threes! without one: whole games by
    /// an agent such as ntuple:model=DIR,ply=2
    #[arg(long, value_name = "AGENT", conflicts_with = "solver")]
    pub(crate) agent: Option<String>,
    /// With --agent: how many games
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "agent", value_parser = units::whole::<u64>(1..=100_000_000))]
    pub(crate) games: u64,
    /// With --agent: compare each move with optimal play, on boards that can be solved such as 2048:board=2x3
    #[arg(long, requires = "agent", conflicts_with_all = ["suite", "shard"])]
    pub(crate) regret: bool,
    /// Solver with optional parameters [default: the game's own]
    #[arg(long, value_name = "NAME[:K=V,..]")]
    pub(crate) solver: Option<String>,
    #[command(flatten)]
    pub(crate) runs: SuiteArgs,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
    /// Write every run to a CSV file
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    pub(crate) csv: Option<PathBuf>,
    /// Write the mean best-so-far curve as SVG
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    pub(crate) plot: Option<PathBuf>,
}

/// How a solver or an agent runs over a suite.
#[derive(Debug, ClapArgs)]
pub(crate) struct SuiteArgs {
    /// Runs of each board, with different seeds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = units::whole::<u32>(1..=100_000))]
    pub(crate) runs: u32,
    /// Runs at the same time [default: as many as cores]; --threads is per run [default: 1]
    #[arg(long, value_name = "N", value_parser = units::whole::<u16>(1..=1024))]
    pub(crate) workers: Option<u16>,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) results: StoreArgs,
}

/// The store of results and games.
#[derive(Debug, ClapArgs)]
pub(crate) struct StoreArgs {
    /// Where results are kept and found again [default: results.sqlite in LUDENS_HOME]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Whose stored results count: those of the same build of the program, or of any
    #[arg(long, default_value = "same")]
    pub(crate) reuse: ReuseArg,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AblateArgs {
    /// Puzzle with an optional variant, such as samegame:penalty=colour
    pub(crate) game: String,
    /// Solver that is varied, with optional parameters
    #[arg(long, value_name = "NAME[:K=V,..]")]
    pub(crate) base: String,
    /// Parameter with its values, such as c=.01,.02,.04; several for all combinations
    #[arg(long, value_name = "K=A,B,..", required = true, value_parser = variation)]
    pub(crate) vary: Vec<Variation>,
    /// Boards: as in eval [default: as many seeded ones as --boards]
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: Option<String>,
    /// How many boards: the first ones of the suite, or seeded ones [default: all, or 20]
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>(1..=1_000_000))]
    pub(crate) boards: Option<usize>,
    #[command(flatten)]
    pub(crate) runs: SuiteArgs,
    /// Write tables (Markdown, LaTeX, CSV) and plots (SVG) into a folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

fn variation(text: &str) -> Result<Variation, String> {
    text.parse().map_err(|error: ludens_core::ParseError| error.to_string())
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ArenaArgs {
    /// Game for two with an optional variant, such as sevn:base=5
    pub(crate) game: String,
    /// Agents, such as uct:1000 or cmd:PROGRAM ARGS; at least two
    #[arg(value_name = "AGENT", required = true, num_args = 2..)]
    pub(crate) agents: Vec<String>,
    /// Rate the networks of a run as they appear, by games against the agents, the weakest of which comes first
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sprt", "time", "shard"])]
    pub(crate) watch: Option<PathBuf>,
    /// With --watch: the agent of a network; {} stands for its path
    #[arg(long, value_name = "AGENT", default_value = "az:sims=50,model={}", requires = "watch")]
    pub(crate) rated: String,
    /// With --watch: draw the strength over the networks as SVG
    #[arg(long, value_name = "FILE", requires = "watch")]
    pub(crate) plot: Option<PathBuf>,
    /// With --watch: rate what is there and end
    #[arg(long, requires = "watch")]
    pub(crate) once: bool,
    /// Games of every two agents, an even number; with --sprt at most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = units::whole::<u32>(2..=10_000_000))]
    pub(crate) games: u32,
    /// Random moves of an opening [default: 6, or 0 in games with random starts]
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>(0..=100))]
    pub(crate) plies: Option<usize>,
    /// Time per move besides the agents' own limits; programs have 1s without it
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// How much later than its time a program's move may come
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = units::duration)]
    pub(crate) margin: Duration,
    /// Stop as soon as it is clear whether the first agent is better by ELO0 or by ELO1
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = sprt)]
    pub(crate) sprt: Option<(f64, f64)>,
    /// Agent with a rating that the others are compared with [default: the first, 0]
    #[arg(long, value_name = "AGENT=ELO", value_parser = anchor)]
    pub(crate) anchor: Option<(String, f64)>,
    /// Games at the same time [default: as many as cores]
    #[arg(long, value_name = "N", value_parser = units::whole::<u16>(1..=1024))]
    pub(crate) workers: Option<u16>,
    #[command(flatten)]
    pub(crate) results: StoreArgs,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
}

/// Which part of the work.
#[derive(Clone, Copy, Debug, Default, ClapArgs)]
pub(crate) struct ShardArgs {
    /// Do only the I-th of N parts, into the file of --store, for `ludens merge`
    #[arg(long, value_name = "I/N", requires = "store", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
}

fn shard(text: &str) -> Result<Shard, String> {
    text.parse().map_err(|error: ludens_core::ParseError| error.to_string())
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SelfPlayArgs {
    /// Folder of a run of alphazero or probs: its settings, its seed and the network that plays
    #[arg(long, value_name = "DIR")]
    pub(crate) run: PathBuf,
    /// Keep the games in this store; those that are there already are not played again
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Games of a block, which one thread plays [default: 32]
    #[arg(long, value_name = "N", value_parser = units::whole::<u64>(1..=1_000_000))]
    pub(crate) block: Option<u64>,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// Stores that `--shard` wrote: all shards of one command
    #[arg(value_name = "SHARD", required = true)]
    pub(crate) shards: Vec<PathBuf>,
    /// Keep the results of all shards in this store as well
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Write every run to a CSV file
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write the mean best-so-far curve as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// Whose stored results count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReuseArg {
    /// Those of the same build
    Same,
    /// Those of any build
    Any,
}

impl From<ReuseArg> for Reuse {
    fn from(arg: ReuseArg) -> Reuse {
        match arg {
            ReuseArg::Same => Reuse::Same,
            ReuseArg::Any => Reuse::Any,
        }
    }
}

fn sprt(text: &str) -> Result<(f64, f64), String> {
    let read = || {
        let (one, two) = text.split_once(',')?;
        let (one, two): (f64, f64) = (one.trim().parse().ok()?, two.trim().parse().ok()?);
        (one < two && one.abs() < 4000.0 && two.abs() < 4000.0).then_some((one, two))
    };
    read().ok_or_else(|| "expected two Elo differences, the smaller first, such as 0,10".to_owned())
}

fn anchor(text: &str) -> Result<(String, f64), String> {
    let read = || {
        // Agents may have equal signs of their own.
        let (agent, elo) = text.rsplit_once('=')?;
        let elo: f64 = elo.parse().ok()?;
        (elo.is_finite() && !agent.is_empty()).then(|| (agent.to_owned(), elo))
    };
    read().ok_or_else(|| "expected an agent and its rating, such as random=500".to_owned())
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EngineArgs {
    /// Agent that plays
    #[arg(long, value_name = "AGENT", default_value = "alphabeta")]
    pub(crate) agent: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReproduceArgs {
    /// Experiments, or games for all of theirs [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// List the experiments
    #[arg(long)]
    pub(crate) list: bool,
    /// Only a part of each, in less than a minute
    #[arg(long)]
    pub(crate) quick: bool,
    /// Folder of the published boards [default: LUDENS_DATA, then what `ludens data add` keeps]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Write tables (CSV) and plots (SVG) into a folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Runs of each board [default: the experiment's own]
    #[arg(long, value_name = "N", value_parser = units::whole::<u32>(1..=100_000))]
    pub(crate) runs: Option<u32>,
    /// Time per board where the experiment limits time [default: the experiment's own]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Episodes that each network of 2048, games of self-play that each of Sevn or PROBS learns from [default: the experiment's own]
    #[arg(long, value_name = "N", value_parser = units::whole::<u64>(1..=1_000_000_000_000))]
    pub(crate) episodes: Option<u64>,
    /// Games behind each mean of 2048, and of each match of Sevn or PROBS [default: the experiment's own]
    #[arg(long, value_name = "N", value_parser = units::whole::<u64>(1..=100_000_000))]
    pub(crate) games: Option<u64>,
    /// Networks of 2048, Sevn or PROBS that learn in the same way, with different seeds [default: 1]
    #[arg(long, value_name = "N", value_parser = units::whole::<u32>(1..=1000))]
    pub(crate) seeds: Option<u32>,
    /// Keep the runs of 2048, Sevn and PROBS in a folder, and resume those that are there [default: temporary ones]
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
    /// Boards where the experiment has a suite of them [default: the experiment's own]
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>(1..=1_000_000))]
    pub(crate) boards: Option<usize>,
    /// Resource units per run where the experiment limits them [default: the experiment's own]
    #[arg(long, value_name = "N", value_parser = units::whole::<u64>(1..=u64::MAX))]
    pub(crate) ru: Option<u64>,
    /// Where results are kept and found again [default: as in eval, nowhere with --quick]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Whose stored results count: those of the same build of the program, or of any
    #[arg(long, default_value = "same")]
    pub(crate) reuse: ReuseArg,
}
