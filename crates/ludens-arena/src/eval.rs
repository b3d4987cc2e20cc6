//! Runs a solver on a suite, several times each board, on several threads.
//!
//! Each finished run is kept in the store at once. Runs that are there already
//! are not run again, so an evaluation that was interrupted resumes where it
//! was, and asking for more runs adds only those.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::ParseError;

use crate::resume::{Pace, Resumed, resume};
use crate::{
    Case, Error, EvalResult, Evaluation, Job, Reuse, RunResult, Runner, Shard, Store, Suite,
    worker_pool,
};

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The game with its variant, as in a command.
    pub game: &'a str,
    /// The solver with all its parameters.
    pub solver: &'a str,
    /// What a run may spend, as text.
    pub budget: &'a str,
    /// Name, version and build of what runs it.
    pub program: &'a str,
    /// Whether results of other programs are reused.
    pub reuse: Reuse,
    /// The boards.
    pub suite: &'a Suite,
    /// Runs of each board, at least 1.
    pub runs: u32,
    /// From which the seed of each run is made.
    pub seed: u64,
    /// Runs at the same time, at least 1.
    pub workers: usize,
    /// Threads of each run, at least 1.
    pub threads: usize,
    /// Which of the runs.
    pub shard: Shard,
}

impl Plan<'_> {
    /// The key of its results in the store.
    pub fn evaluation(&self) -> Evaluation {
        Evaluation {
            game: self.game.to_owned(),
            solver: self.solver.to_owned(),
            budget: self.budget.to_owned(),
            threads: self.threads,
            program: self.program.to_owned(),
            suite: self.suite.name().to_owned(),
            suite_hash: self.suite.hash(),
        }
    }

    fn check(&self) -> Result<(), Error> {
        let counts =
            [("runs", self.runs as usize), ("workers", self.workers), ("threads", self.threads)];
        match counts.iter().find(|(_, count)| *count == 0) {
            Some((name, _)) => Err(Error::Plan(ParseError::new(*name, "0", "at least 1"))),
            None => Ok(()),
        }
    }

    /// All runs: the first run of every board, then the second, so that an
    /// interrupted evaluation has seen all boards about equally often.
    fn tasks(&self) -> Vec<Task<'_>> {
        let task = |run, case| Task { case, run, seed: run_seed(self.seed, &case.id, run) };
        (0..self.runs)
            .flat_map(|run| self.suite.cases().iter().map(move |case| task(run, case)))
            .collect()
    }
}

/// The seed of a run, below 2^53 so that every JSON reader gets it right. It depends on the case's identifier and not on
/// its index, so a part of a suite runs with the same seeds as the whole.
pub fn run_seed(seed: u64, case: &str, run: u32) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    hasher.update(&run.to_le_bytes());
    hasher.update(case.as_bytes());
    let mut bytes = [0; 8];
    hasher.finalize_xof().fill(&mut bytes);
    u64::from_le_bytes(bytes) >> 11
}

/// How far an evaluation has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Runs that are done, those from the store included.
    pub done: usize,
    /// Runs that were in the store.
    pub reused: usize,
    /// All runs.
    pub total: usize,
    /// Time since the start.
    pub elapsed: Duration,
    /// What is left at the present pace, once a run has finished.
    pub left: Option<Duration>,
    /// The run that has just finished.
    pub last: Option<&'a RunResult>,
}

/// What an evaluation came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluated {
    /// What was run.
    pub evaluation: Evaluation,
    /// The results, first runs first, in the suite's order.
    pub results: Vec<RunResult>,
    /// How many of them were in the store.
    pub reused: usize,
    /// How many of those are of other programs.
    pub of_others: usize,
    /// Results of other programs that would have fitted and were not reused.
    pub left_aside: usize,
    /// How many there would be without interruption.
    pub total: usize,
}

impl Evaluated {
    /// Whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.results.len() == self.total
    }
}

struct Task<'a> {
    case: &'a Case,
    run: u32,
    seed: u64,
}

/// Runs what is not in the store yet. `stop` ends it within a few milliseconds:
/// what is done is kept and returned, the runs under way are dropped.
///
/// A run that fails, even by a panic, is kept with its failure.
///
/// # Errors
/// When the plan has a zero or the store fails; what was done before is in the store.
pub fn evaluate(
    plan: &Plan<'_>,
    runner: &dyn Runner,
    store: &mut Store,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Evaluated, Error> {
    plan.check()?;
    let start = Instant::now();
    let evaluation = plan.evaluation();
    let id = store.start(&evaluation)?;
    store.keep_boards(plan.suite)?;
    let tasks = plan.tasks();

    // 1. What the store has. Results of other seeds or further runs stay unused.
    let own = by_task(store.results(id)?);
    let mut others = HashMap::new();
    for other in store.find_others(&evaluation)? {
        for (task, result) in by_task(store.results(other)?) {
            others.entry(task).or_insert(result);
        }
    }
    let keys = tasks.iter().map(|task| (task.case.id.clone(), task.run, task.seed));
    let Resumed { found: mut results, todo, of_others, left_aside } =
        resume(keys, own, others, plan.reuse).of_units(|task| plan.shard.has(task));
    let (reused, total) = (results.len(), plan.shard.units(tasks.len()));
    let pace = Pace::new(start, reused, total);
    let mut report = |done: usize, last: Option<&RunResult>| {
        let (elapsed, left) = pace.at(done);
        progress(&Progress { done, reused, total, elapsed, left, last });
    };
    report(reused, None);

    // 2. This thread alone writes and reports, so that the store needs no lock and the
    //    callback no `Send`.
    let mut failure = None;
    let make_worker = || {
        |at: usize, halt: &AtomicBool| {
            let task = &tasks[todo[at]];
            let job = Job { seed: task.seed, threads: plan.threads, stop: halt };
            // What a runner leaves behind is not used again: it makes all anew for every run.
            catch_unwind(AssertUnwindSafe(|| runner.run(task.case, &job)))
                .unwrap_or_else(|panic| EvalResult::failed(crash(&*panic)))
        }
    };
    worker_pool::run(todo.len(), plan.workers, stop, make_worker, |at, outcome| {
        let Task { case, run, seed } = tasks[todo[at]];
        let outcome = outcome.expect("panics of runners are caught");
        let result = RunResult { case: case.id.clone(), run, seed, outcome };
        match store.insert(id, &result) {
            Ok(_) => {
                report(results.len() + 1, Some(&result));
                results.insert(todo[at], result);
                true
            }
            Err(error) => {
                // The first failure tells what happened; the rest follow from it.
                failure.get_or_insert(error);
                false
            }
        }
    });
    match failure {
        Some(error) => Err(error),
        None => {
            let results = results.into_values().collect();
            Ok(Evaluated { evaluation, results, reused, of_others, left_aside, total })
        }
    }
}

fn by_task(results: Vec<RunResult>) -> HashMap<(String, u32, u64), RunResult> {
    let key = |result: &RunResult| (result.case.clone(), result.run, result.seed);
    results.into_iter().map(|result| (key(&result), result)).collect()
}

/// What a panic says.
fn crash(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("crashed: {}", text.unwrap_or("for an unknown reason"))
}

#[cfg(test)]
mod tests;
