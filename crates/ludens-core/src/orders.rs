//! Lines written as orders of marks, for searches that change a line in its middle.
//!
//! An action names a cell of the position it is played in, so once an earlier
//! move is changed the rest of a line is no longer about the same things. A *mark*
//! names a thing of the start, such as a block that may since have fallen
//! elsewhere: an order of marks can be followed after any change, and what is left
//! of it still means the same.

use std::fmt::Debug;

use crate::{Reward, Rng, SoloPuzzle};

/// The value of an end of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct End {
    /// What it pays besides the moves: with them, the value of the line.
    pub pays: i64,
    /// What it counts for in a search that wanders from end to end. Where the rules
    /// have a step, such as a bonus for one kind of end, this has a slope towards it;
    /// elsewhere it is what the end pays.
    pub counts: f64,
}

/// A game of one player whose lines can be written as orders of marks.
pub trait Orders: SoloPuzzle {
    /// What names a move whatever was played before it.
    type Mark: Copy + PartialEq + Debug + Send + Sync;
    /// A position with what it takes to find marks in it.
    type Trace: Copy + Debug + Send + Sync;

    /// In how many ways [`draw`](Orders::draw) and [`finish`](Orders::finish) can
    /// play, such as the colours they may spare; at least 1.
    fn ways(&self) -> u32;

    /// The trace of a start for one of the [`ways`](Orders::ways), counted from 0,
    /// the most promising first.
    fn trace(&self, way: u32) -> Self::Trace;

    /// The difference of values that is large for this start: the unit in which
    /// searches measure how much worse a change may be. Above 0.
    fn scale(&self) -> f64;

    /// A number that every move makes smaller.
    fn stage(trace: &Self::Trace) -> usize;

    /// Whether two traces of one start are the same position, all marks included.
    fn same(one: &Self::Trace, other: &Self::Trace) -> bool;

    /// Plays the marks that can be played, in order, and skips the others. After
    /// each, `f` gets it, what it paid if it was played (what an end pays is not
    /// in it) and the trace then, and says whether to go on.
    fn follow(
        trace: &mut Self::Trace,
        marks: impl Iterator<Item = Self::Mark>,
        f: impl FnMut(Self::Mark, Option<Reward>, &Self::Trace) -> bool,
    );

    /// A random move, if one was found.
    fn draw(trace: &Self::Trace, rng: &mut Rng) -> Option<Self::Mark>;

    /// Plays random moves to the end of the game. `f` gets each, what it paid
    /// and where it led.
    fn finish(
        trace: &mut Self::Trace,
        rng: &mut Rng,
        f: impl FnMut(Self::Mark, Reward, &Self::Trace),
    );

    /// The value of the end of a game.
    fn end(trace: &Self::Trace) -> End;

    /// The mark of a legal action.
    fn mark(trace: &Self::Trace, action: Self::Action) -> Self::Mark;

    /// The action of a mark that can be played.
    fn action(trace: &Self::Trace, mark: Self::Mark) -> Self::Action;
}
