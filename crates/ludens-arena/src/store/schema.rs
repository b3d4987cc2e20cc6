//! The tables, their version, and the checks before a file is used.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use ludens_core::file;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};

use super::{NO_LIMIT, fault};
use crate::Error;

/// The version this program writes, in SQLite's `user_version`.
pub(super) const VERSION: i64 = 7;

/// Marks the file as a result store, in SQLite's `application_id`: "LuAr".
pub(super) const APPLICATION: i64 = 0x4C75_4172;

/// What every SQLite file begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

const TABLES: &str = "
CREATE TABLE evaluation (
    id         INTEGER PRIMARY KEY,
    game       TEXT NOT NULL,
    solver     TEXT NOT NULL,
    budget     TEXT NOT NULL,
    threads    INTEGER NOT NULL,
    program    TEXT NOT NULL,
    suite      TEXT NOT NULL,
    suite_hash TEXT NOT NULL,
    begun      INTEGER NOT NULL,
    UNIQUE (game, solver, budget, threads, program, suite, suite_hash)
) STRICT;
CREATE TABLE result (
    id         INTEGER PRIMARY KEY,
    evaluation INTEGER NOT NULL REFERENCES evaluation (id),
    case_id    TEXT NOT NULL,
    run        INTEGER NOT NULL,
    seed       INTEGER NOT NULL,
    value      INTEGER,
    length     INTEGER NOT NULL,
    proven     INTEGER NOT NULL,
    bound      INTEGER,
    nodes      INTEGER NOT NULL,
    millis     REAL NOT NULL,
    line       TEXT NOT NULL,
    curve      TEXT NOT NULL,
    finished   INTEGER NOT NULL,
    statistics TEXT,
    UNIQUE (evaluation, case_id, run, seed)
) STRICT;";

/// What came with version 3: games of agents.
const GAME_TABLES: &str = "
CREATE TABLE pairing (
    id         INTEGER PRIMARY KEY,
    game       TEXT NOT NULL,
    one        TEXT NOT NULL,
    two        TEXT NOT NULL,
    terms      TEXT NOT NULL,
    program    TEXT NOT NULL,
    begun      INTEGER NOT NULL,
    UNIQUE (game, one, two, terms, program)
) STRICT;
CREATE TABLE game (
    id         INTEGER PRIMARY KEY,
    pairing    INTEGER NOT NULL REFERENCES pairing (id),
    opening    INTEGER NOT NULL,
    swapped    INTEGER NOT NULL,
    seed       INTEGER NOT NULL,
    score      INTEGER NOT NULL,
    reason     TEXT,
    start      TEXT NOT NULL,
    moves      TEXT NOT NULL,
    micros     TEXT NOT NULL,
    finished   INTEGER NOT NULL,
    UNIQUE (pairing, opening, swapped, seed)
) STRICT;";

/// What came with version 4: why runs failed, and the boards, by which lines can be replayed.
const FAILURES: &str = "ALTER TABLE result ADD COLUMN failure TEXT";
const BOARD_TABLE: &str = "
CREATE TABLE board (
    suite_hash TEXT NOT NULL,
    case_id    TEXT NOT NULL,
    position   TEXT NOT NULL,
    PRIMARY KEY (suite_hash, case_id)
) STRICT, WITHOUT ROWID;";

/// What came with version 5: shards of work that are done, and whole games of one player.
const SHARD_TABLES: &str = "
CREATE TABLE shard (
    work        TEXT NOT NULL,
    program     TEXT NOT NULL,
    part        INTEGER NOT NULL,
    parts       INTEGER NOT NULL,
    units       INTEGER NOT NULL,
    seconds     REAL NOT NULL,
    cpu_seconds REAL NOT NULL,
    PRIMARY KEY (work, program, parts, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE episode (
    work    TEXT NOT NULL,
    program TEXT NOT NULL,
    number  INTEGER NOT NULL,
    score   INTEGER NOT NULL,
    largest INTEGER NOT NULL,
    moves   INTEGER NOT NULL,
    PRIMARY KEY (work, program, number)
) STRICT, WITHOUT ROWID;";

/// What came with version 6: blocks of games of self-play.
const BLOCK_TABLE: &str = "
CREATE TABLE block (
    work    TEXT NOT NULL,
    program TEXT NOT NULL,
    number  INTEGER NOT NULL,
    games   TEXT NOT NULL,
    PRIMARY KEY (work, program, number)
) STRICT;";

/// What version 7 renamed: columns, and a parameter of a game.
const RENAMED: &str = "
ALTER TABLE evaluation RENAME COLUMN begun TO started;
ALTER TABLE pairing RENAME COLUMN begun TO started;
UPDATE evaluation SET game = replace(game, 'place=', 'spawn=') WHERE game LIKE 'threes:%';
UPDATE pairing SET game = replace(game, 'place=', 'spawn=') WHERE game LIKE 'threes:%';";

/// What version 1 lacks.
const STATISTICS: &str = "ALTER TABLE result ADD COLUMN statistics TEXT";

/// Statements that fail when a table or a column is missing, with the version they came with.
const PROBES: [(i64, &str); 12] = [
    (1, "SELECT id, game, solver, budget, threads, program, suite, suite_hash FROM evaluation"),
    (
        1,
        "SELECT id, evaluation, case_id, run, seed, value, length, proven, bound, nodes, millis,
         line, curve, finished FROM result",
    ),
    (2, "SELECT statistics FROM result"),
    (3, "SELECT id, game, one, two, terms, program FROM pairing"),
    (
        3,
        "SELECT id, pairing, opening, swapped, seed, score, reason, start, moves, micros, finished
         FROM game",
    ),
    (4, "SELECT failure FROM result"),
    (4, "SELECT suite_hash, case_id, position FROM board"),
    (5, "SELECT work, program, part, parts, units, seconds, cpu_seconds FROM shard"),
    (5, "SELECT work, program, number, score, largest, moves FROM episode"),
    (6, "SELECT work, program, number, games FROM block"),
    (7, "SELECT started FROM evaluation"),
    (7, "SELECT started FROM pairing"),
];

/// Opens the file after looking at it:
/// 1. A file that is not empty must begin like a SQLite file.
/// 2. It must carry our mark and a version we know, or hold nothing at all.
/// 3. SQLite must find it sound, and the tables must be there.
/// 4. Only then is it switched to write-ahead logging and, if new or old, given
///    the tables or columns it lacks.
pub(super) fn open(path: &Path, patience: Duration) -> Result<Connection, Error> {
    look(path)?;
    let sql = |error| fault(path, error);
    // Without the flag for addresses: the path is a path, whatever it begins with.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(sql)?;
    connection.busy_timeout(patience).map_err(sql)?;
    let version = identify(&connection, path)?;
    if version > 0 {
        check(&connection, path, version)?;
    }
    prepare(&connection).map_err(sql)?;
    if version < VERSION {
        create(&mut connection).map_err(sql)?;
        // Another program may have been faster, perhaps a newer one.
        identify(&connection, path)?;
    }
    Ok(connection)
}

/// The tables in memory.
pub(super) fn in_memory() -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    create(&mut connection)?;
    Ok(connection)
}

fn look(path: &Path) -> Result<(), Error> {
    let mut head = Vec::new();
    match file::open(path).and_then(|file| file.take(16).read_to_end(&mut head)) {
        Ok(0) => Ok(()),
        Ok(_) if head == MAGIC => Ok(()),
        Ok(_) => Err(Error::ForeignStore {
            path: path.to_owned(),
            detail: "it does not begin like a SQLite file".to_owned(),
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::file("read", path, error)),
    }
}

/// The version of the database, 0 if it is new and holds nothing.
fn identify(connection: &Connection, path: &Path) -> Result<i64, Error> {
    let (mark, version, tables) = marks(connection).map_err(|error| fault(path, error))?;
    if (mark, version, tables) == (0, 0, 0) {
        return Ok(0);
    }
    let path = path.to_owned();
    if mark != APPLICATION {
        let detail = "another program's SQLite database".to_owned();
        return Err(Error::ForeignStore { path, detail });
    }
    match version {
        1..=VERSION => Ok(version),
        found if found > VERSION => Err(Error::NewerStore { path, found, known: VERSION }),
        _ => Err(Error::DamagedStore { path, detail: format!("its version is {version}") }),
    }
}

/// Mark, version and number of tables, all of the same moment: another program
/// may be creating them.
fn marks(connection: &Connection) -> rusqlite::Result<(i64, i64, i64)> {
    let transaction = connection.unchecked_transaction()?;
    let read = |text: &str| transaction.query_row(text, [], |row| row.get(0));
    let tables = read("SELECT count(*) FROM sqlite_schema")?;
    Ok((read("PRAGMA application_id")?, read("PRAGMA user_version")?, tables))
}

fn check(connection: &Connection, path: &Path, version: i64) -> Result<(), Error> {
    let damaged =
        |detail: String| Error::DamagedStore { path: path.to_owned(), detail: one_line(&detail) };
    let found: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| fault(path, error))?;
    if found != "ok" {
        return Err(damaged(found));
    }
    for (_, probe) in PROBES.iter().filter(|(since, _)| *since <= version) {
        connection.prepare(probe).map_err(|error| match fault(path, error) {
            // A statement that does not fit the tables.
            Error::Store { source, .. } => damaged(source.to_string()),
            other => other,
        })?;
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Write-ahead logging lets others read while one writes. Where the file system
/// cannot do it, SQLite stays with its journal, which is slower but as safe.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
}

/// Fills a new database and adds to an old one what it lacks, unless another
/// program has done so in the meantime.
fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match version {
        0 => transaction.execute_batch(TABLES)?,
        1 => transaction.execute_batch(STATISTICS)?,
        _ => {}
    }
    if version < 3 {
        transaction.execute_batch(GAME_TABLES)?;
    }
    if version < 4 {
        transaction.execute_batch(FAILURES)?;
        transaction.execute_batch(BOARD_TABLE)?;
        without_memory(&transaction)?;
    }
    if version < 5 {
        transaction.execute_batch(SHARD_TABLES)?;
    }
    if version < 6 {
        transaction.execute_batch(BLOCK_TABLE)?;
    }
    if version < VERSION {
        transaction.execute_batch(RENAMED)?;
        transaction.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}"
        ))?;
    }
    transaction.commit()
}

/// Takes the memory per worker out of the budgets of versions before 4, where it made other
/// results of the same ones. It goes to the program, which is none that runs today: so old rows
/// are of an unknown build, and remain different from each other.
fn without_memory(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut select = transaction.prepare("SELECT id, budget, program FROM evaluation")?;
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let rows: Vec<(i64, String, String)> = rows.collect::<rusqlite::Result<_>>()?;
    for (id, budget, program) in rows {
        let is_memory = |part: &&str| part.starts_with("memory=");
        let (memory, mut rest): (Vec<&str>, Vec<&str>) = budget.split(',').partition(is_memory);
        if memory.is_empty() {
            continue;
        }
        if rest.is_empty() {
            rest.push(NO_LIMIT);
        }
        transaction.execute(
            "UPDATE evaluation SET budget = ?1, program = ?2 WHERE id = ?3",
            params![rest.join(","), format!("{program} {}", memory.join(" ")), id],
        )?;
    }
    Ok(())
}
