//! Figure 2.5: how many sequences of moves there are, and section 2.2.2: how
//! many of those of two moves meet in the same position.

use std::collections::HashSet;

use ludens_arena::Summary;
use ludens_arena::plot::{Labels, LinePlot, Series};
use ludens_arena::statistics::quantile;
use ludens_core::{Game, Rng};
use ludens_games::Former;
use ludens_games::former::thesis_boards;

use super::RANDOM_BOARDS;
use crate::lab::Lab;
use crate::{Error, Part, Row, Tolerance};

/// Random games per board, and moves of each.
const PLAYOUTS: usize = 20;
const MOVES: usize = 15;
/// Boards of the count of meetings.
const MEETINGS: usize = 10_000;

pub(super) fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (boards, playouts) =
        (lab.pick(RANDOM_BOARDS, RANDOM_BOARDS, 3), lab.pick(PLAYOUTS, PLAYOUTS, 2));
    let starts: Vec<Former> = thesis_boards().take(boards).collect();
    let seed = lab.settings.seed;
    let games = lab.map("random games from board", boards, |i| {
        let mut rng = Rng::stream(seed, i as u64);
        (0..playouts).map(|_| branching(&starts[i], &mut rng)).collect::<Vec<_>>()
    })?;
    let games: Vec<[f64; MOVES + 1]> = games.into_iter().flatten().collect();
    let parts = [
        Part::sample("boards", boards, RANDOM_BOARDS),
        Part::sample("random games per board", playouts, PLAYOUTS),
    ];
    lab.section("sequences of moves from random boards", &parts);
    let shares = [0.1, 0.5, 0.9];
    let mut logs = [0.0; 3];
    let mut lines = [const { Vec::new() }; 3];
    for t in 0..=MOVES {
        let mut counts: Vec<f64> = games.iter().map(|game| game[t]).collect();
        counts.sort_by(f64::total_cmp);
        for ((share, log), line) in shares.iter().zip(&mut logs).zip(&mut lines) {
            *log += quantile(&counts, *share).max(1.0).log10();
            line.push((t as f64, *log));
        }
        let row = match t {
            0 => {
                let row = Row::new("B_0", "median of the possible moves", 0).published(36.0);
                row.ours(quantile(&counts, 0.5)).within(Tolerance::Absolute(0.0))
            }
            // The fifteenth move is chosen after fourteen: sequences of 15 moves,
            // of which Urheim (2025) says that there are more than 10^21.
            14 => {
                let row = Row::new("15 moves", "log10 of the sequences", 2).published(21.0);
                row.ours(logs[1]).within(Tolerance::AtLeast)
            }
            _ => continue,
        };
        lab.row(row);
    }
    let series = ["10th percentile", "median", "90th percentile"]
        .iter()
        .zip(lines)
        .map(|(name, points)| Series { name: (*name).to_owned(), points })
        .collect();
    let labels = Labels::new("Possible sequences of moves", "moves", "log10 of their number");
    let plot = LinePlot { labels, log_x: false, steps: false, series, levels: Vec::new() };
    lab.plot("", plot.to_svg());
    meetings(lab)
}

/// The numbers of possible moves along a random game.
fn branching(start: &Former, rng: &mut Rng) -> [f64; MOVES + 1] {
    let mut here = *start;
    std::array::from_fn(|_| {
        let count = here.groups();
        if let Some((_, next, _)) = here.step(rng) {
            here = next;
        }
        f64::from(count)
    })
}

fn meetings(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (boards, seed) = (lab.pick(MEETINGS, 1000, 3), lab.settings.seed);
    let shares = lab.map("sequences of two moves of board", boards, |i| {
        let board = Former::start(&Default::default(), &mut Rng::stream(!seed, i as u64));
        redundant(&board)
    })?;
    lab.section("sequences of two moves", &[Part::sample("boards", boards, MEETINGS)]);
    let row = Row::new("per cent that meet an earlier one", "mean", 1).published(41.0);
    let percent: Vec<f64> = shares.iter().map(|share| 100.0 * share).collect();
    lab.row(row.mean(Summary::of(&percent).as_ref()).within(Tolerance::Absolute(1.0)));
    Ok(())
}

/// The share of the sequences of two moves that lead where another one leads.
fn redundant(board: &Former) -> f64 {
    let (mut sequences, mut ends) = (0usize, HashSet::new());
    board.children(|_, child, _| {
        child.children(|_, end, _| {
            sequences += 1;
            ends.insert(end);
        });
    });
    (sequences - ends.len()) as f64 / sequences.max(1) as f64
}
