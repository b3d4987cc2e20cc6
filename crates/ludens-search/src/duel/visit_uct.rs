//! The UCT of Clark (2021) as its program has it.
//!
//! Every position has one node, whichever moves lead to it. A sample is one visit of a node. The
//! way down is chosen to the end of the game, without random games, and the move in the end by the
//! same rule. What is known stays from move to move, but for what was found behind moves not played:
//! a position that other ways lead to as well is forgotten with what was searched below it on that
//! way, and keeps what was searched on others ([`Ways`]).
//!
//! Reference: M. Clark, *Mastering Sevn using Reinforcement Learning* (2021), section 3.4.2, and the
//! program that belongs to it.

use std::collections::HashMap;
use std::time::Duration;

use ludens_core::{
    Agent, Budget, Choice, Considered, Context, Deterministic, Duel, GameResult, Rng,
};

use super::ways::Ways;

/// Time between two reports.
const REPORT: Duration = Duration::from_millis(100);

/// Visits of positions to the end of the game: `wins / visits + c sqrt(ln N / n)`.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use ludens_core::{Agent, Budget, Context, Rng};
/// use ludens_games::ConnectFour;
/// use ludens_search::duel::VisitUct;
/// let mut agent = VisitUct::new(0.5, Some(2000), Budget::default());
/// let (stop, mut told) = (AtomicBool::new(false), |_: &_| {});
/// let mut context = Context::for_agent(Budget::default(), Rng::new(1), 1, &stop, &mut told);
/// assert_eq!(agent.choose(&ConnectFour::default(), &mut context).nodes, 2000);
/// ```
pub struct VisitUct<G> {
    /// Exploration.
    c: f64,
    /// Visits of a move; no limit without.
    samples: Option<u64>,
    /// Further limits per move.
    budget: Budget,
    nodes: HashMap<G, Node>,
    /// The position of the last move searched for, and the ways from it.
    root: Option<G>,
    ways: Ways,
    /// The positions of the sample under way.
    path: Vec<G>,
    /// The best moves of the position under way.
    equals: Vec<usize>,
}

/// What is known of a position.
#[derive(Clone, Copy, Default)]
struct Node {
    visits: u32,
    /// Samples that the player to move won, a draw for half.
    wins: f64,
}

/// What the rule makes of a move.
#[derive(Clone, Copy)]
struct Scored<G> {
    score: f64,
    next: G,
    /// How often the position after it was visited.
    visits: u32,
    /// The share that the mover won, where anything is known.
    share: Option<f64>,
}

/// The value of a result for the player to move: 1, 0.5 or 0.
fn result_value<G: Duel>(position: &G, result: GameResult) -> f64 {
    f64::from(result.pov(position.to_move()).0 + 1) / 2.0
}

impl<G: Duel + Deterministic> VisitUct<G> {
    /// Starts with nothing known.
    pub fn new(c: f64, samples: Option<u64>, budget: Budget) -> Self {
        let (nodes, root, ways, path, equals) = Default::default();
        VisitUct { c, samples, budget, nodes, root, ways, path, equals }
    }

    /// The moves of a position, in the game's order.
    fn scored(&self, position: &G) -> impl Iterator<Item = Scored<G>> {
        let parent = self.nodes.get(position).map_or(1, |node| node.visits.max(1));
        let growth = f64::from(parent).ln();
        position.actions().map(move |action| {
            let next = position.apply(action).0;
            let Node { visits, wins } = self.nodes.get(&next).copied().unwrap_or_default();
            if let Some(result) = next.outcome() {
                let share = result_value(position, result);
                // A win has the bonus of one visit, however often it was visited.
                let own = if share == 1.0 { 1.0 } else { f64::from(parent) };
                let score = share + self.c * (growth / own).sqrt();
                return Scored { score, next, visits, share: Some(share) };
            }
            let same = next.to_move() == position.to_move();
            let to_mover = |won: f64| if same { won } else { 1.0 - won };
            let known = (visits > 0).then(|| to_mover(wins / f64::from(visits)));
            let bonus = self.c * (growth / f64::from(visits.max(1))).sqrt();
            Scored { score: known.unwrap_or(0.5) + bonus, next, visits, share: known }
        })
    }

    /// The index of the best move and where it leads; any of equals.
    fn select(&mut self, position: &G, rng: &mut Rng) -> (usize, G) {
        let mut equals = std::mem::take(&mut self.equals);
        equals.clear();
        let (mut best, mut found) = (f64::NEG_INFINITY, None);
        for (index, Scored { score, next, .. }) in self.scored(position).enumerate() {
            if score > best {
                best = score;
                equals.clear();
            }
            if score == best {
                equals.push(index);
                found = Some(next);
            }
        }
        let mut index = *equals.last().expect("a position that is not over has moves");
        if equals.len() > 1 {
            index = equals[rng.below(equals.len() as u32) as usize];
            found = position.actions().nth(index).map(|action| position.apply(action).0);
        }
        self.equals = equals;
        (index, found.expect("the move is one of the position's"))
    }

    fn visit(&mut self, position: &G) {
        self.nodes.entry(*position).or_default().visits += 1;
    }

    /// One way down to the end of the game, or until `left` visits are made. Gives the visits.
    fn sample(&mut self, root: &G, left: u64, rng: &mut Rng) -> u64 {
        self.path.clear();
        let (mut here, mut made, mut way) = (*root, 0, Ways::ROOT);
        loop {
            self.visit(&here);
            if made == left {
                // A sample that is broken off counts nowhere but where it was.
                for position in &self.path {
                    let node = self.nodes.entry(*position).or_default();
                    node.visits = node.visits.saturating_sub(1);
                    if node.visits == 0 {
                        self.nodes.remove(position);
                    }
                }
                return made;
            }
            made += 1;
            self.path.push(here);
            let (choice, next) = self.select(&here, rng);
            here = next;
            if let Some(result) = here.outcome() {
                self.visit(&here);
                for position in &self.path {
                    let won = result_value(position, result);
                    self.nodes.entry(*position).or_default().wins += won;
                }
                return made;
            }
            if made < left {
                way = self.ways.go(way, choice);
            }
        }
    }

    /// What is thought of a position; the first of `moves` is played.
    fn choice(
        &mut self,
        position: &G,
        made: u64,
        depth: usize,
        rng: &mut Rng,
    ) -> Choice<G::Action> {
        let best = self.select(position, rng).0;
        let considered = |(index, (action, scored)): (usize, (G::Action, Scored<G>))| {
            let value = scored.share.map(|share| 2.0 * share - 1.0);
            let visits = Some(u64::from(scored.visits));
            let rank = if index == best { f64::INFINITY } else { scored.score };
            (rank, Considered { value, visits, ..Considered::bare(action) })
        };
        let moves = position.actions().zip(self.scored(position)).enumerate().map(considered);
        let mut moves: Vec<_> = moves.collect();
        moves.sort_by(|a, b| b.0.total_cmp(&a.0));
        let moves: Vec<_> = moves.into_iter().map(|(_, considered)| considered).collect();
        let Considered { action, value, .. } = moves[0];
        let (line, depth) = (vec![action], depth as u32);
        Choice { value, moves, line, nodes: made, depth, ..Choice::bare(action) }
    }

    /// Forgets a position and what was searched below its moves but the one that leads to `kept`.
    fn prune(&mut self, before: &G, kept: Option<&G>, way: u32) {
        self.nodes.remove(before);
        for (index, action) in before.actions().enumerate() {
            let next = before.apply(action).0;
            if kept == Some(&next) || !self.nodes.contains_key(&next) {
                continue;
            }
            match self.ways.after(way, index) {
                Some(way) => self.prune(&next, None, way),
                // It was reached, but not searched from, on this way.
                None => drop(self.nodes.remove(&next)),
            }
        }
    }
}

impl<G: Duel + Deterministic> Agent<G> for VisitUct<G> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let limits = context.within(self.budget);
        let samples = self.samples.unwrap_or(u64::MAX);
        let most = context.memory / (2 * size_of::<(G, Node)>());
        if self.root != Some(*position) {
            (self.root, self.ways) = (Some(*position), Ways::default());
        }
        let (mut made, mut depth, mut next_report) = (0, 0, REPORT);
        while made < samples {
            let full = self.nodes.len() + self.ways.len() >= most;
            let more = made == 0 || !(limits.spent(made) || limits.interrupted() || full);
            if !more {
                break;
            }
            made += self.sample(position, samples - made, &mut context.rng);
            depth = depth.max(self.path.len());
            if limits.elapsed() >= next_report {
                next_report = limits.elapsed() + REPORT;
                // What is told must not change what is searched.
                let choice = self.choice(position, made, depth, &mut Rng::new(0));
                context.report_choice(&choice);
            }
        }
        self.choice(position, made, depth, &mut context.rng)
    }

    fn observe(&mut self, before: &G, action: G::Action, position: &G) {
        if self.root != Some(*before) {
            self.ways = Ways::default();
        }
        self.prune(before, Some(position), Ways::ROOT);
        let index = before.actions().position(|other| other == action);
        let below = index.and_then(|index| self.ways.after(Ways::ROOT, index));
        self.ways = below.map_or_else(Ways::default, |way| self.ways.below(way));
        self.root = Some(*position);
    }

    fn reset(&mut self) {
        self.nodes.clear();
        (self.root, self.ways) = (None, Ways::default());
    }
}

#[cfg(test)]
#[path = "visit_uct_tests.rs"]
mod tests;
