//! Records of the 2048-Framework, for games by name.

use ludens_core::{Params, ParseError, Record, Variant};
use ludens_games::framework::{FrameworkGame, Seats, read_all, to_episode, to_record};

use crate::catalogue::{ADVERSARY, TileVisitor, visit_tiles};
use crate::sliding::Sliding;
use crate::{GameHandle, Table};

/// Reads episodes, one per line, as games of `spec`, and replays them by the rules.
///
/// # Errors
/// When the game has no such records, or a line is malformed or breaks the
/// rules; the message names the line and the move.
pub fn read(text: &str, spec: &str) -> Result<Vec<Box<dyn Table>>, ParseError> {
    struct Read<'a>(&'a dyn GameHandle, &'a str);
    impl TileVisitor for Read<'_> {
        type Output = Result<Vec<Record>, ParseError>;
        fn visit<G: Sliding + FrameworkGame>(self) -> Self::Output {
            records::<G>(self.0, self.1)
        }
    }
    let game = crate::game(spec)?;
    let records = visit_tiles(spec, Read(&*game, text)).map_err(no_episodes)??;
    records.iter().map(|record| game.replay(record)).collect()
}

/// A record as one line of text. The time of its beginning is not known, so it is 0.
///
/// # Errors
/// When the game has no such records, or the record breaks the rules.
pub fn write(record: &Record) -> Result<String, ParseError> {
    struct Write<'a>(&'a dyn GameHandle, &'a Record);
    impl TileVisitor for Write<'_> {
        type Output = Result<String, ParseError>;
        fn visit<G: Sliding + FrameworkGame>(self) -> Self::Output {
            episode::<G>(self.0, self.1)
        }
    }
    let game = crate::game(&record.game)?;
    visit_tiles(&record.game, Write(&*game, record)).map_err(no_episodes)?
}

fn no_episodes(error: ParseError) -> ParseError {
    error.within("2048-Framework record")
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
