//! An expert's games, in a SQLite file.
//!
//! The table `games` has a row per game: its number, which with the seed decides its start;
//! start and moves in the game's notation; what the line is worth; and the number of moves after
//! which the line is known to be optimal, if any. Any SQLite program can query it. A
//! table `about` names the game and the seed.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use ludens_core::{
    Budget, Context, Deterministic, Notation, ParseError, Progress, Rng, Solo, Solver,
};
use rusqlite::{Connection, params};

use crate::Error;

/// Positions that the exact solver may generate for the end of one game.
const EXACT_NODES: u64 = 200_000;
/// Bytes that it may use.
const EXACT_MEMORY: usize = 256 << 20;

/// The file.
pub struct Games {
    connection: Connection,
}

/// One game.
#[derive(Clone, PartialEq, Debug)]
pub struct Played<G: Solo> {
    /// Its number.
    pub number: u64,
    /// Where it began.
    pub start: G,
    /// The expert's moves, to the end.
    pub line: Vec<G::Action>,
    /// What they brought.
    pub value: i64,
    /// Moves after which the line is known to be optimal; the line's length if unknown.
    pub exact: usize,
}

impl Games {
    /// Opens the file, or begins one for a game and a seed.
    ///
    /// # Errors
    /// When it cannot be used, or is of another game or seed.
    pub fn open(path: &Path, game: &str, seed: u64) -> Result<Games, Error> {
        let fail = |error| failed(path, error);
        let connection = Connection::open(path).map_err(fail)?;
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL;
                 PRAGMA synchronous = NORMAL;
                 CREATE TABLE IF NOT EXISTS about (game TEXT NOT NULL, seed INTEGER NOT NULL);
                 CREATE TABLE IF NOT EXISTS games (
                     number INTEGER PRIMARY KEY, start TEXT NOT NULL UNIQUE, moves TEXT NOT NULL,
                     length INTEGER NOT NULL, value INTEGER NOT NULL, exact INTEGER NOT NULL);",
            )
            .map_err(fail)?;
        let about = connection.query_row("SELECT game, seed FROM about", [], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64))
        });
        match about {
            Ok(about) if about == (game.to_owned(), seed) => {}
            Ok((other, its)) => {
                let path = path.display();
                let told = format!(
                    "{path}: games of {other} with seed {its}, expected {game} with seed {seed}"
                );
                return Err(Error::Run(told));
            }
            Err(rusqlite::Error::QueryReturnedNoRows) => {
                let insert = "INSERT INTO about VALUES (?1, ?2)";
                connection.execute(insert, params![game, seed as i64]).map_err(fail)?;
            }
            Err(error) => return Err(fail(error)),
        }
        Ok(Games { connection })
    }

    /// The numbers of the games played.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn numbers(&self) -> Result<HashSet<u64>, Error> {
        let mut query = self.connection.prepare("SELECT number FROM games")?;
        let rows = query.query_map([], |row| Ok(row.get::<_, i64>(0)? as u64))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Adds games, all or none; a start that is there already is left out.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add<G: Solo + Deterministic + Notation>(
        &mut self,
        games: &[Played<G>],
    ) -> Result<(), Error> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert = transaction
                .prepare("INSERT OR IGNORE INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
            for game in games {
                let (mut here, mut moves) = (game.start, Vec::new());
                for &action in &game.line {
                    moves.push(here.action_text(action));
                    here = here.apply(action).0;
                }
                let (length, exact) = (game.line.len() as i64, game.exact as i64);
                let start = game.start.text();
                let number = game.number as i64;
                insert.execute(params![
                    number,
                    start,
                    moves.join(" "),
                    length,
                    game.value,
                    exact
                ])?;
            }
        }
        Ok(transaction.commit()?)
    }

    /// The games with numbers below `count`, in order.
    ///
    /// # Errors
    /// When the file cannot be read or holds what are no games.
    pub fn read<G: Solo + Deterministic + Notation>(
        &self,
        variant: &G::Variant,
        count: u64,
    ) -> Result<Vec<Played<G>>, Error> {
        let mut query = self.connection.prepare(
            "SELECT number, start, moves, exact FROM games WHERE number < ?1 ORDER BY number",
        )?;
        let mut rows = query.query([count as i64])?;
        let mut games = Vec::new();
        while let Some(row) = rows.next()? {
            let number = row.get::<_, i64>(0)? as u64;
            let (start, moves): (String, String) = (row.get(1)?, row.get(2)?);
            let exact = row.get::<_, i64>(3)? as usize;
            let wrong = |error: ParseError| error.within(&format!("game {number}"));
            let start = G::parse(variant, &start).map_err(wrong)?;
            let (mut here, mut line, mut value) = (start, Vec::new(), 0);
            for text in moves.split_whitespace() {
                let action = here.parse_action(text).map_err(wrong)?;
                let (after, reward) = here.apply(action);
                line.push(action);
                value += i64::from(reward);
                here = after;
            }
            if !here.is_over() {
                return Err(wrong(ParseError::new("moves", "no end", "a whole game")).into());
            }
            games.push(Played { number, start, line, value, exact });
        }
        Ok(games)
    }
}

/// Who plays, and who knows the ends.
pub struct Experts<'a, G: Solo> {
    /// Makes a solver that finds good lines.
    pub player: &'a (dyn Fn() -> Box<dyn Solver<G>> + Sync),
    /// Makes a solver that proves optimal ones.
    pub exact: &'a (dyn Fn() -> Box<dyn Solver<G>> + Sync),
}

/// Plays the games with numbers below `count` that are missing; `tell` hears how many there are.
///
/// # Errors
/// When the file cannot be used.
#[expect(clippy::too_many_arguments, reason = "what to play, who, how long, whom to tell")]
pub fn generate<G: Solo + Deterministic + Notation>(
    games: &mut Games,
    variant: &G::Variant,
    seed: u64,
    count: u64,
    ends: usize,
    threads: usize,
    experts: &Experts<'_, G>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let known = games.numbers()?;
    let missing: Vec<u64> = (0..count).filter(|number| !known.contains(number)).collect();
    let (next, quit) = (AtomicU64::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::sync_channel(64);
    let (missing, next, quit) = (&missing, &next, &quit);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut solvers = [(experts.player)(), (experts.exact)()];
                while !stop.load(Ordering::Relaxed) && !quit.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed) as usize;
                    let Some(&number) = missing.get(index) else { break };
                    let start = G::start(variant, &mut Rng::stream(seed, number));
                    let game = play(number, start, seed, ends, &mut solvers, stop);
                    if game.is_some_and(|game| sender.send(game).is_err()) {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut done = known.len() as u64;
        let mut waiting = Vec::new();
        let mut result = Ok(());
        for game in &receiver {
            waiting.push(game);
            // A few hundred at once: each commit waits for the disk.
            if waiting.len() >= 256 {
                done += waiting.len() as u64;
                result = games.add(&waiting);
                waiting.clear();
                if result.is_err() {
                    quit.store(true, Ordering::Relaxed);
                    break;
                }
                tell(done);
            }
        }
        drop(receiver);
        result?;
        games.add(&waiting)?;
        tell(done + waiting.len() as u64);
        Ok(())
    })
}

/// One game, its end made optimal; `None` when it was interrupted.
fn play<G: Solo + Deterministic>(
    number: u64,
    start: G,
    seed: u64,
    ends: usize,
    [player, exact]: &mut [Box<dyn Solver<G>>; 2],
    stop: &AtomicBool,
) -> Option<Played<G>> {
    let mut sink = |_: &Progress<'_, G>| {};
    let mut context =
        Context::new(Budget::default(), seed ^ number, 1, EXACT_MEMORY, stop, &mut sink);
    let mut line = player.solve(&start, &mut context)?.line;
    let mut known = line.len();
    if ends > 0 && !line.is_empty() {
        let from = line.len().saturating_sub(ends);
        let here = line[..from].iter().fold(start, |here, &action| here.apply(action).0);
        let budget = Budget::nodes(EXACT_NODES);
        let mut context = Context::new(budget, 0, 1, EXACT_MEMORY, stop, &mut sink);
        if let Some(end) = exact.solve(&here, &mut context).filter(|end| end.is_proven()) {
            line.truncate(from);
            line.extend(end.line);
            known = from;
        }
    }
    let (mut here, mut value) = (start, 0);
    for &action in &line {
        let (after, reward) = here.apply(action);
        (here, value) = (after, value + i64::from(reward));
    }
    let whole = here.is_over() && !stop.load(Ordering::Relaxed);
    whole.then_some(Played { number, start, line, value, exact: known })
}

fn failed(path: &Path, error: rusqlite::Error) -> Error {
    Error::Run(format!("{}: {error}", path.display()))
}
