//! The command line.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use ludens_runs::ablate::Variation;
use ludens_runs::arena::{Reuse, Shard};

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

#[derive(Debug, ClapArgs)]
pub(crate) struct GamesArgs {
    /// Only this game
    #[arg(value_name = "GAME")]
    pub(crate) game: Option<String>,
    /// Print a JSON schema of all parameters of games, agents, solvers and recipes
    #[arg(long)]
    pub(crate) schema: bool,
}

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
    /// Solver with optional parameters [default: the game's own]
    #[arg(long, value_name = "NAME[:K=V,..]")]
    pub(crate) solver: Option<String>,
    /// Runs of each board, with different seeds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = units::whole::<u32>(1..=100_000))]
    pub(crate) runs: u32,
    /// Runs at the same time [default: as many as cores]; --threads is per run [default: 1]
    #[arg(long, value_name = "N", value_parser = units::whole::<u16>(1..=1024))]
    pub(crate) workers: Option<u16>,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// Where results are kept and found again [default: results.sqlite in LUDENS_HOME]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Whose stored results count: those of the same build of the program, or of any
    #[arg(long, default_value = "same")]
    pub(crate) reuse: ReuseArg,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
    /// Write every run to a CSV file
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    pub(crate) csv: Option<PathBuf>,
    /// Write the mean best-so-far curve as SVG
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    pub(crate) plot: Option<PathBuf>,
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
    /// Runs of each board, with different seeds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = units::whole::<u32>(1..=100_000))]
    pub(crate) runs: u32,
    /// Runs at the same time [default: as many as cores]; --threads is per run [default: 1]
    #[arg(long, value_name = "N", value_parser = units::whole::<u16>(1..=1024))]
    pub(crate) workers: Option<u16>,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// Where results are kept and found again [default: results.sqlite in LUDENS_HOME]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Whose stored results count: those of the same build of the program, or of any
    #[arg(long, default_value = "same")]
    pub(crate) reuse: ReuseArg,
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
    /// Games of every two agents, an even number; with --sprt at most so many
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
    /// Where games are kept and found again [default: results.sqlite in LUDENS_HOME]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Whose stored games count: those of the same build of the program, or of any
    #[arg(long, default_value = "same")]
    pub(crate) reuse: ReuseArg,
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
    /// Folder of a run of alphazero: its settings, its seed and the network that plays
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

#[derive(Debug, ClapArgs)]
pub(crate) struct TrainArgs {
    /// Recipe, such as td or alphazero; without one, the recipes and their settings are listed
    pub(crate) recipe: Option<String>,
    /// Game to learn, such as 2048:board=3x3 [with --resume: the run's]
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,
    /// Settings of a publication, such as sevn-2021; --config and --set win over them
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
    /// TOML file with settings, such as a run's config.toml; --set wins over it
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Setting, such as layout=8x6; may come several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Folder that keeps the run: settings, metrics, checkpoint, network
    #[arg(long, value_name = "DIR")]
    pub(crate) run: Option<PathBuf>,
    /// Resume the run of --run DIR
    #[arg(long, requires = "run")]
    pub(crate) resume: bool,
    /// Network that a new run of supervised or ppo starts with: a run's folder or a file
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub(crate) from: Option<PathBuf>,
    /// End after N steps of this call, checkpoints included; 0 only starts the run
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
    /// Learn one iteration with the games of these stores: all shards of `ludens selfplay`
    #[arg(long, value_name = "SHARD", num_args = 1.., requires = "resume", conflicts_with = "steps")]
    pub(crate) played: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TuneArgs {
    /// Recipe: supervised; or mcts, for the numbers of a search by the cross-entropy method
    pub(crate) recipe: String,
    /// Game to learn, such as former:rows=5 [default: former; mcts: samegame]
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,
    /// Trials in all; those that the folder has already count
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = units::whole::<u64>(1..=1_000_000))]
    pub(crate) trials: u64,
    /// Setting that is the same in all trials, such as kind=policy; mcts: base, boards, ru, and numbers as
    /// mean~deviation, such as c=0.02~0.01; may come several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Folder that keeps games, trials and plots; an interrupted study is resumed
    #[arg(long, value_name = "DIR")]
    pub(crate) run: PathBuf,
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
