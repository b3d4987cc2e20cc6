//! Where games entered a stage, as a text file.
//!
//! The file is versioned: a line `ludens-arrivals 1`, then `game=`, `stages=`, `stage=` and
//! `count=`, then a line per game: its score so far, a space, and the afterstate that entered.

use std::path::Path;

use ludens_core::error::quote;
use ludens_core::{AfterNotation, Cells, ParseError, file};

use crate::error::failed;
use crate::{Error, RunDir};

/// The file's name in the folder of a run.
pub const ARRIVALS: &str = "arrivals.txt";
/// The first line: what it is, and the version of its form.
const MAGIC: &str = "ludens-arrivals 1";
/// Bytes at most.
const LARGEST: u64 = 1 << 30;

/// Where a game entered a stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival<G: Cells> {
    /// What the game had scored, the move that entered included.
    pub(super) score: i64,
    /// What that move led to.
    pub(super) after: G::After,
}

/// What the arrivals of a file are of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StageKey {
    /// The game with its variant.
    pub(super) game: String,
    /// The boundaries of the stages.
    pub(super) stages: String,
    /// The stage that was entered, from 1.
    pub(super) stage: usize,
}

impl StageKey {
    fn lines(&self, count: usize) -> [String; 5] {
        let StageKey { game, stages, stage } = self;
        [
            MAGIC.to_owned(),
            format!("game={game}"),
            format!("stages={stages}"),
            format!("stage={stage}"),
            format!("count={count}"),
        ]
    }
}

/// The file's text.
pub(super) fn write<G: AfterNotation + Cells>(key: &StageKey, arrivals: &[Arrival<G>]) -> String {
    let head = key.lines(arrivals.len());
    let games = arrivals.iter().map(|a| format!("{} {}", a.score, G::after_text(&a.after)));
    let lines: Vec<String> = head.into_iter().chain(games).collect();
    lines.join("\n") + "\n"
}

/// Reads a file's text.
///
/// # Errors
/// When it is of another key, damaged or cut off; the message names the line.
pub(super) fn parse<G: AfterNotation + Cells>(
    text: &str,
    key: &StageKey,
    variant: &G::Variant,
) -> Result<Vec<Arrival<G>>, ParseError> {
    let wrong = |line: usize, found: &str, expected: String| {
        ParseError::new(format!("line {}", line + 1), quote(found), expected)
    };
    let lines: Vec<&str> = text.lines().collect();
    let count = lines.len().saturating_sub(key.lines(0).len());
    for (i, expected) in key.lines(count).into_iter().enumerate() {
        let found = lines.get(i).copied().unwrap_or_default();
        if found != expected {
            return Err(wrong(i, found, expected));
        }
    }
    let arrival = |(i, line): (usize, &&str)| {
        let (score, after) = line
            .split_once(' ')
            .and_then(|(score, after)| Some((score.parse().ok()?, after)))
            .ok_or_else(|| wrong(i, line, "SCORE AFTERSTATE".to_owned()))?;
        let after = G::parse_after(variant, after)
            .map_err(|error| error.within(&format!("line {}", i + 1)))?;
        Ok(Arrival { score, after })
    };
    lines.iter().enumerate().skip(key.lines(0).len()).map(arrival).collect()
}

/// Reads the file of a run's folder; `None` when there is none.
pub(super) fn load<G: AfterNotation + Cells>(
    dir: &RunDir,
    key: &StageKey,
    variant: &G::Variant,
) -> Result<Option<Vec<Arrival<G>>>, Error> {
    let path = dir.file(ARRIVALS);
    if !path.exists() {
        return Ok(None);
    }
    let text = file::read_text(&path, LARGEST).map_err(|error| failed(&path, error))?;
    let damaged = |error: ParseError| Error::Run(at(&path, &error));
    parse(&text, key, variant).map(Some).map_err(damaged)
}

fn at(path: &Path, error: &ParseError) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game, Rng};
    use ludens_games::Game2048;

    use super::*;

    #[test]
    fn what_is_written_is_read_and_damage_is_told() {
        let key = StageKey { game: "2048".to_owned(), stages: "64".to_owned(), stage: 2 };
        let start = Game2048::start(&Default::default(), &mut Rng::new(1));
        let mut arrivals = Vec::new();
        start.children(|_, after, _| arrivals.push(Arrival::<Game2048> { score: 700, after }));
        let text = write(&key, &arrivals);
        let read = |text: &str, key: &StageKey| parse::<Game2048>(text, key, &Default::default());
        let again = read(&text, &key).unwrap();
        assert_eq!(again.len(), arrivals.len());
        assert!(again.iter().zip(&arrivals).all(|(a, b)| a.score == 700 && a.after == b.after));
        let other = StageKey { stage: 3, ..key.clone() };
        assert!(read(&text, &other).unwrap_err().to_string().contains("line 4"));
        let newer = text.replace("arrivals 1", "arrivals 2");
        assert!(read(&newer, &key).unwrap_err().to_string().contains("line 1"));
        let damaged = text.replace("700 ", "seven ");
        assert!(read(&damaged, &key).unwrap_err().to_string().contains("line 6"));
        let cut: Vec<&str> = text.lines().take(5 + arrivals.len() - 1).collect();
        assert!(read(&cut.join("\n"), &key).unwrap_err().to_string().contains("line 5"));
    }
}
