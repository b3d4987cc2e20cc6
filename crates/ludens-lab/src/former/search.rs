//! Table 6.8 and the experiments over time on the daily boards: table 6.9,
//! figures 6.14 to 6.16.

use ludens_arena::plot::{Labels, Level, LinePlot, Series};
use ludens_arena::statistics::{Axis, Rate, grid, mean_curve, reached_curve, value_at};
use ludens_arena::{Measure, RunResult, Suite, Summary};
use ludens_core::Budget;
use std::time::Duration;

use super::greedy::moves;
use super::searches::{Search, Technique, searches};
use super::{DAILY_BOARDS, RANDOM_BOARDS, daily_suite, random_suite};
use crate::lab::{Lab, Trial};
use crate::{Error, Part, Row, Tolerance};

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
const LOWEST_MEAN: f64 = 13.74;
/// Figure 6.16: per cent solved by all searches together, by second, and by the
/// tree searches and the beams after 60 s.
const SOLVED_BY_ALL: [(u64, f64); 3] = [(1, 73.0), (10, 91.0), (60, 98.0)];
const SOLVED_BY_TREE: [(u64, f64); 1] = [(60, 96.0)];
const SOLVED_BY_BEAM: [(u64, f64); 1] = [(60, 92.0)];
/// The time of the experiments on daily boards, in milliseconds.
const MINUTE: u64 = 60_000;

/// The sections of table 6.8.
const SECTIONS: [(Technique, bool, &str); 5] = [
    (Technique::Tree, false, "MCTS by heuristic models"),
    (Technique::Tree, true, "MCTS by networks of --keep"),
    (Technique::Beam, false, "beam search by heuristic models"),
    (Technique::Beam, true, "beam search by networks of --keep"),
    (Technique::Own, false, "our own searches, which Urheim (2025) does not have"),
];

pub(super) fn random_boards(lab: &mut Lab<'_>) -> Result<(), Error> {
    let count = lab.board_count(RANDOM_BOARDS, 24, 2);
    let millis = lab.millis(10_000, 500, 100);
    let suite = random_suite(count)?;
    let parts = [
        Part::sample("boards", suite.cases().len(), RANDOM_BOARDS),
        Part::effort("ms per board", millis, 10_000),
    ];
    let all = searches(lab);
    // The figure begins where every search has found a line on nearly every board.
    let xs = grid(millis as f64 / 20.0, millis as f64, 60);
    let mut plots = [Vec::new(), Vec::new()];
    for (technique, by_network, title) in SECTIONS {
        let of_section = |s: &&Search| (s.technique, s.is_network) == (technique, by_network);
        let searches: Vec<&Search> = all.iter().filter(of_section).collect();
        let training = searches.iter().filter_map(|search| search.training);
        let training = training.reduce(f64::min).map(training_part);
        let parts: Vec<Part> = parts.iter().copied().chain(training).collect();
        lab.section(format!("{title}, on the 1,000 random boards"), &parts);
        for search in searches {
            // A number that is neither published nor measured says nothing.
            if search.solver.is_none() && search.published == [None; 2] {
                continue;
            }
            let results = run(lab, search, &suite, millis)?;
            let curve = mean_curve(&suite, Measure::Cost, &results, Axis::Millis, &xs);
            let series = Series::of_curve(&search.label, &curve);
            // One plot for each published display, ours in both.
            for (plot, display) in plots.iter_mut().zip([Technique::Tree, Technique::Beam]) {
                if !results.is_empty() && [display, Technique::Own].contains(&technique) {
                    plot.push(series.clone());
                }
            }
            let moves = Summary::of(&moves(&results));
            let [mean, sd] = search.published;
            // A time limit means more work on a faster engine, so fewer moves are no fault.
            let row = Row::new(&search.label, "mean moves", 2).published(mean);
            lab.row(row.mean(moves.as_ref()).within(Tolerance::AtMost));
            let row = Row::new(&search.label, "deviation", 2).published(sd);
            lab.row(row.ours(moves.as_ref().and_then(|moves| moves.sd)));
        }
    }
    let [trees, beams] = plots;
    for (suffix, series) in [("-mcts", trees), ("-beam", beams)] {
        let labels = Labels::new("Random boards", "milliseconds", "mean moves of the best so far");
        let levels = Vec::new();
        lab.plot(suffix, LinePlot { labels, log_x: true, steps: true, series, levels }.to_svg());
    }
    Ok(())
}

/// How far the least trained network of a section has come.
fn training_part(share: f64) -> Part {
    let what = "per cent of the training of the networks, at least";
    let ours = (1e4 * share).round() / 100.0;
    Part { what, ours: ours.clamp(0.01, 100.0), published: Some(100.0), effort: true }
}

pub(super) fn deviations(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (suite, millis) = daily(lab, 30, 1000)?;
    let all = searches(lab);
    let techniques = [
        (Technique::Tree, "MCTS", BY_TREE.map(|row| row.map(Some))),
        (Technique::Beam, "beam search", BY_BEAM),
    ];
    for (technique, name, published) in techniques {
        let mut tried = Vec::new();
        for search in all.iter().filter(|search| search.technique == technique) {
            let results = run(lab, search, &suite, millis)?;
            if !results.is_empty() {
                tried.push((search.label.clone(), results));
            }
        }
        let count = tried.len();
        let title = format!(
            "{name}, at each time the best of {count} searches (Urheim (2025): of 8): per cent of 100 daily boards"
        );
        lab.section(title, &moments(&suite, millis));
        by_moment(lab, &suite, millis, &tried, published);
    }
    for search in all.iter().filter(|search| search.technique == Technique::Own) {
        let results = run(lab, search, &suite, millis)?;
        let title = format!("{}: per cent of 100 daily boards", search.label);
        lab.section(title, &moments(&suite, millis));
        by_moment(lab, &suite, millis, &[(search.label.clone(), results)], [[None; 5]; 5]);
    }
    Ok(())
}

/// Boards by moves above the best known at each moment, of the search that solves most of them then.
fn by_moment(
    lab: &mut Lab<'_>,
    suite: &Suite,
    millis: u64,
    tried: &[(String, Vec<RunResult>)],
    published: [[Option<f64>; 5]; 5],
) {
    for (second, published) in MOMENTS.into_iter().zip(published) {
        let found = tried.iter().filter_map(|(label, results)| {
            Some((label, above(suite, results, second, millis)?, results.len()))
        });
        let solved = |above: &[i64]| above.iter().filter(|above| **above <= 0).count();
        let best = found.max_by_key(|(_, above, _)| solved(above));
        for (n, published) in published.into_iter().enumerate() {
            let metric = format!("{n} above");
            let Some((label, above, total)) = &best else {
                // A number that is neither published nor measured says nothing.
                if published.is_some() {
                    lab.row(Row::new(format!("after {second} s"), metric, 0).published(published));
                }
                continue;
            };
            let hits = above.iter().filter(|above| (**above).max(0) == n as i64).count();
            let row = Row::new(format!("after {second} s: {label}"), metric, 0);
            // Not judged: these searches are fewer, or their networks others.
            lab.row(row.published(published).percent(Rate { hits, total: *total }));
        }
    }
}

pub(super) fn best_so_far(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (suite, millis) = daily(lab, 20, 500)?;
    lab.section("the 100 daily boards", &parts(&suite, millis));
    let xs = grid(millis as f64 / 1000.0, millis as f64, 60);
    let (mut series, mut lowest) = (Vec::new(), None);
    for search in searches(lab).iter().filter(|search| search.solver.is_some()) {
        let results = run(lab, search, &suite, millis)?;
        let curve = mean_curve(&suite, Measure::Cost, &results, Axis::Millis, &xs);
        series.push(Series::of_curve(&search.label, &curve));
        let moves = Summary::of(&moves(&results));
        if search.technique == Technique::Tree && search.is_network {
            let mean = moves.as_ref().map(|moves| moves.mean);
            lowest = lowest.into_iter().chain(mean).reduce(f64::min);
        }
        lab.row(Row::new(&search.label, "mean at the end", 2).mean(moves.as_ref()));
    }
    let row = Row::new("MCTS, the best policy network", "mean at the end", 2);
    lab.row(row.published(LOWEST_MEAN).ours(lowest).within(Tolerance::AtMost));
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

/// Searches that solve boards together: a name, their runs, and published shares by second.
type Group = (String, Vec<RunResult>, &'static [(u64, f64)]);

pub(super) fn solved(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (suite, millis) = daily(lab, 10, 1000)?;
    let title = "the 100 daily boards, per cent solved as well as known";
    lab.section(title, &moments(&suite, millis));
    let mut groups: Vec<Group> = Vec::new();
    let (mut all, mut total) = (Vec::new(), 0);
    let there: Vec<Search> = searches(lab).into_iter().filter(|s| s.solver.is_some()).collect();
    for (technique, name, published) in [
        (Technique::Tree, "MCTS", &SOLVED_BY_TREE[..]),
        (Technique::Beam, "beam search", &SOLVED_BY_BEAM[..]),
    ] {
        let (mut together, mut count) = (Vec::new(), 0);
        for search in there.iter().filter(|search| search.technique == technique) {
            together.extend(run(lab, search, &suite, millis)?);
            count += 1;
        }
        all.extend(together.iter().cloned());
        total += count;
        groups.push((format!("{name}, {count} (of 8)"), together, published));
    }
    groups.push((format!("these {total} (of 16)"), all, &SOLVED_BY_ALL[..]));
    for search in there.iter().filter(|search| search.technique == Technique::Own) {
        groups.push((search.label.clone(), run(lab, search, &suite, millis)?, &[]));
    }
    let xs = grid(millis as f64 / 1000.0, millis as f64, 60);
    let mut series = Vec::new();
    for (label, results, published) in &groups {
        let share = |at: f64| {
            let reached = reached_curve(&suite, Measure::Cost, results, Axis::Millis, &[at]);
            let share = reached.first().map_or(0.0, |point| point.1);
            let total = suite.cases().len();
            Rate { hits: (share * total as f64).round() as usize, total }
        };
        for &(second, published) in *published {
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
        series.push(Series { name: label.clone(), points });
    }
    let labels = Labels::new("Daily boards solved as well as known", "milliseconds", "share");
    let levels = Vec::new();
    lab.plot("", LinePlot { labels, log_x: true, steps: true, series, levels }.to_svg());
    Ok(())
}

/// Daily boards and the milliseconds for each.
fn daily(lab: &Lab<'_>, boards: usize, quick: u64) -> Result<(Suite, u64), Error> {
    let suite = daily_suite(lab.board_count(DAILY_BOARDS, boards, 2))?;
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

/// The runs of a search; none where its network is not there.
fn run(
    lab: &mut Lab<'_>,
    search: &Search,
    suite: &Suite,
    millis: u64,
) -> Result<Vec<RunResult>, Error> {
    let Some(solver) = &search.solver else { return Ok(Vec::new()) };
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
