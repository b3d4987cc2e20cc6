//! Appendix A: whether the daily boards are uniformly random.
//!
//! The counts of shapes are tested by chi-square. Whether neighbours resemble
//! each other is tested by Moran's I against permutations of each board; the
//! shares of permutations that come out at least as large are combined by
//! Fisher's method. Urheim's formula lacks Fisher's factor 2, its result does not.

use ludens_arena::statistics::chi_square_tail;
use ludens_core::{Notation, Rng};

use super::{DAILY_BOARDS, daily};
use crate::lab::Lab;
use crate::{Error, Part, Row, Tolerance};

const ROWS: usize = 9;
const COLUMNS: usize = 7;
const CELLS: usize = ROWS * COLUMNS;
/// Permutations of each board.
const PERMUTATIONS: usize = 10_000;

/// Urheim's counts of pink, blue, green and orange shapes.
const COUNTS: [(&str, f64); 4] =
    [("pink", 1562.0), ("blue", 1606.0), ("green", 1561.0), ("orange", 1571.0)];

pub(super) fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    let boards: Vec<[u8; CELLS]> = daily::boards()
        .map(|(_, board, _)| {
            let mut cells = board.text().into_bytes();
            cells.retain(u8::is_ascii_digit);
            std::array::from_fn(|i| cells[i] - b'0')
        })
        .collect();
    lab.section(
        "shapes of the daily boards",
        &[Part::sample("boards", DAILY_BOARDS, DAILY_BOARDS)],
    );
    let exact = Tolerance::Absolute(0.0);
    let mut chi_square = 0.0;
    let expected = (boards.len() * CELLS) as f64 / COUNTS.len() as f64;
    for (shape, (name, published)) in COUNTS.into_iter().enumerate() {
        let cells = boards.iter().flatten().filter(|cell| **cell as usize == shape);
        let count = cells.count() as f64;
        chi_square += (count - expected).powi(2) / expected;
        lab.row(Row::new(name, "count", 0).published(published).ours(count).within(exact));
    }
    lab.row(Row::new("uniform", "V", 2).published(0.85).ours(chi_square).within(exact));
    let p = chi_square_tail(chi_square, COUNTS.len() - 1);
    lab.row(Row::new("uniform", "p", 2).published(0.84).ours(p).within(exact));

    let (permutations, seed) = (lab.pick(PERMUTATIONS, 2000, 20), lab.settings.seed);
    let shares = lab.map("permutations of board", boards.len(), |i| {
        as_large(&boards[i], permutations, &mut Rng::stream(seed, i as u64))
    })?;
    lab.section(
        "neighbours on the daily boards",
        &[
            Part::sample("boards", DAILY_BOARDS, DAILY_BOARDS),
            Part::sample("permutations per board", permutations, PERMUTATIONS),
        ],
    );
    let fisher = -2.0 * shares.iter().map(|share| share.ln()).sum::<f64>();
    // It depends on the permutations drawn.
    let row = Row::new("uncorrelated", "U", 2).published(206.43).ours(fisher);
    lab.row(row.within(Tolerance::Absolute(4.0)));
    let p = chi_square_tail(fisher, 2 * shares.len());
    let row = Row::new("uncorrelated", "p", 2).published(0.36).ours(p);
    lab.row(row.within(Tolerance::Absolute(0.08)));
    Ok(())
}

/// The share of permutations whose Moran's I is at least the board's. The board
/// counts as one of them, so that the share is never 0.
fn as_large(board: &[u8; CELLS], permutations: usize, rng: &mut Rng) -> f64 {
    let observed = likeness(board);
    let mut shuffled = *board;
    let hits = (0..permutations).filter(|_| {
        rng.shuffle(&mut shuffled);
        likeness(&shuffled) >= observed
    });
    (hits.count() + 1) as f64 / (permutations + 1) as f64
}

/// What of Moran's I changes when cells are permuted, as a whole number: the sum
/// over neighbours of the products of deviations from the mean, each times 63.
fn likeness(cells: &[u8; CELLS]) -> i64 {
    let sum: i64 = cells.iter().map(|&cell| i64::from(cell)).sum();
    let deviation = |i: usize| CELLS as i64 * i64::from(cells[i]) - sum;
    let mut total = 0;
    for i in 0..CELLS {
        if i % COLUMNS + 1 < COLUMNS {
            total += deviation(i) * deviation(i + 1);
        }
        if i + COLUMNS < CELLS {
            total += deviation(i) * deviation(i + COLUMNS);
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_tells_blocks_from_chequers() {
        let chequers = std::array::from_fn(|i| ((i / COLUMNS + i % COLUMNS) % 2) as u8);
        let halves = std::array::from_fn(|i| u8::from(i >= CELLS / 2));
        assert!(likeness(&chequers) < 0 && likeness(&halves) > 0);
        assert!(as_large(&halves, 200, &mut Rng::new(1)) < 0.01);
        assert!(as_large(&chequers, 200, &mut Rng::new(1)) > 0.99);
    }
}
