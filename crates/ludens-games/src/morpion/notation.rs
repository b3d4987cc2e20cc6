//! Positions as the moves that lead there.
//!
//! A move is the new point, the direction of the line and the place of the point in
//! it: `q21h5` adds the point in column q and row 21 as the last (from the left) of a
//! horizontal line. Columns are `a` to `z` and `A` to `F`, rows 1 to 32 from the bottom.
//!
//! Positions have no history, so the moves are written in an order that depends on the lines
//! alone: a move whose new point is on no other line may come last, and of all such
//! moves the one with the largest number does, again and again.

use ludens_core::error::quote;
use ludens_core::{Game, Movement, Notation, ParseError, View};

use super::grid::{LENGTH, SIDE};
use super::{Direction, Line, Morpion, MorpionVariant, Point, cross};

/// The position without lines.
const START: &str = "-";

/// The letter that moves are written with, and the sign that is read, too.
const DIRECTIONS: [(char, char); 4] = [('h', '-'), ('v', '|'), ('u', '/'), ('d', '\\')];

/// The letter of a column.
pub(super) fn column_letter(x: u8) -> char {
    char::from(if x < 26 { b'a' + x } else { b'A' + x - 26 })
}

fn column_of(letter: char) -> Option<u8> {
    (0..SIDE).find(|&x| column_letter(x) == letter)
}

/// The line that a text names, whether or not it can be drawn.
fn read_line(text: &str) -> Option<Line> {
    let mut rest = text.chars();
    let x = column_of(rest.next()?)?;
    let place = rest.next_back()?.to_digit(10).filter(|place| (1..=5).contains(place))?;
    let sign = rest.next_back()?;
    let row = rest.as_str();
    let plain = row.len() <= 2 && row.bytes().all(|digit| digit.is_ascii_digit());
    let y = row.parse::<u8>().ok().filter(|y| plain && (1..=SIDE).contains(y))? - 1;
    let named = |&(letter, other): &(char, char)| sign == letter || sign == other;
    let direction = Direction::ALL[DIRECTIONS.iter().position(named)?];
    let (word, bit) = direction.locate(Point { x, y });
    let new = place as u8 - 1;
    // A line that leaves the board is none that can be drawn, wherever it comes out.
    Some(Line::new(direction, word, bit.wrapping_sub(new) & (SIDE - 1), new))
}

fn write_line(line: Line) -> String {
    let Point { x, y } = line.new_point();
    let (sign, place) = (DIRECTIONS[line.direction() as usize].0, line.new_index() + 1);
    format!("{}{}{sign}{place}", column_letter(x), y + 1)
}

/// The moves that lead to a position, in the order that its lines give.
fn moves(position: &Morpion) -> Vec<Line> {
    let at = |point: Point| usize::from(point.y) * usize::from(SIDE) + usize::from(point.x);
    // How many lines a point is on; points of the cross count as on one more.
    let mut uses = [0u8; SIDE as usize * SIDE as usize];
    let mut left: Vec<Line> = position.lines().collect();
    let of_lines = left.iter().flat_map(|line| line.points());
    for point in of_lines.chain(cross()) {
        uses[at(point)] += 1;
    }
    let mut moves = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let own = |line: &Line| line.points().iter().position(|&point| uses[at(point)] == 1);
        let last = left.iter().enumerate().rev().find_map(|(i, line)| Some((i, own(line)?)));
        let (i, new) = last.expect("the last move's point is on no other line");
        let line = left.remove(i);
        for point in line.points() {
            uses[at(point)] -= 1;
        }
        moves.push(Line::new(line.direction(), line.word(), line.first(), new as u8));
    }
    moves.reverse();
    moves
}

impl Notation for Morpion {
    const NAME: &'static str = "morpion";

    fn parse(variant: &MorpionVariant, text: &str) -> Result<Self, ParseError> {
        let mut position = Morpion::cross(*variant);
        if text.trim() == START {
            return Ok(position);
        }
        let separator = |c: char| c == ';' || c.is_whitespace();
        for (i, text) in text.split(separator).filter(|text| !text.is_empty()).enumerate() {
            let line = position.parse_action(text);
            let line = line.map_err(|error| error.within(&format!("move {}", i + 1)))?;
            position.draw(line);
        }
        Ok(position)
    }

    fn text(&self) -> String {
        let moves: Vec<String> = moves(self).into_iter().map(write_line).collect();
        if moves.is_empty() { START.to_owned() } else { moves.join(";") }
    }

    fn parse_action(&self, text: &str) -> Result<Line, ParseError> {
        let refuse = |expected: &str| Err(ParseError::new("move", quote(text), expected));
        match read_line(text) {
            Some(line) if self.is_legal(line) => Ok(line),
            _ if self.is_over() => refuse("no move: the game is over"),
            None => refuse("a point, a direction h v u d and a place 1-5, such as q21h5"),
            Some(line) if self.has(line.new_point()) => refuse("a point that is not there yet"),
            Some(_) => refuse("a line with four points there and free in its direction"),
        }
    }

    fn action_text(&self, line: Line) -> String {
        write_line(line)
    }

    fn view(&self) -> View {
        super::drawing::view(self)
    }

    fn action_cells(&self, line: Line) -> Vec<usize> {
        super::drawing::cells(self, line)
    }

    fn motion(&self, line: Line) -> Vec<Movement> {
        super::drawing::motion(self, line)
    }
}

/// Lines have five points: places in them are one digit.
const _: () = assert!(LENGTH == 5);
