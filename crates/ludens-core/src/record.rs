//! Whole games as text: one format for every game.
//!
//! ```text
//! ludens-record 1
//! game 2048
//! one random
//! seed 7
//! start 0,2,0,0/0,0,0,0/0,0,2,0/0,0,0,0
//! move left 2@5 0 3
//! move up 4@1 4 2
//! total 4
//! end
//! ```
//!
//! A move line holds the action, nature's outcome (`-` if none), what the turn
//! paid, and the milliseconds it took. `two` (second player) and `seed` may be
//! missing; everything else is required, in this order, with single blanks.
//! Reading is strict: a text that reads is exactly what would be written.
//! Whether the moves are legal is for `ludens-engine`, which knows the games.

use std::fmt::Write as _;

use crate::ParseError;
use crate::error::quote;

/// The first line of every record of this version.
pub const HEADER: &str = "ludens-record 1";

/// A whole game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The game with its variant, such as `sevn:base=5`.
    pub game: String,
    /// The first player's name.
    pub one: String,
    /// The second player's name, in two-player games.
    pub two: Option<String>,
    /// The seed of the game's randomness.
    pub seed: Option<u64>,
    /// The start position.
    pub start: String,
    /// The moves.
    pub moves: Vec<RecordedMove>,
}

/// One turn of a [`Record`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedMove {
    /// The action.
    pub action: String,
    /// Nature's outcome, where it had a choice.
    pub chance: Option<String>,
    /// What the action and the outcome paid together.
    pub reward: i64,
    /// How long the player took.
    pub millis: u64,
}

impl Record {
    /// The sum of the rewards. In a record nobody played it may be more than an
    /// `i64` holds, and stops there.
    pub fn total(&self) -> i64 {
        self.moves.iter().fold(0, |sum: i64, m| sum.saturating_add(m.reward))
    }

    /// The record as text.
    pub fn write(&self) -> String {
        let mut out = format!("{HEADER}\ngame {}\none {}\n", self.game, self.one);
        let mut line = |text: std::fmt::Arguments<'_>| {
            out.write_fmt(text).expect("writing to a string cannot fail");
            out.push('\n');
        };
        if let Some(two) = &self.two {
            line(format_args!("two {two}"));
        }
        if let Some(seed) = self.seed {
            line(format_args!("seed {seed}"));
        }
        line(format_args!("start {}", self.start));
        for m in &self.moves {
            let chance = m.chance.as_deref().unwrap_or("-");
            line(format_args!("move {} {chance} {} {}", m.action, m.reward, m.millis));
        }
        line(format_args!("total {}\nend", self.total()));
        out
    }

    /// Reads a record, strictly.
    ///
    /// # Errors
    /// At the first line that is not as [`write`](Record::write) would write it.
    pub fn parse(text: &str) -> Result<Record, ParseError> {
        let mut lines = Lines { rest: text, number: 0 };
        lines.exactly(HEADER)?;
        let mut record = Record {
            game: lines.field("game")?.to_owned(),
            one: lines.field("one")?.to_owned(),
            ..Record::default()
        };
        record.two = lines.optional("two")?.map(str::to_owned);
        record.seed = match lines.optional("seed")? {
            Some(seed) => Some(lines.number(seed, "a seed from 0 to 2^64-1")?),
            None => None,
        };
        record.start = lines.field("start")?.to_owned();
        while let Some(rest) = lines.optional("move")? {
            record.moves.push(lines.recorded_move(rest)?);
        }
        let total = lines.field("total")?;
        if total != record.total().to_string() {
            let expected = format!("{}, the sum of the rewards", record.total());
            return Err(lines.error(quote(total), expected));
        }
        lines.exactly("end")?;
        if !lines.rest.is_empty() {
            lines.number += 1;
            return Err(lines.error("more text".to_owned(), "nothing after 'end'"));
        }
        Ok(record)
    }
}

/// The lines of a record, with the number of the one last read.
struct Lines<'a> {
    rest: &'a str,
    number: usize,
}

impl<'a> Lines<'a> {
    fn error(&self, found: String, expected: impl Into<String>) -> ParseError {
        ParseError::new(format!("record line {}", self.number), found, expected)
    }

    fn peek(&self) -> Option<(&'a str, &'a str)> {
        self.rest.split_once('\n')
    }

    fn advance(&mut self, expected: &str) -> Result<&'a str, ParseError> {
        self.number += 1;
        let Some((line, rest)) = self.peek() else {
            let found = match self.rest {
                "" => "the end".to_owned(),
                text => format!("{} without a line end", quote(text)),
            };
            return Err(self.error(found, expected));
        };
        self.rest = rest;
        Ok(line)
    }

    fn exactly(&mut self, expected: &str) -> Result<(), ParseError> {
        let line = self.advance(&quote(expected))?;
        if line == expected { Ok(()) } else { Err(self.error(quote(line), quote(expected))) }
    }

    fn field(&mut self, key: &str) -> Result<&'a str, ParseError> {
        let expected = format!("'{key} ..'");
        let line = self.advance(&expected)?;
        match line.strip_prefix(key).and_then(|rest| rest.strip_prefix(' ')) {
            Some(value) if !value.is_empty() && value.trim() == value => Ok(value),
            _ => Err(self.error(quote(line), expected)),
        }
    }

    fn optional(&mut self, key: &str) -> Result<Option<&'a str>, ParseError> {
        let here = self.peek().map_or("", |(line, _)| line);
        if here == key || here.strip_prefix(key).is_some_and(|rest| rest.starts_with(' ')) {
            self.field(key).map(Some)
        } else {
            Ok(None)
        }
    }

    /// A number in the form Rust writes it: no plus sign, no leading zeros.
    fn number<T>(&self, text: &str, expected: &str) -> Result<T, ParseError>
    where
        T: std::str::FromStr + std::fmt::Display,
    {
        match text.parse::<T>() {
            Ok(value) if value.to_string() == text => Ok(value),
            _ => Err(self.error(quote(text), expected)),
        }
    }

    fn recorded_move(&self, text: &str) -> Result<RecordedMove, ParseError> {
        let parts: Vec<&str> = text.split(' ').collect();
        let [action, chance, reward, millis] = parts[..] else {
            return Err(self.error(quote(text), "'move ACTION OUTCOME REWARD MILLISECONDS'"));
        };
        if action.is_empty() || chance.is_empty() {
            return Err(self.error(quote(text), "single blanks between the four parts"));
        }
        // Bounded to 48 bits so that no sum over a real game can overflow.
        let reward: i64 = self.number(reward, "a whole reward")?;
        if reward.unsigned_abs() >= 1 << 48 {
            return Err(self.error(quote(&reward.to_string()), "a reward below 2^48"));
        }
        Ok(RecordedMove {
            action: action.to_owned(),
            chance: (chance != "-").then(|| chance.to_owned()),
            reward,
            millis: self.number(millis, "whole milliseconds")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Record {
        Record {
            game: "2048".into(),
            one: "random".into(),
            two: None,
            seed: Some(7),
            start: "0,2/0,2".into(),
            moves: vec![
                RecordedMove {
                    action: "left".into(),
                    chance: Some("2@5".into()),
                    reward: 0,
                    millis: 3,
                },
                RecordedMove { action: "up".into(), chance: None, reward: 4, millis: 2 },
            ],
        }
    }

    #[test]
    fn round_trips() {
        let text = sample().write();
        assert_eq!(Record::parse(&text).unwrap(), sample());
        let duel = Record { two: Some("a person".into()), seed: None, ..sample() };
        assert_eq!(Record::parse(&duel.write()).unwrap(), duel);
    }

    #[test]
    fn every_damage_is_an_error() {
        let text = sample().write();
        for at in 0..text.len() {
            let mut cut = text.clone();
            cut.remove(at);
            if let Ok(read) = Record::parse(&cut) {
                assert_eq!(read.write(), cut, "what reads is what would be written");
            }
            assert!(Record::parse(&text[..at]).is_err(), "cut at {at}");
        }
        assert!(Record::parse(&format!("{text}\n")).is_err());
    }

    #[test]
    fn huge_rewards_do_not_overflow() {
        let huge = RecordedMove { reward: (1 << 48) - 1, ..sample().moves[1].clone() };
        let record = Record { moves: vec![huge; 1 << 16], ..sample() };
        assert_eq!(record.total(), i64::MAX);
        assert_eq!(Record::parse(&record.write()).unwrap(), record);
    }

    #[test]
    fn messages_name_the_line() {
        let wrong_total = sample().write().replace("total 4", "total 5");
        let message = Record::parse(&wrong_total).unwrap_err().to_string();
        assert_eq!(message, "record line 8: found '5', expected 4, the sum of the rewards");
    }
}
