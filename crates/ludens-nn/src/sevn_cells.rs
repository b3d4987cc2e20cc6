//! Sevn as networks of cells see it.

use ludens_core::Game;
use ludens_games::Sevn;
use ludens_games::sevn::Base;

use crate::encoder::{Encoder, NOBODY};

/// Planes; see [`SevnCells`].
const PLANES: usize = 12;

/// Every tile with what matters of its colour, so that colours need no names and boards of all
/// sizes look alike.
///
/// Planes of a tile: it is there; it may be taken; shares, of the base, of its colour's tiles that
/// are left, that may be taken, and that the player to move or the opponent leads by; whether taking
/// all that may be taken makes the colour safe for the player to move; whether the colour is safe for
/// either player already. Planes of all cells: the share of colours that are safe for either, and
/// one that is always 1. A policy has an output per cell; the logit of a move is the sum
/// over its tiles. A value is that of the player to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct SevnCells;

/// What matters of a colour, from the view of the player to move.
#[derive(Clone, Copy, Default)]
struct Colour {
    lead: i32,
    left: i32,
    free: i32,
}

impl Colour {
    /// Whether a lead of this many lasts though the opponent takes all that is then left.
    fn safe(lead: i32, left: i32) -> bool {
        lead > left
    }
}

impl Encoder<Sevn> for SevnCells {
    const NAME: &'static str = "sevn-cells 1";
    const SUMS: bool = true;

    fn shape(base: &Base) -> [usize; 3] {
        [base.get(), base.get(), PLANES]
    }

    fn actions(base: &Base) -> usize {
        base.get() * base.get()
    }

    fn encode(self, position: &Sevn, out: &mut [f32]) {
        let (base, sign) = (position.variant().get(), position.to_move().sign());
        let takeable = position.takeable().0;
        let mut colours = [Colour::default(); 11];
        for (number, colour) in colours[..base].iter_mut().enumerate() {
            colour.lead = sign * position.lead(number);
        }
        for cell in 0..base * base {
            if let Some(number) = position.colour(cell) {
                colours[number].left += 1;
                colours[number].free += (takeable >> cell & 1) as i32;
            }
        }
        let safe = |sign: i32| {
            let mine = colours[..base].iter().filter(|c| Colour::safe(sign * c.lead, c.left));
            mine.count() as f32 / base as f32
        };
        let (own, theirs) = (safe(1), safe(-1));
        let share = |count: i32| count.max(0) as f32 / base as f32;
        for (cell, planes) in out.chunks_exact_mut(PLANES).enumerate() {
            planes[PLANES - 3..].copy_from_slice(&[own, theirs, 1.0]);
            let Some(number) = position.colour(cell) else { continue };
            let Colour { lead, left, free } = colours[number];
            let flag = |is: bool| f32::from(u8::from(is));
            planes[..PLANES - 3].copy_from_slice(&[
                1.0,
                flag(takeable >> cell & 1 != 0),
                share(left),
                share(free),
                share(lead),
                share(-lead),
                flag(Colour::safe(lead + free, left - free)),
                flag(Colour::safe(lead, left)),
                flag(Colour::safe(-lead, left)),
            ]);
        }
    }

    /// The moves of single tiles; all moves are sums of [`parts`](Encoder::parts).
    fn owners(self, position: &Sevn, out: &mut [u16]) {
        out.fill(NOBODY);
        for (action, tiles) in position.actions().enumerate() {
            if tiles.0.is_power_of_two() {
                out[tiles.0.trailing_zeros() as usize] = action as u16;
            }
        }
    }

    fn parts(self, position: &Sevn, mut f: impl FnMut(usize, usize)) {
        for (action, tiles) in position.actions().enumerate() {
            let mut left = tiles.0;
            while left != 0 {
                f(action, left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}
