//! The strict reader of one line.

use ludens_core::ParseError;
use ludens_core::error::quote;

use super::{Episode, Form, LETTERS, Move, Placement, Step};
use crate::tiles::Slide;

/// Amounts are below this, so that no sum over an episode can overflow.
pub(super) const LIMIT: u64 = 1 << 48;

pub(super) struct Reader<'a> {
    form: Form,
    text: &'a str,
    /// What has not been read yet; always an end of `text`.
    rest: &'a str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(form: Form, text: &'a str) -> Self {
        Reader { form, text, rest: text }
    }

    pub(super) fn episode(mut self) -> Result<Episode, ParseError> {
        let tag = self.name("the player's name")?;
        let Some((player, env)) =
            tag.rsplit_once(':').filter(|(p, e)| !p.is_empty() && !e.is_empty())
        else {
            let expected = "PLAYER:ENV, two names joined by ':'";
            return Err(self.error_at(self.text, quote(tag), expected));
        };
        self.expect('@', "'@' and the time the game began")?;
        let tick = self.number(0, u64::MAX, "milliseconds since 1970")?;
        self.expect('|', "'|' and the moves")?;
        let mut moves = Vec::new();
        while !self.rest.starts_with('|') {
            moves.push(self.one_move()?);
        }
        self.expect('|', "'|' and the winner")?;
        let winner = self.name("the winner's name")?;
        self.expect('@', "'@' and the time the game ended")?;
        let tock = self.number(0, u64::MAX, "milliseconds since 1970")?;
        if !self.rest.is_empty() {
            return Err(self.error("nothing more"));
        }
        Ok(Episode {
            player: player.to_owned(),
            env: env.to_owned(),
            tick,
            moves,
            winner: winner.to_owned(),
            tock,
        })
    }

    fn one_move(&mut self) -> Result<Move, ParseError> {
        let step = if self.rest.starts_with('#') {
            self.rest = &self.rest[1..];
            Step::Slide(self.slide()?)
        } else {
            Step::Place(self.placement()?)
        };
        Ok(Move {
            step,
            reward: self.amount('[', ']', "a reward")?,
            millis: self.amount('(', ')', "milliseconds")?,
        })
    }

    fn slide(&mut self) -> Result<Slide, ParseError> {
        let expected = "a slide U, R, D or L";
        let index = self.rest.chars().next().and_then(|c| LETTERS.iter().position(|&l| l == c));
        let slide = index.and_then(Slide::from_index).ok_or_else(|| self.error(expected))?;
        self.rest = &self.rest[1..];
        Ok(slide)
    }

    fn placement(&mut self) -> Result<Placement, ParseError> {
        Ok(Placement {
            cell: self.digit(0, 15, "a cell 0-9 or A-F, '#' and a slide, or '|'")?,
            tile: self.digit(1, 35, "a tile's index 1-9 or A-Z")?,
            hint: match self.form {
                Form::Tile => None,
                Form::TileAndHint => Some(self.digit(1, 4, "a hint 1-3, or 4 for a bonus tile")?),
            },
        })
    }

    /// A digit to the base 36, capital letters only.
    fn digit(&mut self, least: u8, most: u8, expected: &str) -> Result<u8, ParseError> {
        let value = match self.rest.as_bytes().first() {
            Some(c @ b'0'..=b'9') => c - b'0',
            Some(c @ b'A'..=b'Z') => c - b'A' + 10,
            _ => return Err(self.error(expected)),
        };
        if !(least..=most).contains(&value) {
            return Err(self.error(expected));
        }
        self.rest = &self.rest[1..];
        Ok(value)
    }

    /// A number above 0 in brackets; 0 when there are no such brackets.
    fn amount(&mut self, open: char, close: char, what: &str) -> Result<u64, ParseError> {
        let Some(rest) = self.rest.strip_prefix(open) else { return Ok(0) };
        self.rest = rest;
        let value = self.number(1, LIMIT - 1, &format!("{what} from 1 to 2^48-1"))?;
        self.expect(close, &quote(close.encode_utf8(&mut [0; 4])))?;
        Ok(value)
    }

    /// A number in the form it is written: without a sign or leading zeros.
    fn number(&mut self, least: u64, most: u64, expected: &str) -> Result<u64, ParseError> {
        let end = self.rest.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let canonical = !digits.is_empty() && (digits == "0" || !digits.starts_with('0'));
        match digits.parse() {
            Ok(value) if canonical && (least..=most).contains(&value) => {
                self.rest = rest;
                Ok(value)
            }
            _ if digits.is_empty() => Err(self.error(expected)),
            _ => Err(self.error_at(self.rest, quote(digits), expected)),
        }
    }

    /// A name, or two joined by `:`; it ends before `@` or `|`.
    fn name(&mut self, expected: &str) -> Result<&'a str, ParseError> {
        let ends = |c: char| c == '@' || c == '|' || c.is_whitespace() || c.is_control();
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() {
            return Err(self.error(expected));
        }
        self.rest = rest;
        Ok(name)
    }

    fn expect(&mut self, c: char, expected: &str) -> Result<(), ParseError> {
        self.rest = self.rest.strip_prefix(c).ok_or_else(|| self.error(expected))?;
        Ok(())
    }

    /// An error about the next character.
    fn error(&self, expected: &str) -> ParseError {
        let found = match self.rest.chars().next() {
            Some(c) => quote(c.encode_utf8(&mut [0; 4])),
            None => "the end".to_owned(),
        };
        self.error_at(self.rest, found, expected)
    }

    /// An error about what begins at `rest`, an end of the text.
    fn error_at(&self, rest: &str, found: String, expected: &str) -> ParseError {
        let before = &self.text[..self.text.len() - rest.len()];
        ParseError::new(format!("character {}", before.chars().count() + 1), found, expected)
    }
}
