//! Sequential halving at the root, among moves drawn without replacement.

use ludens_core::{Game, Pov, Rng, Way};

use super::arena::{Edge, Node};
use super::backup::Backup;
use super::config::Gumbel;
use super::search::TreeSearch;

/// Simulations that are planned at most: a longer search follows what is best then.
const PLANNED: u64 = 10_000;

/// The plan of a move.
pub(super) struct Halving {
    pub(super) gumbel: Gumbel,
    /// Logits with the number drawn for each move.
    pub(super) drawn: Vec<f32>,
    /// How often the move of each simulation has been tried before it.
    visits: Vec<u32>,
}

impl Halving {
    pub(super) fn new<W>(gumbel: Gumbel, edges: &[Edge<W>], left: u64, rng: &mut Rng) -> Self {
        let number = |edge: &Edge<W>, rng: &mut Rng| {
            let noise = if gumbel.draw { rng.gumbel() as f32 } else { 0.0 };
            logit(edge.prior) + noise
        };
        let drawn = edges.iter().map(|edge| number(edge, rng)).collect();
        let considered = gumbel.considered.clamp(1, edges.len().max(1));
        Halving { gumbel, drawn, visits: schedule(considered, left.min(PLANNED) as usize) }
    }
}

/// The logarithm of a probability that may be 0.
pub(super) fn logit(prior: f32) -> f32 {
    prior.max(1e-9).ln()
}

/// For each simulation, how often the move it is for has been tried: all considered moves equally
/// often, then the better half of them, and so on.
fn schedule(considered: usize, simulations: usize) -> Vec<u32> {
    if considered <= 1 {
        return (0..simulations as u32).collect();
    }
    let phases = considered.next_power_of_two().trailing_zeros() as usize;
    let mut sequence = Vec::with_capacity(simulations + considered);
    let (mut tried, mut left) = (0, considered);
    while sequence.len() < simulations {
        let rounds = (simulations / (phases * left)).max(1) as u32;
        for round in 0..rounds {
            sequence.extend(std::iter::repeat_n(tried + round, left));
        }
        tried += rounds;
        left = (left / 2).max(2);
    }
    sequence.truncate(simulations);
    sequence
}

impl<G: Game, B: Backup<G>> TreeSearch<G, B> {
    /// The move of the next simulation: of those tried as often as the schedule says, the best.
    pub(super) fn select_halving(&self, halving: &Halving) -> u32 {
        let first = self.tree.nodes[0].first;
        let edges = self.tree.edges_of(0);
        let started = edges.iter().map(|edge| edge.visits).sum::<u32>() as usize;
        let wanted = halving.visits.get(started).copied().unwrap_or(u32::MAX);
        let (mut best, mut most) = (None, (false, f32::NEG_INFINITY));
        for (i, edge) in edges.iter().enumerate() {
            if self.tree.proven(edge).is_some() {
                continue;
            }
            let score = (edge.visits == wanted, self.drawn_score(halving, i));
            if best.is_none() || score > most {
                (best, most) = (Some(i), score);
            }
        }
        first + best.expect("a root whose moves are all proven is proven itself") as u32
    }

    /// A move's logit with what was drawn for it and the value it turned out to have.
    pub(super) fn drawn_score(&self, halving: &Halving, edge: usize) -> f32 {
        halving.drawn[edge] + self.weighed(halving.gumbel.scale, edge)
    }

    /// What the value of a move of the root counts against its logit.
    pub(super) fn weighed(&self, scale: f32, edge: usize) -> f32 {
        let edges = self.tree.edges_of(0);
        let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        (Gumbel::VISITS + most as f32) * scale * self.share(self.completed(edge))
    }

    /// The value of a move of the root to the mover, or the mean of what is known of the others and
    /// of the evaluation of the root where it was not tried.
    fn completed(&self, edge: usize) -> Pov {
        let edges = self.tree.edges_of(0);
        let known = |edge: &Edge<Way<G>>| {
            let known = edge.visits > 0 || self.tree.proven(edge).is_some();
            known.then(|| self.tree.value(0, edge))
        };
        if let Some(value) = known(&edges[edge]) {
            return value;
        }
        let visits: f32 = edges.iter().map(|edge| edge.visits as f32).sum();
        let tried = edges.iter().filter(|edge| edge.visits > 0);
        let (weight, sum) = tried.fold((0.0, 0.0), |(weight, sum), edge| {
            let value = known(edge).unwrap_or_default();
            (weight + edge.prior, sum + edge.prior * value.0)
        });
        let Node { value, player, .. } = self.tree.nodes[0];
        let own = value.pov(player).0;
        Pov(if weight <= 0.0 { own } else { (own + visits * sum / weight) / (1.0 + visits) })
    }
}

#[cfg(test)]
mod tests {
    use super::schedule;

    #[test]
    fn halving_tries_the_better_half_twice_as_often() {
        // Four moves, eight simulations: one each, then two more for two of them.
        assert_eq!(schedule(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
        assert_eq!(schedule(1, 3), [0, 1, 2]);
        assert_eq!(schedule(8, 3), [0, 0, 0]);
        for considered in 1..20 {
            for simulations in 0..100 {
                assert_eq!(schedule(considered, simulations).len(), simulations);
            }
        }
    }
}
