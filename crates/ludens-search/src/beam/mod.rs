//! Anytime beam search: layer by layer the best positions up to a width, then again
//! with twice as many.
//!
//! Layers are by moves made. Children are ordered by the rewards so far plus a
//! heuristic, equal positions are kept once (or not, [`Rounds::distinct`]), and what cannot beat the best line
//! known is dropped where the game has a bound. Each round is one beam; rounds
//! grow in width and differ in the heuristic's variation and in random noise.
//! Threads run rounds side by side and share the best value.
//!
//! Limits: a line is only found if all its positions stay within the width. When
//! no position was turned away the search is complete, and its result is proven
//! if a bound did the pruning. Where memory is short rounds get narrower.
//!
//! References: Bisiani, "Beam search", 1987; Urheim 2025, 4.3 and 5.5; Klein 2015, 1.5.

mod ceiling;
pub(crate) mod layer;
mod pace;
mod pass;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ludens_core::{Context, Game, Heuristic, Limits, Progress, Rng, SoloPuzzle, Solution, Solver};

use crate::team::in_parallel;
pub use ceiling::{ByBound, ByLength, Ceiling, Unbounded};
use pace::Pace;
use pass::{End, Pass, Watch};

/// How the rounds of an anytime beam follow one another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rounds {
    /// The width of the first round, at least 1.
    pub first: usize,
    /// No round is wider.
    pub widest: usize,
    /// Rounds of one width before it doubles, at least 1.
    pub repeats: u64,
    /// How many rounds at most.
    pub count: u64,
    /// Random numbers up to this are added to scores from the second round on.
    pub noise: f32,
    /// Whether equal positions of a layer are kept once. Where they are not, copies of good positions
    /// take the place of others, as in Algorithm 2 of Urheim (2025).
    pub distinct: bool,
    /// Whether the last round is made as narrow as the rest of the budget asks for; otherwise it is
    /// begun and cut off.
    pub paced: bool,
}

impl Default for Rounds {
    fn default() -> Self {
        Rounds {
            first: 16,
            widest: 1 << 26,
            repeats: 1,
            count: u64::MAX,
            noise: 0.0,
            distinct: true,
            paced: true,
        }
    }
}

impl Rounds {
    /// One round of one width: the plain beam search.
    pub fn plain(width: usize) -> Self {
        Rounds { first: width, widest: width, count: 1, ..Rounds::default() }
    }

    fn width(&self, round: u64) -> usize {
        let doublings = (round / self.repeats.max(1)).min(40) as u32;
        self.first.max(1).saturating_mul(1 << doublings).min(self.widest.max(1))
    }
}

/// The solver: a heuristic, what is known of the most to be had, and the rounds.
#[derive(Clone, Copy, Debug)]
pub struct Beam<H, C> {
    /// Orders the positions of a layer.
    pub heuristic: H,
    /// Drops positions that cannot lead to a better line.
    pub ceiling: C,
    /// The plan.
    pub rounds: Rounds,
}

/// Less than the value of any line, and far enough from the least number to subtract from.
const NOTHING: i64 = i64::MIN / 2;

/// What the threads share.
struct Shared<'a, 'c, G: Game> {
    limits: Limits<'a>,
    /// The value to beat.
    value: AtomicI64,
    nodes: AtomicU64,
    round: AtomicU64,
    /// Nothing is left to do: the best line is as good as the bound, or a
    /// complete round has ended.
    done: AtomicBool,
    /// No line has a larger value.
    bound: AtomicI64,
    best: Mutex<Best<'a, 'c, G>>,
}

struct Best<'a, 'c, G: Game> {
    solution: Option<Solution<G>>,
    context: &'c mut Context<'a, G>,
}

impl<'a, 'c, G: Game> Shared<'a, 'c, G> {
    fn lock(&self) -> MutexGuard<'_, Best<'a, 'c, G>> {
        // A panic elsewhere leaves a whole solution behind: use it.
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.done.load(Ordering::Relaxed)
            || self.limits.interrupted()
            || self.limits.spent(self.nodes.load(Ordering::Relaxed))
    }

    fn known_bound(&self) -> Option<i64> {
        Some(self.bound.load(Ordering::Relaxed)).filter(|&bound| bound != i64::MAX)
    }
}

/// One thread's view of a round.
struct Worker<'s, 'a, 'c, G: Game> {
    shared: &'s Shared<'a, 'c, G>,
    width: usize,
}

impl<G: Game> Watch<G::Action> for Worker<'_, '_, '_, G> {
    fn go_on(&mut self, nodes: u64) -> bool {
        self.shared.nodes.fetch_add(nodes, Ordering::Relaxed);
        !self.shared.stopped()
    }

    #[inline]
    fn to_beat(&self) -> i64 {
        self.shared.value.load(Ordering::Relaxed)
    }

    fn found(&mut self, value: i64, line: &[G::Action]) {
        let mut best = self.shared.lock();
        // Another thread may have been faster.
        if value <= self.shared.value.load(Ordering::Relaxed) {
            return;
        }
        self.shared.value.store(value, Ordering::Relaxed);
        if self.shared.known_bound() == Some(value) {
            self.shared.done.store(true, Ordering::Relaxed);
        }
        let nodes = self.shared.nodes.load(Ordering::Relaxed);
        let bound = self.shared.known_bound();
        let Best { solution, context } = &mut *best;
        let solution = solution.insert(Solution { line: line.to_vec(), value, bound, nodes });
        let stage = format!("beam of width {}", self.width);
        context.report(&Progress { best: Some(solution), bound, nodes, stage: &stage });
    }
}

impl<G: SoloPuzzle, H: Heuristic<G> + Clone, C: Ceiling<G>> Solver<G> for Beam<H, C> {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        if position.is_over() {
            return Some(Solution { line: Vec::new(), value: 0, bound: Some(0), nodes: 0 });
        }
        let (threads, memory) = (context.threads.max(1), context.memory);
        let seed = context.rng.next_u64();
        let shared = Shared {
            limits: context.limits,
            value: AtomicI64::new(NOTHING),
            nodes: AtomicU64::new(0),
            round: AtomicU64::new(0),
            done: AtomicBool::new(false),
            bound: AtomicI64::new(self.ceiling.bound(position).unwrap_or(i64::MAX)),
            best: Mutex::new(Best { solution: None, context }),
        };
        let share = memory / threads;
        in_parallel(vec![(); threads], |_, ()| self.work(position, share, seed, &shared));
        let (nodes, bound) = (shared.nodes.load(Ordering::Relaxed), shared.known_bound());
        let best = shared.best.into_inner().unwrap_or_else(PoisonError::into_inner);
        // A line that is not whole says nothing about the bound.
        let whole = shared.value.load(Ordering::Relaxed) > NOTHING;
        let bound = bound.filter(|_| whole);
        best.solution.map(|solution| Solution { nodes, bound, ..solution })
    }
}

impl<H, C> Beam<H, C> {
    /// Runs rounds until there is nothing more to do or to spend.
    fn work<G>(&self, root: &G, memory: usize, seed: u64, shared: &Shared<'_, '_, G>)
    where
        G: SoloPuzzle,
        H: Heuristic<G> + Clone,
        C: Ceiling<G>,
    {
        let mut pass = Pass::new(self.rounds.distinct);
        let mut pace = Pace::default();
        let (mut depth, mut widest) = (32, 1 << 30);
        let mut round = shared.round.fetch_add(1, Ordering::Relaxed);
        while round < self.rounds.count && !shared.stopped() {
            // A width that the memory and, by the last round's cost, the rest of the
            // budget allow. A few positions always fit.
            let most = (memory / Pass::<G, G::Action>::bytes(depth)).clamp(8, 1 << 30).min(widest);
            let width = self.rounds.width(round).min(most);
            let width = if self.rounds.paced { pace.fit(width, shared) } else { width };
            let mut rng = Rng::stream(seed, round);
            let heuristic = self.heuristic.varied(round, &mut rng);
            let noise = if round == 0 { 0.0 } else { self.rounds.noise };
            let start = (shared.limits.elapsed(), shared.nodes.load(Ordering::Relaxed));
            let mut worker = Worker { shared, width };
            let parts = (&heuristic, &self.ceiling, noise);
            match pass.run(root, width, parts, &mut rng, &mut worker) {
                End::Stopped => {
                    keep_unfinished(shared, &mut pass);
                    break;
                }
                End::Complete => {
                    // Nothing was dropped but what cannot be better.
                    shared.bound.fetch_min(worker.to_beat(), Ordering::Relaxed);
                    shared.done.store(true, Ordering::Relaxed);
                    break;
                }
                // The same round again, half as wide.
                End::NoMemory if width > 1 => {
                    (pass, widest) = (Pass::new(self.rounds.distinct), width / 2);
                    continue;
                }
                End::NoMemory => break,
                End::Narrow => pace.note(width, start, shared),
            }
            depth = depth.max(pass.depth() * 5 / 4);
            round = shared.round.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Without any whole line, the way to the best position of a stopped round is
/// still better than nothing.
fn keep_unfinished<G: SoloPuzzle>(shared: &Shared<'_, '_, G>, pass: &mut Pass<G, G::Action>) {
    let mut best = shared.lock();
    if best.solution.is_none()
        && let Some((value, line)) = pass.unfinished()
    {
        let nodes = shared.nodes.load(Ordering::Relaxed);
        best.solution = Some(Solution { line: line.to_vec(), value, bound: None, nodes });
    }
}
