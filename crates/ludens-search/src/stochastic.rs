//! Monte Carlo tree search of one player against chance, with afterstates valued by an
//! evaluation instead of random games.
//!
//! Positions choose a move by upper confidence bounds, afterstates get an outcome by
//! its probability ([`Outcomes`]). A leaf is a position: it gets all its moves, and counts as the best of
//! them. The evaluation that a move gets with this expansion is its first visit, so that
//! exploration need not try every move to have a mean of it. What a simulation came to,
//! the rewards on its way included, is divided by a norm, so that the weight of exploration
//! means the same in every game.
//!
//! - L. Kocsis, C. Szepesvári, Bandit based Monte-Carlo planning, 2006.
//! - H. Guei, On reinforcement learning for the game of 2048, dissertation, 2023, section 4.3.
//! - I. Wu, T. Wu, A. Liu, H. Guei, T. Wei, On strength adjustment for MCTS-based programs, 2019.

use std::ops::ControlFlow;

use ludens_core::{
    AfterValue, Agent, Branch, Choice, Considered, Context, Game, Limits, Reward, Rng, Solo, Way,
};

use crate::outline::{Outline, outline};
use crate::watch::Watch;

/// What a normalised value is divided by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Norm {
    /// Always this.
    Fixed(f32),
    /// The best reward and value of the root's moves, at least 1.
    Dynamic,
}

/// How an afterstate gets the outcome of a visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcomes {
    /// Drawn by probability, as in the dissertation.
    Random,
    /// The one whose visits are furthest behind its probability's share of them, any of equals. The
    /// shares become those of the probabilities, but means depend far less on luck.
    Balanced,
}

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
}

/// What a move of the root came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Visited<A> {
    /// The move.
    pub action: A,
    /// Its evaluation and the simulations that began with it; at least 1.
    pub visits: u32,
    /// Their mean, not normalised.
    pub value: f32,
}

/// A search with its evaluation.
pub struct StochasticMcts<G: Game, V> {
    value: V,
    /// Simulations of a search, at least 1.
    pub simulations: u32,
    /// The weight of exploration.
    pub exploration: f32,
    /// What values are divided by.
    pub norm: Norm,
    /// How afterstates get outcomes.
    pub outcomes: Outcomes,
    /// How [`Agent::choose`] chooses.
    pub strength: Strength,
    /// Bytes that the tree may take; a search ends there. No limit unless one is set.
    pub memory: usize,
    nodes: Vec<Node<G>>,
    path: Vec<u32>,
    afters: Vec<G::After>,
    values: Vec<f32>,
}

#[derive(Clone, Copy)]
enum Place<G: Game> {
    State(G),
    After(G::After),
}

struct Node<G: Game> {
    place: Place<G>,
    /// What leads here pays.
    reward: Reward,
    /// The probability of an outcome; 1 for an afterstate, which follows from a move.
    probability: f32,
    visits: u32,
    /// Of what the visits came to, counted from the root, not normalised.
    sum: f64,
    /// The children; none before the node is expanded.
    first: u32,
    count: u32,
    expanded: bool,
}

impl<G: Game> Node<G> {
    fn new(place: Place<G>, reward: Reward, probability: f32) -> Self {
        let (visits, sum, first, count, expanded) = (0, 0.0, 0, 0, false);
        Node { place, reward, probability, visits, sum, first, count, expanded }
    }

    /// The mean of the visits, of which there must be one.
    fn mean(&self) -> f32 {
        (self.sum / f64::from(self.visits)) as f32
    }
}

impl<G: Solo, V: AfterValue<G>> StochasticMcts<G, V> {
    /// A search of so many simulations.
    pub fn new(value: V, simulations: u32) -> Self {
        StochasticMcts {
            value,
            simulations: simulations.max(1),
            exploration: 0.005,
            norm: Norm::Dynamic,
            outcomes: Outcomes::Balanced,
            strength: Strength::FULL,
            memory: usize::MAX,
            nodes: Vec::new(),
            path: Vec::new(),
            afters: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Searches a position; all its moves in the game's order, none when it is over.
    pub fn search(&mut self, position: &G, rng: &mut Rng) -> Vec<Visited<G::Action>> {
        self.grow(position, rng, &mut Watch::none())
    }

    /// The same within limits: fewer simulations where they are spent.
    pub fn search_within(
        &mut self,
        position: &G,
        rng: &mut Rng,
        limits: &Limits<'_>,
    ) -> Vec<Visited<G::Action>> {
        self.grow(position, rng, &mut Watch::new(limits))
    }

    fn grow(
        &mut self,
        position: &G,
        rng: &mut Rng,
        watch: &mut Watch<'_, '_>,
    ) -> Vec<Visited<G::Action>> {
        self.nodes.clear();
        self.nodes.push(Node::new(Place::State(*position), 0, 1.0));
        let best = self.expand_state(0, position, 0.0);
        let norm = match self.norm {
            Norm::Fixed(norm) => norm,
            Norm::Dynamic => best.max(1.0),
        };
        for _ in 1..self.simulations {
            let full = self.nodes.len() >= self.memory / size_of::<Node<G>>();
            if full || watch.is_over(self.nodes.len() as u64) {
                break;
            }
            self.simulate(norm, rng);
        }
        let root = &self.nodes[0];
        let children = &self.nodes[root.first as usize..][..root.count as usize];
        let visited = |(action, child): (G::Action, &Node<G>)| Visited {
            action,
            visits: child.visits,
            value: child.mean(),
        };
        position.actions().zip(children).map(visited).collect()
    }

    /// The best move with what it is worth, a target for learners: the mean of its
    /// visits, not normalised. `None` when the game is over.
    pub fn target(&mut self, position: &G, rng: &mut Rng) -> Option<(G::Action, f32)> {
        let visited = self.search(position, rng);
        most_visited(&visited).map(|best| (best.action, best.value))
    }

    /// From the root to a leaf and back.
    fn simulate(&mut self, norm: f32, rng: &mut Rng) {
        self.path.clear();
        let (mut here, mut paid) = (0usize, 0f32);
        let worth = loop {
            self.path.push(here as u32);
            paid += self.nodes[here].reward as f32;
            let Node { place, expanded, count, .. } = self.nodes[here];
            match place {
                Place::State(position) if !expanded => {
                    break self.expand_state(here, &position, paid);
                }
                // The game is over here.
                Place::State(_) if count == 0 => break paid,
                Place::State(_) => here = self.select(here, norm),
                Place::After(after) => {
                    if !expanded {
                        self.expand_after(here, &after);
                    }
                    here = match self.outcomes {
                        Outcomes::Random => self.draw(here, rng),
                        Outcomes::Balanced => self.furthest_behind(here, rng),
                    };
                }
            }
        };
        for &node in &self.path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.sum += f64::from(worth);
        }
    }

    /// Adds all moves, each with its evaluation as the first visit. What the position counts
    /// as: the best of them, or at the end of the game what was `paid` up to here.
    fn expand_state(&mut self, here: usize, position: &G, paid: f32) -> f32 {
        let first = self.nodes.len();
        self.afters.clear();
        self.values.clear();
        position.children(|_, after, reward| {
            self.afters.push(after);
            self.nodes.push(Node::new(Place::After(after), reward, 1.0));
        });
        self.value.values(&self.afters, &mut self.values);
        let mut best = f32::NEG_INFINITY;
        for (child, &value) in self.nodes[first..].iter_mut().zip(&self.values) {
            let worth = paid + (child.reward as f32 + value);
            (child.visits, child.sum) = (1, f64::from(worth));
            best = best.max(worth);
        }
        let count = self.close(here, first);
        if count == 0 { paid } else { best }
    }

    fn expand_after(&mut self, here: usize, after: &G::After) {
        let first = self.nodes.len();
        let _ = G::outcomes(after, |chance, p| {
            let (next, bonus) = G::apply_outcome(after, chance);
            self.nodes.push(Node::new(Place::State(next), bonus, p as f32));
            ControlFlow::Continue(())
        });
        self.close(here, first);
    }

    /// Marks a node whose children are the last ones as expanded.
    fn close(&mut self, here: usize, first: usize) -> u32 {
        let count = (self.nodes.len() - first) as u32;
        let node = &mut self.nodes[here];
        (node.first, node.count, node.expanded) = (first as u32, count, true);
        count
    }

    /// The move with the largest upper confidence bound, the first of equals.
    fn select(&self, here: usize, norm: f32) -> usize {
        let node = &self.nodes[here];
        let children = node.first as usize..(node.first + node.count) as usize;
        let visits: u32 = self.nodes[children.clone()].iter().map(|child| child.visits).sum();
        let log = f32::ln(visits as f32);
        let bound = |child: &Node<G>| {
            child.mean() / norm + self.exploration * (log / child.visits as f32).sqrt()
        };
        let mut best = (children.start, bound(&self.nodes[children.start]));
        for child in children.skip(1) {
            let found = bound(&self.nodes[child]);
            if found > best.1 {
                best = (child, found);
            }
        }
        best.0
    }

    /// An outcome by its probability.
    fn draw(&self, here: usize, rng: &mut Rng) -> usize {
        let node = &self.nodes[here];
        let children = node.first as usize..(node.first + node.count) as usize;
        let mut left = rng.unit() as f32;
        for child in children.clone() {
            left -= self.nodes[child].probability;
            if left < 0.0 {
                return child;
            }
        }
        children.end - 1
    }

    /// The outcome with the fewest visits beside those that its probability asks for after the next
    /// one; any of equals.
    fn furthest_behind(&self, here: usize, rng: &mut Rng) -> usize {
        let node = &self.nodes[here];
        let children = node.first as usize..(node.first + node.count) as usize;
        // The evaluation was a visit of the afterstate, but of none of its outcomes.
        let visits = node.visits as f32;
        let (mut best, mut most, mut equals) = (children.start, f32::NEG_INFINITY, 0);
        for child in children {
            let Node { probability, visits: had, .. } = self.nodes[child];
            let behind = probability * visits - had as f32;
            if behind > most {
                (best, most, equals) = (child, behind, 1);
            } else if behind == most {
                equals += 1;
                if rng.below(equals) == 0 {
                    best = child;
                }
            }
        }
        best
    }
}

/// The move with the most visits; among equals the one of the largest value, the first of those.
fn most_visited<A: Copy>(visited: &[Visited<A>]) -> Option<Visited<A>> {
    visited.iter().copied().reduce(|best, next| {
        let better = (next.visits, next.value) > (best.visits, best.value);
        if better { next } else { best }
    })
}

impl Strength {
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

impl<G: Solo, V: AfterValue<G> + Send> Agent<G> for StochasticMcts<G, V> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        self.memory = context.memory;
        let visited = self.search_within(position, &mut context.rng, &context.limits);
        let chosen = self.strength.choose(&visited, &mut context.rng);
        let action = chosen.expect("an agent is asked only while the game goes on");
        let mut moves: Vec<_> = visited
            .iter()
            .map(|v| Considered {
                action: v.action,
                value: Some(f64::from(v.value)),
                visits: Some(u64::from(v.visits)),
                prior: None,
            })
            .collect();
        moves.sort_by_key(|considered| std::cmp::Reverse(considered.visits));
        let value = most_visited(&visited).map(|best| f64::from(best.value));
        let nodes = self.nodes.len() as u64;
        Choice { value, moves, line: vec![action], nodes, ..Choice::bare(action) }
    }

    fn tree(&self, most: usize) -> Vec<Branch<G>> {
        if self.nodes.is_empty() { Vec::new() } else { outline(self, 0, most) }
    }
}

impl<G: Solo, V> Outline<G> for StochasticMcts<G, V> {
    /// Values are counted from the root, with what was paid on the way there.
    fn ways_on(&self, node: u32, out: &mut Vec<(Branch<G>, Option<u32>)>) {
        let node = &self.nodes[node as usize];
        let children = node.first..node.first + node.count;
        let mut add = |way: Way<G>, child: u32, prior: Option<f32>| {
            let Node { visits, sum, .. } = self.nodes[child as usize];
            let value = sum / f64::from(visits.max(1));
            let visits = u64::from(visits);
            let branch = Branch { way, visits, value, prior, proven: false, children: Vec::new() };
            out.push((branch, Some(child)));
        };
        match node.place {
            Place::State(position) => {
                for (action, child) in position.actions().zip(children) {
                    add(Way::Action(action), child, None);
                }
            }
            Place::After(after) => {
                let mut children = children;
                let _ = G::outcomes(&after, |chance, p| {
                    if let Some(child) = children.next() {
                        add(Way::Chance(chance), child, Some(p as f32));
                    }
                    ControlFlow::Continue(())
                });
            }
        }
    }
}

#[cfg(test)]
mod tests;
