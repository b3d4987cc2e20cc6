//! Records of 2048-like games as the public 2048-Framework and the course tools
//! built on it write them: one episode per line.
//!
//! ```text
//! PLAYER:ENV@TICK|ACTIONS|WINNER@TOCK
//! greedy:random@1700000000000|11D1(1)#L(2)61#D[4](3)11|random@1700000000007
//! ```
//!
//! The board is empty at first. The environment places tiles: the cell as a
//! hexadecimal digit, row by row from the top left, then the tile's index in its
//! series as one of `1`-`9`, `A`-`Z`. The player slides with `#U`, `#R`, `#D` or
//! `#L`. After a move stand what it paid in `[]` and the milliseconds it took in
//! `()`, each unless it is 0. In Threes! the environment also names the next
//! hint, as a third character: `1`, `2`, `3`, or `4` for a bonus tile. TICK and
//! TOCK are milliseconds since the start of 1970.
//!
//! [`Episode`] is what was written alone; [`to_record`] and [`to_episode`] replay it by
//! the rules of a game and translate to and from [`ludens_core::Record`].

mod convert;
mod games;
mod names;
mod read;
mod replay;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use ludens_core::ParseError;

use crate::tiles::Slide;

pub use convert::{Seats, to_episode, to_record};
pub use games::{FrameworkGame, Refused};
pub(crate) use games::{board_of, opening_of};

/// One game as a line of text.
///
/// ```
/// use ludens_games::framework::{Episode, Form};
/// let line = "greedy:random@7|11D1(1)#L(2)61#D[4](3)11|random@16";
/// let episode = Episode::parse(Form::Tile, line).unwrap();
/// assert_eq!((episode.player.as_str(), episode.moves.len()), ("greedy", 6));
/// assert_eq!(episode.write(), line);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Episode {
    /// The player's name. No name is empty or holds `@`, `|`, blanks or control
    /// characters.
    pub player: String,
    /// The environment's name, without `:`.
    pub env: String,
    /// When the game began.
    pub tick: u64,
    /// The moves of both.
    pub moves: Vec<Move>,
    /// The name of who won, as a rule the environment: it moved last.
    pub winner: String,
    /// When the game ended.
    pub tock: u64,
}

/// A move of either side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// What was done.
    pub step: Step,
    /// What it paid, below 2^48.
    pub reward: u64,
    /// How long it took, below 2^48.
    pub millis: u64,
}

/// What a [`Move`] does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The player's.
    Slide(Slide),
    /// The environment's.
    Place(Placement),
}

/// A tile and where it goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    /// The cell, 0 to 15, row by row from the top left.
    pub cell: u8,
    /// The tile's index in its series, 1 to 35.
    pub tile: u8,
    /// The next hint in Threes!: 1 to 3 for that tile, 4 for a bonus tile.
    pub hint: Option<u8>,
}

/// How placements are written, which episodes do not say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Cell and tile.
    Tile,
    /// Cell, tile and the next hint.
    TileAndHint,
}

impl Step {
    /// The step as the format writes it; `?` for what it cannot write.
    ///
    /// ```
    /// use ludens_games::framework::{Placement, Step};
    /// use ludens_games::tiles::Slide;
    /// assert_eq!(Step::Slide(Slide::Left).text(), "#L");
    /// assert_eq!(Step::Place(Placement { cell: 11, tile: 17, hint: None }).text(), "BH");
    /// ```
    pub fn text(self) -> String {
        match self {
            Step::Slide(slide) => format!("#{}", LETTERS[slide.index()]),
            Step::Place(Placement { cell, tile, hint }) => {
                [Some(cell), Some(tile), hint].into_iter().flatten().map(digit).collect()
            }
        }
    }
}

/// The letters of the slides by index.
const LETTERS: [char; 4] = ['U', 'R', 'D', 'L'];

fn digit(value: u8) -> char {
    char::from_digit(value.into(), 36).map_or('?', |digit| digit.to_ascii_uppercase())
}

impl Episode {
    /// The episode as one line, without a line end.
    pub fn write(&self) -> String {
        let mut out = format!("{}:{}@{}|", self.player, self.env, self.tick);
        for Move { step, reward, millis } in &self.moves {
            out.push_str(&step.text());
            for (open, value, close) in [('[', reward, ']'), ('(', millis, ')')] {
                if *value != 0 {
                    write!(out, "{open}{value}{close}").expect("writing to a string cannot fail");
                }
            }
        }
        out + &format!("|{}@{}", self.winner, self.tock)
    }

    /// Reads one line, strictly: what reads is exactly what would be written.
    ///
    /// # Errors
    /// At the first character that is not as [`write`](Episode::write) would write it.
    pub fn parse(form: Form, line: &str) -> Result<Episode, ParseError> {
        read::Reader::new(form, line).episode()
    }
}

/// A file of episodes: one line each.
pub fn write_all(episodes: &[Episode]) -> String {
    episodes.iter().map(|episode| episode.write() + "\n").collect()
}

/// Reads a file of episodes, strictly: every line ends with a line feed.
///
/// # Errors
/// At the first wrong character; the message names its line.
pub fn read_all(form: Form, text: &str) -> Result<Vec<Episode>, ParseError> {
    let mut episodes = Vec::new();
    for (i, line) in text.split_inclusive('\n').enumerate() {
        let location = format!("line {}", i + 1);
        let Some(line) = line.strip_suffix('\n') else {
            return Err(ParseError::new(location, "the end", "a line feed after every episode"));
        };
        episodes.push(Episode::parse(form, line).map_err(|error| error.within(&location))?);
    }
    Ok(episodes)
}
