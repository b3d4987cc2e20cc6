//! Othello as text: the 64 cells from a1 to h8 and the side to move
//! (`...XO... X`), or the moves played (`f5d6c3`).

use ludens_core::error::quote;
use ludens_core::{
    Cell, Control, Fact, Game, Ink, Movement, NoVariant, Notation, ParseError, Player, View,
};

use super::lines::flips;
use super::{CELLS, Othello, Square};

const SIZE: usize = 8;

const PASS_TEXT: &str = "--";

/// The four cells that are filled from the start.
const CENTRE: u64 = 1 << 27 | 1 << 28 | 1 << 35 | 1 << 36;

/// `f5`, in either case.
fn parse_cell(text: &[u8]) -> Option<Square> {
    match text {
        [column @ (b'a'..=b'h' | b'A'..=b'H'), row @ b'1'..=b'8'] => {
            Some(Square((row - b'1') * SIZE as u8 + column.to_ascii_lowercase() - b'a'))
        }
        _ => None,
    }
}

fn cell_text(Square(cell): Square) -> String {
    let (row, column) = (cell / SIZE as u8, cell % SIZE as u8);
    [char::from(b'a' + column), char::from(b'1' + row)].iter().collect()
}

/// Moves without anything between them. A pass may be written or left out.
fn parse_moves(text: &[char]) -> Result<Othello, ParseError> {
    let mut position = Othello::default();
    for (i, pair) in text.chunks(2).enumerate() {
        let location = format!("move {}", i + 1);
        let word: String = pair.iter().collect();
        if position.is_over() {
            return Err(ParseError::new(location, quote(&word), "nothing: the game is over"));
        }
        if position.is_legal(Square::PASS) && word != PASS_TEXT {
            position = position.passed();
        }
        let action = position.parse_action(&word).map_err(|e| e.within(&location))?;
        position = position.apply(action).0;
    }
    Ok(position)
}

/// 64 cells and the side to move.
fn parse_board(text: &[char]) -> Result<Othello, ParseError> {
    let cells = CELLS as usize;
    if text.len() != cells + 1 {
        let found = format!("{} characters", text.len());
        return Err(ParseError::new("board", found, "64 cells and the side to move, X or O"));
    }
    let mut discs = [0u64; 2];
    for (i, &char) in text[..cells].iter().enumerate() {
        match char {
            '.' => {}
            'X' => discs[0] |= 1 << i,
            'O' => discs[1] |= 1 << i,
            other => {
                let location = format!("cell {}", cell_text(Square(i as u8)));
                return Err(ParseError::new(
                    location,
                    quote(&other.to_string()),
                    "'X', 'O' or '.'",
                ));
            }
        }
    }
    let [x, o] = discs;
    check_discs(x | o)?;
    match text[cells] {
        'X' => Ok(Othello { own: x, opp: o, side: Player::One }),
        'O' => Ok(Othello { own: o, opp: x, side: Player::Two }),
        other => Err(ParseError::new("side to move", quote(&other.to_string()), "'X' or 'O'")),
    }
}

/// Refuses discs no game can lead to: discs never leave the board, and each is
/// placed next to another.
fn check_discs(all: u64) -> Result<(), ParseError> {
    let cell_of = |cells: u64| cell_text(Square(cells.trailing_zeros() as u8));
    let missing = CENTRE & !all;
    if missing != 0 {
        let location = format!("cell {}", cell_of(missing));
        return Err(ParseError::new(
            location,
            "no disc",
            "a disc: the centre is filled from the start",
        ));
    }
    let mut joined = CENTRE;
    loop {
        let row =
            joined | joined << 1 & !0x0101_0101_0101_0101 | joined >> 1 & !0x8080_8080_8080_8080;
        let grown = (row | row << 8 | row >> 8) & all;
        if grown == joined {
            break;
        }
        joined = grown;
    }
    let alone = all & !joined;
    if alone != 0 {
        let location = format!("cell {}", cell_of(alone));
        return Err(ParseError::new(
            location,
            "a disc apart from the others",
            "all discs to touch",
        ));
    }
    Ok(())
}

impl Notation for Othello {
    const NAME: &'static str = "othello";

    fn parse(_: &NoVariant, text: &str) -> Result<Self, ParseError> {
        let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        if chars.iter().any(|c| matches!(c, '.' | 'X' | 'O')) {
            parse_board(&chars)
        } else {
            parse_moves(&chars)
        }
    }

    fn text(&self) -> String {
        let [x, o] = self.discs();
        let mut out = String::with_capacity(CELLS as usize + 2);
        for cell in 0..CELLS {
            out.push(match (x >> cell & 1, o >> cell & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '.',
            });
        }
        out.push_str(match self.side {
            Player::One => " X",
            Player::Two => " O",
        });
        out
    }

    fn parse_action(&self, text: &str) -> Result<Square, ParseError> {
        let action =
            if text == PASS_TEXT { Some(Square::PASS) } else { parse_cell(text.as_bytes()) };
        let Some(action) = action else {
            return Err(ParseError::new("move", quote(text), "a cell a1-h8, or -- for a pass"));
        };
        if self.is_legal(action) {
            return Ok(action);
        }
        let expected = if self.is_over() {
            "no move: the game is over"
        } else if self.is_legal(Square::PASS) {
            "--: there is only the pass"
        } else {
            "an empty cell from which discs are turned over"
        };
        Err(ParseError::new("move", quote(text), expected))
    }

    fn action_text(&self, action: Square) -> String {
        if action == Square::PASS { PASS_TEXT.to_owned() } else { cell_text(action) }
    }

    fn view(&self) -> View {
        let [x, o] = self.discs();
        let cells = (0..CELLS)
            .map(|cell| match (x >> cell & 1, o >> cell & 1) {
                (1, _) => Cell::new("X", Ink::Blue),
                (_, 1) => Cell::new("O", Ink::Orange),
                _ => Cell::empty(),
            })
            .collect();
        View {
            rows: SIZE,
            cols: SIZE,
            cells,
            row_labels: (1..=SIZE).map(|row| row.to_string()).collect(),
            col_labels: ('a'..='h').map(String::from).collect(),
            facts: vec![
                Fact::Number("discs_x", i64::from(x.count_ones())),
                Fact::Number("discs_o", i64::from(o.count_ones())),
                Fact::Number("mobility", i64::from(self.open_cells().count_ones())),
            ],
            control: Control::Point,
        }
    }

    fn action_cells(&self, action: Square) -> Vec<usize> {
        if action == Square::PASS {
            // The pass is the only move: pointing at any empty cell passes.
            let empty = !(self.own | self.opp);
            return (0..CELLS as usize).filter(|cell| empty >> cell & 1 == 1).collect();
        }
        vec![usize::from(action.0)]
    }

    /// The new disc, then those it turns over, the nearest first.
    fn motion(&self, action: Square) -> Vec<Movement> {
        if action == Square::PASS {
            return Vec::new();
        }
        let placed = usize::from(action.0);
        let turned = flips(self.own, self.opp, 1 << placed);
        let distance = |cell: usize| {
            let rows = (cell / SIZE).abs_diff(placed / SIZE);
            rows.max((cell % SIZE).abs_diff(placed % SIZE)) as u16
        };
        let mut motion = vec![Movement::appear(placed, 0)];
        let cells = (0..CELLS as usize).filter(|cell| turned >> cell & 1 == 1);
        motion.extend(cells.map(|cell| Movement::turn(cell, distance(cell))));
        motion
    }
}
