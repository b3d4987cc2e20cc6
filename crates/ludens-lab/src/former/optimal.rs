//! Figure 6.17: how many of the possible moves are optimal along a best line.
//!
//! Urheim (2025) counts first moves among 1,000 lines of the best known length that
//! its search finds, and follows the most frequent one. Here each move is decided by proof: after it
//! the board can be cleared in the moves that are left, or it cannot. A beam answers yes where it finds
//! such a line, otherwise the exact search is asked. The line followed is the beam's own, so only the
//! first position is Urheim's.

use std::sync::atomic::{AtomicBool, Ordering};

use ludens_arena::plot::{Labels, LinePlot, Series};
use ludens_core::{Budget, Context, Descent, Game, Progress, Solution, Solver};
use ludens_games::Former;
use ludens_games::former::{Evaluation, daily};
use ludens_search::{Beam, ByBound, Rounds, reaches_end};

use crate::lab::Lab;
use crate::{Error, Part, Row, Tolerance};

/// A day of May 2025: the best known moves, and where Urheim (2025) names them the
/// moves that remain, the optimal and the possible ones.
const DAYS: [(u8, u32, [[f64; 3]; 2]); 2] = [
    (18, 11, [[11.0, 8.0, 23.0], [8.0, 2.0, 20.0]]),
    (19, 16, [[16.0, 14.0, 36.0], [7.0, 1.0, 16.0]]),
];
/// The width of the first beam, and what a beam may take.
const FIRST_WIDTH: usize = 16;
const MEMORY: usize = 1 << 28;

type Line = Vec<<Former as Game>::Action>;

pub(super) fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    let nodes = lab.pick(5_000_000, 200_000, 5_000);
    let proof = lab.pick(50_000_000, 2_000_000, 5_000);
    let stop = lab.stop;
    for (day, known, published) in DAYS {
        let board = daily(2025, 5, day).expect("it has a board");
        let line = lab
            .map("the best line", 1, |_| best_line(&board, known as usize, 10 * nodes, stop))?
            .remove(0)
            // The first beam is free, so only a stop leaves none.
            .ok_or(Error::Interrupted)?;
        let mut path = vec![board];
        for &action in &line {
            path.push(path[path.len() - 1].apply(action).0);
        }
        let steps: Vec<(usize, Former)> = path
            .iter()
            .enumerate()
            .flat_map(|(i, here)| here.actions().map(move |action| (i, here.apply(action).0)))
            .collect();
        let optimal = lab.map("move", steps.len(), |j| {
            let (i, child) = &steps[j];
            let left = line.len() - i - 1;
            // The line itself needs no second proof.
            let found = *child == path[i + 1]
                || best_line(child, left, nodes, stop).is_some_and(|line| line.len() <= left);
            if found { Some(true) } else { is_cleared(child, left, proof, stop) }
        })?;
        let parts = [Part::sample("boards", 1, 1)];
        let title = format!("2025-05-{day}, each move decided within {proof} positions, or open");
        lab.section(title, &parts);
        let row = Row::new("the line", "moves", 0).published(f64::from(known));
        lab.row(row.ours(line.len() as f64).within(Tolerance::AtMost));
        let mut lines = [Vec::new(), Vec::new()];
        for i in 0..line.len() {
            let of_step = steps.iter().zip(&optimal).filter(|((step, _), _)| *step == i);
            let (possible, best) = of_step.fold((0.0, 0.0), |(all, best), (_, good)| {
                (all + 1.0, best + f64::from(*good == Some(true)))
            });
            let left = (line.len() - i) as f64;
            lines[0].push((left, possible));
            lines[1].push((left, best));
            let named = published.iter().find(|named| named[0] == left);
            let label = format!("{left} moves left");
            // Further on our line is another than Urheim's.
            let (exact, least) = match i {
                0 => (Tolerance::Absolute(0.0), Tolerance::AtLeast),
                _ => (Tolerance::Open, Tolerance::Open),
            };
            let row = Row::new(&label, "possible", 0).published(named.map(|named| named[2]));
            lab.row(row.ours(possible).within(exact));
            let row = Row::new(&label, "optimal", 0).published(named.map(|named| named[1]));
            lab.row(row.ours(best).within(least));
        }
        let open = optimal.iter().filter(|answer| answer.is_none()).count();
        let asked = optimal.len();
        lab.row(Row::new(format!("of {asked} moves"), "open", 0).ours(open as f64));
        let series = ["possible", "optimal"]
            .iter()
            .zip(lines)
            .map(|(name, points)| Series { name: (*name).to_owned(), points })
            .collect();
        let labels = Labels::new(&format!("2025-05-{day}"), "moves left", "moves");
        let plot = LinePlot { labels, log_x: false, steps: false, series, levels: Vec::new() };
        lab.plot(&format!("-may-{day}"), plot.to_svg());
    }
    Ok(())
}

/// The best line to the end that beams of doubling width find within about so
/// many nodes, the first beam being free; a line of `enough` moves will do.
fn best_line(board: &Former, enough: usize, nodes: u64, stop: &AtomicBool) -> Option<Line> {
    let mut best: Option<Line> = None;
    let (mut width, mut spent) = (FIRST_WIDTH, 0);
    while spent < nodes && !stop.load(Ordering::Relaxed) {
        let (heuristic, rounds) = (Evaluation::default(), Rounds::plain(width));
        let mut beam = Beam { heuristic, ceiling: ByBound, rounds };
        let budget = if spent == 0 { Budget::default() } else { Budget::nodes(nodes - spent) };
        let mut quiet = |_: &Progress<'_, Former>| {};
        let mut context = Context::new(budget, 0, 1, MEMORY, stop, &mut quiet);
        let found: Solution<Former> = beam.solve(board, &mut context)?;
        (width, spent) = (2 * width, spent + found.nodes.max(1));
        // A beam that was cut short may have come only part of the way.
        let end = found.line.iter().fold(*board, |here, &action| here.apply(action).0);
        let shorter = best.as_ref().is_none_or(|best| found.line.len() < best.len());
        let proven = found.is_proven();
        if end.is_over() && shorter {
            best = Some(found.line);
        }
        if proven || best.as_ref().is_some_and(|best| best.len() <= enough) {
            break;
        }
    }
    best
}

/// Whether a board can be cleared in so many moves, by proof; `None` where the limit came first.
fn is_cleared(board: &Former, moves: usize, nodes: u64, stop: &AtomicBool) -> Option<bool> {
    if board.is_over() {
        return Some(true);
    }
    let mut quiet = |_: &Progress<'_, Former>| {};
    let context = Context::new(Budget::nodes(nodes), 0, 1, MEMORY, stop, &mut quiet);
    let origin = board.origin(MEMORY / 8);
    reaches_end::<Former>(&origin, u32::try_from(moves).ok()?, &context)
}
