//! Set-based search: one bandit over all positions of a shallow layer.
//!
//! 1. List every position of the first layer that has at least `set` of them (or
//!    the last layer before the game ends), without duplicates, each with the
//!    best line to it. Games that end before count as lines.
//! 2. Order the positions by an upper confidence bound on the score of
//!    simulations from them; take the first `batch`, simulate from each (in turn
//!    or on all threads), update their bounds, and repeat.
//!
//! The layer takes the place of a tree's upper levels, so that threads never
//! wait for each other within a batch. Results of a batch are put together in
//! the order of the batch: they do not depend on the number of threads.
//!
//! Limits: the layer is fixed; deep games want a tree or nesting.
//!
//! References: Klein 2015, section A.6 (HGSTS, set-based
//! parallelisation).

use std::collections::HashMap;

use ludens_core::{Context, Progress, Rng, Rollout, SoloPuzzle, Solution, Solver};

use super::frame::simulate;
use crate::team::in_parallel;

/// Simulations between two looks at the clock.
const PART: usize = 256;

/// Set-based search with a simulation policy.
#[derive(Clone, Copy, Debug)]
pub struct Sets<R> {
    /// How simulations are played.
    pub rollout: R,
    /// How many positions the layer has at least, if the game is deep enough.
    pub set: usize,
    /// How many positions are simulated from before the order is looked at again.
    pub batch: usize,
    /// How much uncertainty counts, as a share of the best score seen.
    pub exploration: f64,
}

impl<R> Sets<R> {
    /// A layer of 1,000 positions, 64 at a time.
    pub fn new(rollout: R) -> Self {
        Sets { rollout, set: 1000, batch: 64, exploration: 0.1 }
    }
}

/// A position of the layer.
struct Entry<G: SoloPuzzle> {
    position: G,
    line: Vec<G::Action>,
    paid: i64,
    visits: u64,
    sum: i64,
}

/// A simulation from an entry.
struct Sample<A> {
    entry: usize,
    value: i64,
    tail: Vec<A>,
}

/// The best line so far.
struct Best<G: SoloPuzzle>(Option<Solution<G>>);

impl<G: SoloPuzzle> Best<G> {
    fn offer(
        &mut self,
        value: i64,
        nodes: u64,
        parts: [&[G::Action]; 2],
        context: &mut Context<'_, G>,
    ) {
        if self.0.as_ref().is_some_and(|best| value <= best.value) {
            return;
        }
        let line = parts.concat();
        let best = self.0.insert(Solution { line, value, bound: None, nodes });
        let progress = Progress { best: Some(best), bound: None, nodes, stage: "set-based search" };
        context.report(&progress);
    }
}

impl<G: SoloPuzzle, R: Rollout<G> + Clone + Sync> Solver<G> for Sets<R> {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        let (mut best, mut nodes) = (Best(None), 0);
        // 1. The layer.
        let mut layer =
            vec![Entry { position: *position, line: vec![], paid: 0, visits: 0, sum: 0 }];
        while layer.len() < self.set {
            match expand(&layer, &mut nodes, &mut best, context) {
                Some(next) if !next.is_empty() => layer = next,
                _ => break,
            }
        }
        if layer.iter().all(|entry| entry.position.is_over()) {
            return finish(best, nodes);
        }
        // 2. Batches. Without a budget every position is simulated from once.
        let budget = context.limits.budget();
        let once = budget.time.is_none() && budget.positions().is_none();
        let threads = context.threads.max(1);
        let seed = context.rng.next_u64();
        let mut order: Vec<usize> = (0..layer.len()).collect();
        let mut bounds: Vec<f64> = Vec::with_capacity(layer.len());
        let (mut visits, mut round) = (0u64, 0u64);
        loop {
            let count = self.batch.clamp(1, order.len());
            for (part, chosen) in order[..count].chunks(PART).enumerate() {
                if part > 0 && context.limits.interrupted() {
                    break;
                }
                let streams = (seed ^ round << 32, part * PART);
                for sample in batch(&self.rollout, &layer, chosen, threads, streams) {
                    let entry = &mut layer[sample.entry];
                    let value = entry.paid + sample.value;
                    entry.visits += 1;
                    entry.sum += value;
                    visits += 1;
                    nodes += sample.tail.len() as u64;
                    best.offer(value, nodes, [&entry.line, &sample.tail], context);
                }
            }
            round += 1;
            let all_seen = visits >= layer.len() as u64;
            if context.limits.interrupted() || context.limits.spent(nodes) || once && all_seen {
                return finish(best, nodes);
            }
            let top = best.0.as_ref().map_or(0, |best| best.value.abs()).max(1) as f64;
            let bound = |entry: &Entry<G>| {
                if entry.visits == 0 {
                    return f64::INFINITY;
                }
                let n = entry.visits as f64;
                entry.sum as f64 / n + self.exploration * top * ((visits as f64).ln() / n).sqrt()
            };
            bounds.clear();
            bounds.extend(layer.iter().map(bound));
            let by_bound = |&a: &usize, &b: &usize| bounds[b].total_cmp(&bounds[a]).then(a.cmp(&b));
            // Only the first of them are simulated from.
            if count < order.len() {
                order.select_nth_unstable_by(count, by_bound);
            }
            order[..count].sort_unstable_by(by_bound);
        }
    }
}

fn finish<G: SoloPuzzle>(best: Best<G>, nodes: u64) -> Option<Solution<G>> {
    best.0.map(|solution| Solution { nodes, ..solution })
}

/// The positions one move on, each once and with the best line to it; `None` when
/// listing them takes more than half of the budget, which is for simulations, or of the memory.
fn expand<G: SoloPuzzle>(
    layer: &[Entry<G>],
    nodes: &mut u64,
    best: &mut Best<G>,
    context: &mut Context<'_, G>,
) -> Option<Vec<Entry<G>>> {
    let half = context.limits.budget().positions().map(|positions| positions / 2);
    let mut next: Vec<Entry<G>> = Vec::new();
    let mut known: HashMap<G, usize> = HashMap::new();
    // The layer before is there too, and lists have memory for more than they hold.
    let line = layer.first().map_or(0, |entry| entry.line.len()) + 1;
    let each = size_of::<Entry<G>>() + size_of::<(G, usize)>() + 2 * line * size_of::<G::Action>();
    let most = (context.memory / (4 * each)).max(1024);
    for entry in layer {
        let spent = half.is_some_and(|half| *nodes >= half) || next.len() >= most;
        if spent || context.limits.interrupted() {
            return None;
        }
        let mut children = 0;
        entry.position.children(|action, child, reward| {
            children += 1;
            let paid = entry.paid + i64::from(reward);
            let at = *known.entry(child).or_insert(next.len());
            if at == next.len() {
                next.push(Entry {
                    position: child,
                    line: vec![],
                    paid: i64::MIN,
                    visits: 0,
                    sum: 0,
                });
            }
            if paid > next[at].paid {
                next[at].paid = paid;
                next[at].line.clone_from(&entry.line);
                next[at].line.push(action);
            }
        });
        *nodes += children;
        if children == 0 {
            best.offer(entry.paid, *nodes, [&entry.line, &[]], context);
        }
    }
    Some(next)
}

/// One simulation from each chosen entry, in that order; `before` is how many there were in the batch.
fn batch<G, R>(
    rollout: &R,
    layer: &[Entry<G>],
    chosen: &[usize],
    threads: usize,
    (seed, before): (u64, usize),
) -> Vec<Sample<G::Action>>
where
    G: SoloPuzzle,
    R: Rollout<G> + Clone + Sync,
{
    let work = |first: usize, part: &[usize]| -> Vec<Sample<G::Action>> {
        let mut rollout = rollout.clone();
        let simulate = |(i, &entry): (usize, &usize)| {
            // A stream per simulation, so that the split among threads is of no matter.
            let mut rng = Rng::stream(seed, (before + first + i) as u64);
            let mut tail = Vec::new();
            let value = simulate(&mut rollout, &layer[entry].position, &mut rng, &mut tail);
            Sample { entry, value, tail }
        };
        part.iter().enumerate().map(simulate).collect()
    };
    let size = chosen.len().div_ceil(threads).max(1);
    let parts: Vec<_> = chosen.chunks(size).collect();
    in_parallel(parts, |i, part| work(i * size, part)).into_iter().flatten().collect()
}
