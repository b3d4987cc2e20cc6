//! Shards of work: which of them a store has, and how stores become one.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, params};

use super::{Store, fault, number, whole};
use crate::{Error, Shard};

/// A shard that is done.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredShard {
    /// The specification of the whole work, as JSON.
    pub work: String,
    /// Name, version and build of what did it.
    pub program: String,
    /// Which part.
    pub shard: Shard,
    /// The units of all parts together.
    pub units: usize,
    /// Seconds on the clock.
    pub seconds: f64,
    /// Seconds of processors.
    pub cpu_seconds: f64,
}

/// A whole game of one player, without its moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct KeptEpisode {
    /// Its number.
    pub number: u64,
    /// Its score.
    pub score: i64,
    /// The largest number on the board at its end.
    pub largest: u8,
    /// Its moves.
    pub moves: u64,
}

/// Copies what an attached store `part` has; rows that are there already stay as they are.
const IMPORT: &str = "
INSERT OR IGNORE INTO evaluation (game, solver, budget, threads, program, suite, suite_hash, started)
    SELECT game, solver, budget, threads, program, suite, suite_hash, started FROM part.evaluation;
INSERT OR IGNORE INTO result (evaluation, case_id, run, seed, value, length, proven, bound, nodes,
    millis, line, curve, finished, statistics, failure)
    SELECT e.id, r.case_id, r.run, r.seed, r.value, r.length, r.proven, r.bound, r.nodes, r.millis,
    r.line, r.curve, r.finished, r.statistics, r.failure
    FROM part.result r JOIN part.evaluation p ON p.id = r.evaluation JOIN main.evaluation e
    USING (game, solver, budget, threads, program, suite, suite_hash) ORDER BY r.id;
INSERT OR IGNORE INTO board SELECT suite_hash, case_id, position FROM part.board;
INSERT OR IGNORE INTO pairing (game, one, two, terms, program, started)
    SELECT game, one, two, terms, program, started FROM part.pairing;
INSERT OR IGNORE INTO game (pairing, opening, swapped, seed, score, reason, start, moves, micros,
    finished)
    SELECT m.id, g.opening, g.swapped, g.seed, g.score, g.reason, g.start, g.moves, g.micros,
    g.finished
    FROM part.game g JOIN part.pairing p ON p.id = g.pairing JOIN main.pairing m
    USING (game, one, two, terms, program) ORDER BY g.id;
INSERT OR IGNORE INTO episode SELECT work, program, number, score, largest, moves FROM part.episode;
INSERT OR IGNORE INTO block SELECT work, program, number, games FROM part.block;
INSERT OR IGNORE INTO shard SELECT work, program, part, parts, units, seconds, cpu_seconds
    FROM part.shard;";

impl Store {
    /// Enters a shard as done. Entered again, it stays as it is.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn finish_shard(&mut self, done: &StoredShard) -> Result<(), Error> {
        let (index, count) = (done.shard.index(), done.shard.count());
        self.connection
            .execute(
                "INSERT OR IGNORE INTO shard VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    done.work,
                    done.program,
                    index,
                    count,
                    whole(done.units as u64),
                    done.seconds,
                    done.cpu_seconds
                ],
            )
            .map(|_| ())
            .map_err(|error| self.fault(error))
    }

    /// The shards that are done, in order.
    ///
    /// # Errors
    /// When the store cannot be read or holds something no program wrote.
    pub fn shards(&self) -> Result<Vec<StoredShard>, Error> {
        let read = |row: &Row<'_>| -> rusqlite::Result<StoredShard> {
            let (index, count): (u32, u32) = (number(row, 2)?, number(row, 3)?);
            let wrong = rusqlite::Error::IntegralValueOutOfRange(2, i64::from(index));
            Ok(StoredShard {
                work: row.get(0)?,
                program: row.get(1)?,
                shard: Shard::new(index, count).ok_or(wrong)?,
                units: number(row, 4)?,
                seconds: row.get(5)?,
                cpu_seconds: row.get(6)?,
            })
        };
        self.connection
            .prepare_cached(
                "SELECT work, program, part, parts, units, seconds, cpu_seconds FROM shard
                 ORDER BY work, program, parts, part",
            )
            .and_then(|mut statement| statement.query_map([], read)?.collect())
            .map_err(|error| self.fault(error))
    }

    /// Keeps an episode of some work. One of the same number stays as it is.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn insert_episode(
        &mut self,
        work: &str,
        program: &str,
        episode: &KeptEpisode,
    ) -> Result<(), Error> {
        let KeptEpisode { number, score, largest, moves } = *episode;
        self.connection
            .prepare_cached("INSERT OR IGNORE INTO episode VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
            .and_then(|mut statement| {
                statement.execute(params![
                    work,
                    program,
                    whole(number),
                    score,
                    largest,
                    whole(moves)
                ])
            })
            .map(|_| ())
            .map_err(|error| self.fault(error))
    }

    /// The episodes of some work by a program, by number.
    ///
    /// # Errors
    /// When the store cannot be read or holds something no program wrote.
    pub fn episodes(&self, work: &str, program: &str) -> Result<Vec<KeptEpisode>, Error> {
        let read = |row: &Row<'_>| -> rusqlite::Result<KeptEpisode> {
            Ok(KeptEpisode {
                number: number(row, 0)?,
                score: row.get(1)?,
                largest: number(row, 2)?,
                moves: number(row, 3)?,
            })
        };
        self.connection
            .prepare_cached(
                "SELECT number, score, largest, moves FROM episode WHERE work = ?1 AND program = ?2
                 ORDER BY number",
            )
            .and_then(|mut statement| statement.query_map([work, program], read)?.collect())
            .map_err(|error| self.fault(error))
    }

    /// Keeps a block of games of self-play. One of the same number stays as it is.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn insert_block(
        &mut self,
        work: &str,
        program: &str,
        number: usize,
        games: &str,
    ) -> Result<(), Error> {
        self.connection
            .prepare_cached("INSERT OR IGNORE INTO block VALUES (?1, ?2, ?3, ?4)")
            .and_then(|mut statement| {
                statement.execute(params![work, program, whole(number as u64), games])
            })
            .map(|_| ())
            .map_err(|error| self.fault(error))
    }

    /// The blocks of some work by a program, by number.
    ///
    /// # Errors
    /// When the store cannot be read or holds something no program wrote.
    pub fn blocks(&self, work: &str, program: &str) -> Result<BTreeMap<usize, String>, Error> {
        self.connection
            .prepare_cached("SELECT number, games FROM block WHERE work = ?1 AND program = ?2")
            .and_then(|mut statement| {
                let rows = statement
                    .query_map([work, program], |row| Ok((number(row, 0)?, row.get(1)?)))?;
                rows.collect()
            })
            .map_err(|error| self.fault(error))
    }

    /// How many blocks there are, of whatever work.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn count_blocks(&self) -> Result<usize, Error> {
        self.connection
            .query_row("SELECT count(*) FROM block", [], |row| number(row, 0))
            .map_err(|error| self.fault(error))
    }

    /// The store as the bytes of its file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn to_bytes(&mut self) -> Result<Vec<u8>, Error> {
        let data = self.connection.serialize(rusqlite::MAIN_DB);
        data.map(|data| data.to_vec()).map_err(|error| self.fault(error))
    }

    /// Takes over everything that another store has. What is there already stays as it is, so doing it
    /// twice changes nothing.
    ///
    /// # Errors
    /// When one of them cannot be used; then nothing of the other is here.
    pub fn import(&mut self, other: &Store) -> Result<(), Error> {
        let copy = |connection: &mut Connection| {
            connection.execute("ATTACH ?1 AS part", [&*other.path.to_string_lossy()])?;
            let copied = connection.transaction().and_then(|transaction| {
                transaction.execute_batch(IMPORT)?;
                transaction.commit()
            });
            copied.and(connection.execute_batch("DETACH part"))
        };
        copy(&mut self.connection).map_err(|error| fault(&other.path, error))
    }
}
