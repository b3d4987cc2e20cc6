//! Points, the four directions, and lines of five points.
//!
//! Each direction has a layout of its own, in which the points of a line are
//! neighbouring bits of one word:
//!
//! | direction | from a point to the next | word | bit |
//! |---|---|---|---|
//! | horizontal | (1, 0) | `y` | `x` |
//! | vertical | (0, 1) | `x` | `y` |
//! | up | (1, 1) | `x - y` modulo 32 | `x` |
//! | down | (1, -1) | `x + y` modulo 32 | `x` |
//!
//! A word of a diagonal direction holds two diagonals, one after the other. Lines
//! on different ones begin at least five bits apart, also around the word's end, so
//! that nothing that looks four bits to either side confuses them.

/// Points of a side of the board.
pub(super) const SIDE: u8 = 32;
/// Points of a line.
pub(super) const LENGTH: u8 = 5;

/// A set of points, or of lines by their first points, in the layout of one direction.
pub(super) type Plane = [u32; SIDE as usize];

/// A point of the board: column from the left and row from the bottom, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

/// A direction of lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// To the right.
    Horizontal,
    /// Upwards.
    Vertical,
    /// To the right and upwards.
    Up,
    /// To the right and downwards.
    Down,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] =
        [Direction::Horizontal, Direction::Vertical, Direction::Up, Direction::Down];

    /// The word and the bit of a point in the layout of this direction.
    #[inline(always)]
    pub(super) const fn locate(self, Point { x, y }: Point) -> (u8, u8) {
        const LAST: u8 = SIDE - 1;
        match self {
            Direction::Horizontal => (y, x),
            Direction::Vertical => (x, y),
            Direction::Up => (x.wrapping_sub(y) & LAST, x),
            Direction::Down => ((x + y) & LAST, x),
        }
    }

    /// The point of a word and a bit.
    #[inline(always)]
    pub(super) const fn point(self, word: u8, bit: u8) -> Point {
        const LAST: u8 = SIDE - 1;
        match self {
            Direction::Horizontal => Point { x: bit, y: word },
            Direction::Vertical => Point { x: word, y: bit },
            Direction::Up => Point { x: bit, y: bit.wrapping_sub(word) & LAST },
            Direction::Down => Point { x: bit, y: word.wrapping_sub(bit) & LAST },
        }
    }

    /// Which lines through a point lie on the board: bit `k` stands for the one that
    /// starts `4 - k` points before it.
    #[inline(always)]
    pub(super) const fn fitting(self, Point { x, y }: Point) -> u32 {
        let (across, along) = (FITTING[x as usize], FITTING[y as usize]);
        match self {
            Direction::Horizontal => across[0],
            Direction::Vertical => along[0],
            Direction::Up => across[0] & along[0],
            Direction::Down => across[0] & along[1],
        }
    }
}

/// For each coordinate: the fitting lines whose coordinate grows, and those whose shrinks.
const FITTING: [[u32; 2]; SIDE as usize] = {
    let mut fitting = [[0; 2]; SIDE as usize];
    let mut at = 0;
    while at < SIDE {
        let mut k = 0;
        while k < LENGTH {
            if at + k >= LENGTH - 1 && at + k < SIDE {
                fitting[at as usize][0] |= 1 << k;
                fitting[at as usize][1] |= 1 << (LENGTH - 1 - k);
            }
            k += 1;
        }
        at += 1;
    }
    fitting
};

/// A line of five points with the one that is new: the move that draws it.
///
/// From the lowest bit: first point (5 bits), word (5), direction (2), which of its
/// points is new (0 is the first).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Line(pub(super) u16);

impl Line {
    #[inline(always)]
    pub(super) const fn new(direction: Direction, word: u8, first: u8, new: u8) -> Self {
        Line(first as u16 | (word as u16) << 5 | (direction as u16) << 10 | (new as u16) << 12)
    }

    /// Its direction.
    #[inline(always)]
    pub const fn direction(self) -> Direction {
        Direction::ALL[(self.0 >> 10 & 3) as usize]
    }

    /// The word of its points in the layout of its direction.
    #[inline(always)]
    pub(super) const fn word(self) -> u8 {
        (self.0 >> 5 & 31) as u8
    }

    /// The bit of its first point there.
    #[inline(always)]
    pub(super) const fn first(self) -> u8 {
        (self.0 & 31) as u8
    }

    /// Which of its points is new: 0 is the leftmost, or the lowest of a vertical line.
    #[inline(always)]
    pub const fn new_index(self) -> u8 {
        (self.0 >> 12) as u8
    }

    /// Its points, from the leftmost on, or from the lowest on.
    #[inline]
    pub fn points(self) -> [Point; LENGTH as usize] {
        let (direction, word, first) = (self.direction(), self.word(), self.first());
        std::array::from_fn(|i| direction.point(word, (first + i as u8) & (SIDE - 1)))
    }

    /// The point that is new.
    #[inline(always)]
    pub const fn new_point(self) -> Point {
        self.direction().point(self.word(), (self.first() + self.new_index()) & (SIDE - 1))
    }

    /// The same for all moves that draw this line.
    #[inline(always)]
    pub(super) const fn undirected(self) -> u16 {
        self.0 & 0xFFF
    }
}

/// The bits of a word, lowest first.
#[inline(always)]
pub(super) fn bits(mut word: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as u8;
        word &= word.wrapping_sub(1);
        (bit < 32).then_some(bit)
    })
}

/// The lines of a set, each with its first point as the new one.
pub(super) fn lines_of(planes: &[Plane; 4]) -> impl Iterator<Item = Line> + '_ {
    Direction::ALL.into_iter().zip(planes).flat_map(|(direction, plane)| {
        (0..SIDE).zip(plane).flat_map(move |(word, &firsts)| {
            bits(firsts).map(move |first| Line::new(direction, word, first, 0))
        })
    })
}
