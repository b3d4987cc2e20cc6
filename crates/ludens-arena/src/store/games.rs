//! Games of agents in the store.

use rusqlite::{OptionalExtension, Row, params};

use super::{Store, now, number, whole};
use crate::Error;
use crate::contest::{Game, Score};

/// Two agents and what their games depend on, apart from openings and seeds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The game with its variant.
    pub game: String,
    /// One of the agents: who moves first in games that are not swapped.
    pub one: String,
    /// The other one.
    pub two: String,
    /// The openings and the limits.
    pub terms: String,
    /// What played, with its build, so that games of another are not taken for this one's.
    pub program: String,
}

/// Names a pairing within its store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PairingId(i64);

impl PairingId {
    /// The number of its row.
    pub fn number(self) -> i64 {
        self.0
    }
}

/// A pairing as the store lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPairing {
    /// Its name in this store.
    pub id: PairingId,
    /// Who plays what.
    pub pairing: Pairing,
    /// Seconds since 1970, when it was first started.
    pub started: i64,
    /// How many games there are.
    pub games: usize,
}

/// A game as the store keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptGame {
    /// The number of its opening.
    pub opening: u32,
    /// Whether the pairing's `two` moved first.
    pub swapped: bool,
    /// The seed of its players.
    pub seed: u64,
    /// The game.
    pub game: Game,
    /// Seconds since 1970, when it ended.
    pub finished: i64,
}

/// How a game ended, without its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeptScore {
    /// The number of its opening.
    pub opening: u32,
    /// Whether the pairing's `two` moved first.
    pub swapped: bool,
    /// How it ended for who moved first.
    pub score: Score,
}

/// A game with who played it, for lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGame {
    /// The game with its variant.
    pub game: String,
    /// The pairing's agents.
    pub one: String,
    /// The other one.
    pub two: String,
    /// Whether `two` moved first.
    pub swapped: bool,
    /// How it ended for who moved first.
    pub score: Score,
    /// Why, where the rules did not end it.
    pub reason: Option<String>,
    /// The position it began with.
    pub start: String,
    /// The moves.
    pub moves: Vec<String>,
    /// Seconds since 1970, when it ended.
    pub finished: i64,
}

impl Store {
    /// The pairing's name; it is entered if it is new.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn start_pairing(&mut self, pairing: &Pairing) -> Result<PairingId, Error> {
        if let Some(id) = self.find_pairing(pairing)? {
            return Ok(id);
        }
        let Pairing { game, one, two, terms, program } = pairing;
        // Another program may enter it between the two statements: that is fine.
        self.connection
            .execute(
                "INSERT OR IGNORE INTO pairing (game, one, two, terms, program, started)
                 VALUES (?1, ?2, ?3, ?4, ?5, unixepoch())",
                [game, one, two, terms, program],
            )
            .map_err(|error| self.fault(error))?;
        self.find_pairing(pairing)?
            .ok_or_else(|| self.damaged("a pairing vanished while it was entered"))
    }

    fn find_pairing(&self, pairing: &Pairing) -> Result<Option<PairingId>, Error> {
        let Pairing { game, one, two, terms, program } = pairing;
        self.connection
            .prepare_cached(
                "SELECT id FROM pairing WHERE game = ?1 AND one = ?2 AND two = ?3 AND terms = ?4
                 AND program = ?5",
            )
            .and_then(|mut statement| {
                let key = [game, one, two, terms, program];
                statement.query_row(key, |row| row.get(0).map(PairingId)).optional()
            })
            .map_err(|error| self.fault(error))
    }

    /// The same pairing played by other programs, the newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn find_other_pairings(&self, pairing: &Pairing) -> Result<Vec<PairingId>, Error> {
        let Pairing { game, one, two, terms, program } = pairing;
        self.connection
            .prepare_cached(
                "SELECT id FROM pairing WHERE game = ?1 AND one = ?2 AND two = ?3 AND terms = ?4
                 AND program <> ?5 ORDER BY id DESC",
            )
            .and_then(|mut statement| {
                let key = [game, one, two, terms, program];
                statement.query_map(key, |row| row.get(0).map(PairingId))?.collect()
            })
            .map_err(|error| self.fault(error))
    }

    /// Keeps a game, at once and whole. A game of the same opening, sides and seed that is
    /// there already stays; whether this one was new is returned.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn insert_game(
        &mut self,
        id: PairingId,
        opening: u32,
        swapped: bool,
        seed: u64,
        game: &Game,
    ) -> Result<bool, Error> {
        let micros = serde_json::to_string(&game.micros).unwrap_or_default();
        self.connection
            .prepare_cached(
                "INSERT OR IGNORE INTO game (pairing, opening, swapped, seed, score, reason, start,
                 moves, micros, finished) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )
            .and_then(|mut statement| {
                statement.execute(params![
                    id.0,
                    opening,
                    swapped,
                    whole(seed),
                    game.score.halves(),
                    game.reason,
                    game.start,
                    game.moves.join(" "),
                    micros,
                    now(),
                ])
            })
            .map(|rows| rows > 0)
            .map_err(|error| self.fault(error))
    }

    /// All games of a pairing, whatever their seeds, in the order of openings.
    ///
    /// # Errors
    /// When the store cannot be read or holds something no program wrote.
    pub fn games(&self, id: PairingId) -> Result<Vec<KeptGame>, Error> {
        let query = format!("{SELECT_GAMES} WHERE pairing = ?1 ORDER BY opening, swapped, id");
        let rows: Vec<GameRow> = self
            .connection
            .prepare_cached(&query)
            .and_then(|mut statement| statement.query_map([id.0], read_game)?.collect())
            .map_err(|error| self.fault(error))?;
        rows.into_iter().map(|row| row.whole().map_err(|what| self.damaged(&what))).collect()
    }

    /// How all games of a pairing ended, in the order in which they were entered.
    ///
    /// # Errors
    /// When the store cannot be read or holds something no program wrote.
    pub fn scores(&self, id: PairingId) -> Result<Vec<KeptScore>, Error> {
        let read = |row: &Row<'_>| -> rusqlite::Result<KeptScore> {
            let (opening, swapped) = (number(row, 0)?, row.get(1)?);
            Ok(KeptScore { opening, swapped, score: score(row, 2)? })
        };
        self.connection
            .prepare_cached(
                "SELECT opening, swapped, score FROM game WHERE pairing = ?1 ORDER BY id",
            )
            .and_then(|mut statement| statement.query_map([id.0], read)?.collect())
            .map_err(|error| self.fault(error))
    }

    /// The newest games of all pairings, newest first.
    ///
    /// # Errors
    /// When the store cannot be read or holds something no program wrote.
    pub fn newest_games(&self, most: usize) -> Result<Vec<NewGame>, Error> {
        let read = |row: &Row<'_>| -> rusqlite::Result<NewGame> {
            let moves: String = row.get(7)?;
            Ok(NewGame {
                game: row.get(0)?,
                one: row.get(1)?,
                two: row.get(2)?,
                swapped: row.get(3)?,
                score: score(row, 4)?,
                reason: row.get(5)?,
                start: row.get(6)?,
                moves: moves.split_ascii_whitespace().map(str::to_owned).collect(),
                finished: row.get(8)?,
            })
        };
        self.connection
            .prepare_cached(
                "SELECT p.game, p.one, p.two, g.swapped, g.score, g.reason, g.start, g.moves,
                 g.finished FROM game g JOIN pairing p ON p.id = g.pairing
                 ORDER BY g.id DESC LIMIT ?1",
            )
            .and_then(|mut statement| statement.query_map([whole(most as u64)], read)?.collect())
            .map_err(|error| self.fault(error))
    }

    /// All pairings, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn pairings(&self) -> Result<Vec<StoredPairing>, Error> {
        self.connection
            .prepare_cached(
                "SELECT id, game, one, two, terms, program, started,
                 (SELECT count(*) FROM game WHERE pairing = p.id) FROM pairing p ORDER BY id",
            )
            .and_then(|mut statement| statement.query_map([], read_pairing)?.collect())
            .map_err(|error| self.fault(error))
    }
}

fn read_pairing(row: &Row<'_>) -> rusqlite::Result<StoredPairing> {
    let pairing = Pairing {
        game: row.get(1)?,
        one: row.get(2)?,
        two: row.get(3)?,
        terms: row.get(4)?,
        program: row.get(5)?,
    };
    let (id, started, games) = (PairingId(row.get(0)?), row.get(6)?, number(row, 7)?);
    Ok(StoredPairing { id, pairing, started, games })
}

/// A column that holds half points.
fn score(row: &Row<'_>, column: usize) -> rusqlite::Result<Score> {
    let halves: u8 = number(row, column)?;
    let wrong = rusqlite::Error::IntegralValueOutOfRange(column, i64::from(halves));
    Score::of_halves(halves).ok_or(wrong)
}

/// The columns that [`read_game`] reads.
pub(super) const SELECT_GAMES: &str = "SELECT opening, swapped, seed, score, reason, start, moves,
    micros, finished, id FROM game";

/// A game whose times are still text.
pub(super) struct GameRow {
    kept: KeptGame,
    micros: String,
}

impl GameRow {
    /// The whole game; the error says what cannot be read.
    pub(super) fn whole(self) -> Result<KeptGame, String> {
        let GameRow { mut kept, micros } = self;
        kept.game.micros = serde_json::from_str(&micros)
            .map_err(|_| format!("the times of opening {}", kept.opening))?;
        Ok(kept)
    }
}

pub(super) fn read_game(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    let moves: String = row.get(6)?;
    let game = Game {
        score: score(row, 3)?,
        reason: row.get(4)?,
        start: row.get(5)?,
        moves: moves.split_ascii_whitespace().map(str::to_owned).collect(),
        micros: [Vec::new(), Vec::new()],
    };
    let (opening, swapped, seed) = (number(row, 0)?, row.get(1)?, number(row, 2)?);
    let kept = KeptGame { opening, swapped, seed, game, finished: row.get(8)? };
    Ok(GameRow { kept, micros: row.get(7)? })
}
