//! Alpha-beta for games with winners and without chance.
//!
//! Iterative deepening; principal variation search; a table of positions; moves ordered by
//! what the table says, by moves that cut elsewhere (killers, history) and by the static
//! evaluation that also values the positions at the end of the search. A fixed depth gives the
//! value of plain minimax of that depth.
//!
//! Limits: one thread; no reductions and no extensions.
//!
//! - D. Knuth, R. Moore, An analysis of alpha-beta pruning, 1975.
//! - T. Marsland, M. Campbell, Parallel search of strongly ordered game trees, 1982.
//! - J. Schaeffer, The history heuristic and alpha-beta search enhancements, 1989.

use ludens_core::{
    Abs, Budget, Deterministic, Duel, Game, Limits, MAX_STATIC_EVAL, StaticEvaluator,
};

use super::move_order::MoveOrder;
use crate::transposition::{Bound, Found, TranspositionTable};

/// The value of a won game now; each move that it takes costs one.
const WIN: i32 = 30_000;
/// What is larger than this is a proven win.
pub(super) const PROVEN: i32 = MAX_STATIC_EVAL + 1;

/// The value of a game that is won by the last of `moves` moves.
pub(super) const fn win_in(moves: u32) -> i32 {
    WIN - moves as i32
}

/// Positions between looks at the clock.
const PATIENCE: u64 = 1024;
/// The deepest search.
const DEEPEST: u32 = 200;

/// A search with its static evaluation.
pub struct AlphaBeta<G: Game, V> {
    evaluator: V,
    /// Moves to look ahead at most.
    pub depth: Option<u32>,
    /// Further limits per move.
    pub budget: Budget,
    pub(super) table: TranspositionTable<Entry>,
    pub(super) order: MoveOrder<G::Action>,
    /// The moves of all positions on the way down, one after another.
    stack: Vec<Ordered<G::Action>>,
    nodes: u64,
    stopped: bool,
    /// Whether a static evaluation had a say since this was last cleared.
    guessed: bool,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Entry {
    /// Its value to the player to move, ends of the game counted from there.
    value: i16,
    /// The index of the best move in the game's order.
    pub(super) best: u16,
    /// Moves searched below, or [`COMPLETE`].
    depth: u8,
    /// What the value says.
    pub(super) bound: Bound,
}

/// The depth of what no static evaluation had a say in: it holds for any depth.
const COMPLETE: u8 = u8::MAX;

impl Found for Entry {
    fn depth(&self) -> u8 {
        self.depth
    }
}

#[derive(Clone, Copy)]
struct Ordered<A> {
    action: A,
    /// Its index in the game's order.
    index: u16,
    order: i32,
}

/// What one search of a position came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchResult<A> {
    /// The best move.
    pub action: A,
    /// Its value to the mover: a static evaluation, or beyond [`MAX_STATIC_EVAL`] a proven result.
    pub value: i32,
    /// Moves searched.
    pub depth: u32,
    /// Whether the value is that of the game itself.
    pub complete: bool,
}

impl<G: Duel + Deterministic, V: StaticEvaluator<G>> AlphaBeta<G, V> {
    /// A search with a table of at most `memory` bytes and no limits.
    pub fn new(evaluator: V, memory: usize) -> Self {
        AlphaBeta {
            evaluator,
            depth: None,
            budget: Budget::default(),
            table: TranspositionTable::new(memory),
            order: MoveOrder::new(DEEPEST),
            stack: Vec::new(),
            nodes: 0,
            stopped: false,
            guessed: false,
        }
    }

    /// Searches ever deeper within the limits; `report` is called after every depth.
    /// There is always a move, however little time there was.
    ///
    /// # Panics
    /// When the game is over.
    pub fn search(
        &mut self,
        position: &G,
        limits: &Limits<'_>,
        mut report: impl FnMut(&Self, &SearchResult<G::Action>),
    ) -> SearchResult<G::Action> {
        (self.nodes, self.stopped) = (0, false);
        self.table.start();
        self.stack.clear();
        self.order.start();
        let first =
            position.actions().next().expect("an agent is asked only while the game goes on");
        let mut best = SearchResult { action: first, value: 0, depth: 0, complete: false };
        for depth in 1..=self.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            self.guessed = false;
            let Some((action, value)) = self.root(position, depth, best.action, limits) else {
                break;
            };
            let decided = !self.guessed || value.abs() >= PROVEN;
            // Where it was cut short, moves that were not looked at may be better.
            let complete = decided && (!self.stopped || value >= PROVEN);
            best = SearchResult { action, value, depth, complete };
            report(self, &best);
            if decided {
                break;
            }
        }
        best
    }

    /// Positions looked at by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// One depth; `None` when it was cut short before its first move was done.
    fn root(
        &mut self,
        position: &G,
        depth: u32,
        before: G::Action,
        limits: &Limits<'_>,
    ) -> Option<(G::Action, i32)> {
        let base = self.list(position, depth, 0, None);
        for at in base..self.stack.len() {
            if self.stack[at].action == before {
                self.stack[at].order = i32::MAX;
            }
        }
        let (mut alpha, mut best) = (-WIN, None);
        for at in base..self.stack.len() {
            self.bring_up(at);
            let Ordered { action, .. } = self.stack[at];
            let value = self.child(position, action, depth, 0, (alpha, WIN), at > base, limits);
            if self.stopped {
                break;
            }
            if best.is_none() || value > alpha {
                (alpha, best) = (value, Some((action, value)));
            }
        }
        self.stack.truncate(base);
        best
    }

    /// The value of a move to the mover. A `late` move is first asked only whether it is
    /// better than those before.
    #[expect(clippy::too_many_arguments, reason = "the window and the location in the tree")]
    fn child(
        &mut self,
        position: &G,
        action: G::Action,
        depth: u32,
        ply: u32,
        (alpha, beta): (i32, i32),
        late: bool,
        limits: &Limits<'_>,
    ) -> i32 {
        let (next, reward) = position.apply(action);
        let mover = position.to_move();
        if reward != 0 {
            self.nodes += 1;
            return Abs(reward).pov(mover).0 * win_in(ply + 1);
        }
        let same = next.to_move() == mover;
        let mut ask = |alpha: i32, beta: i32| match same {
            true => self.value(&next, depth - 1, ply + 1, alpha, beta, limits),
            false => -self.value(&next, depth - 1, ply + 1, -beta, -alpha, limits),
        };
        if late && alpha + 1 < beta {
            let value = ask(alpha, alpha + 1);
            if value <= alpha || value >= beta {
                return value;
            }
        }
        ask(alpha, beta)
    }

    /// The value of a position to the player to move; outside the window, on which side.
    fn value(
        &mut self,
        position: &G,
        depth: u32,
        ply: u32,
        mut alpha: i32,
        beta: i32,
        limits: &Limits<'_>,
    ) -> i32 {
        // Step 1. Limits.
        self.nodes += 1;
        if self.nodes.is_multiple_of(PATIENCE) {
            self.stopped |= limits.interrupted();
        }
        self.stopped |= limits.spent(self.nodes);
        if self.stopped {
            return 0;
        }
        // Step 2. The horizon. A move that ended the game with a winner has been seen
        // before; what is over here is a draw.
        if depth == 0 {
            if position.is_over() {
                return 0;
            }
            self.guessed = true;
            return self.evaluator.static_eval(position);
        }
        // Step 3. What is known.
        let key = position.key();
        let known = self.table.get(key);
        if let Some(found) = known.filter(|f| [depth as u8, COMPLETE].contains(&f.depth)) {
            let value = from_here(found.value, ply);
            let enough = match found.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if enough {
                self.guessed |= found.depth != COMPLETE;
                return value;
            }
        }
        // Step 4. The moves, the most promising first.
        let base = self.list(position, depth, ply, known.map(|found| found.best));
        if self.stack.len() == base {
            return 0;
        }
        let guessed_before = std::mem::take(&mut self.guessed);
        let (low, mut best, mut index) = (alpha, i32::MIN, 0);
        for at in base..self.stack.len() {
            self.bring_up(at);
            let Ordered { action, index: number, .. } = self.stack[at];
            let value = self.child(position, action, depth, ply, (alpha, beta), at > base, limits);
            if self.stopped {
                self.stack.truncate(base);
                return 0;
            }
            if value > best {
                (best, index) = (value, number);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.order.cut_off(position.to_move(), action, depth, ply);
                break;
            }
        }
        self.stack.truncate(base);
        // Step 5. Remember. A proven result needs no more, whatever else was guessed.
        let bound = match best {
            _ if best <= low => Bound::Upper,
            _ if best >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        let won = best >= PROVEN && bound != Bound::Upper;
        let lost = best <= -PROVEN && bound != Bound::Lower;
        let complete = !self.guessed || won || lost;
        self.guessed = guessed_before || !complete;
        let depth = if complete { COMPLETE } else { depth as u8 };
        self.table.put(key, Entry { value: to_here(best, ply), best: index, depth, bound });
        best
    }

    /// Puts the moves of a position on the stack, with what says their order.
    fn list(&mut self, position: &G, depth: u32, ply: u32, known: Option<u16>) -> usize {
        let base = self.stack.len();
        let player = position.to_move();
        for (index, action) in position.actions().enumerate() {
            let index = index as u16;
            let order = if known == Some(index) {
                i32::MAX
            } else if depth >= 3 {
                // Worth a look at where it leads.
                let (next, reward) = position.apply(action);
                let seen = match Abs(reward).pov(player).0 {
                    0 if next.is_over() => 0,
                    0 if next.to_move() == player => self.evaluator.static_eval(&next),
                    0 => -self.evaluator.static_eval(&next),
                    won => won * WIN,
                };
                seen.saturating_mul(16) + self.order.history(player, action).min(1 << 12)
            } else {
                let killer = self.order.is_killer(action, ply);
                self.order.history(player, action)
                    + self.evaluator.hint(position, action)
                    + if killer { 1 << 20 } else { 0 }
            };
            self.stack.push(Ordered { action, index, order });
        }
        base
    }

    /// Exchanges the move at an index with the most promising one from there on.
    fn bring_up(&mut self, at: usize) {
        let mut best = at;
        for other in at + 1..self.stack.len() {
            if self.stack[other].order > self.stack[best].order {
                best = other;
            }
        }
        self.stack.swap(at, best);
    }
}

/// A value counted from the root as one counted from a position, and back.
fn to_here(value: i32, ply: u32) -> i16 {
    let ply = ply as i32;
    let value = match value {
        v if v >= PROVEN => v + ply,
        v if v <= -PROVEN => v - ply,
        v => v,
    };
    value as i16
}

fn from_here(value: i16, ply: u32) -> i32 {
    let (value, ply) = (i32::from(value), ply as i32);
    match value {
        v if v >= PROVEN => v - ply,
        v if v <= -PROVEN => v + ply,
        v => v,
    }
}

#[cfg(test)]
#[path = "alphabeta_tests.rs"]
mod tests;
