//! Which position a request is about.

use ludens_core::{ParseError, Record};
use serde_json::Value;

use super::fields::{Fields, shown};
use crate::{GameHandle, Table, former, game, puzzle};

/// Bytes of a position text at most; the longest of any game is far shorter.
const LONGEST_POSITION: usize = 4096;
/// Bytes of a game with its variant at most.
const LONGEST_GAME: usize = 200;
/// Bytes of a move or outcome at most.
const LONGEST_MOVE: usize = 200;
/// Moves after the position at most; games of 2048 come near.
const MOST_MOVES: usize = 50_000;
/// Random moves of a generated position at most.
const MOST_PLIES: u64 = 10_000;

/// Bytes of a record at most.
const LONGEST_RECORD: usize = 1 << 20;

/// The fields that say which position is meant.
pub const POSITION_FIELDS: &[&str] =
    &["game", "position", "date", "thesis", "puzzle", "random", "plies", "record", "seed", "moves"];

/// The fields that name generators of positions.
const GENERATOR_FIELDS: &[&str] = &["date", "thesis", puzzle::NAME];

/// A position with the way that led there.
pub struct PositionInput {
    /// The game with the moves played on it.
    pub table: Box<dyn Table>,
    /// The position it began with.
    pub start: String,
    /// The positions after each of `moves`; those of a record are not among them.
    pub trail: Vec<String>,
}

/// Reads the position of a request: `game`, then at most one of `position`,
/// `date` and `thesis` (Former's own boards), `puzzle` (a date), `random` with `plies`, or `record`
/// (a whole game, which names its own); then `moves` to play from there, each a text, a pair `[c,r]` or
/// `{"action": .., "chance": ..}`. Where nature has a choice that is not given,
/// it comes from `seed`, 0 if that is missing.
///
/// Without a position it is today's board in Former and a start of `seed` elsewhere.
///
/// # Errors
/// When the game, the position or a move is wrong.
///
/// ```
/// use ludens_engine::analysis::{Fields, read_position};
/// let asked = serde_json::json!({"game": "connect-four", "moves": ["4", "4"]});
/// let input = read_position(&mut Fields::of(asked).unwrap()).unwrap();
/// assert_eq!(input.table.history().len(), 2);
/// ```
pub fn read_position(fields: &mut Fields) -> Result<PositionInput, ParseError> {
    let name = fields.text("game", LONGEST_GAME)?;
    let handle = game(name.as_deref().unwrap_or(former::NAME))?;
    let position = fields.text("position", LONGEST_POSITION)?;
    let generated = generated(&*handle, fields)?;
    let random = fields.whole("random", 0..=u64::MAX)?;
    let plies = fields.whole("plies", 0..=MOST_PLIES)?;
    let seed = fields.whole("seed", 0..=u64::MAX)?;
    let record = fields.text("record", LONGEST_RECORD)?;
    let mut table = match (position, generated, random, record) {
        (Some(text), None, None, None) => handle.parse(&text).map_err(|e| e.within("position"))?,
        (None, Some(table), None, None) => table,
        (None, None, Some(seed), None) => handle.random(seed, random_plies(&*handle, plies)),
        (None, None, None, Some(text)) => recorded(&text)?,
        (None, None, None, None) => handle.default_position(seed.unwrap_or(0))?,
        _ => {
            let expected = "one of: position, date, thesis, puzzle, random, record";
            return Err(ParseError::new("position", "several", expected));
        }
    };
    let start = table.record().start;
    if let Some(seed) = seed {
        table.reseed(seed);
    }
    let mut trail = Vec::new();
    for (i, step) in fields.list("moves", MOST_MOVES)?.into_iter().enumerate() {
        let location = format!("move {}", i + 1);
        play(&mut *table, step).map_err(|e| e.within(&location))?;
        trail.push(table.position());
    }
    Ok(PositionInput { table, start, trail })
}

/// A table with a recorded game played on it.
fn recorded(text: &str) -> Result<Box<dyn Table>, ParseError> {
    let record = Record::parse(text).map_err(|e| e.within("record"))?;
    game(&record.game)?.replay(&record).map_err(|e| e.within("record"))
}

/// The position of one of a game's generators, such as the board of a date; `None` where no such
/// field is given.
fn generated(
    handle: &dyn GameHandle,
    fields: &mut Fields,
) -> Result<Option<Box<dyn Table>>, ParseError> {
    let mut found = None;
    for name in GENERATOR_FIELDS {
        let value = match fields.take(name) {
            None => continue,
            Some(Value::String(text)) if text.len() <= LONGEST_MOVE => text,
            Some(Value::Number(number)) => number.to_string(),
            Some(other) => return Err(ParseError::new(*name, shown(&other), "a text or number")),
        };
        if found.is_some() {
            return Err(ParseError::new("position", "several", "one generator"));
        }
        found = Some(handle.generate(name, &value)?);
    }
    Ok(found)
}

/// Random moves of a generated position: some in games with a fixed start, unless told.
pub fn random_plies(handle: &dyn GameHandle, plies: Option<u64>) -> usize {
    const FROM_FIXED_START: usize = 8;
    match plies {
        Some(plies) => plies as usize,
        None if handle.fixed_start() => FROM_FIXED_START,
        None => 0,
    }
}

/// Plays a move as requests write it.
fn play(table: &mut dyn Table, step: Value) -> Result<(), ParseError> {
    let (action, chance) = match step {
        Value::Object(_) => {
            let mut fields = Fields::of(step)?;
            let action = fields.take("action").unwrap_or_default();
            let chance = fields.text("chance", LONGEST_MOVE)?;
            fields.finish(&["action", "chance"])?;
            (action_text(&action)?, chance)
        }
        other => (action_text(&other)?, None),
    };
    match chance {
        Some(chance) => table.replay(&action, Some(&chance)).map(drop),
        None => table.play(&action).map(drop),
    }
}

/// A field with a move, as text or `[c,r]`.
pub(super) fn one_move(fields: &mut Fields, name: &str) -> Result<Option<String>, ParseError> {
    let text = fields.take(name).map(|value| action_text(&value)).transpose();
    text.map_err(|error| error.within(name))
}

/// The text of an action that may be a pair.
fn action_text(value: &Value) -> Result<String, ParseError> {
    match value {
        Value::String(text) if text.len() <= LONGEST_MOVE => Ok(text.clone()),
        Value::Array(pair) if pair.len() == 2 && pair.iter().all(Value::is_u64) => {
            Ok(format!("{},{}", pair[0], pair[1]))
        }
        other => Err(ParseError::new("action", shown(other), "a move as text or [c,r]")),
    }
}
