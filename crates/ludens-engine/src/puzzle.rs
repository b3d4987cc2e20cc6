//! Puzzles of the day: one for every date, the same everywhere.
//!
//! A date gives a seed, the seed gives candidates, and the first that will do is the puzzle.
//! Searches are limited by positions, never by time, and use one thread: the same date gives
//! the same puzzle on every machine. Two kinds:
//!
//! - *only move*: a position of a game for two in which exactly one move wins, with the proven
//!   result of every move;
//! - *par*: a board of a puzzle, with the points that a solver finds within a budget.
//!
//! A game declares its kind in the catalogue ([`Form::with_puzzle`](crate::Form)).

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::{LazyLock, Mutex, PoisonError};

use ludens_core::bits::mix;
use ludens_core::platform::Instant;
use ludens_core::{
    Agent, Budget, Context, Deterministic, Game, Limits, ParseError, Rng, StaticEval,
};
use ludens_games::former::Date;
use ludens_search::duel::LookAhead;
use serde_json::{Value, json};

use crate::analysis::prover::{Prover, Resources};
use crate::analysis::{Details, Method, Request};
use crate::form::{Form, Registered};
use crate::{Legal, Session, Table};

/// The name of the generator of puzzles: a flag on the command line, a field in JSON.
pub const NAME: &str = "puzzle";

/// Games that are looked through for an only move before giving up.
const GAMES: u64 = 400;
/// Bytes of a prover's table.
const MEMORY: usize = 8 << 20;
/// Puzzles that are remembered.
const REMEMBERED: usize = 128;

/// The puzzle of a day.
///
/// ```
/// let game = ludens_engine::game("connect-four").unwrap();
/// let puzzle = game.puzzle("2026-11-18").unwrap();
/// let ludens_engine::puzzle::Goal::OnlyMove { best, moves, .. } = &puzzle.goal else { panic!() };
/// assert!(moves.iter().all(|(action, result)| (*result > 0) == (action == best)));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Puzzle {
    /// The game with its variant.
    pub game: String,
    /// The day.
    pub date: String,
    /// The position to begin with.
    pub position: String,
    /// What is to be done.
    pub goal: Goal,
}

/// What is to be done in a puzzle.
#[derive(Clone, PartialEq, Debug)]
pub enum Goal {
    /// Find the only move that wins.
    OnlyMove {
        /// That move.
        best: Legal,
        /// All moves with their proven results for the player to move: 1, 0 or -1.
        moves: Vec<(Legal, i32)>,
        /// Who proved it.
        solver: &'static str,
    },
    /// Make as many points as the solver did, or more.
    Par {
        /// The points.
        points: i64,
        /// The solver.
        solver: String,
    },
}

impl Goal {
    fn kind(&self) -> Kind {
        match self {
            Goal::OnlyMove { .. } => Kind::OnlyMove,
            Goal::Par { .. } => Kind::Par,
        }
    }
}

/// What kind of puzzle a game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// [`Goal::OnlyMove`].
    OnlyMove,
    /// [`Goal::Par`].
    Par,
}

impl Kind {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::OnlyMove => "only-move",
            Kind::Par => "par",
        }
    }
}

/// A position with its goal.
type Found<G> = (G, Goal);

/// How a game makes its puzzles.
pub(crate) struct PuzzleMaker<G: Game> {
    pub(crate) kind: Kind,
    /// The puzzle of a seed, if one is found within the budget.
    pub(crate) make: fn(&Form<G>, u64) -> Option<Found<G>>,
}

impl<G: Game> Clone for PuzzleMaker<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for PuzzleMaker<G> {}

/// The puzzle of a date by a maker, as it was made before if it is still remembered.
///
/// # Errors
/// When the date is none, or no puzzle was found for it.
pub(crate) fn of_date<G: Registered>(
    form: &Form<G>,
    maker: &PuzzleMaker<G>,
    game: &str,
    date: &str,
) -> Result<Puzzle, ParseError> {
    static MADE: LazyLock<Mutex<VecDeque<Puzzle>>> = LazyLock::new(Mutex::default);
    let date = date.parse::<Date>()?.to_string();
    let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let is_this = |puzzle: &&Puzzle| puzzle.game == game && puzzle.date == date;
    if let Some(known) = made().iter().find(is_this) {
        return Ok(known.clone());
    }
    let (position, goal) = (maker.make)(form, seed_of(game, &date)).ok_or_else(|| {
        ParseError::new("puzzle", format!("none for {date}"), "a day with one; try another")
    })?;
    let puzzle = Puzzle { game: game.to_owned(), date, position: position.text(), goal };
    let mut made = made();
    made.push_back(puzzle.clone());
    if made.len() > REMEMBERED {
        made.pop_front();
    }
    Ok(puzzle)
}

/// The seed of a game's puzzle.
fn seed_of(game: &str, date: &str) -> u64 {
    let bytes = game.bytes().chain([0]).chain(date.bytes());
    bytes.fold(0, |hash, byte| mix(hash ^ u64::from(byte)))
}

/// Where only moves are looked for, and by what.
pub(crate) struct OnlyMove<G: Game> {
    pub(crate) prover: &'static Prover<G>,
    /// Moves before the end of a played game.
    pub(crate) back: RangeInclusive<u32>,
    /// Positions a proof may look at.
    pub(crate) nodes: u64,
}

/// A position with exactly one winning move, which does not end the game at once: some moves
/// before the end of a game between players who look two moves ahead.
pub(crate) fn only_move<G: Registered + StaticEval + Deterministic>(
    kind: &OnlyMove<G>,
    seed: u64,
) -> Option<Found<G>> {
    (0..GAMES).find_map(|index| {
        let mut rng = Rng::stream(seed, index);
        let (least, most) = (*kind.back.start(), *kind.back.end());
        let back = least + rng.below(most - least + 1);
        let positions: Vec<G> = game_of(&mut rng);
        // Further back it is harder to find, and to prove.
        (least..=back).rev().find_map(|back| {
            let position = *positions.get(positions.len().checked_sub(1 + back as usize)?)?;
            Some((position, goal(kind, &position)?))
        })
    })
}

/// The positions of a game between players who look two moves ahead, the end included.
fn game_of<G: Registered + StaticEval + Deterministic>(rng: &mut Rng) -> Vec<G> {
    let mut position = G::start(&G::Variant::default(), rng);
    let mut positions = vec![position];
    while !position.is_over() {
        let seeded = Rng::new(rng.next_u64());
        let (stop, mut nobody) = (Request::never(), |_: &_| {});
        let mut context = Context::for_agent(Budget::default(), seeded, 1, stop, &mut nobody);
        let action = LookAhead { steps: 2 }.choose(&position, &mut context).action;
        position = position.apply(action).0;
        positions.push(position);
    }
    positions
}

/// The goal in a position, if exactly one of at least three moves is proven to win, the others
/// are proven not to, and it does not win at once.
fn goal<G: Registered + StaticEval + Deterministic>(
    kind: &OnlyMove<G>,
    position: &G,
) -> Option<Goal> {
    if position.actions().len() < 3 {
        return None;
    }
    let limits = Limits::new(Instant::now(), Budget::nodes(kind.nodes), Request::never());
    let resources = Resources { threads: 1, memory: MEMORY };
    let (found, _) = (kind.prover.prove)(position, &limits, &resources, &|_| {});
    let wins = found.iter().filter(|&&(_, low, _)| low > 0);
    let best = match wins.map(|&(action, ..)| action).collect::<Vec<_>>()[..] {
        [best] => best,
        _ => return None,
    };
    // What is not won must be known, whether drawn or lost.
    let known = |&(_, low, high): &(_, i32, i32)| low > 0 || low.signum() == high.signum();
    if !found.iter().all(known) || position.apply(best).0.is_over() {
        return None;
    }
    let moves = found.iter().map(|&(action, low, _)| (Legal::of(position, action), low.signum()));
    Some(Goal::OnlyMove {
        best: Legal::of(position, best),
        moves: moves.collect(),
        solver: kind.prover.info.name,
    })
}

/// A board with the points that a solver makes of it within a number of positions.
pub(crate) fn par<G: Registered>(
    form: &Form<G>,
    solver: &str,
    nodes: u64,
    seed: u64,
) -> Option<Found<G>> {
    let position = G::start(&G::Variant::default(), &mut Rng::stream(seed, 0));
    let request = Request {
        method: Method::solver(solver),
        budget: Budget::nodes(nodes),
        memory: MEMORY,
        ..Request::default()
    };
    let session = Session::new(*form, position, None);
    let found = session.analyze(&request, Request::never(), &mut |_| {}).ok()?;
    let Details::Line(line) = found.details else { return None };
    Some((position, Goal::Par { points: line.value, solver: line.solver }))
}

/// A puzzle in JSON.
pub fn to_json(puzzle: &Puzzle) -> Value {
    let mut reply = json!({
        "game": puzzle.game,
        "date": puzzle.date,
        "kind": puzzle.goal.kind().name(),
        "position": puzzle.position,
        "best": null,
        "moves": [],
        "par": null,
    });
    match &puzzle.goal {
        Goal::OnlyMove { best, moves, solver } => {
            let to_json = |(action, result): &(Legal, i32)| {
                let word = ["loss", "draw", "win"][(result + 1) as usize];
                json!({"action": action.text, "result": word})
            };
            reply["best"] = json!(best.text);
            reply["moves"] = moves.iter().map(to_json).collect();
            reply["solver"] = json!(solver);
        }
        Goal::Par { points, solver } => {
            reply["par"] = json!(points);
            reply["solver"] = json!(solver);
        }
    }
    reply
}

#[cfg(test)]
mod tests;
