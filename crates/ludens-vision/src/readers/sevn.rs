//! Sevn: as many tiles of a colour as there are colours, so that a balanced assignment of least
//! cost knows what a single tile does not show.

use ludens_core::Ink;
use ludens_games::Sevn;
use ludens_games::sevn::Base;

use super::pieces::{Kinds, Pieces};
use super::{Readable, Seen, sevn_2021};
use crate::board::Board;
use crate::cluster::{balanced, centres, exact_groups, groups};
use crate::find::{Layout, Settles};

/// The letter of a colour, or of a lead.
fn letter(number: usize) -> char {
    char::from(b'a' + number as u8)
}

impl Readable for Sevn {
    const METHODS: &'static [&'static str] = &["balanced", "sevn-2021"];
    const SIDE: usize = 32;

    fn layout(variant: &Base) -> Layout {
        Layout { rows: variant.get(), cols: variant.get(), settles: Settles::No }
    }

    fn see(variant: &Base, board: &Board, method: &str) -> Seen {
        if method == Self::METHODS[1] {
            return sevn_2021::see(variant, board);
        }
        let n = variant.get();
        let pieces = Pieces::of(board);
        // Holes are opened from the corners: what cannot have been taken is a tile.
        let empty = pieces.empty(n, |empty| {
            empty.iter().all(|&e| !e)
                || text(n, &vec![0; n * n], empty).is_some_and(|rows| opened(n, &rows))
        });
        let (cells, features) = pieces.occupied(&empty);
        let rough = if cells.len() == n * n {
            exact_groups(&features, n)
        } else {
            let found = groups(&features, n);
            let count = found.iter().max().map_or(0, |&last| last + 1);
            let needed = cells.len().div_ceil(n);
            if count < needed { exact_groups(&features, needed) } else { found }
        };
        let (found, _) = balanced(&features, centres(&features, &rough), n);
        let found = Kinds::of(&features, &renumbered(&found), &Ink::PIECES[..n]);
        let mut kinds = vec![0; n * n];
        let mut sure: Vec<f64> = (0..n * n).map(|cell| pieces.emptiness(cell, &empty)).collect();
        for ((&cell, kind), confidence) in cells.iter().zip(found.kinds).zip(found.confidence) {
            (kinds[cell], sure[cell]) = (kind, confidence);
        }
        seen(variant, &kinds, &empty, sure)
    }
}

/// The same groups with numbers in the order they come.
fn renumbered(groups: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for &group in groups {
        if !order.contains(&group) {
            order.push(group);
        }
    }
    groups.iter().map(|group| order.iter().position(|g| g == group).unwrap_or(0)).collect()
}

/// The rows in Sevn's notation.
fn text(n: usize, kinds: &[usize], empty: &[bool]) -> Option<String> {
    let row = |row: usize| -> String {
        let cell = |cell: usize| if empty[cell] { '1' } else { letter(kinds[cell]) };
        (row * n..(row + 1) * n).map(cell).collect()
    };
    (kinds.len() == n * n).then(|| (0..n).map(row).collect::<Vec<_>>().join("."))
}

/// Whether holes can have been opened, whatever the colours: the rules are asked with colours that
/// come n times each.
fn opened(n: usize, rows: &str) -> bool {
    let mut next = 0;
    let coloured: String = rows
        .chars()
        .map(|c| match c {
            'a' => {
                next += 1;
                letter((next - 1) / n)
            }
            other => other,
        })
        .collect();
    let taken: Vec<usize> =
        (0..n).map(|colour| n - coloured.matches(letter(colour)).count()).collect();
    scored(n, &taken, &coloured).is_some()
}

/// The cells with a position: scores and the player to move are not on the board, so the most
/// even ones that a game can lead to are taken.
pub(super) fn seen(variant: &Base, kinds: &[usize], empty: &[bool], sure: Vec<f64>) -> Seen {
    let n = variant.get();
    let cell = |(cell, sure): (usize, f64)| {
        let text = if empty[cell] { String::new() } else { letter(kinds[cell]).to_string() };
        (text, sure)
    };
    let cells = sure.into_iter().enumerate().map(cell).collect();
    let rows = text(n, kinds, empty).unwrap_or_default();
    let left = |colour| (0..n * n).filter(|&c| !empty[c] && kinds[c] == colour).count();
    let taken: Vec<usize> = (0..n).map(|colour| n.saturating_sub(left(colour))).collect();
    let position = scored(n, &taken, &rows);
    let mut notes = Vec::new();
    if taken.iter().any(|&t| t > 0) && position.is_some() {
        notes.push(
            "scores and the player to move are not on the board: the most even are taken"
                .to_owned(),
        );
    }
    let start = format!("1/{}/{rows}", "a".repeat(n));
    Seen { cells, position: position.map_or_else(|| Sevn::checked(variant, &start), Ok), notes }
}

/// The position with the most even scores that fit the tiles taken: no lead of a colour of which an
/// even number was taken, a lead of one of the others, as many for each player as will do.
fn scored(n: usize, taken: &[usize], rows: &str) -> Option<String> {
    let base = Base::new(n)?;
    let odd = taken.iter().filter(|&&t| t % 2 == 1).count();
    let mut splits: Vec<usize> = (0..=odd).collect();
    splits.sort_by_key(|&first| (2 * first).abs_diff(odd));
    for first in splits {
        let mut leads = 0;
        let scores: String = taken
            .iter()
            .map(|t| {
                leads += t % 2;
                match t % 2 {
                    0 => "a",
                    _ if leads <= first => "b",
                    _ => "-b",
                }
            })
            .collect();
        for mover in 1..=2 {
            let text = format!("{mover}/{scores}/{rows}");
            if let Ok(position) = Sevn::checked(&base, &text) {
                return Some(position);
            }
        }
    }
    None
}
