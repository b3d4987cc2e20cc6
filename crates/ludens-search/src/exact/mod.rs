//! The fewest moves to the end of a game, with proof.
//!
//! What it does: finds a line by a small beam, then asks for each number of moves
//! from the game's own bound upwards whether the end can be reached within it.
//! Each decision is a layered breadth-first search (`layers.rs`) over the names of
//! [`Descent`], which keeps every position once and only those the game's rules
//! cannot exclude. The first number that can be reached is the answer; every
//! number refused before it is a lower bound already proven.
//!
//! Limits: every move must pay -1, and positions must have names of one word. What
//! does not fit in memory is searched in pieces, which repeats work but loses
//! nothing. Duplicates are found by full names, never by hashes.
//!
//! References: R. E. Korf, "Depth-first iterative-deepening" (Artificial
//! Intelligence 27, 1985) for the rising bound; R. Zhou and E. A. Hansen,
//! "Breadth-first heuristic search" (Artificial Intelligence 170, 2006) for layers
//! with a bound; the game's rules state their own arguments.

mod beam;
mod layers;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, AtomicUsize};

use ludens_core::{Context, Descent, Heuristic, Limits, Progress, Solution, Solver};

use layers::{Decision, Layers};

/// The default width of the beam that looks for a first line.
pub const DEFAULT_WIDTH: usize = 4096;

/// A shortest line and the proof that none is shorter.
///
/// The [`Solution`]'s bound rises while it runs; within its limits it ends with
/// value and bound equal, otherwise with the best line and bound it has.
#[derive(Clone, Debug)]
pub struct Exact<H> {
    /// What the first beams go by.
    pub heuristic: H,
    /// The width of the last of these beams; 0 leaves them out.
    pub width: usize,
    /// No line is shorter, by a proof from elsewhere: questions below it are not asked.
    pub least: u32,
}

impl<H> Exact<H> {
    /// The solver with the default width.
    pub fn new(heuristic: H) -> Self {
        Exact { heuristic, width: DEFAULT_WIDTH, least: 0 }
    }

    /// Continues from a line that is known already, instead of the first beams.
    /// The line leads from `position` to the end.
    pub fn prove<G: Descent>(
        &self,
        position: &G,
        line: Vec<G::Action>,
        context: &mut Context<'_, G>,
    ) -> Solution<G> {
        let (nodes, threads) = (AtomicU64::new(0), AtomicUsize::new(context.threads));
        deepen(position, Some(line), self.least, &nodes, &threads, context)
            .expect("there is a line from the beginning")
    }
}

/// The proof alone, without a line to start with, from `least` moves on. It may use as many
/// threads as `threads` says at the time, and counts positions in `nodes`.
pub(crate) fn prove_beside<G: Descent>(
    position: &G,
    least: u32,
    nodes: &AtomicU64,
    threads: &AtomicUsize,
    context: &mut Context<'_, G>,
) -> Option<Solution<G>> {
    deepen(position, None, least, nodes, threads, context)
}

/// What every part of one search shares.
struct Shared<'a, G: Descent> {
    origin: &'a G::Origin,
    limits: Limits<'a>,
    nodes: &'a AtomicU64,
    /// How many threads may be used; this may change between two layers.
    threads: &'a AtomicUsize,
}

impl<G: Descent, H: Heuristic<G>> Solver<G> for Exact<H> {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        let (nodes, threads) = (AtomicU64::new(0), AtomicUsize::new(context.threads));
        let origin = position.origin(context.memory / 8);
        let limits = context.limits;
        let shared = Shared::<G> { origin: &origin, limits, nodes: &nodes, threads: &threads };
        // 1. A line to start with, so that the last and costliest decision, whose
        //    answer would be yes, need not be asked.
        let mut line = None;
        let mut width = 1;
        while width <= self.width {
            if let Some(better) = beam::shorter(&shared, &self.heuristic, width, line.as_deref()) {
                line = Some(better);
            }
            width *= 8;
        }
        deepen(position, line, self.least, &nodes, &threads, context)
    }
}

/// Whether the end can be reached from an origin within `moves`: one decision of the
/// search, for origins made in other ways than [`Descent::origin`] makes them. `None`
/// if the context's limits came first.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use ludens_core::{Budget, Context, Notation, Progress};
/// use ludens_games::former::{Former, FormerOrigin, FormerVariant, Pruning};
/// use ludens_search::reaches_end;
/// let variant = FormerVariant::new(3, 3, 2).unwrap();
/// let board = Former::parse(&variant, "010/101/010").unwrap();
/// let origin = FormerOrigin::new(board, Pruning::NONE);
/// let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
/// let context = Context::new(Budget::default(), 1, 1, 1 << 20, &stop, &mut sink);
/// let answers = [2, 3].map(|moves| reaches_end::<Former>(&origin, moves, &context));
/// assert_eq!(answers, [Some(false), Some(true)]);
/// ```
pub fn reaches_end<G: Descent>(
    origin: &G::Origin,
    moves: u32,
    context: &Context<'_, G>,
) -> Option<bool> {
    let (nodes, threads) = (AtomicU64::new(0), AtomicUsize::new(context.threads));
    let shared = Shared::<G> { origin, limits: context.limits, nodes: &nodes, threads: &threads };
    match Layers::new(&shared, context.memory).search(moves) {
        Decision::Line(_) => Some(true),
        Decision::Refused => Some(false),
        Decision::Interrupted => None,
    }
}

/// Asks for each number of moves whether it suffices, until one does.
fn deepen<G: Descent>(
    position: &G,
    line: Option<Vec<G::Action>>,
    least: u32,
    nodes: &AtomicU64,
    threads: &AtomicUsize,
    context: &mut Context<'_, G>,
) -> Option<Solution<G>> {
    use std::sync::atomic::Ordering::Relaxed;

    let origin = position.origin(context.memory / 8);
    let limits = context.limits;
    let memory = context.memory / 8 * 7;
    let shared = Shared::<G> { origin: &origin, limits, nodes, threads };
    let solution = |line: Vec<G::Action>, bound: u32| {
        let value = -(line.len() as i64);
        Solution { line, value, bound: Some(-i64::from(bound)), nodes: nodes.load(Relaxed) }
    };

    let mut moves = position.fewest_moves().max(least);
    let mut best = line.map(|line| solution(line, moves));
    loop {
        // 2. Tell what is known: nothing below `moves` suffices.
        if let Some(best) = &mut best {
            best.bound = Some(-i64::from(moves));
            best.nodes = nodes.load(Relaxed);
        }
        let stage = format!("asking for {moves} moves");
        context.report(&Progress {
            best: best.as_ref(),
            bound: Some(-i64::from(moves)),
            nodes: nodes.load(Relaxed),
            stage: &stage,
        });
        // 3. A line of that many moves is known: it is a shortest one.
        if best.as_ref().is_some_and(Solution::is_proven) {
            return best;
        }
        // 4. Ask whether that many moves suffice.
        match Layers::new(&shared, memory).search(moves) {
            Decision::Line(line) => best = Some(solution(line, moves)),
            Decision::Refused => moves += 1,
            Decision::Interrupted => return best.map(|best| solution(best.line, moves)),
        }
    }
}
