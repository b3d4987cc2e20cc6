//! The standard boards: the long runs of figure 8.3, and totals published since.

use std::time::Duration;

use ludens_arena::{RunResult, Suite};
use ludens_core::Budget;

use super::{GAME, STANDARD, STANDARD_BOARDS, over_boards};
use crate::lab::{Lab, Trial};
use crate::{Error, Part, Row, Tolerance};

/// Resource units of each execution per board.
const UNITS: u64 = 4_480_000_000;

/// Figure 8.3: 16 runs, and 14 runs, of each board.
const RUNS_16: [u32; STANDARD_BOARDS] = [
    2731, 3843, 3487, 3825, 3969, 4419, 2945, 4261, 4861, 3253, 3625, 3181, 3337, 2833, 3613, 5151,
    4661, 4993, 5027, 4921,
];
const RUNS_14: [u32; STANDARD_BOARDS] = [
    2835, 3853, 3369, 3799, 3741, 4719, 3025, 4053, 4859, 3519, 3269, 3171, 3243, 2899, 3565, 5109,
    4853, 5185, 4971, 4897,
];
/// The total of the better of the two on each board.
const BETTER_OF_BOTH: f64 = 80_146.0;

/// Published totals. The last is no program's: it is the list of records.
const TOTALS: [(&str, f64); 9] = [
    ("DBS (2007)", 72_816.0),
    ("SP-MCTS (2008)", 73_998.0),
    ("MC-RWS (2009)", 76_764.0),
    ("NMCS, level 3 (2009)", 77_934.0),
    ("SP-MCTS (2012)", 78_012.0),
    ("Klein 2015, better of both runs", BETTER_OF_BOTH),
    ("Selective NRPA", 80_030.0),
    ("Distributed NRPA, on a cluster", 82_604.0),
    ("record list (2016)", 87_858.0),
];

/// Our solvers for the totals, the default one first.
const SOLVERS: [&str; 3] = ["portfolio", "nrpa-tabu", "beam"];

/// A solver with its published scores.
type Setting = (&'static str, [u32; STANDARD_BOARDS]);

/// Both executions of figure 8.3.
pub(super) const BOTH: [Setting; 2] = [("448/16", RUNS_16), ("448/14", RUNS_14)];

pub(super) fn board_by_board(lab: &mut Lab<'_>, settings: &[Setting]) -> Result<(), Error> {
    let suite = lab.boards(GAME, STANDARD, usize::MAX)?;
    let units = lab.units(UNITS, UNITS / 1000, 20_000);
    let budget = Budget { units: Some(units), ..Budget::default() };
    let parts = [
        Part::sample("boards", suite.cases().len(), STANDARD_BOARDS),
        Part::effort("resource units", units, UNITS),
    ];
    let mut best = vec![f64::NEG_INFINITY; suite.cases().len()];
    for &(solver, published) in settings {
        let trial = Trial { game: GAME, solver, suite: &suite, budget, runs: 1 };
        let results = lab.evaluate(&trial)?;
        lab.section(format!("{solver} on the standard boards"), &parts);
        let scores = scores(&suite, &results);
        for ((case, score), published) in suite.cases().iter().zip(&scores).zip(published) {
            let row = Row::new(format!("board {}", case.id), "score", 0);
            lab.row(row.published(f64::from(published)).ours(*score));
        }
        let total = total(&scores);
        let published: u32 = published.iter().sum();
        let row = Row::new("total", "score", 0).published(f64::from(published)).ours(total);
        lab.row(row.within(Tolerance::Relative(0.04)));
        for (best, score) in best.iter_mut().zip(&scores) {
            *best = best.max(score.unwrap_or(f64::NEG_INFINITY));
        }
    }
    if settings.len() < 2 {
        return Ok(());
    }
    lab.section("the better of both on each board", &parts);
    let row = Row::new("total", "score", 0).published(BETTER_OF_BOTH);
    lab.row(row.ours(best.iter().sum::<f64>()).within(Tolerance::Relative(0.04)));
    Ok(())
}

pub(super) fn totals(lab: &mut Lab<'_>) -> Result<(), Error> {
    // Published totals are without a penalty, as a cleared board has none.
    let game = "samegame";
    let suite = lab.boards(game, STANDARD, lab.pick(usize::MAX, usize::MAX, 1))?;
    let millis = lab.millis(60_000, 1000, 500);
    let budget = Budget::time(Duration::from_millis(millis));
    for solver in SOLVERS {
        let results = lab.evaluate(&Trial { game, solver, suite: &suite, budget, runs: 1 })?;
        let total = total(&scores(&suite, &results));
        let title = format!("{solver} on the standard boards; the others' time is not known");
        let parts = [
            Part::sample("boards", suite.cases().len(), STANDARD_BOARDS),
            Part::effort("ms per board", millis, 60_000),
        ];
        lab.section(title, &parts);
        for (label, published) in TOTALS {
            let row = Row::new(label, "total", 0).published(published).ours(total);
            lab.row(row.within(Tolerance::AtLeast));
        }
        let boards = over_boards(&suite, &results, |board| board.max);
        lab.row(Row::new(solver, "mean per board", 0).mean(boards.as_ref()));
    }
    Ok(())
}

/// The score of each board.
fn scores(suite: &Suite, results: &[RunResult]) -> Vec<Option<f64>> {
    let score = |id: &str| results.iter().find(|run| run.case == id)?.outcome.value;
    suite.cases().iter().map(|case| score(&case.id).map(|score| score as f64)).collect()
}

/// The sum over all boards; `None` while one has no score.
fn total(scores: &[Option<f64>]) -> Option<f64> {
    scores.iter().copied().sum()
}
