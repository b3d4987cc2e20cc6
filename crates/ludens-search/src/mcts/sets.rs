//! Set-based search (HGSTS): one bandit over all positions of a shallow layer, and a tree below
//! each of them.
//!
//! 1. List every position of the first layer that has at least `set` of them, each once and with
//!    the best line to it; positions that a symmetry maps on each other count as one.
//! 2. Order them by an upper confidence bound. Take the first `batch`; do an iteration of UCT
//!    from each (in turn or on all threads), update their bounds, and repeat.
//!
//! The layer takes the place of a tree's upper levels, so that threads never wait for each other.
//! Each position has a tree, randomness and simulations of its own, and results of a batch are
//! put together in its order: they do not depend on the number of threads.
//!
//! Limits: the layer is fixed; a position is found again only within one of the trees.
//!
//! References: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search* (2015), section A.6;
//! S. Edelkamp et al., "Finding the needle in the haystack with heuristically guided swarm tree
//! search", 2010.

use ludens_core::{
    Context, Knowledge, Rng, Rollout, SearchStatistics, SoloPuzzle, Solution, Solver,
};

use super::config::{Config, Duplicates, Scale};
use super::layer::{Reached, first_layer};
use super::schedule::{Meter, Share};
use super::search::{Parts, Search};
use super::tree::Tree;
use crate::team::{BestLine, in_parallel};

/// Iterations between two looks at the clock.
const PART: usize = 256;
/// The least memory of a tree.
const LEAST_MEMORY: usize = 1 << 14;
const STAGE: &str = "set-based search";

/// Set-based search with a simulation policy and knowledge of the game.
#[derive(Clone, Copy, Debug)]
pub struct Sets<R, K = ()> {
    /// How simulations are played.
    pub rollout: R,
    /// What is known of the game, such as its symmetries.
    pub knowledge: K,
    /// How many positions the layer has at least, if the game is deep enough.
    pub set: usize,
    /// How many positions have an iteration before the order is looked at again.
    pub batch: usize,
    /// How much uncertainty counts, as a share of the best score seen.
    pub exploration: f64,
    /// Whether there is a tree below each position; otherwise it is only simulated from.
    pub trees: bool,
}

impl<R> Sets<R> {
    /// A layer of 1,000 positions, 64 at a time, without trees.
    pub fn new(rollout: R) -> Self {
        Sets { rollout, knowledge: (), set: 1000, batch: 64, exploration: 0.1, trees: false }
    }

    /// UCT below the layer's positions, and positions that are the same by this knowledge once.
    pub fn with_trees<K>(self, knowledge: K) -> Sets<R, K> {
        let Sets { rollout, set, batch, exploration, .. } = self;
        Sets { rollout, knowledge, set, batch, exploration, trees: true }
    }
}

/// A position of the layer with its search.
struct Entry<'s, G: SoloPuzzle, R, K> {
    number: usize,
    way: Reached<G>,
    search: Search<'s, G, R, K, ()>,
    bound: f64,
    /// The best of its lines that was told.
    reported: Option<i64>,
}

impl<G, R, K> Entry<'_, G, R, K>
where
    G: SoloPuzzle,
    R: Rollout<G>,
    K: Knowledge<G>,
{
    /// One iteration with an explorative factor in points.
    fn iterate(&mut self, c: f64, trees: bool) {
        self.search.c = c;
        self.search.statistics.iterations += 1;
        if trees {
            self.search.iterate();
        } else {
            self.search.simulate(0, false);
        }
    }

    /// Whether there is nothing left to find.
    fn is_done(&self) -> bool {
        self.search.tree.nodes[0].solved
    }

    fn visits(&self) -> u32 {
        self.search.tree.nodes[0].visits
    }

    /// The upper confidence bound with that many visits of the layer.
    fn bound(&self, c: f64, visits: u64) -> f64 {
        match self.visits() {
            _ if self.is_done() => f64::NEG_INFINITY,
            0 => f64::INFINITY,
            n => {
                let mean = self.way.paid as f64 + self.search.tree.nodes[0].average();
                mean + c * ((visits.max(1) as f64).ln() / f64::from(n)).sqrt()
            }
        }
    }
}

impl<G, R, K> Solver<G> for Sets<R, K>
where
    G: SoloPuzzle,
    R: Rollout<G> + Clone,
    K: Knowledge<G> + Sync,
{
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        // 1. The layer.
        let mut ended: Vec<Reached<G>> = Vec::new();
        let (layer, mut states) =
            first_layer(position, self.set, &self.knowledge, context, &mut |reached| {
                ended.push(reached.clone());
            });
        let (limits, seed) = (context.limits, context.rng.next_u64());
        let (threads, memory) = (context.threads.max(1), context.memory / layer.len().max(1));
        let mut best = BestLine::new(&mut *context);
        ended.extend(layer.iter().filter(|way| way.position.is_over()).cloned());
        for way in &ended {
            best.offer_line(&way.line, way.paid, states, STAGE);
        }
        // 2. A search from each of its positions.
        let config = self.config();
        let open: Vec<Reached<G>> = layer.into_iter().filter(|w| !w.position.is_over()).collect();
        let mut trees: Vec<Tree<G>> = open.iter().map(|_| Tree::new()).collect();
        let mut rollouts: Vec<R> = vec![self.rollout.clone(); open.len()];
        let mut policies = vec![(); open.len()];
        let parts = trees.iter_mut().zip(&mut rollouts).zip(&mut policies);
        let mut entries: Vec<Entry<'_, G, R, K>> = open
            .into_iter()
            .zip(parts)
            .enumerate()
            .map(|(number, (way, ((tree, rollout), policy)))| {
                let parts = Parts {
                    config: &config,
                    rollout,
                    knowledge: &self.knowledge,
                    policy,
                    tree,
                    lower: &mut [],
                    before: way.paid,
                    meter: Meter::new(limits, Share::default()),
                    rng: Rng::stream(seed, number as u64),
                    memory: memory.max(LEAST_MEMORY),
                };
                let search = Search::new(parts, &way.position);
                Entry { number, way, search, bound: f64::INFINITY, reported: None }
            })
            .collect();
        // 3. Batches. Without a budget there is one iteration for every position.
        let budget = limits.budget();
        let once = budget.time.is_none() && budget.positions().is_none();
        let mut eighths = 8 * states;
        let mut visits = 0;
        while !entries.is_empty() {
            let count = self.batch.clamp(1, entries.len());
            let top = best.best().map_or(1, |best| best.value.abs()).max(1);
            let c = self.exploration * top as f64;
            let over = |states: u64, eighths: u64| {
                limits.interrupted()
                    || budget.nodes.is_some_and(|most| states >= most)
                    || budget.units.is_some_and(|most| eighths >= most.saturating_mul(8))
            };
            for part in entries[..count].chunks_mut(PART) {
                let before = spent(part);
                let size = part.len().div_ceil(threads);
                let jobs: Vec<&mut [Entry<'_, G, R, K>]> = part.chunks_mut(size).collect();
                in_parallel(jobs, |_, job| {
                    job.iter_mut().for_each(|entry| entry.iterate(c, self.trees));
                });
                let after = spent(part);
                states += after.0 - before.0;
                eighths += after.1 - before.1;
                visits += part.len() as u64;
                for entry in part {
                    if entry.search.best > entry.reported
                        && let Some(value) = entry.search.best
                    {
                        entry.reported = Some(value);
                        let line = [&entry.way.line[..], &entry.search.best_line].concat();
                        best.offer_line(&line, entry.way.paid + value, states, STAGE);
                    }
                }
                if over(states, eighths) {
                    break;
                }
            }
            let all_seen = visits >= entries.len() as u64;
            let exhausted = entries.iter().all(Entry::is_done);
            if over(states, eighths) || exhausted || once && all_seen {
                break;
            }
            for entry in &mut entries {
                entry.bound = entry.bound(c, visits);
            }
            // Only the first of them have an iteration.
            let by_bound = |a: &Entry<'_, G, R, K>, b: &Entry<'_, G, R, K>| {
                b.bound.total_cmp(&a.bound).then(a.number.cmp(&b.number))
            };
            if count < entries.len() {
                entries.select_nth_unstable_by(count, by_bound);
            }
            entries[..count].sort_unstable_by(by_bound);
        }
        let found = best.best().map(|best| Solution { nodes: states, ..best.clone() });
        context.statistics = Some(total(&entries, states, eighths));
        found
    }
}

impl<R, K> Sets<R, K> {
    /// The search below a position; its explorative factor is in points and comes from outside.
    fn config(&self) -> Config {
        Config {
            scale: Scale::Fixed(1.0),
            duplicates: if self.trees { Duplicates::Symmetric } else { Duplicates::Keep },
            count_on_descent: self.trees,
            late_ends: false,
            ..Config::default()
        }
    }
}

/// The positions and eighths of units that searches have spent.
fn spent<G: SoloPuzzle, R, K>(entries: &[Entry<'_, G, R, K>]) -> (u64, u64) {
    let each = entries.iter().map(|entry| &entry.search.meter);
    each.fold((0, 0), |sum, meter| (sum.0 + meter.states, sum.1 + meter.eighths))
}

/// The statistics of all searches, depths counted from the first position.
fn total<G: SoloPuzzle, R, K>(
    entries: &[Entry<'_, G, R, K>],
    states: u64,
    eighths: u64,
) -> SearchStatistics {
    let mut sum = SearchStatistics::default();
    for entry in entries {
        let mut own = entry.search.statistics.clone();
        let depth = entry.way.line.len();
        own.depths += depth as u64 * own.nodes;
        own.hit_depths += depth as u64 * own.hits;
        own.game_lengths += depth as u64 * own.games;
        if !own.per_depth.is_empty() {
            own.per_depth.splice(..0, std::iter::repeat_n(0, depth));
        }
        sum.add(&own);
    }
    SearchStatistics { states, eighths, ..sum }
}
