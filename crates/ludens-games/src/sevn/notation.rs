//! Sevn as text: who moves, the scores, the rows from the top, such as
//! `2/-dcc-ba/5.1dbbc.deeaa.eecb1.1ce2`. Moves are cells: `0,0;2,1`.
//!
//! Rows and columns count from 0 at the top left, in moves as in messages.

use ludens_core::error::quote;
use ludens_core::{
    ArrayVec, Cell, Control, Fact, Game, Ink, Movement, Notation, ParseError, Player, View,
};

use super::grid::MAX_BASE;
use super::symmetry::cells;
use super::{Base, Scores, Sevn, Tiles};

/// The letter of a colour, or of a score's size.
fn letter(number: usize) -> char {
    char::from(b'a' + number as u8)
}

/// The scores, as many as there are colours.
fn parse_scores(variant: Base, text: &str) -> Result<(Base, ArrayVec<i32, MAX_BASE>), ParseError> {
    let mut leads = ArrayVec::new();
    let mut sign = 1;
    for c in text.chars() {
        let error = |expected| {
            let location = format!("score {}", leads.len());
            Err(ParseError::new(location, quote(&c.to_string()), expected))
        };
        match c {
            '-' if sign == 1 => sign = -1,
            'a' if sign == -1 => return error("a letter after 'a': no lead has no sign"),
            'a'..='l' if leads.is_full() => return error("at most 11 scores"),
            'a'..='l' => {
                leads.push(sign * (c as i32 - 'a' as i32));
                sign = 1;
            }
            _ if sign == -1 => return error("a letter after '-'"),
            _ => return error("a letter, or '-' and a letter"),
        }
    }
    if sign == -1 {
        return Err(ParseError::new("scores", "a '-' at the end", "a letter after it"));
    }
    let found = format!("{} scores", leads.len());
    match Base::new(leads.len()) {
        None => Err(ParseError::new("scores", found, "3, 5, 7, 9 or 11")),
        Some(base) if base != variant && variant != Base::default() => {
            let expected = format!("{}, the base of the game", variant.get());
            Err(ParseError::new("scores", found, expected))
        }
        Some(base) => Ok((base, leads)),
    }
}

/// One row as codes: 0 for an empty cell, else the colour's number plus one.
fn parse_row(n: usize, row: usize, text: &str, codes: &mut [u8]) -> Result<(), ParseError> {
    let location = || format!("row {row}");
    // Ten and eleven may also stand as numbers; `10` means nothing else, and
    // `11` fills a row only if it is eleven.
    let ten = text.replacen("10", "91", 1);
    let text = match text {
        "11" if n == 11 => "92",
        _ if n == 11 => &ten,
        _ => text,
    };
    let mut at = 0;
    for c in text.chars() {
        let length = match c {
            '1'..='9' => c as usize - '0' as usize,
            'a'..='k' if c < letter(n) => 1,
            _ => {
                let expected = format!("a digit 1-9 or a letter a-{}", letter(n - 1));
                return Err(ParseError::new(location(), quote(&c.to_string()), expected));
            }
        };
        if at + length > n {
            return Err(ParseError::new(location(), "more cells", format!("{n} cells")));
        }
        if c.is_ascii_lowercase() {
            codes[at] = c as u8 - b'a' + 1;
        }
        at += length;
    }
    if at < n {
        return Err(ParseError::new(location(), format!("{at} cells"), format!("{n} cells")));
    }
    Ok(())
}

/// Refuses what no game can lead to, as far as tiles, scores and turns show.
fn check(position: &Sevn) -> Result<(), ParseError> {
    let n = position.base.get();
    // For each player the fewest moves (a colour needs one) and the most (a
    // move needs a tile).
    let (mut fewest, mut most) = ([0; 2], [0; 2]);
    let mut full = 0;
    for colour in 0..n {
        let name = letter(colour);
        let left = cells(position.tiles()).filter(|&c| position.colour(c) == Some(colour)).count();
        let Some(taken) = n.checked_sub(left) else {
            let found = format!("{left} tiles '{name}'");
            return Err(ParseError::new("rows", found, format!("at most {n}")));
        };
        let score = position.lead(colour);
        let lead = score.unsigned_abs() as usize;
        if lead > taken || (taken - lead) % 2 == 1 {
            let parity = if taken % 2 == 0 { "even" } else { "odd" };
            let expected =
                format!("an {parity} lead of at most {taken}, the tiles taken of this colour");
            return Err(ParseError::new(format!("score of '{name}'"), score.to_string(), expected));
        }
        full += usize::from(lead == n);
        let behind = (taken - lead) / 2;
        let by_player = if score > 0 { [taken - behind, behind] } else { [behind, taken - behind] };
        for player in 0..2 {
            fewest[player] += usize::from(by_player[player] > 0);
            most[player] += by_player[player];
        }
    }
    if full > 1 {
        let found = format!("{full} colours complete in one hand");
        return Err(ParseError::new("scores", found, "the game to stop at the first"));
    }
    if full == 1 && position.result == position.mover.sign() as i8 {
        let found = format!("{}, who has won", position.mover);
        let expected = position.mover.opponent().to_string();
        return Err(ParseError::new("player to move", found, expected));
    }
    let (ahead, expected) = match position.mover {
        Player::One => (0, "as many by both, for 1 to move"),
        Player::Two => (1, "one more by player 1, for 2 to move"),
    };
    if fewest[0].max(fewest[1] + ahead) > most[0].min(most[1] + ahead) {
        let [one, two] = [0, 1].map(|player| format!("{} to {}", fewest[player], most[player]));
        let found = format!("{one} by player 1 and {two} by player 2");
        return Err(ParseError::new("turns", found, expected));
    }
    // A takeable tile stays takeable, so holes may be made in any order.
    let holes = position.base.board() & !position.tiles();
    let mut tiles = position.base.board();
    while let open @ 1.. = position.base.takeable(tiles) & holes {
        tiles &= !open;
    }
    match cells(tiles & holes).next() {
        None => Ok(()),
        Some(cell) => {
            let found = format!("an empty cell at {}", cell_text(n, cell));
            Err(ParseError::new("rows", found, "a tile: it cannot have been takeable"))
        }
    }
}

fn cell_text(n: usize, cell: usize) -> String {
    format!("{},{}", cell / n, cell % n)
}

/// Reads `row,column`.
fn parse_cell(n: usize, text: &str) -> Option<usize> {
    let number = |text: &str| text.parse().ok().filter(|v: &usize| *v < n && v.to_string() == text);
    let (row, column) = text.split_once(',')?;
    Some(number(row)? * n + number(column)?)
}

impl Sevn {
    fn scores_text(&self) -> String {
        let mut out = String::new();
        for colour in 0..self.base.get() {
            let score = self.lead(colour);
            if score < 0 {
                out.push('-');
            }
            out.push(letter(score.unsigned_abs() as usize));
        }
        out
    }
}

impl Notation for Sevn {
    const NAME: &'static str = "sevn";

    /// Reads a position. The scores give the base; the default variant takes
    /// any, another one only its own.
    fn parse(variant: &Base, text: &str) -> Result<Self, ParseError> {
        let parts: Vec<&str> = text.trim().splitn(4, '/').collect();
        let [mover, scores_text, rows] = parts[..] else {
            return Err(ParseError::new("position", quote(text), "player/scores/rows"));
        };
        let mover = match mover {
            "1" => Player::One,
            "2" => Player::Two,
            _ => return Err(ParseError::new("player to move", quote(mover), "1 or 2")),
        };
        let (base, leads) = parse_scores(*variant, scores_text)?;
        let n = base.get();
        let mut scores = Scores::new();
        for (colour, &lead) in leads.iter().enumerate() {
            if lead.unsigned_abs() as usize > n {
                let location = format!("score of '{}'", letter(colour));
                return Err(ParseError::new(location, lead.to_string(), format!("at most {n}")));
            }
            scores.add(colour, lead);
        }
        let count = rows.split('.').count();
        if count != n {
            let expected = format!("{n} separated by '.'");
            return Err(ParseError::new("rows", format!("{count} rows"), expected));
        }
        let mut codes = [0; MAX_BASE * MAX_BASE];
        for (row, text) in rows.split('.').enumerate() {
            parse_row(n, row, text, &mut codes[row * n..][..n])?;
        }
        let position = Sevn::new(Sevn::planes_of(&codes[..n * n]), scores, base, mover);
        check(&position)?;
        Ok(position)
    }

    fn text(&self) -> String {
        let n = self.base.get();
        let mut out = format!("{}/{}/", self.mover, self.scores_text());
        for row in 0..n {
            if row > 0 {
                out.push('.');
            }
            let mut empty = 0;
            for column in 0..=n {
                let tile = if column < n { self.colour(row * n + column) } else { None };
                if column < n && tile.is_none() {
                    empty += 1;
                    continue;
                }
                // One digit each, so that they add up: ten empty cells are `91`.
                while empty > 0 {
                    let digit = empty.min(9);
                    out.push_str(&digit.to_string());
                    empty -= digit;
                }
                out.extend(tile.map(letter));
            }
        }
        out
    }

    fn parse_action(&self, text: &str) -> Result<Tiles, ParseError> {
        let n = self.base.get();
        if self.is_over() {
            return Err(ParseError::new("move", quote(text), "no move: the game is over"));
        }
        let free = self.takeable().0;
        let mut tiles = 0u128;
        let mut colour = None;
        for part in text.split(';') {
            let error = |expected: &str| Err(ParseError::new("move", quote(part), expected));
            let Some(cell) = parse_cell(n, part) else {
                return error(&format!("row,column, both from 0 to {}", n - 1));
            };
            if free >> cell & 1 == 0 {
                return error("a takeable tile");
            }
            if tiles >> cell & 1 == 1 {
                return error("each tile once");
            }
            let here = self.colour(cell);
            match colour {
                Some(first) if here != colour => {
                    return error(&format!("a tile of colour '{}' like the first", letter(first)));
                }
                _ => colour = here,
            }
            tiles |= 1 << cell;
        }
        Ok(Tiles(tiles))
    }

    fn action_text(&self, action: Tiles) -> String {
        let n = self.base.get();
        cells(action.0).map(|cell| cell_text(n, cell)).collect::<Vec<_>>().join(";")
    }

    /// Takeable tiles are capital letters.
    fn view(&self) -> View {
        let n = self.base.get();
        let free = self.takeable().0;
        let draw = |cell: usize| match self.colour(cell) {
            None => Cell::empty(),
            Some(colour) => {
                let name = letter(colour);
                let name = if free >> cell & 1 == 1 { name.to_ascii_uppercase() } else { name };
                Cell::new(name, Ink::PIECES[colour])
            }
        };
        let scores: Vec<String> = (0..n)
            .map(|colour| match self.lead(colour) {
                0 => format!("{} 0", letter(colour)),
                score => format!("{} {score:+}", letter(colour)),
            })
            .collect();
        View {
            rows: n,
            cols: n,
            cells: (0..n * n).map(draw).collect(),
            row_labels: (0..n).map(|row| row.to_string()).collect(),
            col_labels: (0..n).map(|column| column.to_string()).collect(),
            facts: vec![
                Fact::Text("scores", scores.join(", ")),
                Fact::Number("tiles", i64::from(self.tiles().count_ones())),
                Fact::Number("takeable", i64::from(free.count_ones())),
            ],
            control: Control::Pick,
        }
    }

    fn action_cells(&self, action: Tiles) -> Vec<usize> {
        cells(action.0).collect()
    }

    /// Tiles are taken one after another; those that can be taken then show it.
    fn motion(&self, action: Tiles) -> Vec<Movement> {
        let taken = (0..).zip(cells(action.0)).map(|(i, cell)| Movement::vanish(cell, i));
        let next = self.apply(action).0;
        let freed = next.takeable().0 & !self.takeable().0;
        let last = action.0.count_ones() as u16;
        taken.chain(cells(freed).map(|cell| Movement::turn(cell, last))).collect()
    }
}
