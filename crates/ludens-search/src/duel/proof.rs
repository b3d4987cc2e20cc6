//! Who wins under best play, with proof.
//!
//! Every position has a lower and an upper bound of its result; a search that ends at some
//! depth leaves them open there and closes what can be closed above. Bounds hold however they
//! were found, so that deeper searches start from what is known: static evaluations only order
//! moves.
//!
//! Limits: one thread; games of many moves are out of reach.
//!
//! - H. Berliner, The B* tree search algorithm, 1979, for bounds on both sides.

use ludens_core::{Abs, Deterministic, Duel, Limits, StaticEvaluator};

use crate::transposition::{self, TranspositionTable};

/// Positions between looks at the clock.
const PATIENCE: u64 = 1024;
/// The deepest search.
const DEEPEST: u32 = 400;

/// Between which results the true one lies, to the player to move: -1 lost, 0 drawn, 1 won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// It is not less.
    pub low: i8,
    /// It is not more.
    pub high: i8,
}

impl Default for Span {
    /// Nothing is known.
    fn default() -> Self {
        Span { low: -1, high: 1 }
    }
}

impl Span {
    /// Whether the result is known.
    pub fn is_closed(self) -> bool {
        self.low == self.high
    }

    /// The same seen by the other player.
    #[must_use]
    pub fn flipped(self) -> Span {
        Span { low: -self.high, high: -self.low }
    }

    /// Whether it lies on one side of a window.
    fn decides(self, alpha: i8, beta: i8) -> bool {
        self.low >= beta || self.high <= alpha || self.is_closed()
    }
}

#[derive(Clone, Copy, Default)]
struct Found {
    span: Span,
    depth: u8,
}

impl transposition::Found for Found {
    fn depth(&self) -> u8 {
        self.depth
    }
}

/// A search for proofs.
pub struct ProofSearch<G: Duel, V> {
    evaluator: V,
    table: TranspositionTable<Found>,
    stack: Vec<(G::Action, i32)>,
    nodes: u64,
    stopped: bool,
}

impl<G: Duel + Deterministic, V: StaticEvaluator<G>> ProofSearch<G, V> {
    /// A search whose moves are ordered by a static evaluation, with a table of at most `memory` bytes.
    pub fn new(evaluator: V, memory: usize) -> Self {
        let table = TranspositionTable::new(memory);
        ProofSearch { evaluator, table, stack: Vec::new(), nodes: 0, stopped: false }
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What is known of each move of a position after searching within the limits, in the
    /// game's order and seen by the mover; `report` is called after every depth.
    pub fn moves(
        &mut self,
        position: &G,
        limits: &Limits<'_>,
        mut report: impl FnMut(u64, &[(G::Action, Span)]),
    ) -> Vec<(G::Action, Span)> {
        (self.nodes, self.stopped) = (0, false);
        self.table.start();
        self.stack.clear();
        let open = |action| (action, Span::default());
        let mut all: Vec<(G::Action, Span)> = position.actions().map(open).collect();
        for depth in 1..=DEEPEST {
            for (action, span) in all.iter_mut().filter(|(_, span)| !span.is_closed()) {
                *span = self.child(position, *action, depth, -1, 1, limits);
                if self.stopped {
                    return all;
                }
            }
            report(self.nodes, &all);
            if all.iter().all(|(_, span)| span.is_closed()) {
                break;
            }
        }
        all
    }

    /// What is known of a move, to the mover.
    fn child(
        &mut self,
        position: &G,
        action: G::Action,
        depth: u32,
        alpha: i8,
        beta: i8,
        limits: &Limits<'_>,
    ) -> Span {
        let (next, reward) = position.apply(action);
        let mover = position.to_move();
        if reward != 0 {
            self.nodes += 1;
            let won = Abs(reward).pov(mover).0.signum() as i8;
            return Span { low: won, high: won };
        }
        if next.to_move() == mover {
            self.span(&next, depth - 1, alpha, beta, limits)
        } else {
            self.span(&next, depth - 1, -beta, -alpha, limits).flipped()
        }
    }

    /// What is known of a position, as far as it matters within a window.
    fn span(&mut self, position: &G, depth: u32, alpha: i8, beta: i8, limits: &Limits<'_>) -> Span {
        // Step 1. Limits.
        self.nodes += 1;
        if self.nodes.is_multiple_of(PATIENCE) {
            self.stopped |= limits.interrupted();
        }
        self.stopped |= limits.spent(self.nodes);
        if self.stopped {
            return Span::default();
        }
        // Step 2. What is known. A move that ended the game with a winner has been seen
        // before; what is over here is a draw.
        let key = position.key();
        let known = self.table.get(key).unwrap_or_default().span;
        if known.decides(alpha, beta) {
            return known;
        }
        if position.is_over() {
            return Span { low: 0, high: 0 };
        }
        if depth == 0 {
            return known;
        }
        // Step 3. The moves, the most promising first.
        let base = self.stack.len();
        let mover = position.to_move();
        for action in position.actions() {
            let order = if depth < 2 {
                self.evaluator.hint(position, action)
            } else {
                let (next, reward) = position.apply(action);
                match Abs(reward).pov(mover).0 {
                    0 if next.is_over() => 0,
                    0 if next.to_move() == mover => self.evaluator.static_eval(&next),
                    0 => -self.evaluator.static_eval(&next),
                    won => won * i32::MAX,
                }
            };
            self.stack.push((action, order));
        }
        self.stack[base..].sort_by_key(|&(_, order)| std::cmp::Reverse(order));
        let mut span = Span { low: -1, high: -1 };
        for at in base..self.stack.len() {
            let action = self.stack[at].0;
            let floor = alpha.max(span.low);
            let child = self.child(position, action, depth, floor, beta, limits);
            if self.stopped {
                self.stack.truncate(base);
                return known;
            }
            span.low = span.low.max(child.low);
            span.high = span.high.max(child.high);
            if span.low >= beta {
                // The others might be better still.
                span.high = span.high.max(if at + 1 < self.stack.len() { 1 } else { -1 });
                break;
            }
        }
        self.stack.truncate(base);
        // Step 4. Remember: both bounds hold.
        let span = Span { low: span.low.max(known.low), high: span.high.min(known.high) };
        self.table.put(key, Found { span, depth: depth.min(255) as u8 });
        span
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use ludens_core::{Budget, Game, GameStaticEval, Pov, Rng, StaticEval};
    use ludens_games::sevn::Base;
    use ludens_games::{ConnectFour, Othello, Sevn, Togyzkumalak};

    use super::*;

    /// The result to the player to move, by trying everything.
    fn solved<G: Duel + Deterministic>(position: &G) -> i8 {
        position.actions().map(|action| of_move(position, action)).max().unwrap_or(0)
    }

    fn of_move<G: Duel + Deterministic>(position: &G, action: G::Action) -> i8 {
        let (next, reward) = position.apply(action);
        let player = position.to_move();
        match Abs(reward).pov(player).0 {
            0 if next.is_over() => 0,
            0 => Pov(solved(&next)).seen_by(next.to_move(), player).0,
            won => won as i8,
        }
    }

    fn check<G: StaticEval + Deterministic>(position: &G, memory: usize) {
        let stop = AtomicBool::new(false);
        let limits = Limits::new(Instant::now(), Budget::default(), &stop);
        let mut search = ProofSearch::new(GameStaticEval, memory);
        for (action, span) in search.moves(position, &limits, |_, _| {}) {
            let expected = of_move(position, action);
            assert_eq!((span.low, span.high), (expected, expected), "{action:?} {position:?}");
        }
    }

    #[test]
    fn small_games_and_ends_are_as_by_trying_everything() {
        let mut rng = Rng::new(4);
        for _ in 0..15 {
            let mut position = Sevn::start(&Base::new(3).unwrap(), &mut rng);
            (0..3).for_each(|_| {
                position = position.step(&mut rng).map_or(position, |(_, next, _)| next);
            });
            if !position.is_over() {
                check(&position, 1 << 16);
                check(&position, 1 << 7);
            }
        }
        /// All positions of a random game.
        fn game<G: Duel + Deterministic>(start: G, rng: &mut Rng) -> Vec<G> {
            let mut all = vec![start];
            while let Some((_, next, _)) = all[all.len() - 1].step(rng) {
                all.push(next);
            }
            all
        }
        for _ in 0..25 {
            // Eight cells are free after 34 stones.
            let all = game(ConnectFour::default(), &mut rng);
            if let Some(late) = all.get(34).filter(|position| !position.is_over()) {
                check(late, 1 << 14);
            }
            let all = game(Othello::default(), &mut rng);
            check(&all[all.len() - 7], 1 << 14);
        }
        let all = game(Togyzkumalak::default(), &mut rng);
        let last = all[all.len() - 3];
        let stop = AtomicBool::new(false);
        let limits = Limits::new(Instant::now(), Budget::nodes(20_000), &stop);
        let mut search = ProofSearch::new(GameStaticEval, 1 << 16);
        let found = search.moves(&last, &limits, |_, _| {});
        assert!(found.iter().any(|(_, span)| span.is_closed()), "a win is near");
        assert!(search.nodes() < 22_000);
    }
}
