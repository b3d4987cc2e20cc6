//! The drawing: points in every second row and column, lines between them.

use ludens_core::{Cell, Control, Fact, Game, Ink, Movement, MovementKind, View};

use super::grid::{LENGTH, SIDE};
use super::notation::column_letter;
use super::{Direction, Line, Morpion, Point};

/// The part of the board with points and points that can be added.
struct Frame {
    left: u8,
    right: u8,
    bottom: u8,
    top: u8,
}

impl Frame {
    fn of(position: &Morpion) -> Self {
        let mut frame = Frame { left: SIDE, right: 0, bottom: SIDE, top: 0 };
        let all = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| Point { x, y }));
        let mut include = |Point { x, y }| {
            frame.left = frame.left.min(x);
            frame.right = frame.right.max(x);
            frame.bottom = frame.bottom.min(y);
            frame.top = frame.top.max(y);
        };
        all.filter(|&point| position.has(point)).for_each(&mut include);
        position.each_open(|line| include(line.new_point()));
        frame
    }

    fn cols(&self) -> usize {
        2 * usize::from(self.right - self.left) + 1
    }

    fn rows(&self) -> usize {
        2 * usize::from(self.top - self.bottom) + 1
    }

    /// The cell of a point.
    fn cell(&self, Point { x, y }: Point) -> usize {
        2 * usize::from(self.top - y) * self.cols() + 2 * usize::from(x - self.left)
    }

    /// The cell of another frame that lies where one of this frame does.
    fn cell_in(&self, other: &Frame, cell: usize) -> Option<usize> {
        let [row, col] = [cell / self.cols(), cell % self.cols()];
        let shift = |a: u8, b: u8| 2 * (a as isize - b as isize);
        let row = row.checked_add_signed(shift(other.top, self.top))?;
        let col = col.checked_add_signed(shift(self.left, other.left))?;
        (row < other.rows() && col < other.cols()).then(|| row * other.cols() + col)
    }

    /// The cells of a line from its first point to its last, those in between included.
    fn cells(&self, line: Line) -> [usize; 2 * LENGTH as usize - 1] {
        let points = line.points().map(|point| self.cell(point));
        // The cell in the middle of two is in the middle of their numbers.
        std::array::from_fn(|i| (points[i / 2] + points[i.div_ceil(2)]) / 2)
    }
}

/// How a line crosses the space between two of its points.
fn stroke(direction: Direction) -> &'static str {
    match direction {
        Direction::Horizontal => "─",
        Direction::Vertical => "│",
        Direction::Up => "╱",
        Direction::Down => "╲",
    }
}

/// Both diagonals between the same four points.
const BOTH: &str = "╳";

/// Where no point can be, so that it does not look like an empty one.
const BLANK: &str = " ";

pub(super) fn view(position: &Morpion) -> View {
    let frame = Frame::of(position);
    let (rows, cols) = (frame.rows(), frame.cols());
    let between = |i: usize| !(i / cols).is_multiple_of(2) || !(i % cols).is_multiple_of(2);
    let empty = |i| if between(i) { Cell::new(BLANK, Ink::Dim) } else { Cell::empty() };
    let mut cells: Vec<Cell> = (0..rows * cols).map(empty).collect();
    for line in position.lines() {
        let stroke = stroke(line.direction());
        for &at in frame.cells(line).iter().skip(1).step_by(2) {
            let crossed = cells[at].text != BLANK && cells[at].text != stroke;
            cells[at] = Cell::new(if crossed { BOTH } else { stroke }, Ink::Blue);
        }
    }
    for y in frame.bottom..=frame.top {
        for point in (frame.left..=frame.right).map(|x| Point { x, y }) {
            if position.has(point) {
                cells[frame.cell(point)] = Cell::new("●", Ink::Strong);
            }
        }
    }
    position.each_open(|line| cells[frame.cell(line.new_point())] = Cell::new("○", Ink::Green));
    let every_second = |label: String| [label, String::new()];
    let mut row_labels: Vec<String> =
        (frame.bottom..=frame.top).rev().flat_map(|y| every_second((y + 1).to_string())).collect();
    let mut col_labels: Vec<String> = (frame.left..=frame.right)
        .flat_map(|x| every_second(column_letter(x).to_string()))
        .collect();
    row_labels.truncate(rows);
    col_labels.truncate(cols);
    View {
        rows,
        cols,
        cells,
        row_labels,
        col_labels,
        facts: vec![
            Fact::Number("lines", position.drawn().into()),
            Fact::Number("possible", position.open_count.into()),
        ],
        control: Control::Name,
    }
}

/// How a move draws: its point, the strokes of its line away from there, and then what shows which
/// points can be added. Nothing moves, but cells have other numbers where the drawing grows.
pub(super) fn motion(position: &Morpion, line: Line) -> Vec<Movement> {
    let (next, _) = position.apply(line);
    let [old, new] = [position, &next].map(Frame::of);
    let [before, after] = [position, &next].map(|position| view(position).cells);
    let drawn = new.cells(line);
    let order = |cell: usize| match drawn.iter().position(|&at| at == cell) {
        Some(i) => i.abs_diff(2 * usize::from(line.new_index())) as u16,
        None => drawn.len() as u16,
    };
    let look = |cells: &[Cell], cell: Option<usize>| {
        cell.map(|cell| cells[cell].text.clone()).filter(|text| !text.trim().is_empty())
    };
    let mut motion = Vec::new();
    for (to, from) in (0..after.len()).map(|to| (to, new.cell_in(&old, to))) {
        match (from, look(&before, from), look(&after, Some(to))) {
            (_, None, Some(_)) => motion.push(Movement::appear(to, order(to))),
            (Some(from), Some(_), None) => motion.push(Movement::vanish(from, order(to))),
            (Some(from), Some(was), Some(is)) if was != is => {
                motion.push(Movement::between(from, to, order(to), MovementKind::Turn));
            }
            _ => {}
        }
    }
    let left =
        |from: &usize| old.cell_in(&new, *from).is_none() && look(&before, Some(*from)).is_some();
    let outside = (0..before.len()).filter(left);
    motion.extend(outside.map(|from| Movement::vanish(from, drawn.len() as u16)));
    motion
}

/// The cells that a move touches, that of its new point first.
pub(super) fn cells(position: &Morpion, line: Line) -> Vec<usize> {
    let frame = Frame::of(position);
    let mut cells = frame.cells(line).to_vec();
    cells.swap(0, 2 * usize::from(line.new_index()));
    cells
}
