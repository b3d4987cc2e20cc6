//! Coloured pieces on a ground: which cells are empty, and which pieces are alike.

use ludens_core::Ink;

use crate::board::{Board, CORE};
use crate::cluster::{centres, groups};
use crate::colour::{Colour, Feature, SHADED, distance, feature, margin, median};
use crate::palette;

/// How much an empty cell may differ from the ground around it, of 1.
const FLAT: f32 = 0.06;
/// Where even an empty cell differs, how much less it does than one with a piece.
const FLATTER: f32 = 0.35;

/// How far above the board its ground is looked for, in cells.
const ABOVE: f64 = -0.05;

/// The colour of every cell, and how much it differs from the ground around it.
pub(super) struct Pieces {
    /// The colours as they are compared.
    pub(super) features: Vec<Feature>,
    contrasts: Vec<f32>,
}

impl Pieces {
    /// Looks at every cell of a board.
    pub(super) fn of(board: &Board) -> Self {
        let cores: Vec<Colour> = (0..board.cells()).map(|cell| board.median(cell, CORE)).collect();
        // The ground above each column, as empty cells may have none of it beside them.
        let above: Vec<Colour> = (0..board.cols)
            .map(|col| median((1..6).map(|i| board.single(col as f64 + f64::from(i) / 6.0, ABOVE))))
            .collect();
        let contrast = |(cell, &core): (usize, &Colour)| {
            contrast(board, cell, core).min(distance(core, above[cell % board.cols]) / 255.0)
        };
        Pieces {
            contrasts: cores.iter().enumerate().map(contrast).collect(),
            features: cores.iter().map(|&core| feature(core, SHADED)).collect(),
        }
    }

    /// The cells that look empty: groups of one colour that hardly differs from what is around
    /// them, if `possible` agrees.
    pub(super) fn empty(&self, kinds: usize, possible: impl Fn(&[bool]) -> bool) -> Vec<bool> {
        let found = groups(&self.features, kinds + 1);
        let count = found.iter().max().map_or(0, |&last| last + 1);
        let mean_of = |group: usize| {
            let members = found.iter().zip(&self.contrasts).filter(|(g, _)| **g == group);
            let (sum, number) = members.fold((0.0, 0.0f32), |(sum, n), (_, c)| (sum + c, n + 1.0));
            sum / number.max(1.0)
        };
        let means: Vec<f32> = (0..count).map(mean_of).collect();
        let usual = {
            let mut sorted = means.clone();
            sorted.sort_by(f32::total_cmp);
            sorted.get(count / 2).copied().unwrap_or(0.0)
        };
        let flat = |group: usize| means[group] < FLAT || means[group] < FLATTER * usual;
        let all: Vec<bool> = found.iter().map(|&group| flat(group)).collect();
        if possible(&all) {
            return all;
        }
        let flattest = (0..count).min_by(|&a, &b| means[a].total_cmp(&means[b]));
        let one: Vec<bool> =
            found.iter().map(|&group| flat(group) && Some(group) == flattest).collect();
        if possible(&one) { one } else { vec![false; found.len()] }
    }

    /// How sure it is that a cell is empty, or is not.
    pub(super) fn emptiness(&self, cell: usize, empty: &[bool]) -> f64 {
        let nearest = |wanted: bool| {
            let others = (0..empty.len()).filter(|&other| other != cell && empty[other] == wanted);
            let far = |other: usize| distance(self.features[cell], self.features[other]);
            others.map(far).min_by(f32::total_cmp).unwrap_or(1.0)
        };
        margin(nearest(empty[cell]), nearest(!empty[cell]))
    }

    /// The cells with pieces, and their colours.
    pub(super) fn occupied(&self, empty: &[bool]) -> (Vec<usize>, Vec<Feature>) {
        let cells: Vec<usize> = (0..empty.len()).filter(|&cell| !empty[cell]).collect();
        let features = cells.iter().map(|&cell| self.features[cell]).collect();
        (cells, features)
    }
}

/// The usual difference between the middle of a cell and eight places on its edge, of 1.
fn contrast(board: &Board, cell: usize, core: Colour) -> f32 {
    const PLACES: [f32; 3] = [0.0, 0.5, 1.0];
    let mut all = Vec::with_capacity(8);
    for y in PLACES {
        for x in PLACES {
            if (x, y) != (0.5, 0.5) {
                let part = [x - 0.03, y - 0.03, x + 0.03, y + 0.03].map(|v| v.clamp(0.0, 1.0));
                all.push(distance(core, board.median(cell, part)) / 255.0);
            }
        }
    }
    all.sort_by(f32::total_cmp);
    (all[3] + all[4]) / 2.0
}

/// The kind of each piece with its confidence, from groups of colours.
pub(super) struct Kinds {
    /// The kind of each piece.
    pub(super) kinds: Vec<usize>,
    /// From 0 to 1.
    pub(super) confidence: Vec<f64>,
}

impl Kinds {
    /// Kinds by the page's inks, or in the order they come.
    pub(super) fn of(features: &[Feature], groups: &[usize], inks: &[Ink]) -> Self {
        let centres = centres(features, groups);
        let numbers = palette::numbers(&centres, inks);
        let sure = |(&f, &group): (&Feature, &usize)| {
            let others = centres.iter().enumerate().filter(|&(other, _)| other != group);
            let nearest = others.map(|(_, &c)| distance(f, c)).min_by(f32::total_cmp);
            margin(distance(f, centres[group]), nearest.unwrap_or(1.0))
        };
        Kinds {
            confidence: features.iter().zip(groups).map(sure).collect(),
            kinds: groups.iter().map(|&group| numbers[group]).collect(),
        }
    }
}
