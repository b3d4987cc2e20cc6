//! Morpion Solitaire: add a point that completes a line of five, as often as possible.
//!
//! The board has 32 x 32 points with the cross of 36 in the middle, eleven points
//! from each edge. Paper has no edge: that lines do not leave the board is a rule of this
//! program. Random games stay far from it (see the tests).
//!
//! A position is the set of the lines drawn: its points are those of the cross and of
//! the lines. Besides it keeps the points in the layouts of all four directions and
//! the lines that can be drawn, both brought up to date by each move: a new point
//! changes the five lines through it in each direction, and a new line those that
//! begin near it in its own.

mod drawing;
mod evaluation;
mod grid;
mod notation;
mod orders;
#[cfg(test)]
mod reference;
mod symmetry;
#[cfg(test)]
mod tests;
mod variant;

use crate::action_list::action_list;
use ludens_core::bits::mix;
use ludens_core::{
    Deterministic, FixedActions, Game, MoveCode, Playout, Position, Reward, Rng, Solo, Starts,
    deterministic,
};

pub use evaluation::Evaluation;
pub use grid::{Direction, Line, Point};
use grid::{LENGTH, Plane, SIDE, bits};
pub use variant::MorpionVariant;

/// The cross, from its top row down.
const CROSS: [&str; 10] = [
    "...XXXX...",
    "...X..X...",
    "...X..X...",
    "XXXX..XXXX",
    "X........X",
    "X........X",
    "XXXX..XXXX",
    "...X..X...",
    "...X..X...",
    "...XXXX...",
];

/// The points of the cross.
fn cross() -> impl Iterator<Item = Point> {
    let margin = (SIDE - CROSS.len() as u8) / 2;
    (margin..).zip(CROSS).flat_map(move |(from_top, row)| {
        let marked = (margin..).zip(row.bytes()).filter(|&(_, mark)| mark == b'X');
        marked.map(move |(x, _)| Point { x, y: SIDE - 1 - from_top })
    })
}

/// The most lines that can be drawn in a position.
///
/// In 5T each point has eight half-segments, 288 in the cross. A move adds a point with
/// eight and draws four segments of two each, so 288 are free at any time. A line
/// that can be drawn has at least six of them, and a segment is in four lines: 192 at
/// most. In 5D each point can be in a line of each direction once, which is 144 times in
/// the cross and one less after each move. A line that can be drawn has four such
/// points, each in five lines of the direction: 180 at most.
const MOST: usize = 192;

/// For nine neighbouring points, of which the middle one is there: bit `k` says that
/// exactly one is missing of the five from the `k`-th on.
const ONE_MISSING: [u8; 512] = {
    let mut table = [0; 512];
    let mut window = 0;
    while window < table.len() {
        let mut k = 0;
        while k < LENGTH {
            if (window >> k & 31).count_ones() == 4 {
                table[window] |= 1 << k;
            }
            k += 1;
        }
        window += 1;
    }
    table
};

/// A Morpion Solitaire position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Morpion {
    /// The mixed numbers of all lines drawn, added up by exclusive or.
    key: u64,
    /// The lines drawn, by their first points.
    lines: [Plane; 4],
    /// All points, in the layout of each direction.
    points: [Plane; 4],
    /// The lines that can be drawn, by their first points.
    open: [Plane; 4],
    /// Which words of `open` are not 0.
    open_words: [u32; 4],
    /// How many lines can be drawn.
    open_count: u16,
    /// How many lines are drawn.
    drawn: u16,
    variant: MorpionVariant,
}

/// The lines that can be drawn, by direction, word and first point.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    list: [Line; MOST],
    next: u16,
    end: u16,
}

action_list!(
    Lines,
    Line,
    next: |list| {
        let line = list.list[..usize::from(list.end)].get(usize::from(list.next))?;
        list.next += 1;
        Some(*line)
    },
    left: |list| list.end - list.next
);

impl Morpion {
    /// The cross without lines.
    fn cross(variant: MorpionVariant) -> Self {
        let empty = [[0; SIDE as usize]; 4];
        let mut start = Morpion {
            key: mix(variant as u64),
            lines: empty,
            points: empty,
            open: empty,
            open_words: [0; 4],
            open_count: 0,
            drawn: 0,
            variant,
        };
        for point in cross() {
            start.add_point(point);
        }
        start
    }

    /// Whether there is a point.
    #[inline]
    pub fn has(&self, Point { x, y }: Point) -> bool {
        x < SIDE && y < SIDE && self.points[0][usize::from(y)] >> x & 1 != 0
    }

    /// The number of lines drawn, which is the score.
    #[inline]
    pub fn drawn(&self) -> u32 {
        u32::from(self.drawn)
    }

    /// The lines drawn, in a fixed order; the point said to be new is of no meaning.
    pub fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        grid::lines_of(&self.lines)
    }

    /// The line that can be drawn from a first point, with its missing point.
    #[inline(always)]
    fn open_line(&self, direction: Direction, word: u8, first: u8) -> Line {
        let points = self.points[direction as usize][usize::from(word)];
        let missing = (!points >> first).trailing_zeros() as u8;
        Line::new(direction, word, first, missing)
    }

    /// Calls `f` with each line that can be drawn.
    #[inline(always)]
    fn each_open(&self, mut f: impl FnMut(Line)) {
        for direction in Direction::ALL {
            for word in bits(self.open_words[direction as usize]) {
                for first in bits(self.open[direction as usize][usize::from(word)]) {
                    f(self.open_line(direction, word, first));
                }
            }
        }
    }

    /// The `n`-th line that can be drawn, if there are so many.
    #[inline]
    fn nth_open(&self, mut n: u32) -> Option<Line> {
        for direction in Direction::ALL {
            for word in bits(self.open_words[direction as usize]) {
                let firsts = self.open[direction as usize][usize::from(word)];
                let count = firsts.count_ones();
                if n < count {
                    let first = bits(firsts).nth(n as usize)?;
                    return Some(self.open_line(direction, word, first));
                }
                n -= count;
            }
        }
        None
    }

    /// Replaces a word of the lines that can be drawn.
    #[inline(always)]
    fn set_open(&mut self, direction: usize, word: u8, firsts: u32) {
        let old = std::mem::replace(&mut self.open[direction][usize::from(word)], firsts);
        self.open_count = self.open_count + firsts.count_ones() as u16 - old.count_ones() as u16;
        let words = &mut self.open_words[direction];
        *words = *words & !(1 << word) | u32::from(firsts != 0) << word;
    }

    /// Adds a point and finds the lines through it that can be drawn now. Those that
    /// could be drawn before have lost their missing point.
    #[inline(always)]
    fn add_point(&mut self, point: Point) {
        for direction in Direction::ALL {
            let (word, bit) = direction.locate(point);
            let (at, word_at) = (direction as usize, usize::from(word));
            self.points[at][word_at] |= 1 << bit;
            // Bit k of what follows is the line that starts 4 - k points before this one.
            let shift = u32::from(bit).wrapping_sub(4) % 32;
            let fitting = direction.fitting(point);
            let window = self.points[at][word_at].rotate_right(shift) & 511;
            let near = self.lines[at][word_at].rotate_right(shift.wrapping_sub(4) % 32) & 0x1FFF;
            let free = fitting & !self.blocked(near);
            let open = u32::from(ONE_MISSING[window as usize]) & free;
            let others = self.open[at][word_at] & !fitting.rotate_left(shift);
            self.set_open(at, word, others | open.rotate_left(shift));
        }
    }

    /// Which of five neighbouring first points belong to lines that overlap lines drawn, whose
    /// first points begin four bits earlier in `near`: those at most three bits away, and
    /// in 5D those four bits away too.
    #[inline(always)]
    fn blocked(&self, near: u32) -> u32 {
        let two = near >> 1 | near >> 2;
        let four = two | two >> 2;
        let seven = four | four >> 3;
        match self.variant {
            MorpionVariant::Disjoint => seven | near | near >> 8,
            MorpionVariant::Touching => seven,
        }
    }

    /// Draws a line.
    #[inline(always)]
    fn draw(&mut self, line: Line) {
        let (direction, word, first) = (line.direction() as usize, line.word(), line.first());
        let reach = match self.variant {
            MorpionVariant::Disjoint => 4,
            MorpionVariant::Touching => 3,
        };
        let overlapping = (((1u64 << (2 * reach + 1)) - 1) << first >> reach) as u32;
        self.lines[direction][usize::from(word)] |= 1 << first;
        self.set_open(direction, word, self.open[direction][usize::from(word)] & !overlapping);
        self.add_point(line.new_point());
        self.key ^= key_of(line);
        self.drawn += 1;
    }
}

/// What a line drawn adds to the key.
#[inline(always)]
const fn key_of(line: Line) -> u64 {
    mix(line.undirected() as u64 | 1 << 16)
}

impl Position for Morpion {
    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}

impl Game for Morpion {
    deterministic!(players: 1, variant: MorpionVariant, action: Line, actions: Lines);

    #[inline]
    fn variant(&self) -> MorpionVariant {
        self.variant
    }

    fn start(variant: &MorpionVariant, _: &mut Rng) -> Self {
        Morpion::cross(*variant)
    }

    #[inline]
    fn actions(&self) -> Lines {
        let mut lines = Lines { list: [Line(0); MOST], next: 0, end: 0 };
        self.each_open(|line| {
            lines.list[usize::from(lines.end)] = line;
            lines.end += 1;
        });
        lines
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.open_count == 0
    }

    #[inline]
    fn is_legal(&self, line: Line) -> bool {
        let (direction, word, first) = (line.direction(), line.word(), line.first());
        self.open[direction as usize][usize::from(word)] >> first & 1 != 0
            && self.open_line(direction, word, first) == line
    }

    #[inline]
    fn apply(&self, line: Line) -> (Self, Reward) {
        debug_assert!(self.is_legal(line), "{line:?} in {self:?}");
        let mut next = *self;
        next.draw(line);
        (next, 1)
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Line, Self, Reward)> {
        if self.is_over() {
            return None;
        }
        let line = self.nth_open(rng.below(self.open_count.into()))?;
        let (next, reward) = self.apply(line);
        Some((line, next, reward))
    }

    /// One position changed in place.
    fn playout(&self, rng: &mut Rng) -> Playout<Self> {
        let mut end = *self;
        while end.open_count > 0 {
            let Some(line) = end.nth_open(rng.below(end.open_count.into())) else { break };
            end.draw(line);
        }
        let moves = end.drawn() - self.drawn();
        Playout { end, moves, total: i64::from(moves) }
    }

    fn score(&self) -> Option<i64> {
        Some(i64::from(self.drawn))
    }
}

impl Deterministic for Morpion {}
impl Solo for Morpion {}

impl Starts for Morpion {
    fn starts(variant: &MorpionVariant, mut f: impl FnMut(Self, f64)) {
        f(Morpion::cross(*variant), 1.0);
    }
}

/// By the new point's place in the line, then direction, word and first point.
impl FixedActions for Morpion {
    fn action_space(_: &MorpionVariant) -> usize {
        usize::from(LENGTH) << 12
    }

    fn action_index(&self, line: Line) -> usize {
        usize::from(line.0)
    }

    fn action_of_index(&self, index: usize) -> Option<Line> {
        (index < Self::action_space(&self.variant)).then_some(Line(index as u16))
    }
}

/// Moves that draw the same line with the same new point share a code, wherever they are played.
impl MoveCode for Morpion {
    #[inline]
    fn code(&self, line: Line) -> u64 {
        mix(u64::from(line.0))
    }

    #[inline]
    fn coded(&self, mut f: impl FnMut(Line, u64)) {
        self.each_open(|line| f(line, mix(u64::from(line.0))));
    }
}
