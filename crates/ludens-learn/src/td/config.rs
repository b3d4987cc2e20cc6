//! Every setting of the recipe.

use ludens_core::params::{SWITCH, name_of};
use ludens_core::{Param, Parameter, ParseError, parameters};
use serde_json::Value;

use crate::settings::declared;

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
    /// Values told apart per cell; `None` for 16, or what the game has if that is less.
    pub values: Option<usize>,
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

const METHODS: [(&str, Method); 2] = [("td", Method::Td), ("tc", Method::Tc)];
const LEARN_NAMES: [(&str, Learn); 3] =
    [("afterstate", Learn::Afterstates), ("state", Learn::Positions), ("action", Learn::Actions)];
const ORDERS: [(&str, Order); 2] = [("backward", Order::Backward), ("forward", Order::Forward)];
const RECTIFY_NAMES: [(&str, Rectify); 3] =
    [("none", Rectify::None), ("target", Rectify::Target), ("relu", Rectify::Relu)];

const LEARN: Param<Learn> = Param::choice("learn", &LEARN_NAMES, "afterstate")
    .help("what has the values; action: Q-learning");
const LAYOUT: Param<String> =
    Param::text("layout", "NAME or tuples", "4x6").help("cells of the tables");
const VALUES: Param<Option<usize>> = Param::opt_int("values", 2..=64)
    .word("0")
    .help("values told apart per cell; 0: as many as fit 16");
const STAGES: Param<String> =
    Param::text("stages", "none | TILE[+TILE..],..", "none").help("tiles that start a stage");
const PROMOTION: Param<bool> =
    Param::switch("promotion", false).help("entries start as in the stage before");
const METHOD: Param<Method> =
    Param::choice("method", &METHODS, "tc").help("one learning rate, or one per entry");
const TC_FROM: Param<f64> =
    Param::float("tc_from", 0.0..=1.0, 0.0).help("share of the episodes before which tc is td");
const ALPHA: Param<Option<f64>> = Param::opt_float("alpha", 0.0..=10.0)
    .word("auto")
    .help("learning rate; auto: 0.1 for td, 1 for tc");
const SCHEDULE: Param<Vec<(u64, f64)>> = Param::custom(
    "schedule",
    "none | EPISODE:ALPHA,.. with rising episodes",
    "",
    "none",
    |_, text| schedule(text),
)
.help("later learning rates");
const INITIAL: Param<f64> =
    Param::float("initial", -1e9..=1e9, 0.0).help("value of everything at first (optimism)");
const ORDER: Param<Order> =
    Param::choice("order", &ORDERS, "backward").help("order of updates in an episode");
const STEPS: Param<usize> = Param::int("steps", 1..=1000, 1).help("rewards a target looks ahead");
const LAMBDA: Param<f64> =
    Param::float("lambda", 0.0..=1.0, 0.0).help("how much longer targets count");
const RECTIFY: Param<Rectify> = Param::choice("rectify", &RECTIFY_NAMES, "none")
    .help("values below 0 in targets, and as a gradient");
const MCTS: Param<u32> = Param::int("mcts", 0..=1_000_000, 0)
    .help("simulations of a search that plays and gives targets; 0: none");
const MCTS_C: Param<f64> =
    Param::float("mcts_c", 0.0..=1000.0, 0.005).help("its weight of exploration");
const MCTS_NORM: Param<Option<f64>> = Param::opt_float("mcts_norm", 1e-9..=1e12)
    .word("dynamic")
    .help("what its values are divided by");
const RESET: Param<u64> = Param::int("reset", 0..=u64::MAX, 0)
    .help("episodes after which tc forgets its errors; 0: never");
const SNAPSHOTS: Param<u64> = Param::int("snapshots", 0..=u64::MAX, 0)
    .help("episodes between networks kept besides; 0: none");
const EXPLORE: Param<Exploration> = Param::custom(
    "explore",
    "none | epsilon:P with P from 0 to 1 | softmax:T with T above 0",
    "",
    "none",
    |_, text| explore(text),
)
.help("moves other than the best");
const MARKS: Param<String> = Param::text("marks", "stages | TILE[+TILE..],..", "stages")
    .help("tiles whose arrivals are later starts");
const CAROUSEL: Param<bool> =
    Param::switch("carousel", false).help("start at the start and the later starts in turn");
const JUMP: Param<f64> =
    Param::float("jump", 0.0..=1.0, 0.0).help("how likely to start at a later start");
const RESTART: Param<usize> = Param::int("restart", 0..=100_000, 0)
    .help("play again from the middle after n moves; 0: never");
const EPISODES: Param<u64> = Param::int("episodes", 1..=u64::MAX, 100_000).help("episodes to play");
const BLOCK: Param<u64> =
    Param::int("block", 1..=1_000_000, 1000).help("episodes per line of metrics");
const THREADS: Param<usize> = Param::int("threads", 1..=1024, 1).help("threads");
const INTERLEAVE: Param<usize> =
    Param::int("interleave", 1..=64, 2).help("episodes a thread plays in turns");
const SAVE: Param<f64> = Param::float("save", 0.0..=1e9, 300.0).help("seconds between saves");
const HUGE_PAGES: Param<bool> = Param::switch("huge_pages", true).help("ask for huge pages");

/// Lists the settings: each with its declaration, its field and how its value is written.
macro_rules! fields {
    ($($param:ident => $($field:ident).+, $write:expr;)*) => {
        /// What may be set.
        pub(super) const PARAMETERS: &[Parameter] = parameters![$($param),*];

        impl TdConfig {
            /// Changes one setting.
            ///
            /// # Errors
            /// When there is no such setting, or the value is wrong.
            pub fn set(&mut self, key: &str, value: &str) -> Result<(), ParseError> {
                let mut one = declared(key, value, PARAMETERS)?;
                $(if let Some(value) = one.given(&$param)? {
                    self.$($field).+ = value;
                })*
                Ok(())
            }

            /// The settings as texts that [`set`](TdConfig::set) reads, in the order of
            /// [`PARAMETERS`](crate::Settings::PARAMETERS).
            pub fn texts(&self) -> Vec<(&'static str, String)> {
                vec![$(($param.name(), written(&self.$($field).+, $write))),*]
            }
        }
    };
}

fn written<T>(value: &T, write: impl Fn(&T) -> String) -> String {
    write(value)
}

fields! {
    LEARN => learn, |learn| name_of(&LEARN_NAMES, *learn).to_owned();
    LAYOUT => layout, String::clone;
    VALUES => values, |values| or_word(*values, "0");
    STAGES => stages, String::clone;
    PROMOTION => promotion, switch;
    METHOD => method, |method| name_of(&METHODS, *method).to_owned();
    TC_FROM => tc_from, f64::to_string;
    ALPHA => alpha, |alpha| or_word(*alpha, "auto");
    SCHEDULE => schedule, |points| schedule_text(points);
    INITIAL => initial, f64::to_string;
    ORDER => order, |order| name_of(&ORDERS, *order).to_owned();
    STEPS => steps, usize::to_string;
    LAMBDA => lambda, f64::to_string;
    RECTIFY => rectify, |rectify| name_of(&RECTIFY_NAMES, *rectify).to_owned();
    MCTS => search.simulations, u32::to_string;
    MCTS_C => search.exploration, f64::to_string;
    MCTS_NORM => search.norm, |norm| or_word(*norm, "dynamic");
    RESET => reset, u64::to_string;
    SNAPSHOTS => snapshots, u64::to_string;
    EXPLORE => explore, explore_text;
    MARKS => marks, String::clone;
    CAROUSEL => carousel, switch;
    JUMP => jump, f64::to_string;
    RESTART => restart, usize::to_string;
    EPISODES => episodes, u64::to_string;
    BLOCK => block, u64::to_string;
    THREADS => threads, usize::to_string;
    INTERLEAVE => interleave, usize::to_string;
    SAVE => save, f64::to_string;
    HUGE_PAGES => huge_pages, switch;
}

fn switch(on: &bool) -> String {
    name_of(&SWITCH, *on).to_owned()
}

fn or_word(number: Option<impl ToString>, word: &str) -> String {
    number.map_or_else(|| word.to_owned(), |number| number.to_string())
}

impl Default for TdConfig {
    fn default() -> Self {
        TdConfig {
            learn: LEARN.default(),
            layout: LAYOUT.default(),
            values: VALUES.default(),
            stages: STAGES.default(),
            promotion: PROMOTION.default(),
            method: METHOD.default(),
            tc_from: TC_FROM.default(),
            alpha: ALPHA.default(),
            schedule: SCHEDULE.default(),
            initial: INITIAL.default(),
            order: ORDER.default(),
            steps: STEPS.default(),
            lambda: LAMBDA.default(),
            rectify: RECTIFY.default(),
            search: Search {
                simulations: MCTS.default(),
                exploration: MCTS_C.default(),
                norm: MCTS_NORM.default(),
            },
            reset: RESET.default(),
            snapshots: SNAPSHOTS.default(),
            explore: EXPLORE.default(),
            marks: MARKS.default(),
            carousel: CAROUSEL.default(),
            jump: JUMP.default(),
            restart: RESTART.default(),
            episodes: EPISODES.default(),
            block: BLOCK.default(),
            threads: THREADS.default(),
            interleave: INTERLEAVE.default(),
            save: SAVE.default(),
            huge_pages: HUGE_PAGES.default(),
        }
    }
}

/// Settings that may change when a run is resumed.
pub(super) const CHANGEABLE: &[&str] = &["schedule", "snapshots", "episodes", "threads", "save"];

impl TdConfig {
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
            let found = format!("mcts with learn={}", name_of(&LEARN_NAMES, self.learn));
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

fn schedule(text: &str) -> Option<Vec<(u64, f64)>> {
    if text == "none" {
        return Some(Vec::new());
    }
    let point = |piece: &str| {
        let (episode, alpha) = piece.split_once(':')?;
        let alpha = alpha.parse().ok().filter(|alpha| (0.0..=10.0).contains(alpha))?;
        Some((episode.parse().ok()?, alpha))
    };
    let points: Option<Vec<(u64, f64)>> = text.split(',').map(point).collect();
    points.filter(|points| points.is_sorted_by(|a, b| a.0 < b.0))
}

fn schedule_text(points: &[(u64, f64)]) -> String {
    let later = points.iter().map(|(episode, alpha)| format!("{episode}:{alpha}"));
    if points.is_empty() { "none".to_owned() } else { later.collect::<Vec<_>>().join(",") }
}

fn explore(text: &str) -> Option<Exploration> {
    let number = |text: &str, most: f64| {
        text.parse::<f64>().ok().filter(|number| *number >= 0.0 && *number <= most)
    };
    match text.split_once(':') {
        None if text == "none" => Some(Exploration::Greedy),
        Some(("epsilon", p)) => number(p, 1.0).map(Exploration::Epsilon),
        Some(("softmax", t)) => number(t, 1e9).filter(|t| *t > 0.0).map(Exploration::Softmax),
        _ => None,
    }
}

fn explore_text(explore: &Exploration) -> String {
    match explore {
        Exploration::Greedy => "none".to_owned(),
        Exploration::Epsilon(p) => format!("epsilon:{p}"),
        Exploration::Softmax(t) => format!("softmax:{t}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_reads_back_and_defaults_are_told_right() {
        let mut config = TdConfig::default();
        for (parameter, (key, text)) in PARAMETERS.iter().zip(config.texts()) {
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
            "parameter lambda: found '2', expected a number from 0 to 1"
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
