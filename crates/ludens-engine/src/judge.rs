//! Exact values of positions in games for two: solvers that prove, whatever the game.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ludens_core::error::quote;
use ludens_core::{Deterministic, Game, GameStaticEval, Limits, Notation, ParseError, StaticEval};
use ludens_games::connect_four::solver::{Bounds, scores};
use ludens_games::othello::endgame::Endgame;
use ludens_games::{ConnectFour, Othello};
use ludens_search::duel::Outcomes;
use serde_json::{Map, Value, json};

use crate::json::action;
use crate::{Legal, SolveRequest, SolverInfo, Table};

/// What is known of the values of a position's moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The solver.
    pub solver: &'static str,
    /// What a value counts: `score`, `discs` or `result`.
    pub unit: &'static str,
    /// The moves in the game's order.
    pub moves: Vec<JudgedMove>,
    /// Positions looked at.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

/// Between which values the true one of a move lies, to the mover; a positive value wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedMove {
    /// The move.
    pub action: Legal,
    /// It is worth at least this.
    pub low: i32,
    /// And at most this.
    pub high: i32,
}

impl Judged {
    /// The value of the position, if it is proven.
    pub fn value(&self) -> Option<i32> {
        let (low, high) = self.bounds()?;
        (low == high).then_some(low)
    }

    /// Between which values that of the position lies; `None` when it is over.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        let low = self.moves.iter().map(|m| m.low).max()?;
        Some((low, self.moves.iter().map(|m| m.high).max()?))
    }

    /// The moves that are worth as much as the position, if that is proven; otherwise those
    /// that may be the best.
    pub fn best(&self) -> impl Iterator<Item = &JudgedMove> {
        let low = self.bounds().map_or(i32::MAX, |(low, _)| low);
        let proven = self.value().is_some();
        self.moves.iter().filter(move |m| if proven { m.low == low } else { m.high >= low })
    }
}

/// The moves of a position with the bounds of their values, and the positions looked at.
pub(crate) type Verdict<G> = (Vec<(<G as Game>::Action, i32, i32)>, u64);

/// What proves values in a game.
pub(crate) struct Judge<G: Game> {
    pub(crate) info: SolverInfo,
    /// How long it thinks unless a limit is given; `None` for as long as it takes.
    pub(crate) usual_time: Option<Duration>,
    pub(crate) judge: fn(&G, &Limits<'_>, &SolveRequest) -> Verdict<G>,
    pub(crate) unit: &'static str,
}

impl<G: StaticEval + Deterministic> Judge<G> {
    /// Wins, draws and losses by search to the end: for ends of any game, and small ones.
    pub(crate) const fn outcomes() -> Self {
        Judge {
            info: SolverInfo {
                name: "outcomes",
                about: "who wins under best play, by search to the end",
                parameters: &[],
            },
            usual_time: Some(Duration::from_secs(5)),
            judge: outcomes::<G>,
            unit: "result",
        }
    }
}

fn outcomes<G: StaticEval + Deterministic>(
    position: &G,
    limits: &Limits<'_>,
    request: &SolveRequest,
) -> Verdict<G> {
    // Enough for what a minute can find, and soon made.
    let mut search = Outcomes::new(GameStaticEval, request.memory.min(64 << 20));
    let moves = search.moves(position, limits, |_, _| {});
    let told = |(action, span): (G::Action, ludens_search::duel::Span)| {
        (action, i32::from(span.low), i32::from(span.high))
    };
    (moves.into_iter().map(told).collect(), search.nodes())
}

/// Connect Four is solved from the start.
pub(crate) const CONNECT_FOUR: Judge<ConnectFour> = Judge {
    info: SolverInfo {
        name: "perfect",
        about: "exact scores by alpha-beta over bit boards",
        parameters: &[],
    },
    usual_time: None,
    judge: |position, limits, request| {
        /// No score is further from 0.
        const MOST: i32 = 21;
        // The fewer cells are left, the less there is to remember; a large table takes time.
        let bytes = match position.text().matches(['X', 'O']).count() {
            0..10 => 1 << 29,
            10..14 => 1 << 27,
            14..20 => 1 << 25,
            _ => 1 << 22,
        };
        let bounds = Bounds::new(request.memory.min(bytes));
        let share = request.threads.max(1) as u64;
        let stop = |nodes: u64| limits.interrupted() || limits.spent(nodes * share);
        let (found, nodes) = scores(position, &bounds, request.threads, &stop);
        let told = |(column, score): (_, Option<i32>)| match score {
            Some(score) => (column, score, score),
            None => (column, -MOST, MOST),
        };
        (found.into_iter().map(told).collect(), nodes)
    },
    unit: "score",
};

/// Othello's end.
pub(crate) const OTHELLO: Judge<Othello> = Judge {
    info: SolverInfo {
        name: "endgame",
        about: "the difference of discs at the end under best play",
        parameters: &[],
    },
    usual_time: Some(Duration::from_secs(60)),
    judge: |position, limits, request| {
        let actions: Vec<_> = position.actions().collect();
        let threads = request.threads.clamp(1, actions.len().max(1));
        let memory = request.memory.min(128 << 20) / threads;
        let (next, nodes) = (AtomicUsize::new(0), AtomicU64::new(0));
        let found = Mutex::new(vec![None; actions.len()]);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let share = threads as u64;
                    let stop = |nodes: u64| limits.interrupted() || limits.spent(nodes * share);
                    let mut search = Endgame::new(memory, &stop);
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&action) = actions.get(at) else { break };
                        let value = search.difference(position, Some(action));
                        found.lock().unwrap_or_else(PoisonError::into_inner)[at] = value;
                    }
                    nodes.fetch_add(search.nodes(), Ordering::Relaxed);
                });
            }
        });
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let told = |(&action, value): (_, Option<i32>)| match value {
            Some(value) => (action, value, value),
            None => (action, -64, 64),
        };
        (actions.iter().zip(found).map(told).collect(), nodes.into_inner())
    },
    unit: "discs",
};

/// Lets a judge think about a position.
///
/// # Errors
/// When another solver was asked for.
pub(crate) fn judge<G: Notation>(
    judge: &Judge<G>,
    position: &G,
    request: &SolveRequest,
    stop: &AtomicBool,
) -> Result<Judged, ParseError> {
    if let Some(name) = request.solver.as_deref().filter(|name| *name != judge.info.name) {
        return Err(ParseError::new("solver", quote(name), judge.info.name));
    }
    let begin = Instant::now();
    let mut budget = request.budget;
    if !request.prove && budget.time.is_none() && budget.positions().is_none() {
        budget.time = judge.usual_time;
    }
    let limits = Limits::new(begin, budget, stop);
    let (found, nodes) = (judge.judge)(position, &limits, request);
    let told = |(action, low, high)| JudgedMove { action: Legal::of(position, action), low, high };
    Ok(Judged {
        solver: judge.info.name,
        unit: judge.unit,
        moves: found.into_iter().map(told).collect(),
        nodes,
        time: begin.elapsed(),
    })
}

/// What is known of a position as JSON: `value` (null until it is proven) and `bounds`,
/// `result`, `best`, `values` by move (a number, or bounds), `unit`, `proven`.
pub fn judged_json(table: &dyn Table, judged: &Judged) -> Value {
    let result = |value: i32| match value.signum() {
        1 => "win",
        0 => "draw",
        _ => "loss",
    };
    let values: Map<String, Value> = judged
        .moves
        .iter()
        .map(|m| {
            let exact = m.low == m.high;
            (m.action.text.clone(), if exact { json!(m.low) } else { json!([m.low, m.high]) })
        })
        .collect();
    let best: Vec<Value> = judged.best().map(|m| action(&m.action)).collect();
    json!({
        "game": table.spec(),
        "position": table.position(),
        "value": judged.value(),
        "bounds": judged.bounds(),
        "result": judged.value().map(result),
        "unit": judged.unit,
        "best": best,
        "values": values,
        "proven": judged.value().is_some(),
        "solver": judged.solver,
        "time_ms": judged.time.as_millis() as u64,
        "nodes": judged.nodes,
    })
}
