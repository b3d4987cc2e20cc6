//! Threes! as text.
//!
//! A position is the board, the hint, the tiles left in the bag and, in the
//! capped form, the account of bonus tiles: `0,1,0/0,0,2 3 1.1.1`. An
//! afterstate has the slide after the board, with the lines it changed where
//! the rules ask for them: `0,0,1,.. left:24 3 4.3.4`.

use ludens_core::error::quote;
use ludens_core::{AfterNotation, Fact, Game, Movement, Notation, ParseError, Spawns, View};

use crate::tiles::{self, Growth, Slide, line, nibbles};

use super::consistency::{bags, fits};
use super::slide::{LARGEST, merges, score, value};
use super::supply::{Bag, Supply};
use super::{Bonus, Draw, Hint, Spawn, SpawnRule, Threes, ThreesAfter, ThreesVariant};

fn bag_text(bag: Bag) -> String {
    let [ones, twos, threes] = bag.counts();
    format!("{ones}.{twos}.{threes}")
}

fn board_text(variant: ThreesVariant, board: u64) -> String {
    tiles::text::write(variant.size(), |square| value((board >> (4 * square) & 15) as u8))
}

fn parse_board(variant: ThreesVariant, text: &str) -> Result<u64, ParseError> {
    let index = |number: u32| (0..=LARGEST).find(|&index| value(index) == number);
    let expected = "0 or a tile: 1, 2, 3, 6, 12, .., 6144";
    let grid = tiles::text::parse(variant.size(), text, expected, index)?;
    if variant.bonus() == Bonus::Off {
        // Without bonus tiles no new tile is larger than a 3.
        Growth { last: 3, step: 1 }.check(variant.size(), &grid, value)?;
    }
    let board = nibbles::pack(&grid);
    if board == 0 {
        return Err(ParseError::new("board", "no tile", "at least one"));
    }
    Ok(board)
}

fn parse_hint(variant: ThreesVariant, text: &str) -> Result<Hint, ParseError> {
    match Hint::ALL.into_iter().find(|hint| hint.text() == text) {
        Some(Hint::Bonus) if variant.bonus() == Bonus::Off => {
            Err(ParseError::new("hint", "'+'", "1, 2 or 3: there are no bonus tiles"))
        }
        Some(hint) => Ok(hint),
        None => Err(ParseError::new("hint", quote(text), "1, 2, 3 or +")),
    }
}

fn parse_bag(variant: ThreesVariant, text: &str) -> Result<Bag, ParseError> {
    let most = variant.of_each();
    let count = |text: &str| match text.as_bytes() {
        [digit @ b'0'..=b'4'] if digit - b'0' <= most => Some(digit - b'0'),
        _ => None,
    };
    let counts: Vec<Option<u8>> = text.split('.').map(count).collect();
    match counts[..] {
        // An empty bag is filled at once.
        [Some(0), Some(0), Some(0)] => Ok(Bag::full(most)),
        [Some(ones), Some(twos), Some(threes)] => Ok(Bag::new([ones, twos, threes])),
        _ => {
            let expected = format!("ONES.TWOS.THREES left, 0 to {most} each");
            Err(ParseError::new("bag", quote(text), expected))
        }
    }
}

fn parse_spare(text: &str) -> Result<u16, ParseError> {
    match text.parse() {
        Ok(spare) if text.bytes().all(|b| b.is_ascii_digit()) => Ok(spare),
        _ => {
            let expected = "the tiles placed, less 21 for each bonus tile";
            Err(ParseError::new("spare", quote(text), expected))
        }
    }
}

/// Reads the hint, the bag and the account of bonus tiles. A bag left out is
/// found from the rest where only one fits.
fn parse_supply(variant: ThreesVariant, board: u64, fields: &[&str]) -> Result<Supply, ParseError> {
    let capped = variant.bonus() == Bonus::Capped;
    let (hint, bag, spare) = match (fields, capped) {
        (&[hint, bag, spare], true) => (hint, Some(bag), parse_spare(spare)?),
        (&[hint, bag], false) => (hint, Some(bag), 0),
        (&[hint], false) => (hint, None, 0),
        _ => {
            let (expected, count) = if capped {
                ("a hint, a bag and a number after it", 3)
            } else {
                ("a hint and a bag after it", 2)
            };
            let found = match fields.get(count) {
                Some(more) => quote(more),
                None => quote(&fields.join(" ")),
            };
            return Err(ParseError::new("board", found, expected));
        }
    };
    let hint = parse_hint(variant, hint)?;
    let fitting = || bags(variant, board, hint, spare);
    let Some(example) = fitting().next() else {
        return Err(ParseError::new(
            "hint",
            quote(&fields.join(" ")),
            "a hint that can come up with these tiles: the position is unreachable",
        ));
    };
    let expected = || format!("the tiles left in the bag, such as {}", bag_text(example));
    let bag = match bag {
        Some(text) => {
            let bag = parse_bag(variant, text)?;
            if !fits(board, Supply::new(variant, bag, hint, spare)) {
                let expected = format!("{} with this board and hint", expected());
                return Err(ParseError::new("bag", quote(text), expected));
            }
            bag
        }
        None if fitting().nth(1).is_some() => {
            return Err(ParseError::new("bag", "nothing", expected()));
        }
        None => example,
    };
    Ok(Supply::new(variant, bag, hint, spare))
}

fn supply_text(supply: Supply) -> String {
    let mut out = format!("{} {}", supply.hint().text(), bag_text(supply.bag()));
    if supply.variant().bonus() == Bonus::Capped {
        out.push_str(&format!(" {}", supply.spare()));
    }
    out
}

/// Reads `left:24`, or `left` where changed lines do not matter.
fn parse_slide(variant: ThreesVariant, board: u64, text: &str) -> Result<(Slide, u8), ParseError> {
    let (name, numbers) = match text.split_once(':') {
        Some((name, numbers)) => (name, Some(numbers)),
        None => (text, None),
    };
    let slide = Slide::parse(name).map_err(|e| e.within("afterstate"))?;
    let lines: Vec<Vec<u8>> = line::lines(variant.size(), slide)
        .map(|squares| squares.map(|square| (board >> (4 * square) & 15) as u8).collect())
        .collect();
    let ends_empty = |tiles: &Vec<u8>| tiles.last() == Some(&0);
    let error = |expected: &str| Err(ParseError::new("lines changed", quote(text), expected));
    let Some(numbers) = numbers else {
        return match variant.spawn_rule() {
            SpawnRule::Changed => error("their numbers after the slide, such as left:24"),
            SpawnRule::Side if lines.iter().any(ends_empty) => Ok((slide, 0)),
            SpawnRule::Side => error("an empty cell on the side opposite to the slide"),
        };
    };
    if variant.spawn_rule() == SpawnRule::Side {
        return error("the slide alone");
    }
    let mut changed = 0;
    for digit in numbers.bytes() {
        let number = usize::from(digit.wrapping_sub(b'1'));
        if number >= lines.len() || changed >> number != 0 {
            return error("numbers of lines from 1, in order");
        }
        if !ends_empty(&lines[number]) || lines[number].iter().all(|&tile| tile == 0) {
            return error("lines with a tile, and with scratch for one on the opposite side");
        }
        changed |= 1 << number;
    }
    if changed == 0 { error("at least one line") } else { Ok((slide, changed)) }
}

fn view(board: u64, supply: Supply) -> View {
    let mut facts = vec![
        Fact::Text("hint", supply.hint().text().to_owned()),
        Fact::Number("score", i64::from(score(board))),
        Fact::Text("bag", bag_text(supply.bag())),
    ];
    if supply.variant().bonus() == Bonus::Capped {
        facts.push(Fact::Number("spare", i64::from(supply.spare())));
    }
    tiles::view::board(supply.variant().size(), &nibbles::unpack(board), value, facts)
}

impl Notation for Threes {
    const NAME: &'static str = "threes";

    fn parse(variant: &ThreesVariant, text: &str) -> Result<Self, ParseError> {
        let fields: Vec<&str> = text.split_whitespace().take(6).collect();
        let (first, rest) = fields.split_first().unwrap_or((&"", &[]));
        let board = parse_board(*variant, first)?;
        Ok(Threes { board, supply: parse_supply(*variant, board, rest)? })
    }

    fn text(&self) -> String {
        format!("{} {}", board_text(self.variant(), self.board), supply_text(self.supply))
    }

    fn parse_action(&self, text: &str) -> Result<Slide, ParseError> {
        Slide::parse_legal(text, self.actions())
    }

    fn action_text(&self, slide: Slide) -> String {
        slide.name().to_owned()
    }

    /// The tile, `@`, its cell row by row from 0, `:` and the next hint: `2@5:+`.
    fn chance_text(after: &ThreesAfter, Spawn { square, draw }: Spawn) -> String {
        let size = after.supply.variant().size();
        let tile = tiles::text::write_spawn(size, value(draw.tile), square);
        format!("{tile}:{}", draw.next.text())
    }

    fn view(&self) -> View {
        view(self.board, self.supply)
    }

    fn action_cells(&self, slide: Slide) -> Vec<usize> {
        let (board, _) = self.sliding().slide(slide);
        tiles::view::changed(self.variant().size(), &self.grid(), &nibbles::unpack(board))
    }

    fn motion(&self, slide: Slide) -> Vec<Movement> {
        tiles::motion::by_one(self.variant().size(), &self.grid(), slide, merges)
    }

    fn chance_motion(after: &ThreesAfter, spawn: Spawn) -> Vec<Movement> {
        Self::chance_cells(after, spawn).into_iter().map(|cell| Movement::appear(cell, 0)).collect()
    }
}

impl AfterNotation for Threes {
    fn after_variant(after: &ThreesAfter) -> ThreesVariant {
        after.supply.variant()
    }

    fn parse_after(variant: &ThreesVariant, text: &str) -> Result<ThreesAfter, ParseError> {
        let fields: Vec<&str> = text.split_whitespace().take(7).collect();
        let [board, slide, rest @ ..] = &fields[..] else {
            let expected = "a board, the last slide, a hint and a bag";
            return Err(ParseError::new("afterstate", quote(text), expected));
        };
        let board = parse_board(*variant, board)?;
        let (slide, lines) = parse_slide(*variant, board, slide)?;
        Ok(ThreesAfter { board, supply: parse_supply(*variant, board, rest)?, slide, lines })
    }

    fn after_text(after: &ThreesAfter) -> String {
        let lines: String = (1..=4u32)
            .filter(|number| after.lines >> (number - 1) & 1 == 1)
            .map(|number| number.to_string())
            .collect();
        let colon = if lines.is_empty() { "" } else { ":" };
        let board = board_text(after.supply.variant(), after.board);
        let slide = after.slide.name();
        format!("{board} {slide}{colon}{lines} {}", supply_text(after.supply))
    }

    fn after_view(after: &ThreesAfter) -> View {
        view(after.board, after.supply)
    }

    fn chance_cells(after: &ThreesAfter, spawn: Spawn) -> Vec<usize> {
        vec![after.supply.variant().size().cell(usize::from(spawn.square))]
    }
}

impl Spawns for Threes {
    /// The tile with the hint after it; neither depends on the cell.
    type Tile = Draw;

    fn tile_of(_: &ThreesAfter, spawn: Spawn) -> Draw {
        spawn.draw
    }

    fn tile_text(draw: Draw) -> String {
        format!("{}:{}", value(draw.tile), draw.next.text())
    }
}
