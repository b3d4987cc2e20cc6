//! Every setting of the recipe.

use ludens_core::error::quote;
use ludens_core::params::name_of;
use ludens_core::{Parameter, Params, ParseError};
use serde_json::Value;

/// How entries are moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By one learning rate.
    Td,
    /// By a rate of their own: temporal coherence.
    Tc,
}

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

/// A tree search that plays, and whose values are targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Search {
    /// Simulations per move; 0 for no search.
    pub simulations: u32,
    /// The weight of exploration.
    pub exploration: f64,
    /// What values are divided by; `None` for the best move's value.
    pub norm: Option<f64>,
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

/// Moves other than the best one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Exploration {
    /// None.
    Greedy,
    /// A random move with this probability.
    Epsilon(f64),
    /// Each move with a probability that falls exponentially with what it is worth
    /// less than the best, divided by this.
    Softmax(f64),
}

/// What to learn and how.
#[derive(Clone, PartialEq, Debug)]
pub struct TdConfig {
    /// What has the values.
    pub learn: Learn,
    /// The tuples, as [`ludens_ntuple::Layout`] reads them.
    pub layout: String,
    /// Values told apart per cell; 0 for 16, or what the game has if that is less.
    pub values: usize,
    /// Boundaries of stages, as [`ludens_ntuple::Stages`] reads them.
    pub stages: String,
    /// Whether entries of a stage begin as they are in the one before.
    pub promotion: bool,
    /// How entries are moved.
    pub method: Method,
    /// With [`Method::Tc`]: the share of all episodes before which plain learning is used.
    pub tc_from: f64,
    /// The learning rate; `None` is 0.1, or 1 while temporal coherence sets the rates.
    pub alpha: Option<f64>,
    /// Later learning rates: from an episode on, in rising order.
    pub schedule: Vec<(u64, f64)>,
    /// The value of everything at first.
    pub initial: f64,
    /// The order of updates.
    pub order: Order,
    /// How many rewards a target looks ahead at most.
    pub steps: usize,
    /// How much longer targets count: 0 for the shortest only, 1 for the longest only.
    pub lambda: f64,
    /// What becomes of values below 0.
    pub rectify: Rectify,
    /// The search whose values are targets, if it has any simulations.
    pub search: Search,
    /// Episodes after which temporal coherence forgets all errors; 0 for never.
    pub reset: u64,
    /// Episodes between networks that are kept besides the last one; 0 for none.
    pub snapshots: u64,
    /// Moves other than the best one.
    pub explore: Exploration,
    /// Tiles whose first arrivals are kept as later starts; `stages` for the boundaries of the
    /// network's.
    pub marks: String,
    /// Whether episodes go on from the beginnings of later stages in turn.
    pub carousel: bool,
    /// How likely an episode begins at a later stage.
    pub jump: f64,
    /// Episodes of at least so many moves are played again from their middle; 0 for never.
    pub restart: usize,
    /// How many episodes to play.
    pub episodes: u64,
    /// Episodes between which a run can be saved.
    pub block: u64,
    /// Threads.
    pub threads: usize,
    /// Episodes that each thread plays in turns.
    pub interleave: usize,
    /// Seconds between saves.
    pub save: f64,
    /// Whether to ask for huge pages.
    pub huge_pages: bool,
}

impl Default for TdConfig {
    fn default() -> Self {
        TdConfig {
            learn: Learn::Afterstates,
            layout: "4x6".to_owned(),
            values: 0,
            stages: "none".to_owned(),
            promotion: false,
            method: Method::Tc,
            tc_from: 0.0,
            alpha: None,
            schedule: Vec::new(),
            initial: 0.0,
            order: Order::Backward,
            steps: 1,
            lambda: 0.0,
            rectify: Rectify::None,
            search: Search { simulations: 0, exploration: 0.005, norm: None },
            reset: 0,
            snapshots: 0,
            explore: Exploration::Greedy,
            marks: "stages".to_owned(),
            carousel: false,
            jump: 0.0,
            restart: 0,
            episodes: 100_000,
            block: 1000,
            threads: 1,
            interleave: 2,
            save: 300.0,
            huge_pages: true,
        }
    }
}

const METHODS: [(&str, Method); 2] = [("td", Method::Td), ("tc", Method::Tc)];
const LEARN: [(&str, Learn); 3] =
    [("afterstate", Learn::Afterstates), ("state", Learn::Positions), ("action", Learn::Actions)];
const ORDERS: [(&str, Order); 2] = [("backward", Order::Backward), ("forward", Order::Forward)];
const RECTIFY: [(&str, Rectify); 3] =
    [("none", Rectify::None), ("target", Rectify::Target), ("relu", Rectify::Relu)];
const SWITCH: [(&str, bool); 2] = [("on", true), ("off", false)];

/// What may be set, with the defaults of [`TdConfig::default`].
pub(super) const PARAMETERS: &[Parameter] = &[
    p(
        "learn",
        "afterstate | state | action",
        "afterstate",
        "what has the values; action: Q-learning",
    ),
    p("layout", "NAME or tuples", "4x6", "cells of the tables"),
    p("values", "0 | 2..64", "0", "values told apart per cell; 0: as many as fit 16"),
    p("stages", "none | TILE[+TILE..],..", "none", "tiles that begin a stage"),
    p("promotion", "on | off", "off", "entries begin as in the stage before"),
    p("method", "td | tc", "tc", "one learning rate, or one per entry"),
    p("tc_from", "0..1", "0", "share of the episodes before which tc is td"),
    p("alpha", "auto | 0..10", "auto", "learning rate; auto: 0.1 for td, 1 for tc"),
    p("schedule", "none | EPISODE:ALPHA,..", "none", "later learning rates"),
    p("initial", "NUMBER", "0", "value of everything at first (optimism)"),
    p("order", "backward | forward", "backward", "order of updates in an episode"),
    p("steps", "1..1000", "1", "rewards a target looks ahead"),
    p("lambda", "0..1", "0", "how much longer targets count"),
    p("rectify", "none | target | relu", "none", "values below 0 in targets, and as a gradient"),
    p("mcts", "0..1000000", "0", "simulations of a search that plays and gives targets; 0: none"),
    p("mcts_c", "0..1000", "0.005", "its weight of exploration"),
    p("mcts_norm", "dynamic | 1e-9..1e12", "dynamic", "what its values are divided by"),
    p("reset", "0..", "0", "episodes after which tc forgets its errors; 0: never"),
    p("snapshots", "0..", "0", "episodes between networks kept besides; 0: none"),
    p("explore", "none | epsilon:P | softmax:T", "none", "moves other than the best"),
    p("marks", "stages | TILE[+TILE..],..", "stages", "tiles whose arrivals are later starts"),
    p("carousel", "on | off", "off", "begin at the start and the later starts in turn"),
    p("jump", "0..1", "0", "how likely to begin at a later start"),
    p("restart", "0..100000", "0", "play again from the middle after so many moves"),
    p("episodes", "1..", "100000", "episodes to play"),
    p("block", "1..1000000", "1000", "episodes per line of metrics"),
    p("threads", "1..1024", "1", "threads"),
    p("interleave", "1..64", "2", "episodes a thread plays in turns"),
    p("save", "SECONDS", "300", "time between saves"),
    p("huge_pages", "on | off", "on", "ask for huge pages"),
];

const fn p(
    name: &'static str,
    values: &'static str,
    default: &'static str,
    about: &'static str,
) -> Parameter {
    Parameter { name, values, default, about }
}

/// Settings that may change when a run is resumed.
pub(super) const CHANGEABLE: &[&str] = &["schedule", "snapshots", "episodes", "threads", "save"];

impl TdConfig {
    /// Changes one setting.
    ///
    /// # Errors
    /// When there is no such setting, or the value is wrong.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ParseError> {
        let read = &mut Params::single(key, value);
        match key {
            "learn" => self.learn = read.choice(key, self.learn, &LEARN)?,
            "layout" => value.clone_into(&mut self.layout),
            "values" if value == "0" => self.values = 0,
            "values" => self.values = read.number(key, 0, 2..=64)?,
            "stages" => value.clone_into(&mut self.stages),
            "promotion" => self.promotion = read.choice(key, false, &SWITCH)?,
            "method" => self.method = read.choice(key, self.method, &METHODS)?,
            "tc_from" => self.tc_from = read.number(key, 0.0, 0.0..=1.0)?,
            "alpha" if value == "auto" => self.alpha = None,
            "alpha" => self.alpha = Some(read.number(key, 0.1, 0.0..=10.0)?),
            "schedule" => self.schedule = schedule(value)?,
            "initial" => self.initial = read.number(key, 0.0, -1e9..=1e9)?,
            "order" => self.order = read.choice(key, self.order, &ORDERS)?,
            "steps" => self.steps = read.number(key, 1, 1..=1000)?,
            "lambda" => self.lambda = read.number(key, 0.0, 0.0..=1.0)?,
            "rectify" => self.rectify = read.choice(key, self.rectify, &RECTIFY)?,
            "mcts" => self.search.simulations = read.number(key, 0, 0..=1_000_000)?,
            "mcts_c" => self.search.exploration = read.number(key, 0.005, 0.0..=1000.0)?,
            "mcts_norm" if value == "dynamic" => self.search.norm = None,
            "mcts_norm" => self.search.norm = Some(read.number(key, 1.0, 1e-9..=1e12)?),
            "reset" => self.reset = read.number(key, 0, 0..=u64::MAX)?,
            "snapshots" => self.snapshots = read.number(key, 0, 0..=u64::MAX)?,
            "explore" => self.explore = explore(value)?,
            "marks" => value.clone_into(&mut self.marks),
            "carousel" => self.carousel = read.choice(key, false, &SWITCH)?,
            "jump" => self.jump = read.number(key, 0.0, 0.0..=1.0)?,
            "restart" => self.restart = read.number(key, 0, 0..=100_000)?,
            "episodes" => self.episodes = read.number(key, 1, 1..=u64::MAX)?,
            "block" => self.block = read.number(key, 1000, 1..=1_000_000)?,
            "threads" => self.threads = read.number(key, 1, 1..=1024)?,
            "interleave" => self.interleave = read.number(key, 2, 1..=64)?,
            "save" => self.save = read.number(key, 300.0, 0.0..=1e9)?,
            "huge_pages" => self.huge_pages = read.choice(key, true, &SWITCH)?,
            _ => {
                let known: Vec<&str> = PARAMETERS.iter().map(|p| p.name).collect();
                let expected = format!("one of: {}", known.join(", "));
                return Err(ParseError::new("setting", quote(key), expected));
            }
        }
        Ok(())
    }

    /// The settings as texts that [`set`](TdConfig::set) reads, in the order of
    /// [`PARAMETERS`](crate::Settings::PARAMETERS).
    pub fn texts(&self) -> Vec<(&'static str, String)> {
        let switch = |on: bool| name_of(&SWITCH, on).to_owned();
        let explore = match self.explore {
            Exploration::Greedy => "none".to_owned(),
            Exploration::Epsilon(p) => format!("epsilon:{p}"),
            Exploration::Softmax(t) => format!("softmax:{t}"),
        };
        let later = self.schedule.iter().map(|(episode, alpha)| format!("{episode}:{alpha}"));
        let schedule = later.collect::<Vec<_>>().join(",");
        let schedule = if schedule.is_empty() { "none".to_owned() } else { schedule };
        let values = [
            name_of(&LEARN, self.learn).to_owned(),
            self.layout.clone(),
            self.values.to_string(),
            self.stages.clone(),
            switch(self.promotion),
            name_of(&METHODS, self.method).to_owned(),
            self.tc_from.to_string(),
            self.alpha.map_or("auto".to_owned(), |alpha| alpha.to_string()),
            schedule,
            self.initial.to_string(),
            name_of(&ORDERS, self.order).to_owned(),
            self.steps.to_string(),
            self.lambda.to_string(),
            name_of(&RECTIFY, self.rectify).to_owned(),
            self.search.simulations.to_string(),
            self.search.exploration.to_string(),
            self.search.norm.map_or("dynamic".to_owned(), |norm| norm.to_string()),
            self.reset.to_string(),
            self.snapshots.to_string(),
            explore,
            self.marks.clone(),
            switch(self.carousel),
            self.jump.to_string(),
            self.restart.to_string(),
            self.episodes.to_string(),
            self.block.to_string(),
            self.threads.to_string(),
            self.interleave.to_string(),
            self.save.to_string(),
            switch(self.huge_pages),
        ];
        PARAMETERS.iter().map(|parameter| parameter.name).zip(values).collect()
    }

    /// The settings as JSON, for checkpoints.
    pub fn to_json(&self) -> Value {
        let texts = self.texts().into_iter();
        Value::Object(texts.map(|(k, v)| (k.to_owned(), Value::String(v))).collect())
    }

    /// Whether the settings go together.
    ///
    /// # Errors
    /// When they do not.
    pub fn check(&self) -> Result<(), ParseError> {
        if self.search.simulations > 0 && self.learn != Learn::Afterstates {
            let found = format!("mcts with learn={}", name_of(&LEARN, self.learn));
            let expected = "mcts=0, or learn=afterstate: the search values afterstates";
            return Err(ParseError::new("setting", found, expected));
        }
        Ok(())
    }

    /// Whether a multiple of `every` episodes was played since there were `before`.
    pub fn due(every: u64, before: u64, now: u64) -> bool {
        every > 0 && now / every > before / every
    }

    /// Whether entries have rates of their own from this episode on.
    pub fn coherent(&self, episode: u64) -> bool {
        self.method == Method::Tc && episode as f64 >= self.tc_from * self.episodes as f64
    }

    /// The learning rate from this episode on.
    pub fn alpha(&self, episode: u64) -> f64 {
        let later = self.schedule.iter().rev().find(|(from, _)| *from <= episode);
        let own = if self.coherent(episode) { 1.0 } else { 0.1 };
        later.map(|(_, alpha)| *alpha).or(self.alpha).unwrap_or(own)
    }
}

fn schedule(text: &str) -> Result<Vec<(u64, f64)>, ParseError> {
    let wrong = || {
        let expected = "none, or EPISODE:ALPHA,.. with rising episodes such as 500000:0.01";
        ParseError::new("parameter schedule", quote(text), expected)
    };
    if text == "none" {
        return Ok(Vec::new());
    }
    let point = |piece: &str| {
        let (episode, alpha) = piece.split_once(':')?;
        let alpha = alpha.parse().ok().filter(|alpha| (0.0..=10.0).contains(alpha))?;
        Some((episode.parse().ok()?, alpha))
    };
    let points: Option<Vec<(u64, f64)>> = text.split(',').map(point).collect();
    points.filter(|points| points.is_sorted_by(|a, b| a.0 < b.0)).ok_or_else(wrong)
}

fn explore(text: &str) -> Result<Exploration, ParseError> {
    let number = |text: &str, most: f64| {
        text.parse::<f64>().ok().filter(|number| *number >= 0.0 && *number <= most)
    };
    let found = match text.split_once(':') {
        None if text == "none" => Some(Exploration::Greedy),
        Some(("epsilon", p)) => number(p, 1.0).map(Exploration::Epsilon),
        Some(("softmax", t)) => number(t, 1e9).filter(|t| *t > 0.0).map(Exploration::Softmax),
        _ => None,
    };
    let expected = "none, epsilon:P with P from 0 to 1, or softmax:T with T above 0";
    found.ok_or_else(|| ParseError::new("parameter explore", quote(text), expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_reads_back_and_defaults_are_told_right() {
        let mut config = TdConfig::default();
        for (parameter, (key, text)) in PARAMETERS.iter().zip(config.texts()) {
            assert_eq!((parameter.name, parameter.default), (key, text.as_str()));
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
    fn wrong_settings_are_named() {
        let mut config = TdConfig::default();
        let mut told = |key: &str, value: &str| config.set(key, value).unwrap_err().to_string();
        assert!(told("layuot", "4x6").starts_with("setting: found 'layuot', expected one of: "));
        assert_eq!(
            told("lambda", "2"),
            "parameter lambda: found '2', expected a number from 0.0 to 1.0"
        );
        assert!(told("schedule", "5:0.1,5:0.2").contains("rising episodes"));
        assert!(told("explore", "epsilon:2").contains("P from 0 to 1"));
        assert!(told("alpha", "nan").contains("a number from"));
        let mut both = TdConfig::default();
        both.set("mcts", "10").unwrap();
        both.check().unwrap();
        both.set("learn", "action").unwrap();
        let message = both.check().unwrap_err().to_string();
        assert!(message.contains("found mcts with learn=action, expected mcts=0"), "{message}");
    }
}
