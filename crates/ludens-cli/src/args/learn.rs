//! Arguments of what learns.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::units;

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
