//! Every setting of the recipe.

use ludens_core::params::name_of;
use ludens_core::{Parameter, Params, ParseError};

use crate::settings::unknown;
use crate::{Settings, Stages};

/// What the network learns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The expert's move.
    Policy,
    /// The rewards still to come.
    Value,
    /// Both, by one network with two heads.
    Both,
}

impl Kind {
    /// Whether the network has a policy.
    pub fn has_policy(self) -> bool {
        self != Kind::Value
    }

    /// Whether it has a value.
    pub fn has_value(self) -> bool {
        self != Kind::Policy
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

const KINDS: &[(&str, Kind)] =
    &[("policy", Kind::Policy), ("value", Kind::Value), ("both", Kind::Both)];
const SCHEDULES: &[(&str, Schedule)] =
    &[("constant", Schedule::Constant), ("linear", Schedule::Linear)];
const SWITCH: &[(&str, bool)] = &[("on", true), ("off", false)];

/// What to learn and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SupervisedConfig {
    /// What the network learns.
    pub kind: Kind,
    /// Filters of every convolution.
    pub w: usize,
    /// Convolutions.
    pub d: usize,
    /// Games of the expert.
    pub games: u64,
    /// Lines of every game that branch off by a random move.
    pub branches: u64,
    /// The expert's beam.
    pub beam: usize,
    /// Moves at the end of a game that are made optimal; 0 leaves them as they are.
    pub exact: usize,
    /// Longer games are left out.
    pub longest: usize,
    /// Times to go through all samples, at most.
    pub epochs: u64,
    /// Epochs without progress on the games held back before it ends.
    pub patience: u64,
    /// Samples of a step.
    pub batch: usize,
    /// Adam's learning rate at the start.
    pub rate: f32,
    /// How it goes on.
    pub schedule: Schedule,
    /// Whether a sample is seen as one of its images, each time another.
    pub images: bool,
    /// Weight decay.
    pub decay: f32,
    /// Threads that play, learn and measure; what is learned does not depend on them.
    pub threads: usize,
    /// Seconds between checkpoints.
    pub save: f64,
}

impl Default for SupervisedConfig {
    fn default() -> Self {
        SupervisedConfig {
            kind: Kind::Value,
            w: 32,
            d: 5,
            games: 10_000,
            branches: 0,
            beam: 128,
            exact: 8,
            longest: 20,
            epochs: 15,
            patience: 3,
            batch: 128,
            rate: 1e-3,
            schedule: Schedule::Constant,
            images: true,
            decay: 1e-5,
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
    p("kind", "policy | value | both", "value", "what the network learns"),
    p("w", "1..512", "32", "filters of every convolution"),
    p("d", "1..50", "5", "convolutions"),
    p("games", "10..100000000", "10000", "games of the expert"),
    p("branches", "0..100", "0", "lines of every game that branch off by a random move"),
    p("beam", "1..1000000", "128", "width of the expert's beam"),
    p("exact", "0..30", "8", "moves at the end of a game that are made optimal"),
    p("longest", "1..1000", "20", "longer games are left out"),
    p("epochs", "1..10000", "15", "times to go through all samples, at most"),
    p("patience", "1..10000", "3", "epochs without progress before it ends"),
    p("batch", "2..65536", "128", "samples of a step"),
    p("rate", "0..1", "0.001", "learning rate at the start"),
    p("schedule", "constant | linear", "constant", "how the rate goes on: linear, down to 0"),
    p("images", "on | off", "on", "mirrors samples and renames their shapes by lot"),
    p("decay", "0..1", "0.00001", "weight decay"),
    p("threads", "1..1024", "all cores", "threads that play, learn and measure"),
    p("save", "1..86400", "120", "seconds between checkpoints"),
];

impl Stages for SupervisedConfig {
    const STAGE: &'static str = "epoch";
}

impl Settings for SupervisedConfig {
    const RECIPE: &'static str = "supervised";
    const PARAMETERS: &'static [Parameter] = PARAMETERS;
    const CHANGEABLE: &'static [&'static str] = &["epochs", "patience", "threads", "save"];

    fn set(&mut self, key: &str, value: &str) -> Result<(), ParseError> {
        let mut one = Params::single(key, value);
        match key {
            "kind" => self.kind = one.choice(key, self.kind, KINDS)?,
            "w" => self.w = one.number(key, self.w, 1..=512)?,
            "d" => self.d = one.number(key, self.d, 1..=50)?,
            "games" => self.games = one.number(key, self.games, 10..=100_000_000)?,
            "branches" => self.branches = one.number(key, self.branches, 0..=100)?,
            "beam" => self.beam = one.number(key, self.beam, 1..=1_000_000)?,
            "exact" => self.exact = one.number(key, self.exact, 0..=30)?,
            "longest" => self.longest = one.number(key, self.longest, 1..=1000)?,
            "epochs" => self.epochs = one.number(key, self.epochs, 1..=10_000)?,
            "patience" => self.patience = one.number(key, self.patience, 1..=10_000)?,
            "batch" => self.batch = one.number(key, self.batch, 2..=65_536)?,
            "rate" => self.rate = one.number(key, self.rate, 0.0..=1.0)?,
            "schedule" => self.schedule = one.choice(key, self.schedule, SCHEDULES)?,
            "images" => self.images = one.choice(key, self.images, SWITCH)?,
            "decay" => self.decay = one.number(key, self.decay, 0.0..=1.0)?,
            "threads" => self.threads = one.number(key, self.threads, 1..=1024)?,
            "save" => self.save = one.number(key, self.save, 1.0..=86_400.0)?,
            _ => return Err(unknown(key, PARAMETERS)),
        }
        Ok(())
    }

    fn texts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("kind", name_of(KINDS, self.kind).to_owned()),
            ("w", self.w.to_string()),
            ("d", self.d.to_string()),
            ("games", self.games.to_string()),
            ("branches", self.branches.to_string()),
            ("beam", self.beam.to_string()),
            ("exact", self.exact.to_string()),
            ("longest", self.longest.to_string()),
            ("epochs", self.epochs.to_string()),
            ("patience", self.patience.to_string()),
            ("batch", self.batch.to_string()),
            ("rate", self.rate.to_string()),
            ("schedule", name_of(SCHEDULES, self.schedule).to_owned()),
            ("images", name_of(SWITCH, self.images).to_owned()),
            ("decay", self.decay.to_string()),
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
        let (mut config, default) = (SupervisedConfig::default(), SupervisedConfig::default());
        config.set("kind", "policy").unwrap();
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
        assert!(config.set("batch", "1").is_err());
        assert!(config.set("speed", "1").is_err());
    }
}
