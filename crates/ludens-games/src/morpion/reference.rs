//! The rules once more, point by point and as plainly as possible, to compare with.

use std::collections::BTreeSet;

use super::{CROSS, Line, Morpion, MorpionVariant};

type At = (i32, i32);

/// The four steps from a point of a line to the next.
const STEPS: [At; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Points and lines on paper without an edge. A line is its first point and its step.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    pub(super) points: BTreeSet<At>,
    pub(super) lines: Vec<(At, At)>,
    touching: bool,
}

/// A move: the line, and which of its points is new.
pub(super) type Move = (At, At, usize);

fn along((x, y): At, (dx, dy): At, n: i32) -> At {
    (x + n * dx, y + n * dy)
}

impl Plain {
    pub(super) fn start(variant: MorpionVariant) -> Self {
        let mut points = BTreeSet::new();
        for (from_top, row) in CROSS.iter().enumerate() {
            for (from_left, mark) in row.chars().enumerate() {
                if mark == 'X' {
                    points.insert((11 + from_left as i32, 20 - from_top as i32));
                }
            }
        }
        Plain { points, lines: Vec::new(), touching: variant == MorpionVariant::Touching }
    }

    /// Whether two lines of one direction share more than they may.
    fn overlap(&self, one: At, other: At, step: At) -> bool {
        let points = |first| (0..5).map(move |n| along(first, step, n));
        let shared = points(one).filter(|&point| points(other).any(|p| p == point)).count();
        shared > usize::from(self.touching)
    }

    pub(super) fn moves(&self) -> BTreeSet<Move> {
        let mut moves = BTreeSet::new();
        for step in STEPS {
            for &point in &self.points {
                // Every line that can be drawn has a point among its first two.
                for back in 0..2 {
                    let first = along(point, step, -back);
                    let missing: Vec<usize> = (0..5)
                        .filter(|&n| !self.points.contains(&along(first, step, n as i32)))
                        .collect();
                    let free = self
                        .lines
                        .iter()
                        .all(|&(other, along)| along != step || !self.overlap(first, other, step));
                    if missing.len() == 1 && free {
                        moves.insert((first, step, missing[0]));
                    }
                }
            }
        }
        moves
    }

    pub(super) fn play(&mut self, (first, step, new): Move) {
        self.points.insert(along(first, step, new as i32));
        self.lines.push((first, step));
    }
}

/// A move of the game as one of these rules.
pub(super) fn plain(line: Line) -> Move {
    let at = |point: super::Point| (i32::from(point.x), i32::from(point.y));
    let points = line.points().map(at);
    let step = (points[1].0 - points[0].0, points[1].1 - points[0].1);
    (points[0], step, usize::from(line.new_index()))
}

/// Whether a position has the same points and moves.
pub(super) fn agree(position: &Morpion, plain_rules: &Plain) -> bool {
    use ludens_core::Game;
    let moves: BTreeSet<Move> = position.actions().map(plain).collect();
    let points = (0..32)
        .flat_map(|y| (0..32).map(move |x| (x, y)))
        .filter(|&(x, y)| position.has(super::Point { x: x as u8, y: y as u8 }));
    moves == plain_rules.moves() && points.collect::<BTreeSet<At>>() == plain_rules.points
}
