//! Between episodes and records of Ludens, by replaying the game.
//!
//! Both directions go through [`Replay`], the game as its rules see it, so a
//! game that converts is legal and its rewards are right.

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{ParseError, Record, Variant};

use super::names::{decode, encode};
use super::replay::{Replay, wrong};
use super::{Episode, FrameworkGame};

/// Who chooses what in a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seats {
    /// The game itself: one line per turn, with what chance placed.
    Solo,
    /// [`ludens_core::Adversarial`]: the second player's placements are moves.
    Adversary,
    /// [`ludens_core::CellAdversary`]: a slide comes with the tile drawn after
    /// it, and the second player's choice of its cell is a move.
    Cells,
}

/// The name of the environment where chance plays.
const CHANCE: &str = "random";

/// Replays an episode and gives it as a record: the start tiles become its
/// start position, and times of the environment are dropped where it has no
/// seat. `game` is the name with the variant; the two-player forms may be
/// listed under names of their own.
///
/// # Errors
/// When a move or a reward breaks the rules, or the episode ends with a slide
/// although chance has still to answer it; the message names the move.
pub fn to_record<G: FrameworkGame>(
    variant: &G::Variant,
    seats: Seats,
    episode: &Episode,
) -> Result<Record, ParseError> {
    let replay = Replay::<G>::read_episode(variant, episode)?;
    if seats != Seats::Adversary && replay.awaits_tile() {
        return Err(wrong(episode.moves.len() + 1, "the end", "a placed tile"));
    }
    Ok(Record {
        game: spec(G::NAME, &variant.write()),
        one: decode(&episode.player),
        two: (seats != Seats::Solo).then(|| decode(&episode.env)),
        seed: None,
        start: replay.start.text(),
        moves: replay.write_record(seats),
    })
}

/// Replays a record and gives it as an episode that began at `tick` and took
/// as long as its moves. As in the framework's own files, who cannot move has
/// lost: as a rule the player.
///
/// # Errors
/// When the start is no start position of the variant, or a move or a reward
/// breaks the rules; the message names the move.
pub fn to_episode<G: FrameworkGame>(
    variant: &G::Variant,
    seats: Seats,
    record: &Record,
    tick: u64,
) -> Result<Episode, ParseError> {
    let start = G::parse(variant, &record.start).map_err(|error| error.within("start"))?;
    let opening = start.opening().ok_or_else(|| {
        ParseError::new("start", quote(&record.start), "a position that a game begins with")
    })?;
    let replay = Replay::read_record(start, seats, &record.moves)?;
    let player = encode(&record.one, &['@', '|']);
    let env = match (&record.two, seats) {
        (Some(name), Seats::Adversary | Seats::Cells) => encode(name, &['@', '|', ':']),
        _ => CHANCE.to_owned(),
    };
    let millis = record.moves.iter().fold(0, |sum: u64, m| sum.saturating_add(m.millis));
    Ok(Episode {
        winner: if replay.awaits_tile() { player.clone() } else { env.clone() },
        player,
        env,
        tick,
        moves: replay.write_episode(opening),
        tock: tick.saturating_add(millis),
    })
}
