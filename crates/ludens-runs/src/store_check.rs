//! Whether what a store of results holds is by the rules: lines and games are replayed.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use ludens_arena::contest::{Game, Score};
use ludens_arena::store::{StoredEvaluation, StoredPairing};
use ludens_arena::{Error, EvalResult, RunResult, Store};
use serde_json::{Value, json};

use crate::contest::{MOST_MOVES, score};
use crate::eval;
use ludens_engine::{GameHandle, Turn, game};

/// A row that is not as it must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The table: `result`, `game`, `evaluation`, `pairing`, or `file`.
    pub table: &'static str,
    /// The row's number; 0 for the file as a whole.
    pub id: i64,
    /// What is wrong.
    pub what: String,
}

/// What a check has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StoreReport {
    /// Results that were looked at.
    pub results: usize,
    /// Results whose line was replayed.
    pub replayed: usize,
    /// Results whose board is neither in the store nor made by the name of its suite.
    pub without_board: usize,
    /// Results that tell of a failure.
    pub failures: usize,
    /// Games that were replayed.
    pub games: usize,
    /// What is wrong.
    pub damage: Vec<Damage>,
    /// Whether everything was looked at.
    pub complete: bool,
}

impl StoreReport {
    /// The report as JSON.
    pub fn to_json(&self) -> Value {
        let damage = self.damage.iter();
        let damage: Vec<Value> =
            damage.map(|one| json!({"table": one.table, "id": one.id, "what": one.what})).collect();
        json!({
            "results": self.results,
            "replayed": self.replayed,
            "without_board": self.without_board,
            "failures": self.failures,
            "games": self.games,
            "damaged": damage,
            "complete": self.complete,
        })
    }

    fn wrong(&mut self, table: &'static str, id: i64, what: impl Into<String>) {
        self.damage.push(Damage { table, id, what: what.into() });
    }
}

/// Checks a store: SQLite's own checks, every line and every game. `progress` is called with how many rows of
/// how many were looked at; `stop` ends it with what it has.
///
/// # Errors
/// When the store cannot be read at all.
pub fn check(
    store: &Store,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<StoreReport, Error> {
    let mut report = StoreReport::default();
    for what in store.integrity()? {
        report.wrong("file", 0, what);
    }
    let (evaluations, pairings) = (store.evaluations()?, store.pairings()?);
    let total = evaluations.iter().map(|one| one.results).sum::<usize>()
        + pairings.iter().map(|one| one.games).sum::<usize>();
    let mut step = |report: &StoreReport| {
        progress(report.results + report.games, total);
        match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let stopped = || stop.load(Ordering::Relaxed);
    for one in evaluations.iter().take_while(|_| !stopped()) {
        check_evaluation(store, one, &mut report, &mut step)?;
    }
    for one in pairings.iter().take_while(|_| !stopped()) {
        check_pairing(store, one, &mut report, &mut step)?;
    }
    report.complete = !stopped();
    Ok(report)
}

/// Is called with every row.
type Step<'a> = &'a mut dyn FnMut(&StoreReport) -> ControlFlow<()>;

fn check_evaluation(
    store: &Store,
    one: &StoredEvaluation,
    report: &mut StoreReport,
    step: Step<'_>,
) -> Result<(), Error> {
    let of = &one.evaluation;
    let handle = game(&of.game);
    if let Err(error) = &handle {
        report.wrong("evaluation", one.id.number(), error.to_string());
    }
    let handle = handle.ok();
    let mut boards = Boards { handle: handle.as_deref(), store, of, made: None };
    store.each_result(one.id, &mut |(id, result)| {
        report.results += 1;
        match (result, handle.as_deref()) {
            (Err(what), _) => report.wrong("result", id, what),
            (Ok(result), _) if result.outcome.failure.is_some() => report.failures += 1,
            (Ok(_), None) => {}
            (Ok(result), Some(handle)) => match boards.of(&result.case) {
                Err(error) => report.wrong("result", id, error.to_string()),
                Ok(None) => report.without_board += 1,
                Ok(Some(position)) => match replay_line(handle, &position, &result) {
                    Ok(()) => report.replayed += 1,
                    Err(what) => report.wrong("result", id, what),
                },
            },
        }
        step(report)
    })
}

/// The boards of an evaluation: from the store, or made again by the name of the suite.
struct Boards<'a> {
    handle: Option<&'a dyn GameHandle>,
    store: &'a Store,
    of: &'a ludens_arena::Evaluation,
    made: Option<HashMap<String, String>>,
}

impl Boards<'_> {
    fn of(&mut self, case: &str) -> Result<Option<String>, Error> {
        let kept = self.store.board(&self.of.suite_hash, case)?;
        if kept.is_some() {
            return Ok(kept);
        }
        let (handle, of) = (self.handle, self.of);
        let made = self.made.get_or_insert_with(|| {
            let suite = handle.and_then(|handle| eval::made_suite(handle, &of.suite));
            let same = suite.filter(|suite| suite.hash() == of.suite_hash);
            let cases = same.iter().flat_map(|suite| suite.cases());
            cases.map(|case| (case.id.clone(), case.position.clone())).collect()
        });
        Ok(made.get(case).cloned())
    }
}

/// Plays a line by the rules; the error says what is wrong with it.
fn replay_line(handle: &dyn GameHandle, position: &str, result: &RunResult) -> Result<(), String> {
    let EvalResult { value, length, bound, line, proven, .. } = &result.outcome;
    let mut table = handle.parse(position).map_err(|error| format!("its board: {error}"))?;
    // Nature draws as it did.
    table.reseed(result.seed);
    for (i, action) in line.split_ascii_whitespace().enumerate() {
        table.play(action).map_err(|error| format!("move {}: {error}", i + 1))?;
    }
    let moves = table.history().len();
    if moves != *length {
        return Err(format!("{moves} moves, its length is given as {length}"));
    }
    let over = matches!(table.turn(), Turn::Over);
    match value {
        Some(_) if !over => return Err("its line does not lead to the end of the game".to_owned()),
        Some(value) if *value != table.total() => {
            return Err(format!("the value of its line is {}, given as {value}", table.total()));
        }
        _ => {}
    }
    match (value, bound) {
        (Some(value), Some(bound)) if value > bound => {
            Err(format!("value {value}, which is more than its bound {bound}"))
        }
        (value, bound) if *proven && (value.is_none() || value != bound) => {
            Err("given as proven, but value and bound are not the same".to_owned())
        }
        _ => Ok(()),
    }
}

fn check_pairing(
    store: &Store,
    one: &StoredPairing,
    report: &mut StoreReport,
    step: Step<'_>,
) -> Result<(), Error> {
    let handle = game(&one.pairing.game);
    if let Err(error) = &handle {
        report.wrong("pairing", one.id.number(), error.to_string());
    }
    store.each_game(one.id, &mut |(id, kept)| {
        report.games += 1;
        let played = match (kept, &handle) {
            (Err(what), _) => Err(what),
            (Ok(_), Err(_)) => Ok(()),
            (Ok(kept), Ok(handle)) => replay_game(&**handle, &kept.game),
        };
        if let Err(what) = played {
            report.wrong("game", id, what);
        }
        step(report)
    })
}

/// Plays a game by the rules; the error says what is wrong with it.
fn replay_game(handle: &dyn GameHandle, game: &Game) -> Result<(), String> {
    let mut table = handle.parse(&game.start).map_err(|error| format!("its start: {error}"))?;
    // Moves of the opening took no time. Who has lost otherwise than by the rules may have
    // taken some for a move that was not played.
    let timed = game.micros[0].len() + game.micros[1].len();
    let opening = game.moves.len().saturating_sub(timed);
    let mut begins = None;
    for (i, action) in game.moves.iter().enumerate() {
        if i == opening {
            begins = Some(table.turn());
        }
        table.play(action).map_err(|error| format!("move {}: {error}", i + 1))?;
    }
    let over = matches!(table.turn(), Turn::Over);
    if game.reason.is_some() {
        return match game.score {
            _ if over => Err("given as forfeited, but the game is over by the rules".to_owned()),
            Score::Draw => Err("given as forfeited, but drawn".to_owned()),
            _ => Ok(()),
        };
    }
    if !over && game.moves.len() < MOST_MOVES {
        return Err("its moves do not lead to the end of the game".to_owned());
    }
    let Some(Turn::Move(begins)) = begins else {
        return Err("no move was played after its opening".to_owned());
    };
    let by_rules = score(table.outcome(), begins);
    if by_rules == game.score {
        return Ok(());
    }
    let name = |score: Score| match score {
        Score::Win => "won",
        Score::Draw => "drawn",
        Score::Loss => "lost",
    };
    Err(format!("{} by who moved first, given as {}", name(by_rules), name(game.score)))
}
