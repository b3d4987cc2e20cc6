//! The colours of Ludens' own page, so that its pictures are read with its own numbers.

use ludens_core::Ink;

use crate::cluster::assign;
use crate::colour::{Colour, Feature, SHADED, distance, feature};

/// How far a colour may be from the page's at most.
const NEAR: f32 = 0.17;

/// How the page paints an ink.
fn painted(ink: Ink) -> Colour {
    let rgb: u32 = match ink {
        Ink::Red => 0xe8594f,
        Ink::Orange => 0xf29a3f,
        Ink::Yellow => 0xf3cd3c,
        Ink::Green => 0x3fae72,
        Ink::Cyan => 0x38b6c4,
        Ink::Blue => 0x5b9bf3,
        Ink::Purple => 0xa583e6,
        Ink::Pink => 0xf07ba8,
        Ink::Brown => 0xb58a63,
        Ink::Grey => 0xaab2bf,
        Ink::Strong => 0xd9dde6,
        Ink::Plain => 0xc9cfdb,
        Ink::Dim => 0xdfe3eb,
    };
    [16, 8, 0].map(|shift| (rgb >> shift & 255) as f32)
}

/// The number of each colour, given as the mean of its tiles: its place among the page's inks
/// where all are near to one, else the order in which they came.
pub(crate) fn numbers(centres: &[Feature], inks: &[Ink]) -> Vec<usize> {
    let in_order = || (0..centres.len()).collect();
    if centres.len() > inks.len() {
        return in_order();
    }
    let known: Vec<Feature> = inks.iter().map(|&ink| feature(painted(ink), SHADED)).collect();
    let costs: Vec<Vec<f64>> = centres
        .iter()
        .map(|&centre| known.iter().map(|&ink| f64::from(distance(centre, ink))).collect())
        .collect();
    let found = assign(&costs);
    let all_near =
        centres.iter().zip(&found).all(|(&centre, &ink)| distance(centre, known[ink]) < NEAR);
    if all_near { found } else { in_order() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inks_of_the_page_keep_their_numbers() {
        let inks = &Ink::PIECES[..7];
        let of = |numbers: &[usize]| -> Vec<Feature> {
            numbers.iter().map(|&n| feature(painted(inks[n]).map(|v| v * 0.8), SHADED)).collect()
        };
        assert_eq!(numbers(&of(&[6, 0, 3]), inks), [6, 0, 3]);
        let others = [[0.9, 0.1, 0.1], [0.0, -0.9, 0.1]];
        assert_eq!(numbers(&others, inks), [0, 1]);
    }
}
