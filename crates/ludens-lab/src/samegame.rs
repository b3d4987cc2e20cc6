//! The experiments of Klein (2015).
//!
//! Reference: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search*
//! (2015).

mod boards;
mod complexity;
mod flat;
mod standard;
mod tables;
mod variants;

use ludens_arena::{RunResult, Suite, Summary};

pub(crate) use boards::seeded_suite;

use crate::Experiment;

/// The game as Klein (2015) plays it: blocks left cost points by colour.
const GAME: &str = "samegame:penalty=colour";
/// The same with colour 0 read as empty cells: see docs/results/puzzles.md.
const EMPTIER: &str = "samegame:penalty=colour,empty=0";
/// Klein's random boards, of which the data have the first 100.
const SCHADD: &str = ludens_runs::data::SCHADD;
const SCHADD_BOARDS: usize = 250;
/// The boards that most of the literature uses.
const STANDARD: &str = ludens_runs::data::STANDARD;
const STANDARD_BOARDS: usize = 20;

pub(crate) fn experiments() -> Vec<Experiment> {
    let mut all = vec![
        Experiment {
            name: "samegame-4.1",
            aliases: &[],
            title: "Game-tree complexity of random boards",
            reference: "Klein 2015, section 4.1, figure 4.1, appendix D.3.2",
            needs: &[],
            measure: Box::new(complexity::game_tree),
        },
        Experiment {
            name: "samegame-4.2",
            aliases: &[],
            title: "Upper bound of the state-space complexity of random boards",
            reference: "Klein 2015, section 4.2, appendix D.3.1",
            needs: &[],
            measure: Box::new(complexity::state_space),
        },
    ];
    all.extend(tables::TABLES.iter().map(variants::experiment));
    all.extend([
        Experiment {
            name: "samegame-8.3",
            aliases: &[],
            title: "The long runs on the standard boards, board by board",
            reference: "Klein 2015, figure 8.3",
            needs: &[STANDARD],
            measure: Box::new(|lab| standard::board_by_board(lab, &standard::BOTH)),
        },
        Experiment {
            name: "samegame-8.3.16",
            aliases: &[],
            title: "The same with one of the two settings, 16 runs of each board",
            reference: "Klein 2015, figure 8.3",
            needs: &[STANDARD],
            measure: Box::new(|lab| standard::board_by_board(lab, &standard::BOTH[..1])),
        },
        Experiment {
            name: "samegame-A.2",
            aliases: &[],
            title: "Flat Monte Carlo and trees with random, tabu and roulette simulations",
            reference: "Klein 2015, section A.2",
            needs: &[SCHADD],
            measure: Box::new(flat::compare),
        },
        Experiment {
            name: "samegame-standard",
            aliases: &[],
            title: "Totals on the standard boards, as published since",
            reference: "Klein 2015, figure 8.3, and the literature it is compared with",
            needs: &[STANDARD],
            measure: Box::new(standard::totals),
        },
    ]);
    all
}

/// A metric of each board's runs, over the boards that have one.
fn over_boards(suite: &Suite, results: &[RunResult], of: fn(&Summary) -> f64) -> Option<Summary> {
    let board = |id: &str| {
        let scores = results.iter().filter(|run| run.case == id);
        let scores: Vec<f64> =
            scores.filter_map(|run| run.outcome.value).map(|score| score as f64).collect();
        Summary::of(&scores).as_ref().map(of)
    };
    let metrics: Vec<f64> = suite.cases().iter().filter_map(|case| board(&case.id)).collect();
    Summary::of(&metrics)
}
