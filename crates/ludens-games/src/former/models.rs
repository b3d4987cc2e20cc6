//! The self-made heuristics of the Former text, 5.2, as values for any search.
//! Greedy play on them, or `BestChild` of the search crate as a policy, gives
//! its policies.
//!
//! Reading Urheim (2025): what its tables call *n* look-ahead is greedy play on the
//! value `v_(n-1)` of the child, `v_n` being the least number of groups `n` moves
//! ahead (eq. 5.3). Ties between children are broken by the smaller `v_(n-2)`, then
//! `v_(n-3)` and so on, then by the order of groups. With that rule greedy play
//! on its 1,000 boards comes to 18.54 (published 18.54), 16.21 (16.21)
//! and 15.49 (15.48) moves for n = 1, 2, 3. Read literally, with the first group
//! among equals, n = 2 and 3 come to 17.16 and 16.64: such a player keeps putting
//! off the good move, because after n moves it has been made either way.

use ludens_core::bits::mix;
use ludens_core::{Game, Heuristic, Position, Rng};

use super::{Evaluation, Former};

/// A model by name, for solvers that let one choose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Model {
    /// The tuned evaluation; not in Urheim (2025).
    Evaluation(Evaluation),
    /// The random model.
    Random(Chance),
    /// The largest group first.
    Largest,
    /// The fewest groups some moves ahead.
    LookAhead(LookAhead),
}

/// Makes a model.
pub type MakeModel = fn() -> Model;

impl Model {
    /// The models by the names of Urheim's (2025) tables: `look-ahead-n` orders
    /// children by the groups that are left `n` moves after the position before.
    pub const NAMES: [(&'static str, MakeModel); 7] = [
        ("evaluation", || Model::Evaluation(Evaluation::default())),
        ("random", || Model::Random(Chance::default())),
        ("largest", || Model::Largest),
        ("look-ahead-1", || Model::ahead(0)),
        ("look-ahead-2", || Model::ahead(1)),
        ("look-ahead-3", || Model::ahead(2)),
        ("look-ahead-4", || Model::ahead(3)),
    ];

    fn ahead(moves: u8) -> Model {
        Model::LookAhead(LookAhead { moves, ties: Ties::default() })
    }
}

impl Model {
    /// The value of a position; what it is does not matter once `stop` says so, which models
    /// that take long ask on the way.
    pub fn value_unless(&self, position: &Former, stop: &dyn Fn() -> bool) -> f32 {
        match self {
            Model::Evaluation(evaluation) => evaluation.value(position),
            Model::Random(chance) => chance.value(position),
            Model::Largest => FewestCells.value(position),
            Model::LookAhead(ahead) => ahead.value_unless(position, stop),
        }
    }
}

impl Heuristic<Former> for Model {
    fn value(&self, position: &Former) -> f32 {
        self.value_unless(position, &|| false)
    }

    /// The evaluation varies, and the random model draws other values.
    fn varied(&self, round: u64, rng: &mut Rng) -> Self {
        match self {
            Model::Evaluation(evaluation) => Model::Evaluation(evaluation.varied(round, rng)),
            Model::Random(chance) if round > 0 => {
                Model::Random(Chance { seed: mix(chance.seed ^ round) })
            }
            other => *other,
        }
    }
}

/// The random model: a value drawn once for every position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chance {
    /// Another number, other values.
    pub seed: u64,
}

impl Heuristic<Former> for Chance {
    fn value(&self, position: &Former) -> f32 {
        (mix(position.key() ^ self.seed) >> 40) as f32 / (1u32 << 24) as f32
    }
}

/// The largest-group-first model (eq. 5.1): minus the number of cells left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FewestCells;

impl Heuristic<Former> for FewestCells {
    #[inline]
    fn value(&self, position: &Former) -> f32 {
        -(position.occupied.count_ones() as f32)
    }
}

/// How a look-ahead model orders positions of equal value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// Not at all: eq. 5.3 to the letter.
    Open,
    /// By the fewest groups one move less ahead, and so on down to none.
    #[default]
    Nearer,
}

/// The look-ahead models (eq. 5.2 and 5.3): minus the least number of groups
/// that `moves` moves can lead to. A board that is cleared sooner has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LookAhead {
    /// How many moves; each costs a factor of the number of groups. From 3 on the
    /// last tie-break is lost in rounding.
    pub moves: u8,
    /// What distinguishes positions of equal value.
    pub ties: Ties,
}

impl LookAhead {
    /// The least number of groups `moves` moves ahead.
    pub fn fewest_groups(position: &Former, moves: u8) -> u32 {
        fewest_groups(position, moves, &|| false)
    }

    /// The value of a position; what it is does not matter once `stop` says so.
    pub fn value_unless(&self, position: &Former, stop: &dyn Fn() -> bool) -> f32 {
        let value = |moves| fewest_groups(position, moves, stop) as f32;
        match self.ties {
            Ties::Open => -value(self.moves),
            // No board has 128 groups: a step of one value outweighs all later ones.
            Ties::Nearer => -(0..=self.moves).fold(0.0, |sum, moves| sum / 128.0 + value(moves)),
        }
    }
}

fn fewest_groups(position: &Former, moves: u8, stop: &dyn Fn() -> bool) -> u32 {
    // A move takes well below a millisecond, and is long enough for a look at the clock.
    if moves == 0 || position.is_over() || stop() {
        return position.groups();
    }
    let mut least = u32::MAX;
    position.children(|_, child, _| {
        if least > 0 {
            least = least.min(fewest_groups(&child, moves - 1, stop));
        }
    });
    least
}

impl Heuristic<Former> for LookAhead {
    fn value(&self, position: &Former) -> f32 {
        self.value_unless(position, &|| false)
    }
}
