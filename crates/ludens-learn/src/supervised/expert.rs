//! An expert's games, in a SQLite file.
//!
//! The table `games` has a row per game: its number, which with the seed decides its start;
//! start and moves in the game's notation; the value of the line; and the number of moves after
//! which the line is known to be optimal, if any. Any SQLite program can query it. A
//! table `about` names the game and the seed.
//!
//! The lines of experts lead through good positions only, while a network also has to know what
//! is wrong with others. So a game may have *branches*: somewhere on its line another move is made,
//! drawn at random, and the expert goes on from there. They are rows of their own, numbered
//! after the game they branched off.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use ludens_core::{Budget, Context, Notation, ParseError, Progress, Rng, Solo, SoloPuzzle, Solver};
use rusqlite::{Connection, params};

use crate::Error;

/// Positions that the exact solver may generate for the end of one game.
const EXACT_NODES: u64 = 200_000;
/// Bytes that it may use.
const EXACT_MEMORY: usize = 256 << 20;

/// Its name in the folder of a run.
pub const GAMES: &str = "games.sqlite";

/// The file.
pub struct Games {
    connection: Connection,
}

/// One game.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpertGame<G: Solo> {
    /// Its number.
    pub number: u64,
    /// The game it belongs to: branches have that of the line they branched off.
    pub game: u64,
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
    /// Opens the file, or starts one for a game and a seed.
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
                let message = format!(
                    "{path}: games of {other} with seed {its}, expected {game} with seed {seed}"
                );
                return Err(Error::Run(message));
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

    /// Adds games, all or none. Of games with the same start the one of the smallest number is kept, in
    /// whatever order they come.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add<G: SoloPuzzle + Notation>(&mut self, games: &[ExpertGame<G>]) -> Result<(), Error> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert = transaction.prepare(
                "INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                     ON CONFLICT (number) DO NOTHING
                     ON CONFLICT (start) DO UPDATE SET number = excluded.number,
                         moves = excluded.moves, length = excluded.length,
                         value = excluded.value, exact = excluded.exact
                     WHERE excluded.number < games.number",
            )?;
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

    /// The first `count` games, each of `lines` lines, in order.
    ///
    /// # Errors
    /// When the file cannot be read or holds what are no games.
    pub fn read<G: SoloPuzzle + Notation>(
        &self,
        variant: &G::Variant,
        count: u64,
        lines: u64,
    ) -> Result<Vec<ExpertGame<G>>, Error> {
        let mut query = self.connection.prepare(
            "SELECT number, start, moves, exact FROM games WHERE number < ?1 ORDER BY number",
        )?;
        let mut rows = query.query([(count * lines) as i64])?;
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
            games.push(ExpertGame { number, game: number / lines, start, line, value, exact });
        }
        Ok(games)
    }
}

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The seed of all starts.
    pub seed: u64,
    /// How many games.
    pub count: u64,
    /// Branches of every game.
    pub branches: u64,
    /// Moves at the end of a line that are made optimal.
    pub ends: usize,
    /// Threads that play.
    pub threads: usize,
}

/// Who plays, and who knows the ends.
pub struct Experts<'a, G: Solo> {
    /// Makes a solver that finds good lines.
    pub player: &'a (dyn Fn() -> Box<dyn Solver<G>> + Sync),
    /// Makes a solver that proves optimal ones.
    pub exact: &'a (dyn Fn() -> Box<dyn Solver<G>> + Sync),
}

/// The solvers of a thread.
struct Solvers<G: Solo> {
    player: Box<dyn Solver<G>>,
    exact: Box<dyn Solver<G>>,
}

/// Plays the games that are missing; `report` is told how many there are.
///
/// # Errors
/// When the file cannot be used.
pub fn generate<G: SoloPuzzle + Notation>(
    games: &mut Games,
    variant: &G::Variant,
    plan: &Plan,
    experts: &Experts<'_, G>,
    stop: &AtomicBool,
    report: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    // A game and its branches are written together, the game first.
    let (known, lines) = (games.numbers()?, plan.branches + 1);
    let missing: Vec<u64> =
        (0..plan.count).filter(|game| !known.contains(&(game * lines))).collect();
    let (next, quit) = (AtomicU64::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::sync_channel(64);
    let (missing, next, quit) = (&missing, &next, &quit);
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut solvers = Solvers { player: (experts.player)(), exact: (experts.exact)() };
                while !stop.load(Ordering::Relaxed) && !quit.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed) as usize;
                    let Some(&game) = missing.get(index) else { break };
                    let start = G::start(variant, &mut Rng::stream(plan.seed, game));
                    let game = play(game, start, plan, &mut solvers, stop);
                    if game.is_some_and(|game| sender.send(game).is_err()) {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut done = plan.count - missing.len() as u64;
        let mut waiting = Vec::new();
        let mut result = Ok(());
        for game in &receiver {
            done += 1;
            waiting.extend(game);
            // A few hundred at once: each commit waits for the disk.
            if waiting.len() >= 256 {
                result = games.add(&waiting);
                waiting.clear();
                if result.is_err() {
                    quit.store(true, Ordering::Relaxed);
                    break;
                }
                report(done);
            }
        }
        drop(receiver);
        result?;
        games.add(&waiting)?;
        report(done);
        Ok(())
    })
}

/// One game with its branches; `None` when it was interrupted.
fn play<G: SoloPuzzle>(
    game: u64,
    start: G,
    plan: &Plan,
    solvers: &mut Solvers<G>,
    stop: &AtomicBool,
) -> Option<Vec<ExpertGame<G>>> {
    let mut rng = Rng::stream(plan.seed ^ 0xB8A2_C4E5, game);
    let number = |branch| game * (plan.branches + 1) + branch;
    let first = solved(number(0), game, start, plan, solvers, stop)?;
    let mut lines = vec![first];
    for branch in 1..=plan.branches {
        // Not all lines have another way.
        if let Some(start) = branch_off(&lines[0], &mut rng) {
            lines.push(solved(number(branch), game, start, plan, solvers, stop)?);
        }
    }
    Some(lines)
}

/// What the expert makes of a start; `None` when it was interrupted.
fn solved<G: SoloPuzzle>(
    number: u64,
    game: u64,
    start: G,
    plan: &Plan,
    solvers: &mut Solvers<G>,
    stop: &AtomicBool,
) -> Option<ExpertGame<G>> {
    let (line, exact) = solve(start, plan.seed ^ number, plan.ends, solvers, stop)?;
    let (mut here, mut value) = (start, 0);
    for &action in &line {
        let (after, reward) = here.apply(action);
        (here, value) = (after, value + i64::from(reward));
    }
    let whole = here.is_over() && !stop.load(Ordering::Relaxed);
    whole.then_some(ExpertGame { number, game, start, line, value, exact })
}

/// The position after another move somewhere on a line, unless that ends the game.
fn branch_off<G: SoloPuzzle>(game: &ExpertGame<G>, rng: &mut Rng) -> Option<G> {
    let at = rng.below(u32::try_from(game.line.len()).ok().filter(|len| *len > 0)?) as usize;
    let here = game.line[..at].iter().fold(game.start, |here, &action| here.apply(action).0);
    let others: Vec<G::Action> = here.actions().filter(|other| *other != game.line[at]).collect();
    let other =
        others.get(rng.below(u32::try_from(others.len()).ok().filter(|n| *n > 0)?) as usize);
    other.map(|&other| here.apply(other).0).filter(|next| !next.is_over())
}

/// A line with its end made optimal, and the moves after which it is known to be.
fn solve<G: SoloPuzzle>(
    start: G,
    seed: u64,
    ends: usize,
    Solvers { player, exact }: &mut Solvers<G>,
    stop: &AtomicBool,
) -> Option<(Vec<G::Action>, usize)> {
    let mut sink = |_: &Progress<'_, G>| {};
    let mut context = Context::new(Budget::default(), seed, 1, EXACT_MEMORY, stop, &mut sink);
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
    Some((line, known))
}

fn failed(path: &Path, error: rusqlite::Error) -> Error {
    Error::Run(format!("{}: {error}", path.display()))
}
