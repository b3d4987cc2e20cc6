//! Every setting of the recipe.

use ludens_core::{Parameter, Params, ParseError};

use crate::settings::unknown;
use crate::{Settings, Stages};

/// What to learn and how; table 5.5 of the Former text except for the number of steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PpoConfig {
    /// Filters of every convolution.
    pub w: usize,
    /// Convolutions.
    pub d: usize,
    /// Moves to play in all.
    pub steps: u64,
    /// Games played side by side.
    pub envs: usize,
    /// Moves of each of them between two updates.
    pub horizon: usize,
    /// Samples of a step of Adam.
    pub batch: usize,
    /// Times an update goes through the samples.
    pub epochs: u64,
    /// Adam's learning rate at the start; it falls to 0.
    pub rate: f32,
    /// The discount of later rewards.
    pub gamma: f32,
    /// How far advantages look: 0 one move, 1 to the end.
    pub lambda: f32,
    /// How far the chance of an action may be moved by an update.
    pub clip: f32,
    /// Weight of the value's loss.
    pub value: f32,
    /// Weight of the policy's entropy.
    pub entropy: f32,
    /// Gradients are made at most so long.
    pub longest: f32,
    /// Threads that play and learn.
    pub threads: usize,
    /// Seconds between checkpoints.
    pub save: f64,
}

impl Default for PpoConfig {
    fn default() -> Self {
        PpoConfig {
            w: 32,
            d: 5,
            steps: 10_000_000,
            envs: 16,
            horizon: 1024,
            batch: 256,
            epochs: 10,
            rate: 3e-4,
            gamma: 1.0,
            lambda: 0.95,
            clip: 0.2,
            value: 0.5,
            entropy: 0.0,
            longest: 0.5,
            threads: std::thread::available_parallelism().map_or(1, usize::from).min(1024),
            save: 120.0,
        }
    }
}

const fn p(
    name: &'static str,
    values: &'static str,
    default: &'static str,
    about: &'static str,
) -> Parameter {
    Parameter { name, values, default, about }
}

const PARAMETERS: &[Parameter] = &[
    p("w", "1..512", "32", "filters of every convolution"),
    p("d", "1..50", "5", "convolutions"),
    p("steps", "1..1000000000000", "10000000", "moves to play in all"),
    p("envs", "1..65536", "16", "games played side by side"),
    p("horizon", "1..1000000", "1024", "moves of each of them between two updates"),
    p("batch", "2..65536", "256", "samples of a step of Adam"),
    p("epochs", "1..1000", "10", "times an update goes through the samples"),
    p("rate", "0..1", "0.0003", "learning rate at the start; it falls to 0"),
    p("gamma", "0..1", "1", "discount of later rewards"),
    p("lambda", "0..1", "0.95", "how far advantages look: 0 one move, 1 to the end"),
    p("clip", "0..10", "0.2", "how far an update may move the chance of an action"),
    p("value", "0..100", "0.5", "weight of the value's loss"),
    p("entropy", "0..100", "0", "weight of the policy's entropy"),
    p("longest", "0..1000000", "0.5", "gradients are made at most so long"),
    p("threads", "1..1024", "all cores", "threads that play and learn"),
    p("save", "1..86400", "120", "seconds between checkpoints"),
];

impl PpoConfig {
    /// Samples of an update.
    pub fn samples(&self) -> usize {
        self.envs * self.horizon
    }
}

impl Stages for PpoConfig {
    const STAGE: &'static str = "iteration";
}

impl Settings for PpoConfig {
    const RECIPE: &'static str = "ppo";
    const PARAMETERS: &'static [Parameter] = PARAMETERS;
    const CHANGEABLE: &'static [&'static str] = &["threads", "save"];

    fn set(&mut self, key: &str, value: &str) -> Result<(), ParseError> {
        let mut one = Params::single(key, value);
        match key {
            "w" => self.w = one.number(key, self.w, 1..=512)?,
            "d" => self.d = one.number(key, self.d, 1..=50)?,
            "steps" => self.steps = one.number(key, self.steps, 1..=1_000_000_000_000)?,
            "envs" => self.envs = one.number(key, self.envs, 1..=65_536)?,
            "horizon" => self.horizon = one.number(key, self.horizon, 1..=1_000_000)?,
            "batch" => self.batch = one.number(key, self.batch, 2..=65_536)?,
            "epochs" => self.epochs = one.number(key, self.epochs, 1..=1000)?,
            "rate" => self.rate = one.number(key, self.rate, 0.0..=1.0)?,
            "gamma" => self.gamma = one.number(key, self.gamma, 0.0..=1.0)?,
            "lambda" => self.lambda = one.number(key, self.lambda, 0.0..=1.0)?,
            "clip" => self.clip = one.number(key, self.clip, 0.0..=10.0)?,
            "value" => self.value = one.number(key, self.value, 0.0..=100.0)?,
            "entropy" => self.entropy = one.number(key, self.entropy, 0.0..=100.0)?,
            "longest" => self.longest = one.number(key, self.longest, 0.0..=1e6)?,
            "threads" => self.threads = one.number(key, self.threads, 1..=1024)?,
            "save" => self.save = one.number(key, self.save, 1.0..=86_400.0)?,
            _ => return Err(unknown(key, PARAMETERS)),
        }
        Ok(())
    }

    fn texts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("w", self.w.to_string()),
            ("d", self.d.to_string()),
            ("steps", self.steps.to_string()),
            ("envs", self.envs.to_string()),
            ("horizon", self.horizon.to_string()),
            ("batch", self.batch.to_string()),
            ("epochs", self.epochs.to_string()),
            ("rate", self.rate.to_string()),
            ("gamma", self.gamma.to_string()),
            ("lambda", self.lambda.to_string()),
            ("clip", self.clip.to_string()),
            ("value", self.value.to_string()),
            ("entropy", self.entropy.to_string()),
            ("longest", self.longest.to_string()),
            ("threads", self.threads.to_string()),
            ("save", self.save.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_round_trip_and_are_all_listed() {
        let (mut config, default) = (PpoConfig::default(), PpoConfig::default());
        config.set("entropy", "0.5").unwrap();
        for (key, value) in default.texts() {
            config.set(key, &value).unwrap();
        }
        assert_eq!(config, default);
        let names: Vec<&str> = default.texts().iter().map(|(key, _)| *key).collect();
        assert_eq!(names, PARAMETERS.iter().map(|p| p.name).collect::<Vec<_>>());
        // Cores are not the same everywhere.
        let fixed = PARAMETERS.iter().zip(default.texts()).filter(|(p, _)| p.name != "threads");
        for (parameter, (_, text)) in fixed {
            assert_eq!(parameter.default, text, "{}", parameter.name);
        }
        assert!(config.set("clip", "-1").is_err() && config.set("speed", "1").is_err());
    }
}
