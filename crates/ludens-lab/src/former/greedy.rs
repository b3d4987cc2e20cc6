//! Tables 5.1, 6.1 and 6.2: the heuristic models alone, and in plain beams.

use ludens_arena::plot::{Histogram, Labels, Sample};
use ludens_arena::statistics::Rate;
use ludens_arena::{RunResult, Suite, Summary};
use ludens_core::Budget;

use super::{DAILY_BOARDS, RANDOM_BOARDS, daily_suite, random_suite};
use crate::lab::{Lab, Trial};
use crate::{Error, Part, Row, Tolerance};

/// Random simulations until the nodes are spent.
const RANDOM: &str = "nmcs:level=0";

/// A model's name in Urheim (2025), its solver, and the three columns of table 6.1:
/// mean moves, deviation, milliseconds per board.
const MODELS: [(&str, &str, [f64; 3]); 5] = [
    ("Random", RANDOM, [28.67, 3.72, 0.27]),
    ("Largest group", "largest", [24.99, 4.12, 0.61]),
    ("1 look-ahead", "greedy:moves=0", [18.54, 2.64, 5.7]),
    ("2 look-ahead", "greedy:moves=1", [16.21, 1.91, 110.0]),
    ("3 look-ahead", "greedy:moves=2", [15.48, 1.80, 2840.0]),
];

/// Table 6.2: boards by moves above the best known: 0, 1, .. 4, and 5 or more.
const ABOVE: [[f64; 6]; 5] = [
    [0.0, 0.0, 0.0, 0.0, 0.0, 100.0],
    [0.0, 0.0, 1.0, 0.0, 0.0, 99.0],
    [0.0, 4.0, 9.0, 13.0, 23.0, 51.0],
    [2.0, 23.0, 25.0, 31.0, 13.0, 6.0],
    [10.0, 26.0, 37.0, 15.0, 7.0, 5.0],
];

/// Table 5.1: the model, its solver, mean moves and seconds per board; and our beam, which keeps equal
/// positions once.
const BEAMS: [(&str, &str, Option<[f64; 2]>); 4] = [
    (
        "1 look-ahead, width 128",
        "beam:value=look-ahead-1,width=128,rounds=1,plain=on",
        Some([14.8, 0.86]),
    ),
    (
        "2 look-ahead, width 16",
        "beam:value=look-ahead-2,width=16,rounds=1,plain=on",
        Some([15.1, 1.08]),
    ),
    ("our 1 look-ahead, width 128", "beam:value=look-ahead-1,width=128,rounds=1", None),
    ("our 2 look-ahead, width 16", "beam:value=look-ahead-2,width=16,rounds=1", None),
];

/// What one game may spend: a single simulation ends with any number of nodes,
/// and greedy play ends by itself.
fn one_game(solver: &str) -> Budget {
    if solver == RANDOM { Budget::nodes(1) } else { Budget::default() }
}

pub(super) fn random_boards(lab: &mut Lab<'_>) -> Result<(), Error> {
    let count = lab.pick(RANDOM_BOARDS, 250, 3);
    let suite = random_suite(count)?;
    let runs = lab.runs(1, 1, 1);
    let parts =
        [Part::sample("boards", count, RANDOM_BOARDS), Part::sample("runs", runs as usize, 1)];
    lab.section("the 1,000 random boards", &parts);
    let mut samples = Vec::new();
    for (model, solver, [mean, sd, millis]) in MODELS {
        let results = run(lab, solver, &suite, one_game(solver), runs)?;
        let moves = Summary::of(&moves(&results));
        let row = |metric, decimals| Row::new(model, metric, decimals);
        let within = Tolerance::Relative(0.01);
        lab.row(row("mean moves", 2).published(mean).mean(moves.as_ref()).within(within));
        let ours = moves.as_ref().and_then(|moves| moves.sd);
        lab.row(row("deviation", 2).published(sd).ours(ours).within(Tolerance::Relative(0.1)));
        let time = mean_millis(&results);
        lab.row(row("ms per board", 2).published(millis).ours(time).within(Tolerance::AtMost));
        samples.push(Sample { name: model.to_owned(), values: self::moves(&results) });
    }
    let labels = Labels::new("Greedy play by the heuristic models", "moves", "boards");
    lab.plot("", Histogram { labels, bin: 1.0, samples }.to_svg());
    Ok(())
}

pub(super) fn daily_boards(lab: &mut Lab<'_>) -> Result<(), Error> {
    let count = lab.pick(DAILY_BOARDS, DAILY_BOARDS, 3);
    let suite = daily_suite(count)?;
    let runs = lab.runs(1, 1, 1);
    let parts =
        [Part::sample("boards", count, DAILY_BOARDS), Part::sample("runs", runs as usize, 1)];
    lab.section("the 100 daily boards, per cent of them by moves above the best known", &parts);
    for ((model, solver, _), published) in MODELS.into_iter().zip(ABOVE) {
        let results = run(lab, solver, &suite, one_game(solver), runs)?;
        let above = excess(&suite, &results);
        for (n, published) in published.into_iter().enumerate() {
            // A line that beats the best known counts as one that reaches it.
            let here = |excess: &&i64| (**excess).clamp(0, 5) == n as i64;
            let rate = Rate { hits: above.iter().filter(here).count(), total: results.len() };
            let metric = if n < 5 { format!("{n} above") } else { "5 or more".to_owned() };
            let row = Row::new(model, metric, 0).published(published).percent(rate);
            lab.row(row.within(Tolerance::Absolute(3.0)));
        }
    }
    Ok(())
}

pub(super) fn beams(lab: &mut Lab<'_>) -> Result<(), Error> {
    let count = lab.board_count(RANDOM_BOARDS, 200, 2);
    let suite = random_suite(count)?;
    let title = "the 1,000 random boards; our beams keep equal positions once";
    lab.section(title, &[Part::sample("boards", count, RANDOM_BOARDS)]);
    for (label, solver, published) in BEAMS {
        let results = run(lab, solver, &suite, Budget::default(), 1)?;
        let moves = Summary::of(&moves(&results));
        let row = Row::new(label, "mean moves", 2).published(published.map(|[mean, _]| mean));
        lab.row(row.mean(moves.as_ref()).within(Tolerance::Relative(0.01)));
        let time = mean_millis(&results).map(|millis| millis / 1000.0);
        let row =
            Row::new(label, "s per board", 3).published(published.map(|[_, seconds]| seconds));
        lab.row(row.ours(time).within(Tolerance::AtMost));
    }
    Ok(())
}

fn run(
    lab: &mut Lab<'_>,
    solver: &str,
    suite: &Suite,
    budget: Budget,
    runs: u32,
) -> Result<Vec<RunResult>, Error> {
    lab.evaluate(&Trial { game: "former", solver, suite, budget, runs })
}

/// The lengths of all lines.
pub(super) fn moves(results: &[RunResult]) -> Vec<f64> {
    results.iter().filter_map(|run| run.outcome.value).map(|value| -value as f64).collect()
}

/// How many moves above the best known each line is.
pub(super) fn excess(suite: &Suite, results: &[RunResult]) -> Vec<i64> {
    let best = |id: &str| suite.cases().iter().find(|case| case.id == id)?.best_known;
    results.iter().filter_map(|run| Some(-run.outcome.value? - best(&run.case)?)).collect()
}

/// The mean time of a board.
pub(super) fn mean_millis(results: &[RunResult]) -> Option<f64> {
    let millis: Vec<f64> = results.iter().map(|run| run.outcome.millis).collect();
    Summary::of(&millis).map(|millis| millis.mean)
}
