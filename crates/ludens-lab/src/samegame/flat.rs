//! Section A.2: the simulations of MC-RWS and SP-MCTS, each without a tree and in one.

use ludens_core::Budget;

use super::{GAME, SCHADD, SCHADD_BOARDS, over_boards, variants::ratio};
use crate::lab::{Lab, Trial};
use crate::{Error, Part, Row};

/// The solvers, the reference first. 20 simulations of every child make one game of flat Monte
/// Carlo about as long as the budget.
const SOLVERS: [&str; 8] = [
    "Static",
    "flat-mc:simulations=20",
    "mc-rws:simulations=20",
    "flat-tabu:simulations=20",
    "SP-MCTS",
    "SP-MCTS:simulation=roulette",
    "SP-MCTS:simulation=tabu-colour",
    "Static:simulation=tabu-colour",
];

/// No numbers were published at equal resources, so that none stand beside ours but the
/// reference's.
pub(super) fn compare(lab: &mut Lab<'_>) -> Result<(), Error> {
    let suite = lab.boards(GAME, SCHADD, lab.pick(usize::MAX, 8, 2))?;
    let runs = lab.runs(2, 1, 1);
    let units = lab.units(super::variants::SHORT, super::variants::SHORT, 4000);
    let parts = [
        Part::sample("boards", suite.cases().len(), SCHADD_BOARDS),
        Part::effort("resource units", units, super::variants::SHORT),
    ];
    lab.section("Schadd's random boards, all five colours, equal resource units", &parts);
    let budget = Budget { units: Some(units), ..Budget::default() };
    let mut reference = None;
    for solver in SOLVERS {
        let results = lab.evaluate(&Trial { game: GAME, solver, suite: &suite, budget, runs })?;
        let sample = over_boards(&suite, &results, |board| board.mean);
        lab.row(Row::new(solver, "avg", 0).mean(sample.as_ref()));
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
