//! Every setting of the recipe.

use ludens_core::params::{SWITCH, name_of};
use ludens_core::{Param, Parameter, ParseError, parameters};
use serde_json::Value;

use super::explore::{Exploration, Scale};
use crate::settings::declared;

/// How entries are moved, and what they are worth at first.
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
    /// With temporal coherence: the share of all episodes before which plain learning is used;
    /// `None` is 0.9 with [`Method::OtdTc`], else 0.
    pub tc_from: Option<f64>,
    /// The learning rate; `None` is 0.1, or 1 while temporal coherence sets the rates. Where plain
    /// learning comes first it is the rate of that.
    pub alpha: Option<f64>,
    /// Later learning rates: from an episode on, in rising order.
    pub schedule: Vec<(u64, f64)>,
    /// The value of everything at first; `None` is 0, or 320,000 with optimistic methods in 2048.
    pub initial: Option<f64>,
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
    /// Episodes after which exploration is lowered; 0 for never.
    pub explore_step: u64,
    /// What softmax divides values by.
    pub softmax_scale: Scale,
    /// The stage that learns, from 1; those before it come from another run.
    pub stage: usize,
    /// Where games entered the stage: how many of them to record.
    pub arrivals: usize,
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

const METHODS: [(&str, Method); 5] = [
    ("td", Method::Td),
    ("tc", Method::Tc),
    ("otd", Method::Otd),
    ("otc", Method::Otc),
    ("otd+tc", Method::OtdTc),
];
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
    Param::choice("method", &METHODS, "tc").help("one learning rate, one per entry; o: optimistic");
const TC_FROM: Param<Option<f64>> = Param::opt_float("tc_from", 0.0..=1.0)
    .word("auto")
    .help("share of the episodes before which tc is td; auto: 0.9 for otd+tc, else 0");
const ALPHA: Param<Option<f64>> = Param::opt_float("alpha", 0.0..=10.0)
    .word("auto")
    .help("learning rate, of td where that comes first; auto: 0.1 for td, 1 for tc");
const SCHEDULE: Param<Vec<(u64, f64)>> = Param::custom(
    "schedule",
    "none | EPISODE:ALPHA,.. with rising episodes",
    "",
    "none",
    |_, text| schedule(text),
)
.help("later learning rates");
const INITIAL: Param<Option<f64>> = Param::opt_float("initial", -1e9..=1e9)
    .word("auto")
    .help("value of everything at first; auto: 0, 2048 with otd, otc, otd+tc: 320000");
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
    |_, text| Exploration::parse(text),
)
.help("moves other than the best");
const EXPLORE_STEP: Param<u64> = Param::int("explore_step", 0..=u64::MAX, 0)
    .help("episodes after which explore is lowered, to 0 at the end of td; 0: never");
const SOFTMAX_SCALE: Param<Scale> =
    Param::custom("softmax_scale", "POINTS | best", "", "1", |_, text| Scale::parse(text))
        .help("what softmax divides values by; best: the best move's value");
const STAGE: Param<usize> =
    Param::int("stage", 1..=16, 1).help("stage that learns; above 1: alone, after those of --from");
const ARRIVALS: Param<usize> = Param::int("arrivals", 1..=10_000_000, 10_000)
    .help("with stage above 1: recorded games that enter it");
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
    TC_FROM => tc_from, |share| or_word(*share, "auto");
    ALPHA => alpha, |alpha| or_word(*alpha, "auto");
    SCHEDULE => schedule, |points| schedule_text(points);
    INITIAL => initial, |value| or_word(*value, "auto");
    ORDER => order, |order| name_of(&ORDERS, *order).to_owned();
    STEPS => steps, usize::to_string;
    LAMBDA => lambda, f64::to_string;
    RECTIFY => rectify, |rectify| name_of(&RECTIFY_NAMES, *rectify).to_owned();
    MCTS => search.simulations, u32::to_string;
    MCTS_C => search.exploration, f64::to_string;
    MCTS_NORM => search.norm, |norm| or_word(*norm, "dynamic");
    RESET => reset, u64::to_string;
    SNAPSHOTS => snapshots, u64::to_string;
    EXPLORE => explore, Exploration::text;
    EXPLORE_STEP => explore_step, u64::to_string;
    SOFTMAX_SCALE => softmax_scale, Scale::text;
    STAGE => stage, usize::to_string;
    ARRIVALS => arrivals, usize::to_string;
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
            explore_step: EXPLORE_STEP.default(),
            softmax_scale: SOFTMAX_SCALE.default(),
            stage: STAGE.default(),
            arrivals: ARRIVALS.default(),
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
/// Settings that runs of 0.1.0 did not have; their defaults are what those did.
pub(super) const ADDED: &[(&str, &str)] =
    &[("explore_step", "0"), ("softmax_scale", "1"), ("stage", "1"), ("arrivals", "10000")];

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
        let later = self.schedule.iter().rev().find(|(from, _)| *from <= episode);
        let second = self.tc_from() > 0.0 && self.coherent(episode);
        let own = if self.coherent(episode) { 1.0 } else { 0.1 };
        later.map(|(_, alpha)| *alpha).or(self.alpha.filter(|_| !second)).unwrap_or(own)
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
                let found = format!("method={} in {game}", name_of(&METHODS, self.method));
                let expected = "initial=VALUE beside it, about the score of good play";
                Err(ParseError::new("setting", found, expected))
            }
        }
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
        let told = initial("otd+tc", "2048:board=2x3").unwrap_err().to_string();
        assert!(told.contains("expected initial=VALUE"), "{told}");
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
        let mut told = |key: &str, value: &str| config.set(key, value).unwrap_err().to_string();
        assert!(told("layuot", "4x6").starts_with("setting: found 'layuot', expected one of: "));
        assert_eq!(
            told("lambda", "2"),
            "parameter lambda: found '2', expected a number from 0 to 1"
        );
        assert!(told("schedule", "5:0.1,5:0.2").contains("rising episodes"));
        assert!(told("explore", "epsilon:2").contains("P from 0 to 1"));
        assert!(told("alpha", "nan").contains("a number from"));
        assert!(told("softmax_scale", "0").contains("POINTS | best"));
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
