//! Every setting of the recipe.

use ludens_nn::Engine;

use crate::run_dir::Planes;
use crate::settings::settings;

settings! {
    /// What to learn and how; table 5.5 of Urheim (2025) except for the number of steps.
    #[derive(Copy)]
    PpoConfig, "ppo", ["steps", "threads", "engine", "save"] {
        channels: usize = 32, (1..=512), "channels of every convolution";
        depth: usize = 5, (1..=50), "convolutions";
        steps: u64 = 10000000, (1..=1000000000000), "moves to play in all";
        envs: usize = 16, (1..=65536), "games played side by side";
        horizon: usize = 1024, (1..=1000000), "moves of each of them between two updates";
        batch: usize = 256, (2..=65536), "samples of a step of Adam";
        epochs: u64 = 10, (1..=1000), "times an update goes through the samples";
        rate: f32 = 0.0003, (0.0..=1.0), "learning rate at the start; it falls to 0";
        gamma: f32 = 1.0, (0.0..=1.0), "discount of later rewards";
        lambda: f32 = 0.95, (0.0..=1.0), "how far advantages look: 0 one move, 1 to the end";
        clip: f32 = 0.2, (0.0..=10.0), "how far an update may move the chance of an action";
        value: f32 = 0.5, (0.0..=100.0), "weight of the value's loss";
        entropy: f32 = 0.0, (0.0..=100.0), "weight of the policy's entropy";
        max_grad_norm: f32 = 0.5, (0.0..=1000000.0), "norm that gradients are cut to";
        threads: usize = all_cores, (1..=1024), "threads that play and learn";
        engine: Engine = "native", engines, "what networks run on while they learn; all but native need a program built with it";
        save: f64 = 120.0, (1.0..=86400.0), "seconds between checkpoints";
    }
}

impl PpoConfig {
    /// Samples of an update.
    pub fn samples(&self) -> usize {
        self.envs * self.horizon
    }
}

impl Planes for PpoConfig {
    fn channels(&self) -> usize {
        self.channels
    }
}
