//! The arena with real games and a real solver.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use ludens_arena::statistics::{Axis, Paired, grid, mean_curve};
use ludens_arena::{
    Case, Error, Evaluated, Job, Measure, Outcome, Plan, Runner, Store, Suite, SuiteSummary,
    evaluate, export, solve,
};
use ludens_core::{
    Budget, Context, Game, Heuristic, Notation, ParseError, Progress, Solo, Solution, Solver,
};
use ludens_games::former::thesis_boards;
use ludens_games::{Former, SameGame};
use ludens_search::Greedy;

#[derive(Clone, Copy)]
struct FewestGroups;

impl Heuristic<Former> for FewestGroups {
    fn value(&self, position: &Former) -> f32 {
        -(position.groups() as f32)
    }
}

/// Any position is as good as any other: takes the first move.
struct Anything;

impl<G: Game> Heuristic<G> for Anything {
    fn value(&self, _: &G) -> f32 {
        0.0
    }
}

/// Plays at random.
struct Random;

impl<G: Solo + ludens_core::Deterministic> Solver<G> for Random {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        let mut solution = Solution { line: Vec::new(), value: 0, bound: None, nodes: 0 };
        let mut here = *position;
        while let Some((action, next, reward)) = here.step(&mut context.rng) {
            solution.line.push(action);
            solution.value += i64::from(reward);
            solution.nodes += 1;
            here = next;
        }
        Some(solution)
    }
}

/// Claims whatever it likes.
struct Liar(Solution<Former>);

impl Solver<Former> for Liar {
    fn solve(&mut self, _: &Former, context: &mut Context<'_, Former>) -> Option<Solution<Former>> {
        let best = Some(&self.0);
        context.report(&Progress { best, bound: None, nodes: 1, stage: "lying" });
        Some(self.0.clone())
    }
}

fn check<G: Notation>(text: &str) -> Result<String, ParseError> {
    G::parse(&G::Variant::default(), text).map(|position| position.text())
}

fn position<G: Notation>(case: &Case) -> G {
    G::parse(&G::Variant::default(), &case.position).expect("suites are checked")
}

fn look_ahead(case: &Case, job: &Job<'_>) -> Outcome {
    solve(&mut Greedy(FewestGroups), &position(case), Budget::default(), 0, job)
}

fn random<G: Solo + ludens_core::Deterministic + Notation>(case: &Case, job: &Job<'_>) -> Outcome {
    solve(&mut Random, &position::<G>(case), Budget::default(), 0, job)
}

fn run(suite: &Suite, solver: &str, runs: u32, runner: &dyn Runner) -> Evaluated {
    let plan = Plan {
        game: "game",
        solver,
        budget: "none",
        program: "test",
        suite,
        runs,
        seed: 1,
        workers: 2,
        threads: 1,
    };
    let mut store = Store::in_memory().expect("a store needs little memory");
    evaluate(&plan, runner, &mut store, &AtomicBool::new(false), &mut |_| {})
        .expect("the plan is fine")
}

/// The data's file of that name, if there are data.
fn data(name: &str) -> Option<PathBuf> {
    std::env::var_os("LUDENS_DATA").map(|folder| PathBuf::from(folder).join(name))
}

/// Table 6.1 of the Former text: random play 28.67 moves with deviation 3.72,
/// one look-ahead 18.54 with 2.64, on its 1,000 boards.
#[test]
fn the_heuristic_table_of_the_former_text() {
    let case = |(i, board): (usize, Former)| Case {
        id: i.to_string(),
        position: board.text(),
        best_known: None,
    };
    let suite = Suite::new("thesis", thesis_boards().enumerate().map(case).collect()).unwrap();
    let ahead = run(&suite, "look-ahead:n=1", 1, &look_ahead);
    let summary = SuiteSummary::of(&suite, Measure::Cost, &ahead.results).unwrap();
    assert_eq!(format!("{:.2}", summary.over_runs.mean), "18.54");
    assert_eq!(format!("{:.2}", summary.over_runs.sd.unwrap()), "2.64");
    let random = run(&suite, "random", 1, &random::<Former>);
    let summary = SuiteSummary::of(&suite, Measure::Cost, &random.results).unwrap();
    let (low, high) = summary.over_runs.interval().unwrap();
    assert!(low < 28.67 + 0.3 && high > 28.67 - 0.3, "{low} to {high}");
    assert!((summary.over_runs.sd.unwrap() - 3.72).abs() < 0.4);
    let paired = Paired::of(&suite, &ahead.results, &random.results).unwrap();
    assert!(paired.gain.mean > 9.0 && paired.better > 950);
    let curve = mean_curve(&suite, Measure::Cost, &ahead.results, Axis::Nodes, &grid(1.0, 1e6, 5));
    assert_eq!(curve[0].mean, None);
    assert_eq!(curve[4].mean.map(|mean| format!("{mean:.2}")).as_deref(), Some("18.54"));
}

#[test]
fn runs_are_repeatable_and_lines_replay() {
    let suite =
        Suite::random(3, 5, |rng| SameGame::start(&Default::default(), rng).text()).unwrap();
    let first = run(&suite, "random", 4, &random::<SameGame>);
    let again = run(&suite, "random", 4, &random::<SameGame>);
    assert_eq!(first.results.len(), 20);
    for (a, b) in first.results.iter().zip(&again.results) {
        assert_eq!((a.outcome.value, &a.outcome.line), (b.outcome.value, &b.outcome.line));
        let case = suite.cases().iter().find(|case| case.id == a.case).unwrap();
        let (mut here, mut value) = (position::<SameGame>(case), 0);
        for action in a.outcome.line.split(' ') {
            let (next, reward) = here.apply(here.parse_action(action).unwrap());
            here = next;
            value += i64::from(reward);
        }
        assert!(here.is_over());
        assert_eq!(a.outcome.value, Some(value));
    }
    let summary = SuiteSummary::of(&suite, Measure::Score, &first.results).unwrap();
    let json = export::summary_json(&first.evaluation, &summary);
    assert!(json["min"].as_f64() < json["avg"].as_f64());
    assert!(json["avg"].as_f64() < json["max"].as_f64());
    assert_eq!(json["boards"], 5);
}

/// Values come from the replay, and a line that is illegal or does not end the
/// game has none.
#[test]
fn claims_are_checked() {
    let board = thesis_boards().next().unwrap();
    let stop = AtomicBool::new(false);
    let job = Job { seed: 1, threads: 1, stop: &stop };
    let go = |solver: &mut dyn Solver<Former>| solve(solver, &board, Budget::default(), 0, &job);
    let honest = go(&mut Greedy(FewestGroups));
    assert_eq!(honest.value, Some(-(honest.length as i64)));
    assert_eq!(honest.curve.len(), 1);
    assert!(!honest.proven && honest.nodes > 100 && honest.millis > 0.0);

    let mut here = board;
    let mut line = Vec::new();
    for text in honest.line.split(' ') {
        let action = here.parse_action(text).unwrap();
        line.push(action);
        here = here.apply(action).0;
    }
    let claim = |line: &[_]| Solution { line: line.to_vec(), value: -1, bound: Some(-1), nodes: 5 };
    let exaggerated = go(&mut Liar(claim(&line)));
    assert_eq!((exaggerated.value, exaggerated.proven), (honest.value, false));
    let unfinished = go(&mut Liar(claim(&line[..3])));
    assert_eq!((unfinished.value, unfinished.length, unfinished.proven), (None, 3, false));
    assert!(unfinished.curve.is_empty() && unfinished.line.is_empty());
    line.swap(0, honest.length - 1);
    assert_eq!(go(&mut Liar(claim(&line))).value, None);
    assert!(go(&mut Greedy(Anything)).value < honest.value);
}

#[test]
fn suites_of_the_data_read() {
    let Some(path) = data("former/daily_boards.json") else {
        eprintln!("LUDENS_DATA is not set: its suites are not read");
        return;
    };
    let daily = Suite::read(&path, &check::<Former>).unwrap();
    assert_eq!((daily.name(), daily.cases().len()), ("daily_boards", 100));
    let best: Vec<i64> = daily.cases().iter().filter_map(|case| case.best_known).collect();
    // The Former text prints 13.6 moves on average.
    assert_eq!((best.len(), best.iter().sum::<i64>()), (100, 1358));
    assert_eq!(daily.dates("2025-01-27", "2025-01-31").unwrap().cases().len(), 1);
    let ahead = run(&daily, "look-ahead:n=1", 1, &look_ahead);
    let against = SuiteSummary::of(&daily, Measure::Cost, &ahead.results).unwrap().against.unwrap();
    assert_eq!(against.better + against.equal + against.worse, 100);
    assert_eq!(against.runs_by_excess.values().sum::<usize>(), 100);

    let path = data("former/random_1000.txt").unwrap();
    let random = Suite::read(&path, &check::<Former>).unwrap();
    assert!(
        random
            .cases()
            .iter()
            .map(|case| &case.position)
            .eq(&thesis_boards().map(|board| board.text()).collect::<Vec<_>>())
    );
    let random = random.with_best_known(&data("former/random_1000_best_known.txt").unwrap());
    assert_eq!(random.unwrap().cases()[0].best_known, Some(14));
    assert!(
        Suite::read(&data("former/daily_boards_extra.json").unwrap(), &check::<Former>).is_ok()
    );

    let boards = [
        ("standard_20", 20),
        ("schadd_100", 100),
        ("codingame_recoloured_20", 20),
        ("codingame_examples_5", 5),
    ];
    for (name, count) in boards {
        let path = data(&format!("samegame/{name}.json")).unwrap();
        let suite = Suite::read(&path, &check::<SameGame>).unwrap();
        assert_eq!((suite.name(), suite.cases().len()), (name, count));
    }
    for name in ["fixture_sequences_20.json", "known_results_20.json", "README.md"] {
        let path = data(&format!("samegame/{name}")).unwrap();
        let error = Suite::read(&path, &check::<SameGame>).unwrap_err();
        assert!(matches!(error, Error::Entry { .. }), "{error}");
    }
}
