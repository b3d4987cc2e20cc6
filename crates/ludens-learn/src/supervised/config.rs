//! Every setting of the recipe.

use ludens_nn::Engine;

use crate::run_dir::Planes;
use crate::settings::settings;

/// What the network learns, by a head each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heads {
    /// The expert's move.
    Policy,
    /// The rewards still to come.
    Value,
    /// Both.
    Both,
}

impl Heads {
    /// Whether the network has a policy.
    pub fn has_policy(self) -> bool {
        self != Heads::Value
    }

    /// Whether it has a value.
    pub fn has_value(self) -> bool {
        self != Heads::Policy
    }
}

/// How the learning rate goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// As it began.
    Constant,
    /// Evenly down to 0 at the end of the last epoch.
    Linear,
}

/// Whose games teach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expert {
    /// A beam's.
    Beam,
    /// Those of the network that the run starts with, by its value: it learns what its own play leads
    /// to.
    Network,
}

settings! {
    /// What to learn and how.
    #[derive(Copy)]
    SupervisedConfig, "supervised", ["games", "epochs", "patience", "threads", "engine", "save"] {
        kind: Heads = "value", ["policy" => Heads::Policy, "value" => Heads::Value, "both" => Heads::Both], "what the network learns";
        channels: usize = 32, (1..=512), "channels of every convolution";
        depth: usize = 5, (1..=50), "convolutions";
        games: u64 = 10000, (10..=100000000), "games of the expert";
        branches: u64 = 0, (0..=100), "lines of every game that branch off by a random move";
        expert: Expert = "beam", ["beam" => Expert::Beam, "network" => Expert::Network], "whose games teach; network: that of --from", was "own" => "network";
        beam: usize = 128, (1..=1000000), "width of the expert's beam";
        exact: usize = 8, (0..=30), "moves at the end of a game that are made optimal";
        max_moves: usize = 20, (1..=1000), "longer games are left out";
        epochs: u64 = 15, (1..=10000), "times to go through all samples, at most";
        patience: u64 = 3, (1..=10000), "epochs without progress before it ends";
        batch: usize = 128, (2..=65536), "samples of a step";
        rate: f32 = 0.001, (0.0..=1.0), "learning rate at the start";
        schedule: Schedule = "constant", ["constant" => Schedule::Constant, "linear" => Schedule::Linear], "how the rate goes on: linear, down to 0";
        augmentation: bool = "on", ["on" => true, "off" => false], "every sample is seen through a random symmetry";
        decay: f32 = 0.00001, (0.0..=1.0), "weight decay";
        threads: usize = all_cores, (1..=1024), "threads that play, learn and measure; what is learned does not depend on them";
        engine: Engine = "native", engines, "what networks run on while they learn; all but native need a program built with it";
        save: f64 = 120.0, (1.0..=86400.0), "seconds between checkpoints";
    }
}

impl Planes for SupervisedConfig {
    fn channels(&self) -> usize {
        self.channels
    }
}
