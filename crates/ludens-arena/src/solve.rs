//! One run of any solver of any game, as an outcome.

use std::time::Instant;

use ludens_core::{Budget, Context, Deterministic, Notation, Progress, Solo, Solver};

use crate::{CurvePoint, Job, Outcome};

/// Lets a solver work on a position and writes down what happens: what a
/// [`Runner`](crate::Runner) does once it has its types.
///
/// Every line is replayed. Only a line of legal moves to the end of the game
/// counts, and its value is the sum of the rewards met on the way, whatever the
/// solver claims.
pub fn solve<G: Solo + Deterministic + Notation>(
    solver: &mut dyn Solver<G>,
    position: &G,
    budget: Budget,
    memory: usize,
    job: &Job<'_>,
) -> Outcome {
    let begin = Instant::now();
    let mut curve: Vec<CurvePoint> = Vec::new();
    let mut note = |line: &[G::Action], claimed: i64, nodes: u64| {
        // Most reports bring nothing new: those are not replayed.
        if curve.last().is_some_and(|point| claimed <= point.value) {
            return;
        }
        let Some((value, _)) = replay(position, line) else { return };
        if curve.last().is_none_or(|point| value > point.value) {
            let nodes = nodes.max(curve.last().map_or(0, |point| point.nodes));
            curve.push(CurvePoint { millis: millis(begin), nodes, value });
        }
    };
    let mut sink = |progress: &Progress<'_, G>| {
        if let Some(best) = progress.best {
            note(&best.line, best.value, progress.nodes);
        }
    };
    let mut context = Context::new(budget, job.seed, job.threads, memory, job.stop, &mut sink);
    let solution = solver.solve(position, &mut context);
    let statistics = context.statistics.take();
    let Some(solution) = solution else {
        return Outcome { millis: millis(begin), ..Outcome::default() };
    };
    note(&solution.line, solution.value, solution.nodes);
    let (value, line) = replay(position, &solution.line).unzip();
    Outcome {
        value,
        length: solution.line.len(),
        proven: value.is_some() && value == solution.bound,
        bound: solution.bound,
        nodes: solution.nodes,
        millis: millis(begin),
        line: line.unwrap_or_default(),
        curve,
        statistics,
    }
}

fn millis(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1000.0
}

/// The value and the text of a line; `None` unless all its moves are legal and
/// the game ends with it.
fn replay<G: Deterministic + Notation>(position: &G, line: &[G::Action]) -> Option<(i64, String)> {
    let (mut here, mut value) = (*position, 0);
    let mut moves = Vec::with_capacity(line.len());
    for &action in line {
        if !here.is_legal(action) {
            return None;
        }
        moves.push(here.action_text(action));
        let (next, reward) = here.apply(action);
        here = next;
        value += i64::from(reward);
    }
    here.is_over().then(|| (value, moves.join(" ")))
}
