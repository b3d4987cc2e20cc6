//! The rules of a game: one transition, capabilities as separate traits.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::{GameResult, Player, Rng, Variant};

/// What a move pays, always to [`Player::One`]. Integers, so that sums are exact.
pub type Reward = i32;

/// A value to store in tables and files: small, `Copy`, without history.
pub trait Position: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// A well-mixed 64-bit key of the whole value. Equal values have equal
    /// keys; the key of a value stays the same between runs and machines.
    fn key(&self) -> u64;
}

/// A position to move in, and the rules that lead on from it.
///
/// A turn has two halves. The player's [`apply`](Game::apply) leads to an
/// *afterstate*; nature's [`apply_outcome`](Game::apply_outcome) leads from there to the next
/// position. Where there is no chance the afterstate is the position itself
/// (see [`Deterministic`]).
///
/// Actions and outcomes given to `apply` and `apply_outcome` are trusted: they come
/// from [`actions`](Game::actions) and [`outcomes`](Game::outcomes) of the same
/// position. Breaking this may panic or give a meaningless position, never
/// undefined behaviour. Text from outside goes through
/// [`crate::Notation::parse_action`], which checks.
pub trait Game: Position {
    /// Sizes, scoring and spawn rules.
    type Variant: Variant;
    /// A player's choice.
    type Action: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// The legal actions: owned, a bit set or a stack buffer.
    type Actions: ExactSizeIterator<Item = Self::Action> + Clone;
    /// A position before nature acts; `Self` where there is no chance.
    type After: Position;
    /// One of nature's outcomes; `()` where there is no chance.
    type Chance: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// One or two.
    const PLAYERS: usize;

    /// The variant this position belongs to.
    fn variant(&self) -> Self::Variant;

    /// A start position; all randomness comes from `rng`.
    fn start(variant: &Self::Variant, rng: &mut Rng) -> Self;

    /// Who moves. Ask, never assume alternation. Of no meaning once over.
    /// Games for two must say; with one player it is that one.
    #[inline]
    fn to_move(&self) -> Player {
        const { assert!(Self::PLAYERS == 1, "a game for two says who moves") };
        Player::One
    }

    /// The legal actions in a fixed order; empty exactly when the game is over.
    fn actions(&self) -> Self::Actions;

    /// Whether the game has ended.
    #[inline]
    fn is_over(&self) -> bool {
        self.actions().len() == 0
    }

    /// Whether one action is legal here, found from the rules for that action
    /// alone and for any value of the type, however odd.
    fn is_legal(&self, action: Self::Action) -> bool;

    /// Plays a legal action.
    fn apply(&self, action: Self::Action) -> (Self::After, Reward);

    /// Whether nature has a choice to make after this move. `false` everywhere
    /// in deterministic games; such steps are no plies in [`crate::perft()`].
    fn is_chance(after: &Self::After) -> bool;

    /// Nature's outcomes with their exact probabilities (all above 0, summing to 1).
    /// Stops early when `f` breaks.
    fn outcomes(
        after: &Self::After,
        f: impl FnMut(Self::Chance, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Applies one outcome. Nature may pay too.
    fn apply_outcome(after: &Self::After, chance: Self::Chance) -> (Self, Reward);

    /// Draws an outcome with the probabilities of [`outcomes`](Game::outcomes).
    fn sample(after: &Self::After, rng: &mut Rng) -> Self::Chance {
        let mut left = rng.unit();
        let mut chosen = None;
        let _ = Self::outcomes(after, |chance, p| {
            chosen = Some(chance);
            left -= p;
            if left < 0.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        chosen.expect("every afterstate has an outcome")
    }

    /// All actions with what they lead to, in the order of [`actions`](Game::actions).
    /// Overridden where this saves work, such as a second flood fill.
    #[inline]
    fn children(&self, mut f: impl FnMut(Self::Action, Self::After, Reward)) {
        for action in self.actions() {
            let (after, reward) = self.apply(action);
            f(action, after, reward);
        }
    }

    /// A move drawn uniformly from the legal ones, or `None` when over.
    /// Overridden where sampling is cheaper than listing.
    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Self::Action, Self::After, Reward)> {
        listed_step(self, rng)
    }

    /// Plays uniformly random moves to the end, without allocating.
    #[inline]
    fn playout(&self, rng: &mut Rng) -> Playout<Self> {
        stepwise_playout(self, rng)
    }

    /// The sum of the rewards so far where the position itself shows it: a
    /// duel's result, the tiles on a Threes! board. It grows by exactly what
    /// `apply` and `apply_outcome` pay.
    fn score(&self) -> Option<i64> {
        None
    }
}

/// A move drawn uniformly from the list of all: what [`Game::step`] does unless
/// it is overridden, for games that override it only in some positions.
#[inline]
pub fn listed_step<G: Game>(position: &G, rng: &mut Rng) -> Option<(G::Action, G::After, Reward)> {
    let mut actions = position.actions();
    if actions.len() == 0 {
        return None;
    }
    let n = rng.below(actions.len() as u32) as usize;
    let action = actions.nth(n).expect("n is below the number of actions");
    let (after, reward) = position.apply(action);
    Some((action, after, reward))
}

/// Random moves to the end, one [`Game::step`] after another: what
/// [`Game::playout`] does unless it is overridden.
#[inline]
pub fn stepwise_playout<G: Game>(position: &G, rng: &mut Rng) -> Playout<G> {
    let mut playout = Playout { end: *position, moves: 0, total: 0 };
    while let Some((_, after, reward)) = playout.end.step(rng) {
        let chance = G::sample(&after, rng);
        let (next, bonus) = G::apply_outcome(&after, chance);
        playout.end = next;
        playout.moves += 1;
        playout.total += i64::from(reward) + i64::from(bonus);
    }
    playout
}

/// The first of nature's outcomes that `keep` accepts.
#[inline]
pub fn find_outcome<G: Game>(
    after: &G::After,
    keep: impl Fn(G::Chance) -> bool,
) -> Option<G::Chance> {
    let mut found = None;
    let _ = G::outcomes(after, |chance, _| {
        if keep(chance) {
            found = Some(chance);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// What a random game came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout<G> {
    /// The final position.
    pub end: G,
    /// The number of players' actions.
    pub moves: u32,
    /// The sum of all rewards.
    pub total: i64,
}

/// No chance anywhere: the afterstate is the next position.
pub trait Deterministic: Game<After = Self, Chance = ()> {}

/// One player who wants a large sum of rewards.
pub trait Solo: Game {}

/// One player and no chance: what line searches solve.
pub trait SoloPuzzle: Solo + Deterministic {}

impl<G: Solo + Deterministic> SoloPuzzle for G {}

/// Two players; what player one gains player two loses.
pub trait ZeroSum: Game {}

/// Two players, and a winner or a draw at the end. Rewards are 0 until the last
/// move, which pays [`GameResult::value`].
pub trait Duel: ZeroSum {
    /// Who won, once the game is over.
    fn outcome(&self) -> Option<GameResult>;
}

/// All start positions of a variant can be listed.
pub trait Starts: Game {
    /// Calls `f` with each start position and its probability. A position may
    /// come more than once; the probabilities sum to 1.
    fn starts(variant: &Self::Variant, f: impl FnMut(Self, f64));
}

/// A game whose actions are numbered once and for all, for networks with a
/// fixed policy head.
pub trait FixedActions: Game {
    /// The number of action indices of a variant.
    fn action_space(variant: &Self::Variant) -> usize;
    /// The index of an action, below [`action_space`](FixedActions::action_space).
    fn action_index(&self, action: Self::Action) -> usize;
    /// The action of an index; it may be illegal here. `None` outside the space.
    fn action_of_index(&self, index: usize) -> Option<Self::Action>;
}

/// Opens `impl Game for YourGame { .. }` of a deterministic game: the number of
/// players, the types, and the chance half. Say that there is no chance with
/// `impl Deterministic for YourGame {}` too.
///
/// ```
/// # use ludens_core::*;
/// /// Take one to three at a time until none is left, in few moves.
/// #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
/// struct Pile(u8);
///
/// # impl Position for Pile {
/// #     fn key(&self) -> u64 { bits::mix(self.0.into()) }
/// # }
/// impl Game for Pile {
///     deterministic!(players: 1, variant: NoVariant, action: u8, actions: std::ops::Range<u8>);
///
///     fn variant(&self) -> NoVariant { NoVariant }
///     fn start(_: &NoVariant, _: &mut Rng) -> Self { Pile(21) }
///     fn actions(&self) -> Self::Actions { 1..self.0.min(3) + 1 }
///     fn is_legal(&self, n: u8) -> bool { (1..=3).contains(&n) && n <= self.0 }
///     fn apply(&self, n: u8) -> (Self, Reward) { (Pile(self.0 - n), -1) }
/// }
/// impl Deterministic for Pile {}
/// assert_eq!(Pile(21).playout(&mut Rng::new(1)).end, Pile(0));
/// ```
#[macro_export]
macro_rules! deterministic {
    (players: $players:literal, variant: $variant:ty, action: $action:ty, actions: $actions:ty) => {
        const PLAYERS: usize = $players;
        type Variant = $variant;
        type Action = $action;
        type Actions = $actions;
        type After = Self;
        type Chance = ();

        #[inline]
        fn is_chance(_: &Self) -> bool {
            false
        }

        #[inline]
        fn outcomes(
            _: &Self,
            mut f: impl FnMut((), f64) -> ::std::ops::ControlFlow<()>,
        ) -> ::std::ops::ControlFlow<()> {
            f((), 1.0)
        }

        #[inline]
        fn apply_outcome(after: &Self, (): ()) -> (Self, $crate::Reward) {
            (*after, 0)
        }

        #[inline]
        fn sample(_: &Self, _: &mut $crate::Rng) {}
    };
}
