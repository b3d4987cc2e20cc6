//! Table 6.8 and the experiments over time on the daily boards: table 6.9,
//! figures 6.15 and 6.16.

use ludens_arena::plot::{Labels, Level, LinePlot, Series};
use ludens_arena::statistics::{Axis, Rate, grid, mean_curve, reached_curve, value_at};
use ludens_arena::{Measure, RunResult, Suite, Summary};
use ludens_core::Budget;
use std::time::Duration;

use super::greedy::moves;
use super::{DAILY_BOARDS, RANDOM_BOARDS, daily_suite, random_suite};
use crate::lab::{Lab, Trial};
use crate::{Error, Part, Row, Tolerance};

/// The searches of Urheim (2025) that use its heuristic models: name, solver, and in
/// table 6.8 mean moves and deviation after 10 s.
const TREE: [(&str, &str, [f64; 2]); 2] = [
    ("MCTS, 1 look-ahead", "PUCT:model=look-ahead-1", [14.93, 1.56]),
    ("MCTS, 2 look-ahead", "PUCT:model=look-ahead-2", [15.32, 1.79]),
];
const BEAMS: [(&str, &str, [f64; 2]); 2] = [
    ("beam, 1 look-ahead", "beam:value=look-ahead-1,width=1", [14.26, 1.53]),
    ("beam, 2 look-ahead", "beam:value=look-ahead-2,width=1", [14.38, 1.61]),
];
/// Urheim's searches with its networks of 32 filters and 5 convolutions, and ours with the network of that
/// size that comes with the program.
const NETWORKS: [(&str, &str, [f64; 2]); 2] = [
    ("MCTS, policy (32,5)", "PUCT:policy=bundled", [14.17, 1.47]),
    ("beam, value (32,5)", "beam:eval=bundled,width=1", [14.14, 1.56]),
];
/// Our own searches, which Urheim (2025) does not have: nothing published stands beside them.
const OWN: [(&str, &str); 2] = [("our beam", "beam"), ("our portfolio", "portfolio")];
/// The best solver of table 6.8, which we have no network for.
const BEST: (&str, [f64; 2]) = ("MCTS, policy (64,10)", [14.03, 1.42]);

/// Seconds at which table 6.9 looks at the boards.
const MOMENTS: [u64; 5] = [1, 5, 10, 30, 60];
/// Table 6.9: boards by moves above the best known, 0 to 4, at each moment.
const BY_TREE: [[f64; 5]; 5] = [
    [31.0, 50.0, 14.0, 5.0, 0.0],
    [58.0, 36.0, 6.0, 0.0, 0.0],
    [72.0, 26.0, 2.0, 0.0, 0.0],
    [80.0, 20.0, 0.0, 0.0, 0.0],
    [86.0, 14.0, 0.0, 0.0, 0.0],
];
/// The same for beam search, as far as our copy of Urheim (2025) has the numbers.
const BY_BEAM: [[Option<f64>; 5]; 5] = [
    [Some(40.0), Some(40.0), Some(12.0), None, None],
    [Some(55.0), Some(33.0), Some(9.0), None, None],
    [None; 5],
    [None; 5],
    [Some(83.0), Some(15.0), Some(2.0), Some(0.0), Some(0.0)],
];

/// Figure 6.15: the lowest mean after 60 s, of a policy network that Urheim (2025) does not name.
const LOWEST_MEAN: (&str, f64) = ("MCTS, the best policy network", 13.74);
/// Figure 6.16: per cent solved by all searches together, by second, and by the
/// tree searches and the beams after 60 s.
const SOLVED_BY_ALL: [(u64, f64); 3] = [(1, 73.0), (10, 91.0), (60, 98.0)];
const SOLVED_BY_TREE: f64 = 96.0;
const SOLVED_BY_BEAM: f64 = 92.0;
/// The time of the experiments on daily boards, in milliseconds.
const MINUTE: u64 = 60_000;

pub(super) fn random_boards(lab: &mut Lab<'_>) -> Result<(), Error> {
    let count = lab.pick(RANDOM_BOARDS, 24, 2);
    let millis = lab.millis(10_000, 500, 100);
    let suite = random_suite(count)?;
    let parts = [
        Part::sample("boards", count, RANDOM_BOARDS),
        Part::effort("ms per board", millis, 10_000),
    ];
    // A time limit means more work on a faster engine, so fewer moves are no fault.
    let published = |(label, solver, metrics)| (label, solver, Some(metrics));
    let sections = [
        ("the 1,000 random boards", [TREE, BEAMS].concat().into_iter().map(published).collect()),
        (
            "the same with networks; ours is the one that comes with the program",
            NETWORKS.into_iter().map(published).collect(),
        ),
        (
            "our own searches, which Urheim (2025) does not have; and its best",
            OWN.map(|(label, solver)| (label, solver, None)).to_vec(),
        ),
    ];
    let xs = grid(millis as f64 / 100.0, millis as f64, 60);
    let mut series = Vec::new();
    for (title, searches) in sections {
        let searches: Vec<(&str, &str, Option<[f64; 2]>)> = searches;
        lab.section(title, &parts);
        for (label, solver, published) in searches {
            let results = run(lab, solver, &suite, millis)?;
            let curve = mean_curve(&suite, Measure::Cost, &results, Axis::Millis, &xs);
            series.push(Series::of_curve(label, &curve));
            let moves = Summary::of(&moves(&results));
            let row = Row::new(label, "mean moves", 2).published(published.map(|[mean, _]| mean));
            lab.row(row.mean(moves.as_ref()).within(Tolerance::AtMost));
            let row = Row::new(label, "deviation", 2).published(published.map(|[_, sd]| sd));
            lab.row(row.ours(moves.as_ref().and_then(|moves| moves.sd)));
        }
    }
    let (label, [mean, sd]) = BEST;
    lab.row(Row::new(label, "mean moves", 2).published(mean));
    lab.row(Row::new(label, "deviation", 2).published(sd));
    let labels = Labels::new("Random boards", "milliseconds", "mean moves of the best so far");
    let levels = Vec::new();
    lab.plot("", LinePlot { labels, log_x: true, steps: true, series, levels }.to_svg());
    Ok(())
}

pub(super) fn deviations(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (suite, millis) = daily(lab, 30, 1000)?;
    let known = |published: [f64; 5]| published.map(Some);
    let [(tree, by_policy, _), (beam, by_value, _)] = NETWORKS;
    let best = |label: &str| format!("{label}; Urheim (2025): the best network of its search");
    let searches = [
        (best(tree), by_policy, BY_TREE.map(known)),
        (best(beam), by_value, BY_BEAM),
        (OWN[0].0.to_owned(), OWN[0].1, [[None; 5]; 5]),
        (OWN[1].0.to_owned(), OWN[1].1, [[None; 5]; 5]),
    ];
    for (title, solver, published) in searches {
        lab.section(format!("{title}: per cent of 100 daily boards"), &moments(&suite, millis));
        let results = run(lab, solver, &suite, millis)?;
        for (second, published) in MOMENTS.into_iter().zip(published) {
            let above = above(&suite, &results, second, millis);
            for (n, published) in published.into_iter().enumerate() {
                let row = Row::new(format!("after {second} s"), format!("{n} above"), 0);
                let row = row.published(published);
                let Some(above) = &above else {
                    // A number that is neither published nor measured says nothing.
                    if row.published.is_some() {
                        lab.row(row);
                    }
                    continue;
                };
                let hits = above.iter().filter(|above| (**above).max(0) == n as i64).count();
                // Not judged: Urheim's network is another one.
                lab.row(row.percent(Rate { hits, total: results.len() }));
            }
        }
    }
    Ok(())
}

pub(super) fn best_so_far(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (suite, millis) = daily(lab, 20, 500)?;
    lab.section("the 100 daily boards", &parts(&suite, millis));
    let xs = grid(millis as f64 / 1000.0, millis as f64, 60);
    let mut series = Vec::new();
    for (label, solver) in published_solvers().chain(OWN) {
        let results = run(lab, solver, &suite, millis)?;
        let curve = mean_curve(&suite, Measure::Cost, &results, Axis::Millis, &xs);
        series.push(Series::of_curve(label, &curve));
        let moves = Summary::of(&moves(&results));
        lab.row(Row::new(label, "mean at the end", 2).mean(moves.as_ref()));
    }
    let (label, lowest) = LOWEST_MEAN;
    lab.row(Row::new(label, "mean at the end", 2).published(lowest));
    let known: Vec<f64> =
        suite.cases().iter().filter_map(|case| case.best_known).map(|best| best as f64).collect();
    let best = Summary::of(&known);
    let row = Row::new("best known", "mean moves", 2).published(13.6);
    lab.row(row.mean(best.as_ref()).within(Tolerance::Absolute(0.05)));
    let levels = best.map(|best| Level { name: "best known".to_owned(), y: best.mean }).into_iter();
    let labels = Labels::new("Daily boards", "milliseconds", "mean moves of the best so far");
    let levels = levels.collect();
    lab.plot("", LinePlot { labels, log_x: true, steps: true, series, levels }.to_svg());
    Ok(())
}

pub(super) fn solved(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (suite, millis) = daily(lab, 10, 1000)?;
    let title = "the 100 daily boards, per cent solved as well as known";
    lab.section(title, &moments(&suite, millis));
    let mut tree = Vec::new();
    let [by_policy, by_value] = NETWORKS;
    for (_, solver, _) in TREE.into_iter().chain([by_policy]) {
        tree.extend(run(lab, solver, &suite, millis)?);
    }
    let mut beams = Vec::new();
    for (_, solver, _) in BEAMS.into_iter().chain([by_value]) {
        beams.extend(run(lab, solver, &suite, millis)?);
    }
    let all = [tree.clone(), beams.clone()].concat();
    let our_beam = run(lab, OWN[0].1, &suite, millis)?;
    let our_portfolio = run(lab, OWN[1].1, &suite, millis)?;
    let by_technique = [
        ("MCTS, three searches", &tree, &[(60, SOLVED_BY_TREE)][..]),
        ("beam search, three", &beams, &[(60, SOLVED_BY_BEAM)][..]),
        ("these six (Urheim (2025): 16)", &all, &SOLVED_BY_ALL[..]),
        (OWN[0].0, &our_beam, &[][..]),
        (OWN[1].0, &our_portfolio, &[][..]),
    ];
    let xs = grid(millis as f64 / 1000.0, millis as f64, 60);
    let mut series = Vec::new();
    for (label, results, published) in by_technique {
        let share = |at: f64| {
            let reached = reached_curve(&suite, Measure::Cost, results, Axis::Millis, &[at]);
            let share = reached.first().map_or(0.0, |point| point.1);
            let total = suite.cases().len();
            Rate { hits: (share * total as f64).round() as usize, total }
        };
        for &(second, published) in published {
            let row = Row::new(label, format!("after {second} s"), 0).published(published);
            // Not judged: Urheim's searches are more.
            let measured = second * 1000 <= millis;
            lab.row(if measured { row.percent(share(second as f64 * 1000.0)) } else { row });
        }
        if published.iter().all(|(second, _)| second * 1000 != millis) {
            let metric = format!("after {} s", millis as f64 / 1000.0);
            lab.row(Row::new(label, metric, 0).percent(share(millis as f64)));
        }
        let points = reached_curve(&suite, Measure::Cost, results, Axis::Millis, &xs);
        series.push(Series { name: label.to_owned(), points });
    }
    let labels = Labels::new("Daily boards solved as well as known", "milliseconds", "share");
    let levels = Vec::new();
    lab.plot("", LinePlot { labels, log_x: true, steps: true, series, levels }.to_svg());
    Ok(())
}

/// Urheim's searches with heuristic models and with networks.
fn published_solvers() -> impl Iterator<Item = (&'static str, &'static str)> {
    TREE.into_iter().chain(BEAMS).chain(NETWORKS).map(|(label, solver, _)| (label, solver))
}

/// Daily boards and the milliseconds for each.
fn daily(lab: &Lab<'_>, boards: usize, quick: u64) -> Result<(Suite, u64), Error> {
    let suite = daily_suite(lab.pick(DAILY_BOARDS, boards, 2))?;
    Ok((suite, lab.millis(MINUTE, quick, 100)))
}

fn parts(suite: &Suite, millis: u64) -> [Part; 2] {
    let boards = Part::sample("boards", suite.cases().len(), DAILY_BOARDS);
    [boards, Part::effort("ms per board", millis, MINUTE)]
}

/// The same for rows that look at moments: each is as in Urheim (2025) or missing.
fn moments(suite: &Suite, millis: u64) -> [Part; 2] {
    parts(suite, millis).map(|part| Part { effort: false, ..part })
}

fn run(
    lab: &mut Lab<'_>,
    solver: &str,
    suite: &Suite,
    millis: u64,
) -> Result<Vec<RunResult>, Error> {
    let budget = Budget::time(Duration::from_millis(millis));
    lab.evaluate(&Trial { game: "former", solver, suite, budget, runs: 1 })
}

/// How many moves above the best known each run is after `second` seconds; those
/// without a line are left out. `None` when there was less time.
fn above(suite: &Suite, results: &[RunResult], second: u64, millis: u64) -> Option<Vec<i64>> {
    let moment = second * 1000;
    if moment > millis {
        return None;
    }
    let best = |id: &str| suite.cases().iter().find(|case| case.id == id)?.best_known;
    let excess = |run: &RunResult| {
        // A run may end a little after its time, and what it ends with counts.
        let value = match moment == millis {
            true => run.outcome.value,
            false => value_at(&run.outcome, Axis::Millis, moment as f64),
        };
        Some(-value? - best(&run.case)?)
    };
    Some(results.iter().filter_map(excess).collect())
}
