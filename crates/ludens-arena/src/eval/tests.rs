use std::sync::Mutex;
use std::sync::atomic::Ordering;

use tempfile::TempDir;

use super::*;
use crate::{EvalResult, Measure, SuiteSummary};

fn suite(cases: usize) -> Suite {
    Suite::random(1, cases, |rng| rng.below(1000).to_string()).unwrap()
}

fn plan(suite: &Suite, runs: u32, workers: usize) -> Plan<'_> {
    Plan {
        game: "game",
        solver: "solver:x=1",
        budget: "nodes=10",
        program: "test",
        reuse: Reuse::Same,
        suite,
        runs,
        seed: 7,
        workers,
        threads: 1,
        shard: Shard::WHOLE,
    }
}

/// Counts the runs of each case and seed.
#[derive(Default)]
struct Counting(Mutex<HashMap<(String, u64), usize>>);

impl Counting {
    fn counts(&self) -> Vec<usize> {
        self.0.lock().unwrap().values().copied().collect()
    }
}

impl Runner for Counting {
    fn run(&self, case: &Case, job: &Job<'_>) -> EvalResult {
        *self.0.lock().unwrap().entry((case.id.clone(), job.seed)).or_default() += 1;
        let value = case.position.parse::<i64>().unwrap() + (job.seed % 10) as i64;
        EvalResult { value: Some(value), nodes: 10, ..EvalResult::default() }
    }
}

fn go(plan: &Plan<'_>, runner: &dyn Runner, store: &mut Store) -> Result<Evaluated, Error> {
    evaluate(plan, runner, store, &AtomicBool::new(false), &mut |_| {})
}

#[test]
fn workers_change_nothing_but_the_time() {
    let suite = suite(20);
    let one = go(&plan(&suite, 3, 1), &Counting::default(), &mut Store::in_memory().unwrap());
    let four = go(&plan(&suite, 3, 4), &Counting::default(), &mut Store::in_memory().unwrap());
    let (one, four) = (one.unwrap(), four.unwrap());
    assert_eq!(one, four);
    assert!(one.is_complete() && one.results.len() == 60 && one.reused == 0);
    assert_eq!((one.results[20].case.as_str(), one.results[20].run), ("1", 1));
}

#[test]
fn resuming_counts_each_run_once() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    let (suite, runner, stop) = (suite(10), Counting::default(), AtomicBool::new(false));
    // The fifth run asks to be stopped and waits for it.
    let stopping = |case: &Case, job: &Job<'_>| {
        if runner.counts().len() == 4 {
            stop.store(true, Ordering::Relaxed);
            while !job.stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        runner.run(case, job)
    };
    let first = {
        let mut store = Store::open(&path).unwrap();
        evaluate(&plan(&suite, 2, 1), &stopping, &mut store, &stop, &mut |_| {}).unwrap()
    };
    assert!(!first.is_complete() && first.results.len() == 4);
    let mut store = Store::open(&path).unwrap();
    let second = go(&plan(&suite, 2, 2), &runner, &mut store).unwrap();
    assert_eq!((second.reused, second.results.len()), (4, 20));
    assert_eq!(second.results[..4], first.results[..]);
    // Only the run that was cut short was run again.
    let mut counts = runner.counts();
    counts.sort_unstable();
    assert_eq!((counts.len(), counts[18], counts[19]), (20, 1, 2));
    let third = go(&plan(&suite, 2, 2), &runner, &mut store).unwrap();
    assert_eq!((third.reused, &third.results), (20, &second.results));
    assert_eq!(runner.counts().iter().sum::<usize>(), 21);

    // More runs: only those. Another seed or solver: all of them.
    let more = go(&plan(&suite, 3, 2), &runner, &mut store).unwrap();
    assert_eq!((more.reused, more.results.len()), (20, 30));
    let other = go(&Plan { seed: 8, ..plan(&suite, 2, 1) }, &runner, &mut store).unwrap();
    assert_eq!(other.reused, 0);
    let other = Plan { solver: "solver:x=2", ..plan(&suite, 2, 1) };
    assert_eq!(go(&other, &runner, &mut store).unwrap().reused, 0);
    let list = store.evaluations().unwrap();
    assert_eq!(list.iter().map(|e| e.results).collect::<Vec<_>>(), [50, 20]);
}

#[test]
fn interruption_is_quick_and_keeps_what_is_done() {
    let suite = suite(8);
    let stop = AtomicBool::new(false);
    // The first two cases are done at once, the others wait until they are stopped.
    let runner = |case: &Case, job: &Job<'_>| {
        while case.id.as_str() > "2" && !job.stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        EvalResult { value: Some(1), ..EvalResult::default() }
    };
    let mut store = Store::in_memory().unwrap();
    let done = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        evaluate(&plan(&suite, 1, 2), &runner, &mut store, &stop, &mut |_| {}).unwrap()
    });
    let cases: Vec<&str> = done.results.iter().map(|result| result.case.as_str()).collect();
    assert_eq!(cases, ["1", "2"]);
    // Stopped before it begins.
    let none = evaluate(&plan(&suite, 1, 2), &runner, &mut store, &stop, &mut |_| {}).unwrap();
    assert_eq!((none.results.len(), none.reused), (2, 2));
}

#[test]
fn progress_counts_up_and_estimates() {
    let (suite, mut seen) = (suite(5), Vec::new());
    let mut store = Store::in_memory().unwrap();
    let stop = AtomicBool::new(false);
    evaluate(&plan(&suite, 2, 1), &Counting::default(), &mut store, &stop, &mut |progress| {
        let case = progress.last.map(|result| result.case.clone());
        seen.push((progress.done, progress.total, progress.left.is_some(), case));
    })
    .unwrap();
    assert_eq!(seen[0], (0, 10, false, None));
    assert_eq!(seen[1], (1, 10, true, Some("1".to_owned())));
    assert_eq!((seen.len(), seen[10].0), (11, 10));
}

#[test]
fn bad_plans_are_errors() {
    let suite = suite(3);
    let mut store = Store::in_memory().unwrap();
    for bad in [
        Plan { runs: 0, ..plan(&suite, 1, 1) },
        Plan { workers: 0, ..plan(&suite, 1, 1) },
        Plan { threads: 0, ..plan(&suite, 1, 1) },
    ] {
        let message = go(&bad, &Counting::default(), &mut store).unwrap_err().to_string();
        assert!(message.contains("found 0, expected at least 1"), "{message}");
    }
}

/// A run that crashes is kept as a failure, the others go on, and it is not run again.
#[test]
fn failures_are_kept() {
    let suite = suite(3);
    let mut store = Store::in_memory().unwrap();
    let runner = |case: &Case, job: &Job<'_>| {
        assert!(case.id != "2", "on purpose");
        if case.id == "3" {
            return EvalResult::failed("no memory");
        }
        Counting::default().run(case, job)
    };
    let done = go(&plan(&suite, 1, 1), &runner, &mut store).unwrap();
    let failures = |done: &Evaluated| -> Vec<Option<String>> {
        done.results.iter().map(|result| result.outcome.failure.clone()).collect()
    };
    let expected = [None, Some("crashed: on purpose".to_owned()), Some("no memory".to_owned())];
    assert!(done.is_complete());
    assert_eq!(failures(&done), expected);
    let summary = SuiteSummary::of(&suite, Measure::Score, &done.results).unwrap();
    assert_eq!((summary.boards, summary.unsolved, summary.failed), (1, 2, 2));
    let again = go(&plan(&suite, 1, 1), &Counting::default(), &mut store).unwrap();
    assert_eq!((again.reused, failures(&again)), (3, expected.to_vec()));
}

#[test]
fn results_of_other_builds_are_left_aside_or_reused() {
    let suite = suite(4);
    let mut store = Store::in_memory().unwrap();
    let old = Plan { program: "old", ..plan(&suite, 2, 1) };
    go(&old, &Counting::default(), &mut store).unwrap();
    go(&Plan { program: "older", ..plan(&suite, 1, 1) }, &Counting::default(), &mut store).unwrap();
    let runner = Counting::default();
    let counts = |done: &Evaluated| (done.reused, done.of_others, done.left_aside);
    // Some of this build's own.
    go(&plan(&suite, 1, 1), &runner, &mut store).unwrap();
    let any = Plan { reuse: Reuse::Any, ..plan(&suite, 3, 1) };
    let reused = go(&any, &runner, &mut store).unwrap();
    assert_eq!(counts(&reused), (8, 4, 4), "its own come first");
    assert_eq!(runner.counts().len(), 8, "four of the first run, four of the third");
    let same = go(&plan(&suite, 3, 1), &runner, &mut store).unwrap();
    assert_eq!(counts(&same), (8, 0, 8));
    assert_eq!(reused.results, same.results);
    // The budget tells evaluations apart, whatever the build.
    let other = Plan { budget: "nodes=11", ..any };
    assert_eq!(counts(&go(&other, &runner, &mut store).unwrap()), (0, 0, 0));
}

#[test]
fn seeds_differ_and_do_not_depend_on_the_place() {
    let suite = suite(50);
    let plan = plan(&suite, 4, 1);
    let seeds: std::collections::BTreeSet<u64> = plan.tasks().iter().map(|t| t.seed).collect();
    assert_eq!(seeds.len(), 200);
    assert!(seeds.iter().all(|seed| *seed < 1 << 53));
    let part = suite.select("part", |case| case.id == "7").unwrap();
    let tasks = Plan { suite: &part, ..plan }.tasks().iter().map(|t| t.seed).collect::<Vec<_>>();
    assert_eq!(tasks, (0..4).map(|run| run_seed(7, "7", run)).collect::<Vec<_>>());
}

#[test]
fn results_can_be_summed_up() {
    let suite = suite(10);
    let done = go(&plan(&suite, 5, 2), &Counting::default(), &mut Store::in_memory().unwrap());
    let summary = SuiteSummary::of(&suite, Measure::Score, &done.unwrap().results).unwrap();
    assert_eq!((summary.boards, summary.over_runs.count), (10, 50));
    assert!(summary.min < summary.avg && summary.avg < summary.max);
}
