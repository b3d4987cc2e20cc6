//! The static evaluation: colours that are owned or nearly, and how near a full one is.

use ludens_core::StaticEval;

use super::{PLANES, Sevn, Tiles};

/// The value of an owned colour.
const OWNED: i32 = 200;

impl Sevn {
    /// The tiles of a colour that are still there.
    fn left_of(&self, colour: usize) -> u128 {
        let code = colour + 1;
        (0..PLANES).fold(u128::MAX, |set, bit| {
            set & if code >> bit & 1 == 1 { self.planes[bit] } else { !self.planes[bit] }
        })
    }
}

impl StaticEval for Sevn {
    fn static_eval(&self) -> i32 {
        let base = self.base.get();
        let sign = self.mover.sign();
        let free = self.takeable().0;
        let mut value = 0;
        for colour in 0..base {
            let tiles = self.left_of(colour);
            let left = tiles.count_ones() as i32;
            let lead = sign * self.scores.get(colour);
            // A lead that cannot be made up for is a colour; a smaller one a part of it.
            value += match lead.abs() > left {
                true => OWNED * lead.signum(),
                false => OWNED * lead / (left + 1),
            };
            // Who has all that were taken may yet get the rest and win at once.
            let taken = base as i32 - left;
            if taken == lead.abs() && taken > 0 {
                let near = taken * taken * 150 / (base * base) as i32;
                value += near * lead.signum();
            }
            // What can be taken now is half taken by who is to move.
            value += OWNED / 8 * (tiles & free).count_ones() as i32 / base as i32;
        }
        value
    }

    fn hint(&self, action: Tiles) -> i32 {
        action.0.count_ones() as i32
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game, Notation, Rng};

    use super::*;

    #[test]
    fn tiles_of_a_colour_are_found() {
        let position = Sevn::parse(&Default::default(), "1/aaa/aab.cba.cbc").unwrap();
        let counts: Vec<u32> = (0..3).map(|c| position.left_of(c).count_ones()).collect();
        assert_eq!(counts, [3, 3, 3]);
        assert_eq!((0..3).fold(0, |all, c| all | position.left_of(c)), position.tiles());
    }

    /// Taking tiles is bad for who is to move afterwards, the worse the more.
    #[test]
    fn owned_colours_count() {
        let even = Sevn::parse(&Default::default(), "1/aaa/aab.cba.cbc").unwrap();
        for action in even.actions() {
            let after = even.apply(action).0.static_eval();
            assert!(after < even.static_eval(), "{action:?}: {after}");
        }
        let mut rng = Rng::new(1);
        let mut position = Sevn::start(&Default::default(), &mut rng);
        while let Some((_, next, _)) = position.step(&mut rng) {
            assert!(position.static_eval().abs() < 5000);
            position = next;
        }
    }
}
