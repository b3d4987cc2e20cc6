//! Records of the 2048-Framework, for games by name.

use ludens_core::error::quote;
use ludens_core::{Notation, Params, ParseError, Record, Variant};
use ludens_games::framework::{FrameworkGame, Seats, read_all, to_episode, to_record};
use ludens_games::{Game2048, Game2584, Threes};

use crate::catalogue::ADVERSARY;
use crate::{GameHandle, Table};

/// Reads episodes, one per line, as games of `spec`, and replays them by the rules.
///
/// # Errors
/// When the game has no such records, or a line is malformed or breaks the
/// rules; the message names the line and the move.
pub fn read(text: &str, spec: &str) -> Result<Vec<Box<dyn Table>>, ParseError> {
    let game = crate::game(spec)?;
    let records = match game.info().name {
        Game2048::NAME => records::<Game2048>(&*game, text),
        Game2584::NAME => records::<Game2584>(&*game, text),
        Threes::NAME => records::<Threes>(&*game, text),
        other => Err(no_episodes(other)),
    }?;
    records.iter().map(|record| game.replay(record)).collect()
}

/// A record as one line of text. The time of its beginning is not known, so it is 0.
///
/// # Errors
/// When the game has no such records, or the record breaks the rules.
pub fn write(record: &Record) -> Result<String, ParseError> {
    let game = crate::game(&record.game)?;
    match game.info().name {
        Game2048::NAME => episode::<Game2048>(&*game, record),
        Game2584::NAME => episode::<Game2584>(&*game, record),
        Threes::NAME => episode::<Threes>(&*game, record),
        other => Err(no_episodes(other)),
    }
}

fn no_episodes(name: &str) -> ParseError {
    let expected = [Game2048::NAME, Game2584::NAME, Threes::NAME].join(" | ");
    ParseError::new("game of a 2048-Framework record", quote(name), expected)
}

fn records<G: FrameworkGame>(game: &dyn GameHandle, text: &str) -> Result<Vec<Record>, ParseError> {
    let (variant, seats) = rules_of::<G>(game)?;
    let episodes = read_all(G::FORM, text)?;
    let record = |(i, episode)| {
        let record = to_record::<G>(&variant, seats, episode);
        // The spec of a two-player form has the selector, too.
        let named = record.map(|record| Record { game: game.spec(), ..record });
        named.map_err(|e| e.within(&format!("line {}", i + 1)))
    };
    episodes.iter().enumerate().map(record).collect()
}

fn episode<G: FrameworkGame>(game: &dyn GameHandle, record: &Record) -> Result<String, ParseError> {
    let (variant, seats) = rules_of::<G>(game)?;
    Ok(to_episode::<G>(&variant, seats, record, 0)?.write() + "\n")
}

/// The variant behind a handle, and who places the tiles in it.
fn rules_of<G: FrameworkGame>(game: &dyn GameHandle) -> Result<(G::Variant, Seats), ParseError> {
    let spec = game.spec();
    let (_, mut params) = Params::split(&spec)?;
    let seats = match params.take(ADVERSARY).as_deref() {
        Some("tile") => Seats::Adversary,
        Some("cell") => Seats::Cells,
        _ => Seats::Solo,
    };
    Ok((G::Variant::read(&mut params)?, seats))
}
