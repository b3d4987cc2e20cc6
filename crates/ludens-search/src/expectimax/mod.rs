//! Expectimax: the best move of one player against chance.
//!
//! The value of a move is its reward and, `ply - 1` moves deeper, the mean over nature's
//! outcomes of the value of the best move after them; afterstates at the last ply are
//! valued by an [`AfterValue`]. One ply is greedy play. All outcomes are looked at, so
//! the time grows with the power of ply: about thirtyfold per ply in 2048. The last ply is
//! looked at as a whole (`leaves`). A table keeps the values of afterstates above it; an
//! entry is known by a 64-bit key, so two afterstates could in theory be taken for one
//! another.
//!
//! With a node budget the result repeats exactly; interrupted searches give the values of
//! the deepest ply that was finished.
//!
//! - S. Russell, P. Norvig, Artificial intelligence: a modern approach: expectiminimax.
//! - H. Guei, On reinforcement learning for the game of 2048, dissertation, 2023, ch. 2.5, app. B.

mod lanes;
mod leaves;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::ops::ControlFlow;

use ludens_core::{
    AfterValue, Agent, Batch, Budget, Choice, Considered, Context, Game, Limits, Position as _,
    Reward, Solo,
};

use crate::transposition::{Bound, DepthValue, TranspositionTable};
use crate::watch::Watch;
use lanes::Lanes;
use leaves::Leaves;

/// A search with its evaluation.
pub struct Expectimax<G: Game, V> {
    value: V,
    /// How many moves it looks ahead, at least 1.
    pub ply: u32,
    /// Whether negative values count as 0 and every move as 1 more, so that a search
    /// does not prefer the end of the game to afterstates that are valued too low.
    pub rectified: bool,
    table: TranspositionTable<DepthValue>,
    leaves: Leaves<G>,
    lanes: Lanes<G>,
    nodes: u64,
}

/// The value of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Valued<A> {
    /// The move.
    pub action: A,
    /// Its reward and all that is expected to follow.
    pub value: f32,
}

/// What a search came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice<A> {
    /// All moves, in the game's order; empty when it is over.
    pub moves: Vec<Valued<A>>,
    /// The ply of these values.
    pub ply: u32,
    /// Positions and afterstates looked at.
    pub nodes: u64,
}

impl<A: Copy> Advice<A> {
    /// The best move, the first of equals.
    pub fn best(&self) -> Option<Valued<A>> {
        let better = |best: Option<Valued<A>>, next: &Valued<A>| match best {
            Some(best) if best.value >= next.value => Some(best),
            _ => Some(*next),
        };
        self.moves.iter().fold(None, better)
    }
}

impl<G: Solo, V: AfterValue<G>> Expectimax<G, V> {
    /// A search of this many plies with a table of at most `memory` bytes.
    pub fn new(value: V, ply: u32, memory: usize) -> Self {
        Expectimax {
            value,
            ply: ply.max(1),
            rectified: false,
            table: TranspositionTable::new(memory),
            leaves: Leaves::new(),
            lanes: Lanes::default(),
            nodes: 0,
        }
    }

    /// The values of all moves, looking exactly `ply` moves ahead.
    pub fn advise(&mut self, position: &G) -> Advice<G::Action> {
        let mut watch = Watch::none();
        self.start();
        let moves = self.root(position, self.ply, &mut watch).expect("nothing stops it");
        Advice { moves, ply: self.ply, nodes: self.nodes }
    }

    /// The values of all moves, ply by ply until the limits or `ply` are reached. The
    /// first ply is always finished.
    pub fn deepen(&mut self, position: &G, limits: &Limits<'_>) -> Advice<G::Action> {
        self.start();
        let mut watch = Watch::none();
        let moves = self.root(position, 1, &mut watch).expect("nothing stops it");
        let mut advice = Advice { moves, ply: 1, nodes: self.nodes };
        let mut watch = Watch::new(limits);
        for ply in 2..=self.ply {
            match self.root(position, ply, &mut watch) {
                Some(moves) => advice = Advice { moves, ply, nodes: self.nodes },
                None => break,
            }
        }
        advice.nodes = self.nodes;
        advice
    }

    /// What [`advise`](Expectimax::advise) says, or, where limits stop it, one ply.
    fn advise_within(&mut self, position: &G, limits: &Limits<'_>) -> Advice<G::Action> {
        self.start();
        let mut ply = self.ply;
        let moves = self.root(position, ply, &mut Watch::new(limits)).unwrap_or_else(|| {
            ply = 1;
            self.root(position, ply, &mut Watch::none()).expect("nothing stops it")
        });
        Advice { moves, ply, nodes: self.nodes }
    }

    fn start(&mut self) {
        self.nodes = 0;
        self.table.start();
    }

    fn root(
        &mut self,
        position: &G,
        ply: u32,
        watch: &mut Watch<'_, '_>,
    ) -> Option<Vec<Valued<G::Action>>> {
        let mut moves = Vec::with_capacity(8);
        self.nodes += 1;
        for action in position.actions() {
            let (after, reward) = position.apply(action);
            let value = reward as f32 + self.step() + self.after(&after, ply - 1, watch)?;
            moves.push(Valued { action, value });
        }
        Some(moves)
    }

    /// What a move pays besides its reward.
    fn step(&self) -> f32 {
        f32::from(u8::from(self.rectified))
    }

    /// No afterstate has a smaller value.
    fn least(&self) -> f32 {
        if self.rectified { 0.0 } else { f32::NEG_INFINITY }
    }

    /// The value of an afterstate with a number of moves still to look ahead; `None`
    /// when the search has to stop.
    fn after(&mut self, after: &G::After, moves: u32, watch: &mut Watch<'_, '_>) -> Option<f32> {
        self.nodes += 1;
        if moves == 0 {
            return Some(self.value.value(after).max(self.least()));
        }
        if let Some(known) = self.value.known(after) {
            return Some(known);
        }
        if watch.is_over(self.nodes) {
            return None;
        }
        let key = after.key();
        if let Some(found) = self.table.get_at(key, moves) {
            return Some(found.value());
        }
        let mean = if moves == 1 { self.last(after) } else { self.mean(after, moves, watch)? };
        self.table.put(key, DepthValue::new(mean, Bound::Exact, moves));
        Some(mean)
    }

    /// The mean over all outcomes with one more move to look ahead.
    fn last(&mut self, after: &G::After) -> f32 {
        self.leaves.clear();
        let _ = G::outcomes(after, |chance, p| {
            let (position, bonus) = G::apply_outcome(after, chance);
            self.leaves.outcome(p, bonus, &position);
            ControlFlow::Continue(())
        });
        self.nodes += self.leaves.nodes();
        let (least, step) = (self.least(), self.step());
        self.leaves.mean(&mut self.value, least, step)
    }

    /// The mean over all outcomes with several moves to look ahead.
    fn mean(&mut self, after: &G::After, moves: u32, watch: &mut Watch<'_, '_>) -> Option<f32> {
        let mut mean = 0.0;
        let done = G::outcomes(after, |chance, p| {
            let (position, bonus) = G::apply_outcome(after, chance);
            match self.best(&position, moves, watch) {
                Some(best) => mean += p * f64::from(bonus as f32 + best),
                None => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        done.is_continue().then_some(mean as f32)
    }

    /// The value of the best move of a position; 0 at the end.
    fn best(&mut self, position: &G, moves: u32, watch: &mut Watch<'_, '_>) -> Option<f32> {
        self.nodes += 1;
        let (mut best, mut stopped) = (None::<f32>, false);
        position.children(|_, after, reward: Reward| {
            if stopped {
                return;
            }
            match self.after(&after, moves - 1, watch) {
                Some(value) => {
                    let value = reward as f32 + self.step() + value;
                    best = Some(best.map_or(value, |most| most.max(value)));
                }
                None => stopped = true,
            }
        });
        (!stopped).then(|| best.unwrap_or(0.0))
    }
}

/// Searches of so few plies are over before anybody could wish to stop them.
const SHORT: u32 = 2;

impl<G: Solo, V: AfterValue<G> + Send> Agent<G> for Expectimax<G, V> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let unlimited = context.limits.budget() == Budget::default();
        let advice = match unlimited && self.ply <= SHORT {
            true => self.advise(position),
            false => self.deepen(position, &context.limits),
        };
        let best = advice.best().expect("an agent is asked only while the game goes on");
        let considered = |valued: &Valued<G::Action>| Considered {
            value: Some(f64::from(valued.value)),
            ..Considered::bare(valued.action)
        };
        let mut moves: Vec<_> = advice.moves.iter().map(considered).collect();
        moves.sort_by(|a, b| b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal));
        Choice {
            value: Some(f64::from(best.value)),
            moves,
            line: vec![best.action],
            nodes: advice.nodes,
            depth: advice.ply,
            ..Choice::bare(best.action)
        }
    }

    /// One ply looks at all positions together, and no ply says more than the move.
    fn choose_all(&mut self, batch: &mut Batch<'_, G>, context: &mut Context<'_, G>) {
        if self.ply == 1 && !self.rectified {
            return self.lanes.best(&mut self.value, batch.positions, batch.actions);
        }
        let unlimited = context.limits.budget() == Budget::default();
        for position in batch.positions {
            let advice = match unlimited {
                true => self.advise_within(position, &context.limits),
                false => self.deepen(position, &context.limits),
            };
            let best = advice.best().expect("an agent is asked only while the game goes on");
            batch.actions.push(best.action);
        }
    }
}
