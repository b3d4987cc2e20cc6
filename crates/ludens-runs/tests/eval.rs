//! Evaluations of real solvers.

use std::sync::atomic::AtomicBool;

use ludens_arena::statistics::{Axis, Paired, grid, mean_curve};
use ludens_arena::{Evaluated, Measure, Plan, Reuse, Store, Suite, SuiteSummary, evaluate, export};
use ludens_core::Budget;
use ludens_engine::analysis::{Method, Request};
use ludens_engine::{Turn, game};
use ludens_runs::eval::{SolverRunner, budget_text, suite};

fn run(spec: &str, suite: &Suite, solver: &str, budget: Budget, runs: u32) -> Evaluated {
    let text = budget_text(&budget, &[]);
    let plan = Plan {
        game: spec,
        solver,
        budget: &text,
        program: "test",
        reuse: Reuse::Same,
        suite,
        runs,
        seed: 1,
        workers: 2,
        threads: 1,
        shard: ludens_arena::Shard::WHOLE,
    };
    let method = Method::solver(solver);
    let request = Request { method, budget, memory: 0, ..Request::default() };
    let runner = SolverRunner { game: game(spec).expect("a game"), request };
    let mut store = Store::in_memory().expect("a store needs little memory");
    evaluate(&plan, &runner, &mut store, &AtomicBool::new(false), &mut |_| {})
        .expect("the plan is fine")
}

#[test]
fn solvers_compared_on_the_same_boards() {
    let suite = suite(&*game("former").unwrap(), "thesis").unwrap();
    let suite = suite.select("part", |case| case.id.len() < 3).unwrap();
    let ahead = run("former", &suite, "greedy", Budget::default(), 1);
    let random = run("former", &suite, "nmcs:level=0", Budget::nodes(1), 1);
    let paired = Paired::of(&suite, &ahead.results, &random.results).unwrap();
    assert!(paired.gain.mean > 8.0 && paired.better > 90, "{paired:?}");
    let curve = mean_curve(&suite, Measure::Cost, &ahead.results, Axis::Nodes, &grid(1.0, 1e6, 5));
    let summary = SuiteSummary::of(&suite, Measure::Cost, &ahead.results).unwrap();
    assert_eq!((curve[0].mean, curve[4].mean), (None, Some(summary.avg)));
}

#[test]
fn runs_are_repeatable_and_lines_replay() {
    let handle = game("samegame").unwrap();
    let suite = suite(&*handle, "random:5,3").unwrap();
    let budget = Budget::nodes(1);
    let first = run("samegame", &suite, "nmcs:level=0", budget, 4);
    let again = run("samegame", &suite, "nmcs:level=0", budget, 4);
    assert_eq!(first.results.len(), 20);
    for (a, b) in first.results.iter().zip(&again.results) {
        assert_eq!((a.outcome.value, &a.outcome.line), (b.outcome.value, &b.outcome.line));
        let case = suite.cases().iter().find(|case| case.id == a.case).unwrap();
        let mut table = handle.parse(&case.position).unwrap();
        for action in a.outcome.line.split(' ') {
            table.play(action).unwrap();
        }
        assert_eq!(table.turn(), Turn::Over);
        assert_eq!(a.outcome.value, Some(table.total()));
    }
    let summary = SuiteSummary::of(&suite, Measure::Score, &first.results).unwrap();
    let json = export::summary_json(&first.evaluation, &summary);
    assert!(json["min"].as_f64() < json["avg"].as_f64());
    assert!(json["avg"].as_f64() < json["max"].as_f64());
    assert_eq!(json["boards"], 5);
}
