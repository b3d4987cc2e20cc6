//! Every setting of the recipe.

use ludens_core::ParseError;
use serde_json::Value;

use super::explore::{Exploration, Scale};
use super::schedule::Schedule;
use crate::Settings;
use crate::settings::settings;

/// How entries are moved, and their values at first.
///
/// The optimistic methods are those of Guei (2023), chapter 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By one learning rate.
    Td,
    /// By a rate of their own: temporal coherence.
    Tc,
    /// As [`Td`](Method::Td), from optimistic values.
    Otd,
    /// As [`Tc`](Method::Tc), from optimistic values.
    Otc,
    /// As [`Otd`](Method::Otd), and as [`Tc`](Method::Tc) for the last part of the episodes.
    OtdTc,
}

impl Method {
    /// Whether entries have rates of their own at some time.
    pub fn is_coherent(self) -> bool {
        matches!(self, Method::Tc | Method::Otc | Method::OtdTc)
    }

    /// Whether entries begin with optimistic values.
    pub fn is_optimistic(self) -> bool {
        matches!(self, Method::Otd | Method::Otc | Method::OtdTc)
    }
}

/// The value of everything at first that Guei (2023) chose for 2048.
const OPTIMISTIC: f64 = 320_000.0;
/// The share of the episodes before which OTD+TC is plain learning (P_TC is the rest).
const FINE_TUNED_FROM: f64 = 0.9;

/// What has the values that are learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learn {
    /// What moves lead to, before nature acts.
    Afterstates,
    /// Positions; a move is chosen by the mean of what nature may make of it.
    Positions,
    /// Moves of positions: Q-learning.
    Actions,
}

/// In which order the turns of an episode are learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The last one first, so that news from the end travels far at once.
    Backward,
    /// As they were played.
    Forward,
}

/// What becomes of values below 0, which no score to come has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rectify {
    /// They are used as they are.
    None,
    /// They count as 0 in targets.
    Target,
    /// They count as 0 in targets, and afterstates that have them are not learned: the
    /// gradient of a rectified linear unit is 0 there.
    Relu,
}

settings! {
    /// What to learn and how.
    TdConfig, "td", ["schedule", "snapshots", "episodes", "threads", "save"], added ["explore_step" = "0", "softmax_scale" = "1", "stage" = "1", "arrivals" = "10000"], check check {
        learn: Learn = "afterstate", ["afterstate" => Learn::Afterstates, "state" => Learn::Positions, "action" => Learn::Actions], "what has the values; action: Q-learning";
        layout: String = "4x6", {"NAME or tuples"}, "cells of the tables";
        values: Option<usize> = "0", (2..=64), "values told apart per cell; 0: as many as fit 16";
        stages: String = "none", {"none | TILE[+TILE..],.."}, "tiles that start a stage";
        promotion: bool = "off", ["on" => true, "off" => false], "entries start as in the stage before";
        method: Method = "tc", ["td" => Method::Td, "tc" => Method::Tc, "otd" => Method::Otd, "otc" => Method::Otc, "otd+tc" => Method::OtdTc], "one learning rate, one per entry; o: optimistic";
        tc_from: Option<f64> = "auto", (0.0..=1.0), "share of the episodes before which tc is td; auto: 0.9 for otd+tc, else 0";
        alpha: Option<f64> = "auto", (0.0..=10.0), "learning rate, of td where that comes first; auto: 0.1 for td, 1 for tc";
        schedule: Schedule = "none", {"none | EPISODE:ALPHA,.. with rising episodes"}, "later learning rates";
        initial: Option<f64> = "auto", (-1e9..=1e9), "value of everything at first; auto: 0, 2048 with otd, otc, otd+tc: 320000";
        order: Order = "backward", ["backward" => Order::Backward, "forward" => Order::Forward], "order of updates in an episode";
        steps: usize = 1, (1..=1000), "rewards a target looks ahead";
        lambda: f64 = 0.0, (0.0..=1.0), "how much longer targets count";
        rectify: Rectify = "none", ["none" => Rectify::None, "target" => Rectify::Target, "relu" => Rectify::Relu], "values below 0 in targets, and as a gradient";
        mcts: u32 = 0, (0..=1000000), "simulations of a search that plays and gives targets; 0: none";
        mcts_c: f64 = 0.005, (0.0..=1000.0), "its weight of exploration";
        mcts_norm: Option<f64> = "dynamic", (1e-9..=1e12), "what its values are divided by";
        reset: u64 = 0, (0..=u64::MAX), "episodes after which tc forgets its errors; 0: never";
        snapshots: u64 = 0, (0..=u64::MAX), "episodes between networks kept besides; 0: none";
        explore: Exploration = "none", {"none | epsilon:P with P from 0 to 1 | softmax:T with T above 0"}, "moves other than the best";
        explore_step: u64 = 0, (0..=u64::MAX), "episodes after which explore is lowered, to 0 at the end of td; 0: never";
        softmax_scale: Scale = "1", {"POINTS | best"}, "what softmax divides values by; best: the best move's value";
        stage: usize = 1, (1..=16), "stage that learns; above 1: alone, after those of --from";
        arrivals: usize = 10000, (1..=10000000), "with stage above 1: recorded games that enter it";
        marks: String = "stages", {"stages | TILE[+TILE..],.."}, "tiles whose arrivals are later starts";
        carousel: bool = "off", ["on" => true, "off" => false], "start at the start and the later starts in turn";
        jump: f64 = 0.0, (0.0..=1.0), "how likely to start at a later start";
        restart: usize = 0, (0..=100000), "play again from the middle after n moves; 0: never";
        episodes: u64 = 100000, (1..=u64::MAX), "episodes to play";
        block: u64 = 1000, (1..=1000000), "episodes per line of metrics";
        threads: usize = 1, (1..=1024), "threads";
        interleave: usize = 2, (1..=64), "episodes a thread plays in turns";
        save: f64 = 300.0, (0.0..=1e9), "seconds between saves";
        huge_pages: bool = "on", ["on" => true, "off" => false], "ask for huge pages";
    }
}

impl TdConfig {
    /// The settings as JSON, for checkpoints.
    pub fn to_json(&self) -> Value {
        let texts = self.texts().into_iter();
        Value::Object(texts.map(|(k, v)| (k.to_owned(), Value::String(v))).collect())
    }

    /// A setting as it is written.
    fn written(&self, key: &str) -> String {
        let found = self.texts().into_iter().find(|(name, _)| *name == key);
        found.map(|(_, text)| text).unwrap_or_default()
    }

    /// Whether the settings go together.
    ///
    /// # Errors
    /// When they do not.
    pub fn check(&self) -> Result<(), ParseError> {
        if self.mcts > 0 && self.learn != Learn::Afterstates {
            let found = format!("mcts with learn={}", self.written("learn"));
            let expected = "mcts=0, or learn=afterstate: the search values afterstates";
            return Err(ParseError::new("setting", found, expected));
        }
        if self.stage > 1 && (self.carousel || self.jump > 0.0 || self.promotion) {
            let found = format!("stage={} with carousel, jump or promotion", self.stage);
            let expected = "none of them: a stage that learns alone starts where games entered it";
            return Err(ParseError::new("setting", found, expected));
        }
        Ok(())
    }

    /// Whether a multiple of `every` episodes was played since there were `before`.
    pub fn due(every: u64, before: u64, now: u64) -> bool {
        every > 0 && now / every > before / every
    }

    /// The share of all episodes before which plain learning is used.
    fn tc_from(&self) -> f64 {
        let own = if self.method == Method::OtdTc { FINE_TUNED_FROM } else { 0.0 };
        self.tc_from.unwrap_or(own)
    }

    /// Whether entries have rates of their own from this episode on.
    pub fn coherent(&self, episode: u64) -> bool {
        self.method.is_coherent() && episode as f64 >= self.tc_from() * self.episodes as f64
    }

    /// The learning rate from this episode on.
    pub fn alpha(&self, episode: u64) -> f64 {
        let second = self.tc_from() > 0.0 && self.coherent(episode);
        let own = if self.coherent(episode) { 1.0 } else { 0.1 };
        self.schedule.at(episode).or(self.alpha.filter(|_| !second)).unwrap_or(own)
    }

    /// Moves other than the best one from this episode on. With steps they become rarer, linearly to
    /// none at the end of plain learning, or of the run where there is no other.
    pub fn exploration(&self, episode: u64) -> Exploration {
        if self.explore_step == 0 {
            return self.explore;
        }
        let two_phases = self.method.is_coherent() && self.tc_from() > 0.0;
        let phase = if two_phases { self.tc_from() } else { 1.0 } * self.episodes as f64;
        let lowered = episode / self.explore_step * self.explore_step;
        self.explore.lowered(1.0 - lowered as f64 / phase)
    }

    /// The value of everything at first, in a game with its variant.
    ///
    /// # Errors
    /// When the method is optimistic, no value is named, and none is known for the game.
    pub fn initial(&self, game: &str) -> Result<f64, ParseError> {
        match self.initial {
            Some(value) => Ok(value),
            None if !self.method.is_optimistic() => Ok(0.0),
            None if game == "2048" => Ok(OPTIMISTIC),
            None => {
                let found = format!("method={} in {game}", self.written("method"));
                let expected = "initial=VALUE beside it, about the score of good play";
                Err(ParseError::new("setting", found, expected))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_reads_back_and_defaults_are_told_right() {
        let mut config = TdConfig::default();
        for (parameter, (key, text)) in TdConfig::PARAMETERS.iter().zip(config.texts()) {
            assert_eq!((parameter.name, parameter.default_text()), (key, text));
        }
        for (key, value) in [
            ("learn", "state"),
            ("layout", "8x6+re"),
            ("values", "12"),
            ("stages", "16384"),
            ("promotion", "on"),
            ("method", "td"),
            ("tc_from", "0.9"),
            ("alpha", "0.25"),
            ("schedule", "500:0.01,900:0.001"),
            ("initial", "320000"),
            ("order", "forward"),
            ("steps", "5"),
            ("lambda", "0.5"),
            ("rectify", "relu"),
            ("mcts", "50"),
            ("mcts_c", "0.1"),
            ("mcts_norm", "250000"),
            ("reset", "40"),
            ("snapshots", "40"),
            ("explore", "softmax:12.5"),
            ("explore_step", "1000000"),
            ("softmax_scale", "best"),
            ("stage", "2"),
            ("arrivals", "500"),
            ("carousel", "on"),
            ("jump", "0.5"),
            ("restart", "200"),
            ("episodes", "77"),
            ("block", "7"),
            ("threads", "2"),
            ("interleave", "1"),
            ("save", "1.5"),
            ("huge_pages", "off"),
        ] {
            config.set(key, value).unwrap();
            let texts = config.texts();
            assert_eq!(texts.iter().find(|(k, _)| *k == key).unwrap().1, value);
        }
        assert_eq!((config.alpha(0), config.alpha(500), config.alpha(10_000)), (0.25, 0.01, 0.001));
    }

    #[test]
    fn methods_have_their_rates_and_values() {
        let config = |settings: &[(&str, &str)]| {
            let mut config = TdConfig { episodes: 1000, ..TdConfig::default() };
            settings.iter().for_each(|(key, value)| config.set(key, value).unwrap());
            config
        };
        let rates = |settings: &[(&str, &str)]| [0, 899, 900].map(|n| config(settings).alpha(n));
        assert_eq!(rates(&[("method", "otd+tc")]), [0.1, 0.1, 1.0]);
        assert_eq!(rates(&[("method", "otd+tc"), ("alpha", "0.05")]), [0.05, 0.05, 1.0]);
        assert_eq!(rates(&[("method", "otd+tc"), ("tc_from", "0.1")]), [0.1, 1.0, 1.0]);
        assert_eq!(rates(&[("method", "otc")]), [1.0; 3]);
        assert_eq!(rates(&[("method", "tc"), ("alpha", "0.5")]), [0.5; 3]);
        assert_eq!(rates(&[("method", "otd")]), [0.1; 3]);
        let initial = |method: &str, game: &str| config(&[("method", method)]).initial(game);
        assert_eq!(
            (initial("otc", "2048").unwrap(), initial("tc", "2048").unwrap()),
            (320_000.0, 0.0)
        );
        let message = initial("otd+tc", "2048:board=2x3").unwrap_err().to_string();
        assert!(message.contains("expected initial=VALUE"), "{message}");
    }

    /// Table 42 of Guei (2023): once every million episodes, to 0 after 90 million of 100.
    #[test]
    fn exploration_falls_in_steps_to_the_end_of_the_first_phase() {
        let mut config = TdConfig { episodes: 100, ..TdConfig::default() };
        for (key, value) in [("method", "otd+tc"), ("explore", "epsilon:0.1")] {
            config.set(key, value).unwrap();
        }
        assert_eq!(config.exploration(99), Exploration::Epsilon(0.1));
        config.set("explore_step", "10").unwrap();
        let at = |episode| match config.exploration(episode) {
            Exploration::Epsilon(p) => p,
            _ => 0.0,
        };
        assert_eq!((at(0), at(9)), (0.1, 0.1));
        assert!((at(10) - 0.1 * 8.0 / 9.0).abs() < 1e-12 && (at(89) - 0.1 / 9.0).abs() < 1e-12);
        assert_eq!(config.exploration(90), Exploration::Greedy);
    }

    #[test]
    fn wrong_settings_are_named() {
        let mut config = TdConfig::default();
        let mut message = |key: &str, value: &str| config.set(key, value).unwrap_err().to_string();
        assert!(message("layuot", "4x6").starts_with("setting: found 'layuot', expected one of: "));
        assert_eq!(
            message("lambda", "2"),
            "parameter lambda: found '2', expected a number from 0 to 1"
        );
        assert!(message("schedule", "5:0.1,5:0.2").contains("rising episodes"));
        assert!(message("explore", "epsilon:2").contains("P from 0 to 1"));
        assert!(message("alpha", "nan").contains("a number from"));
        assert!(message("softmax_scale", "0").contains("POINTS | best"));
        let mut alone = TdConfig { stage: 2, ..TdConfig::default() };
        alone.check().unwrap();
        alone.carousel = true;
        assert!(alone.check().unwrap_err().to_string().contains("stage=2 with carousel"));
        let mut both = TdConfig::default();
        both.set("mcts", "10").unwrap();
        both.check().unwrap();
        both.set("learn", "action").unwrap();
        let message = both.check().unwrap_err().to_string();
        assert!(message.contains("found mcts with learn=action, expected mcts=0"), "{message}");
    }
}
