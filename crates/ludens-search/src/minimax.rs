//! Games of two players, with chance or without: minimax and expectiminimax, with alpha-beta
//! pruning or without.
//!
//! The first player maximises and the second minimises the sum of rewards; where chance
//! decides, its outcomes are averaged. `depth` counts players' moves; afterstates
//! at that depth are valued by an [`AfterValue`]. With pruning, moves that cannot change
//! the choice are skipped, likely good ones come first, and a table keeps what was found: the
//! value is the same. Below a chance node windows are open again.
//!
//! - J. von Neumann, Zur Theorie der Gesellschaftsspiele, 1928.
//! - D. Knuth, R. Moore, An analysis of alpha-beta pruning, 1975.
//! - D. Michie, Game-playing and game-learning automata, 1966 (expectiminimax).

use std::ops::{ControlFlow, Range};

use ludens_core::{
    Abs, AfterValue, Agent, Budget, Choice, Context, Game, Limits, Player, Pov, ZeroSum,
};

use crate::transposition::{Bound, DepthValue, TranspositionTable};
use crate::watch::Watch;

/// A search with its evaluation.
pub struct Minimax<G: Game, V> {
    value: V,
    /// Players' moves to look ahead, at least 1.
    pub depth: u32,
    /// Whether to skip what cannot change the choice.
    pub pruning: bool,
    table: TranspositionTable<DepthValue>,
    /// The moves of all positions on the way down, one after another.
    stack: Vec<Move<G>>,
    nodes: u64,
}

/// A move to search.
#[derive(Clone, Copy)]
struct Move<G: Game> {
    action: G::Action,
    after: G::After,
    reward: f32,
    /// How promising it is to the mover.
    order: Pov,
    /// Its index in the game's order.
    index: u32,
}

/// Values to player one between which the exact one is of interest.
#[derive(Clone, Copy)]
struct Window {
    alpha: f32,
    beta: f32,
}

impl Window {
    const OPEN: Window = Window { alpha: f32::NEG_INFINITY, beta: f32::INFINITY };

    /// The window for what follows a reward.
    fn after(self, reward: f32) -> Window {
        Window { alpha: self.alpha - reward, beta: self.beta - reward }
    }

    fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }

    /// Narrows it by the value of a player's move.
    fn narrow(&mut self, player: Player, value: f32) {
        match player {
            Player::One => self.alpha = self.alpha.max(value),
            Player::Two => self.beta = self.beta.min(value),
        }
    }
}

/// Whether a player prefers one value to another.
fn prefers(player: Player, new: f32, old: f32) -> bool {
    Abs(new).pov(player) > Abs(old).pov(player)
}

impl<G: ZeroSum, V: AfterValue<G>> Minimax<G, V> {
    /// A search of `depth` moves with a table of at most `memory` bytes, with pruning or without.
    pub fn new(value: V, depth: u32, pruning: bool, memory: usize) -> Self {
        let (table, stack) = (TranspositionTable::new(memory), Vec::new());
        Minimax { value, depth: depth.max(1), pruning, table, stack, nodes: 0 }
    }

    /// The best move for the player to move, with its value; `None` when the game is over.
    pub fn search(&mut self, position: &G) -> Option<(G::Action, Abs)> {
        self.start();
        self.root(position, self.depth, &mut Watch::none()).expect("nothing stops it")
    }

    /// The same within limits, with how far it looked: with a budget move by move until that
    /// is spent, without one at once to the whole depth. One move is always looked ahead.
    pub fn search_within(
        &mut self,
        position: &G,
        limits: &Limits<'_>,
    ) -> Option<(G::Action, Abs, u32)> {
        self.start();
        let mut found = self.root(position, 1, &mut Watch::none()).expect("nothing stops it");
        let mut looked = 1;
        let mut watch = Watch::new(limits);
        let stepwise = limits.budget() != Budget::default();
        for depth in if stepwise { 2 } else { self.depth.max(2) }..=self.depth {
            match self.root(position, depth, &mut watch) {
                Some(deeper) => (found, looked) = (deeper, depth),
                None => break,
            }
        }
        found.map(|(action, value)| (action, value, looked))
    }

    fn start(&mut self) {
        self.nodes = 0;
        self.table.start();
    }

    /// The best move, if there is one; `None` when the search was stopped.
    fn root(
        &mut self,
        position: &G,
        depth: u32,
        watch: &mut Watch<'_, '_>,
    ) -> Option<Option<(G::Action, Abs)>> {
        let (player, mut window) = (position.to_move(), Window::OPEN);
        let mut best: Option<(G::Action, Abs)> = None;
        self.stack.clear();
        for at in self.list(position, depth) {
            let Move { action, after, reward, .. } = self.stack[at];
            let value = reward + self.after(&after, depth - 1, window.after(reward), watch)?;
            if best.is_none_or(|(_, most)| prefers(player, value, most.0)) {
                best = Some((action, Abs(value)));
            }
            if self.pruning {
                window.narrow(player, value);
            }
        }
        Some(best)
    }

    /// Afterstates looked at by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Puts all moves on the stack; with pruning those that look best come first. Where they are.
    fn list(&mut self, position: &G, depth: u32) -> Range<usize> {
        let base = self.stack.len();
        position.children(|action, after, reward| {
            let index = self.stack.len() as u32;
            let (reward, order) = (reward as f32, Pov(0.0));
            self.stack.push(Move { action, after, reward, order, index });
        });
        if self.pruning && depth > 1 {
            let player = position.to_move();
            let moves = &mut self.stack[base..];
            for one in &mut *moves {
                one.order = Abs(one.reward + self.value.value(&one.after)).pov(player);
            }
            // Equals stay in the game's order.
            moves.sort_unstable_by(|a, b| {
                b.order.0.total_cmp(&a.order.0).then(a.index.cmp(&b.index))
            });
        }
        base..self.stack.len()
    }

    /// The value of an afterstate to player one; `None` when the search was stopped.
    fn after(
        &mut self,
        after: &G::After,
        depth: u32,
        window: Window,
        watch: &mut Watch<'_, '_>,
    ) -> Option<f32> {
        self.nodes += 1;
        if depth == 0 {
            return Some(self.value.value(after));
        }
        if watch.is_over(self.nodes) {
            return None;
        }
        let chance = G::is_chance(after);
        let window = if chance { Window::OPEN } else { window };
        let mut mean = 0.0;
        let done = G::outcomes(after, |outcome, p| {
            let (position, bonus) = G::apply_outcome(after, outcome);
            let bonus = bonus as f32;
            match self.position(&position, depth, window.after(bonus), watch) {
                Some(value) => mean += p * f64::from(bonus + value),
                None => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        done.is_continue().then_some(mean as f32)
    }

    /// The value of a position to player one; outside the window, on which side.
    /// `None` when the search was stopped.
    fn position(
        &mut self,
        position: &G,
        depth: u32,
        window: Window,
        watch: &mut Watch<'_, '_>,
    ) -> Option<f32> {
        if position.is_over() {
            return Some(0.0);
        }
        let key = position.key();
        if let Some(found) = self.table.get_at(key, depth) {
            let value = found.value();
            match found.bound {
                Bound::Exact => return Some(value),
                Bound::Lower if value >= window.beta => return Some(value),
                Bound::Upper if value <= window.alpha => return Some(value),
                _ => {}
            }
        }
        let (player, mut open) = (position.to_move(), window);
        let mut best = Pov(f32::NEG_INFINITY).abs(player).0;
        let moves = self.list(position, depth);
        for at in moves.clone() {
            let Move { after, reward, .. } = self.stack[at];
            let value = reward + self.after(&after, depth - 1, open.after(reward), watch)?;
            if prefers(player, value, best) {
                best = value;
            }
            if self.pruning {
                open.narrow(player, best);
                if open.is_closed() {
                    break;
                }
            }
        }
        self.stack.truncate(moves.start);
        let bound = if best <= window.alpha {
            Bound::Upper
        } else if best >= window.beta {
            Bound::Lower
        } else {
            Bound::Exact
        };
        self.table.put(key, DepthValue::new(best, bound, depth));
        Some(best)
    }
}

impl<G: ZeroSum, V: AfterValue<G> + Send> Agent<G> for Minimax<G, V> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let best = self.search_within(position, &context.limits);
        let (action, value, depth) = best.expect("an agent is asked only while the game goes on");
        Choice {
            value: Some(f64::from(value.pov(position.to_move()).0)),
            line: vec![action],
            nodes: self.nodes,
            depth,
            ..Choice::bare(action)
        }
    }
}

#[cfg(test)]
#[path = "minimax_tests.rs"]
mod tests;
