//! Monte Carlo tree search of one player against chance, with afterstates valued by an
//! evaluation instead of random games.
//!
//! Positions choose a move by upper confidence bounds, afterstates get an outcome by
//! its probability. A leaf is a position: it gets all its moves, and has the value of the best of
//! them. The evaluation that a move gets with this expansion is its first visit, so that
//! exploration need not try every move to have a mean of it. Values are divided by a norm, so that
//! the weight of exploration means the same in every game.
//!
//! - L. Kocsis, C. Szepesvári, Bandit based Monte-Carlo planning, 2006.
//! - H. Guei, On reinforcement learning for the game of 2048, dissertation, 2023, section 4.3.
//! - I. Wu, T. Wu, A. Liu, H. Guei, T. Wei, On strength adjustment for MCTS-based programs, 2019.

use ludens_core::{
    AfterValue, Agent, Branch, Choice, Considered, Context, Evals, Evaluator, Game, Limits, Rng,
    Solo,
};

use super::agent::{Buffers, Driver};
use super::backup::Returns;
use super::config::{ChanceSampling, Range, Root, TreeConfig};
use super::report::action_of;
use super::search::TreeSearch;

/// How a move is chosen by visits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// The power of the visits that a move's probability is proportional to; infinite for
    /// the move with the most.
    pub index: f32,
    /// Moves with less than this share of the most visits are left out.
    pub threshold: f32,
}

impl Strength {
    /// Always the move with the most visits.
    pub const FULL: Strength = Strength { index: f32::INFINITY, threshold: 0.0 };

    /// A move drawn with probabilities by visits; `None` when there is none.
    pub fn choose<A: Copy>(&self, visited: &[Visited<A>], rng: &mut Rng) -> Option<A> {
        let best = most_visited(visited)?;
        // Without a simulation the visits say nothing: then the evaluation decides.
        if self.index == f32::INFINITY || best.visits <= 1 {
            return Some(best.action);
        }
        let share = |v: &Visited<A>| v.visits as f32 / best.visits as f32;
        let weight = |v: &Visited<A>| match share(v) {
            share if share < self.threshold => 0.0,
            share => f64::from(share.powf(self.index)),
        };
        let mut left = rng.unit() * visited.iter().map(weight).sum::<f64>();
        for v in visited {
            left -= weight(v);
            if left < 0.0 {
                return Some(v.action);
            }
        }
        Some(best.action)
    }
}

/// What a move of the root came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Visited<A> {
    /// The move.
    pub action: A,
    /// Its evaluation and the simulations that started with it; at least 1.
    pub visits: u32,
    /// Their mean, not normalised.
    pub value: f32,
}

/// The move with the most visits; among equals the one of the largest value, the first of those.
pub(super) fn most_visited<A: Copy>(visited: &[Visited<A>]) -> Option<Visited<A>> {
    visited.iter().copied().reduce(|best, next| {
        let better = (next.visits, next.value) > (best.visits, best.value);
        if better { next } else { best }
    })
}

/// A search with its evaluation.
pub struct StochasticMcts<G: Game, V> {
    values: MoveValues<G, V>,
    /// Simulations of a search, at least 1.
    pub simulations: u32,
    /// The weight of exploration.
    pub exploration: f32,
    /// What values are divided by.
    pub norm: Range,
    /// How afterstates get outcomes.
    pub outcomes: ChanceSampling,
    /// How [`Agent::choose`] chooses.
    pub strength: Strength,
    pub(super) tree: TreeSearch<G, Returns>,
    buffers: Buffers<G>,
}

impl<G: Solo, V: AfterValue<G> + Send> StochasticMcts<G, V> {
    /// A search of `simulations` per move.
    pub fn new(value: V, simulations: u32) -> Self {
        let (exploration, norm, outcomes) = (0.005, Range::Root, ChanceSampling::Balanced);
        StochasticMcts {
            values: MoveValues {
                value,
                afters: Vec::new(),
                rewards: Vec::new(),
                moves: Vec::new(),
            },
            simulations: simulations.max(1),
            exploration,
            norm,
            outcomes,
            strength: Strength::FULL,
            tree: TreeSearch::new(TreeConfig::stochastic(exploration, norm, outcomes)),
            buffers: Buffers::default(),
        }
    }

    /// Searches a position; all its moves in the game's order, none when it is over.
    pub fn search(&mut self, position: &G, rng: &mut Rng) -> Vec<Visited<G::Action>> {
        self.grow(position, rng, &Driver::quick(None, usize::MAX))
    }

    /// The same within limits: fewer simulations where they are spent.
    pub fn search_within(
        &mut self,
        position: &G,
        rng: &mut Rng,
        limits: &Limits<'_>,
    ) -> Vec<Visited<G::Action>> {
        self.grow(position, rng, &Driver::quick(Some(limits), usize::MAX))
    }

    fn grow(
        &mut self,
        position: &G,
        rng: &mut Rng,
        driver: &Driver<'_, '_>,
    ) -> Vec<Visited<G::Action>> {
        if position.is_over() {
            return Vec::new();
        }
        let tree = &mut self.tree;
        tree.config = TreeConfig::stochastic(self.exploration, self.norm, self.outcomes);
        tree.forget();
        tree.start(position, u64::from(self.simulations), Root::Plain, rng.clone());
        driver.grow(tree, &mut self.values, &mut self.buffers, |_| {});
        *rng = tree.rng.clone();
        let visited = |edge| {
            let action = action_of(edge)?;
            Some(Visited { action, visits: edge.visits, value: edge.mean().0 })
        };
        tree.tree.edges_of(0).iter().filter_map(visited).collect()
    }

    /// The best move with its value, a target for learners: the mean of its
    /// visits, not normalised. `None` when the game is over.
    pub fn target(&mut self, position: &G, rng: &mut Rng) -> Option<(G::Action, f32)> {
        let visited = self.search(position, rng);
        most_visited(&visited).map(|best| (best.action, best.value))
    }
}

impl<G: Solo, V: AfterValue<G> + Send> Agent<G> for StochasticMcts<G, V> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let driver = Driver::quick(Some(&context.limits), context.memory);
        let visited = self.grow(position, &mut context.rng, &driver);
        let chosen = self.strength.choose(&visited, &mut context.rng);
        let action = chosen.expect("an agent is asked only while the game goes on");
        let mut moves: Vec<_> = visited
            .iter()
            .map(|v| Considered {
                value: Some(f64::from(v.value)),
                visits: Some(u64::from(v.visits)),
                ..Considered::bare(v.action)
            })
            .collect();
        moves.sort_by_key(|considered| std::cmp::Reverse(considered.visits));
        let value = most_visited(&visited).map(|best| f64::from(best.value));
        let nodes = self.tree.nodes();
        Choice { value, moves, line: vec![action], nodes, ..Choice::bare(action) }
    }

    fn tree(&self, most: usize) -> Vec<Branch<G>> {
        self.tree.outline(most)
    }
}

/// Evaluates positions by the values of the afterstates that moves lead to: the value is the best of
/// them, and the values of all moves replace priors.
struct MoveValues<G: Game, V> {
    value: V,
    afters: Vec<G::After>,
    rewards: Vec<f32>,
    moves: Vec<f32>,
}

impl<G: Solo, V: AfterValue<G> + Send> Evaluator<G> for MoveValues<G, V> {
    fn evaluate(&mut self, batch: &[G], out: &mut Evals) {
        out.clear();
        for position in batch {
            self.afters.clear();
            self.moves.clear();
            self.rewards.clear();
            position.children(|_, after, reward| {
                self.afters.push(after);
                self.rewards.push(reward as f32);
            });
            self.value.values(&self.afters, &mut self.moves);
            self.moves.iter_mut().zip(&self.rewards).for_each(|(value, reward)| *value += reward);
            let best = self.moves.iter().copied().reduce(f32::max);
            out.push(best, &self.moves);
        }
    }
}
