//! The experiments of Urheim (2025).
//!
//! Reference: E. Urheim, *Solving Former* (2025). What its tables call *n*
//! look-ahead is our greedy play on the fewest groups n-1 moves after a move.

mod branching;
mod calibration;
mod daily;
mod data;
mod distribution;
mod greedy;
mod networks;
mod optimal;
mod search;
mod searches;
mod shapes;
mod trained;
mod tuning;

use ludens_arena::{Case, Suite};
use ludens_core::Notation;
use ludens_games::Former;
use ludens_games::former::thesis_boards;

use crate::Experiment;
use crate::lab::spread;

/// Urheim's boards: random ones, and those of days.
const RANDOM_BOARDS: usize = 1000;
const DAILY_BOARDS: usize = 100;

pub(crate) fn experiments() -> Vec<Experiment> {
    vec![
        Experiment::new(
            "former-2.4",
            "Shapes on the daily boards",
            "Urheim 2025, figure 2.4",
            Box::new(data::shapes),
        ),
        Experiment::new(
            "former-2.5",
            "Possible sequences of moves, and how many meet again",
            "Urheim 2025, figure 2.5 and section 2.2.2",
            Box::new(branching::measure),
        ),
        Experiment::new(
            "former-5.1",
            "Beam search by the look-ahead models at a fixed width",
            "Urheim 2025, table 5.1",
            Box::new(greedy::beams),
        ),
        Experiment::new(
            "former-5.2",
            "The time of random games",
            "Urheim 2025, figure 5.2",
            Box::new(data::speed),
        ),
        Experiment::new(
            "former-5.3",
            "Positions of the expert's games by the moves left",
            "Urheim 2025, figure 5.3",
            Box::new(data::positions),
        ),
        Experiment::new(
            "former-6.1",
            "Greedy play by the heuristic models on random boards",
            "Urheim 2025, table 6.1 and figure 6.1",
            Box::new(greedy::random_boards),
        ),
        Experiment::new(
            "former-6.2",
            "Greedy play by the heuristic models on daily boards",
            "Urheim 2025, table 6.2",
            Box::new(greedy::daily_boards),
        ),
        Experiment::new(
            "former-6.3",
            "Settings of networks found by trial",
            "Urheim 2025, table 6.3, figures 6.2 and 6.3",
            Box::new(tuning::measure),
        ),
        Experiment {
            name: "former-6.4",
            aliases: &["former-6.5"],
            title: "Networks that imitate beams, and greedy play by them",
            reference: "Urheim 2025, tables 6.4 and 6.5, figures 6.4 to 6.9",
            needs: &[],
            measure: Box::new(networks::imitated),
        },
        Experiment {
            name: "former-6.6",
            aliases: &["former-6.7"],
            title: "PPO, and greedy play by its actors and critics",
            reference: "Urheim 2025, tables 6.6 and 6.7, figures 6.10 to 6.13",
            needs: &[],
            measure: Box::new(networks::reinforced),
        },
        Experiment {
            name: "former-6.8",
            aliases: &["former-6.14"],
            title: "Searches with heuristic models and with networks on random boards",
            reference: "Urheim 2025, table 6.8 and figure 6.14",
            needs: &[],
            measure: Box::new(search::random_boards),
        },
        Experiment::new(
            "former-6.9",
            "Daily boards by moves above the best known",
            "Urheim 2025, table 6.9",
            Box::new(search::deviations),
        ),
        Experiment::new(
            "former-6.15",
            "Mean best so far over time on daily boards",
            "Urheim 2025, figure 6.15",
            Box::new(search::best_so_far),
        ),
        Experiment::new(
            "former-6.16",
            "Share of daily boards solved over time",
            "Urheim 2025, figure 6.16",
            Box::new(search::solved),
        ),
        Experiment::new(
            "former-6.17",
            "Possible and optimal moves along a best line",
            "Urheim 2025, figure 6.17",
            Box::new(optimal::measure),
        ),
        Experiment::new(
            "former-A",
            "Whether the daily boards are uniformly random",
            "Urheim 2025, appendix A",
            Box::new(distribution::measure),
        ),
    ]
}

/// `count` of Urheim's random boards.
fn random_suite(count: usize) -> Result<Suite, ludens_arena::Error> {
    let case = |(i, board): (usize, Former)| Case {
        id: (i + 1).to_string(),
        position: board.text(),
        best_known: None,
    };
    spread(&Suite::new("thesis", thesis_boards().enumerate().map(case).collect())?, count)
}

/// `count` of Urheim's daily boards, with the best length known on their day.
fn daily_suite(count: usize) -> Result<Suite, ludens_arena::Error> {
    let case = |(date, board, best): (String, Former, i64)| Case {
        id: date,
        position: board.text(),
        best_known: Some(best),
    };
    spread(&Suite::new("thesis-daily", daily::boards().map(case).collect())?, count)
}
