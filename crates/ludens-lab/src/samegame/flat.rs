//! Section A.2: the simulations of MC-RWS and SP-MCTS, each without a tree and in one.

use ludens_core::Budget;

use super::{GAME, SCHADD, SCHADD_BOARDS, over_boards, variants::ratio};
use crate::lab::{Lab, Trial};
use crate::{Error, Part, Row};

/// The solvers, the reference first. 20 simulations of every child make one game of flat Monte
/// Carlo about as long as the budget.
const SOLVERS: [(&str, Option<f64>); 8] = [
    ("Static", None),
    ("flat-mc:simulations=20", None),
    ("mc-rws:simulations=20", None),
    ("flat-tabu:simulations=20", None),
    ("SP-MCTS", Some(2069.0)),
    ("SP-MCTS:simulation=roulette", None),
    ("SP-MCTS:simulation=tabu-colour", Some(3038.0)),
    ("Static:simulation=tabu-colour", None),
];
/// The nodes behind the published averages (section 6.6); a node is some 50 units.
const PUBLISHED_UNITS: u64 = 500_000_000;

/// Nothing was published at equal resources: the published numbers are of far longer searches.
pub(super) fn compare(lab: &mut Lab<'_>) -> Result<(), Error> {
    let suite = lab.boards(GAME, SCHADD, lab.pick(usize::MAX, 8, 2))?;
    let runs = lab.runs(2, 1, 1);
    let units = lab.units(super::variants::SHORT, super::variants::SHORT, 4000);
    let parts = [
        Part::sample("boards", suite.cases().len(), SCHADD_BOARDS),
        Part::effort("resource units", units, PUBLISHED_UNITS),
    ];
    lab.section("Schadd's random boards, all five colours, equal resource units", &parts);
    let budget = Budget { units: Some(units), ..Budget::default() };
    let mut reference = None;
    for (solver, published) in SOLVERS {
        let results = lab.evaluate(&Trial { game: GAME, solver, suite: &suite, budget, runs })?;
        let sample = over_boards(&suite, &results, |board| board.mean);
        let row = Row::new(solver, "avg", 0).mean(sample.as_ref());
        lab.row(Row { published, ..row });
        match &reference {
            None => reference = Some(results),
            Some(reference) => {
                let (ours, interval) = ratio(&suite, &results, reference).unzip();
                let row = Row::new(solver, "avg / Static", 3).ours(ours);
                lab.row(Row { interval: interval.flatten(), ..row });
            }
        }
    }
    Ok(())
}
