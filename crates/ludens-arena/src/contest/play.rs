//! Plays what is not in the store yet, on several threads.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::ParseError;

use super::{ContestPlan, Fixture, Game, Referee, Score, Sprt, SprtDecision, Tally};
use crate::eval::run_seed;
use crate::resume::{Pace, Resumed, resume};
use crate::store::{Pairing, PairingId};
use crate::{Error, Shard, Store, worker_pool};

/// How far a contest has come.
#[derive(Clone, Copy, Debug)]
pub struct ContestProgress<'a> {
    /// Games that are over, those from the store included.
    pub done: usize,
    /// Games that were in the store.
    pub reused: usize,
    /// All games.
    pub total: usize,
    /// Time since the start.
    pub elapsed: Duration,
    /// What is left at the present pace, once a game is over.
    pub left: Option<Duration>,
    /// The games of the first player against the second so far; those of this run are
    /// entered one by one, not in pairs.
    pub first: &'a Tally,
}

/// A game of a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestGame {
    /// The player that moved first, by number.
    pub first: usize,
    /// The one that moved second.
    pub second: usize,
    /// The number of the opening.
    pub opening: u32,
    /// The game.
    pub game: Game,
}

impl ContestGame {
    /// Whether these two play, whoever moves first.
    fn is_between(&self, one: usize, two: usize) -> bool {
        [(one, two), (two, one)].contains(&(self.first, self.second))
    }

    /// How it ended for one of the two.
    pub fn score_of(&self, player: usize) -> Score {
        if player == self.first { self.game.score } else { self.game.score.flipped() }
    }
}

/// What a contest came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Contested {
    /// The games, opening by opening.
    pub games: Vec<ContestGame>,
    /// How many of them were in the store.
    pub reused: usize,
    /// How many of those are of other programs.
    pub of_others: usize,
    /// Games of other programs that would have fitted and were not reused.
    pub left_aside: usize,
    /// How many there would be without interruption or an early answer.
    pub total: usize,
    /// The answer of the sequential test, if it was made and has one.
    pub decision: Option<SprtDecision>,
}

impl Contested {
    /// Whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.games.len() == self.total || self.decision.is_some()
    }
}

/// One game to play. `one` has the smaller key, so that the order in which players are
/// named makes no difference to what is played.
struct Task {
    one: usize,
    two: usize,
    pairing: usize,
    opening: u32,
    swapped: bool,
    seed: u64,
}

impl Task {
    fn first_and_second(&self) -> (usize, usize) {
        if self.swapped { (self.two, self.one) } else { (self.one, self.two) }
    }
}

/// Plays what is not in the store yet. `stop` ends it within a few milliseconds: what is
/// over is kept and returned, the games under way are dropped.
///
/// # Errors
/// When the plan makes no sense, the store fails, or an agent of the program itself
/// crashes; games that were over before are in the store.
pub fn contest(
    plan: &ContestPlan<'_>,
    referee: &dyn Referee,
    store: &mut Store,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&ContestProgress<'_>),
) -> Result<Contested, Error> {
    check(plan)?;
    let start = Instant::now();
    let (pairings, tasks) = tasks(plan);
    let openings: Vec<u64> =
        (0..plan.openings).map(|opening| run_seed(plan.seed, "opening", opening)).collect();

    // 1. What the store has.
    let mut ids: Vec<PairingId> = Vec::new();
    let (mut own, mut others) = (Known::new(), Known::new());
    for (number, pairing) in pairings.iter().enumerate() {
        let id = store.start_pairing(pairing)?;
        own.extend(known(store, number, id)?);
        for other in store.find_other_pairings(pairing)? {
            for (key, game) in known(store, number, other)? {
                others.entry(key).or_insert(game);
            }
        }
        ids.push(id);
    }
    let keys = tasks.iter().map(|task| (task.pairing, task.opening, task.swapped, task.seed));
    // A unit is a pair of games: an opening with both sides.
    let Resumed { found, todo, of_others, left_aside } =
        resume(keys, own, others, plan.reuse).of_units(|task| plan.shard.has(task / 2));
    let mut games: BTreeMap<usize, ContestGame> =
        found.into_iter().map(|(i, game)| (i, entered(&tasks[i], game))).collect();
    let (reused, total) = (games.len(), 2 * plan.shard.units(tasks.len() / 2));
    let mut test = plan.sprt.map(|sprt| Sequence::new(sprt, &tasks));
    let mut first = tally(games.values(), 0, 1);
    let pace = Pace::new(start, reused, total);
    let mut report = |done: usize, last: Option<&ContestGame>| {
        if let Some(game) = last.filter(|game| game.is_between(0, 1)) {
            first.enter(&[game.score_of(0)]);
        }
        let (elapsed, left) = pace.at(done);
        progress(&ContestProgress { done, reused, total, elapsed, left, first: &first });
    };
    report(reused, None);

    // 2. Whatever is missing, unless the test has its answer already.
    let mut failure = None;
    if test.as_mut().is_none_or(|test| test.look(&games).is_none()) {
        let make_worker = || {
            let mut board = referee.board();
            let (tasks, todo, openings) = (&tasks, &todo, &openings);
            move |at: usize, halt: &AtomicBool| {
                let task = &tasks[todo[at]];
                let (first, second) = task.first_and_second();
                let opening = openings[task.opening as usize];
                board.play(&Fixture { first, second, opening, seed: task.seed }, halt)
            }
        };
        worker_pool::run(todo.len(), plan.workers, stop, make_worker, |at, game| {
            let task = &tasks[todo[at]];
            let kept = match game {
                Some(game) => store
                    .insert_game(ids[task.pairing], task.opening, task.swapped, task.seed, &game)
                    .map(|_| game),
                None => Err(crashed(plan, task)),
            };
            match kept {
                Ok(game) => {
                    let game = entered(task, game);
                    report(games.len() + 1, Some(&game));
                    games.insert(todo[at], game);
                    test.as_mut().is_none_or(|test| test.look(&games).is_none())
                }
                Err(error) => {
                    // The first failure tells what happened; the rest follow from it.
                    failure.get_or_insert(error);
                    false
                }
            }
        });
    }
    if let Some(error) = failure {
        return Err(error);
    }
    // 3. The test counts the openings up to its answer, however many were under way.
    let decision = test.and_then(|test| {
        let (counted, decision) = test.ended?;
        games.retain(|&i, _| i < counted);
        Some(decision)
    });
    let games = games.into_values().collect();
    Ok(Contested { games, reused, of_others, left_aside, total, decision })
}

/// Games by pairing, opening, sides and seed.
type Known = HashMap<(usize, u32, bool, u64), Game>;

/// The stored games of a pairing.
fn known(store: &Store, pairing: usize, id: PairingId) -> Result<Known, Error> {
    let kept = store.games(id)?.into_iter();
    Ok(kept.map(|kept| ((pairing, kept.opening, kept.swapped, kept.seed), kept.game)).collect())
}

fn check(plan: &ContestPlan<'_>) -> Result<(), Error> {
    let wrong = |field: &str, found: String, expected: &str| {
        Err(Error::Plan(ParseError::new(field, found, expected)))
    };
    let players = plan.players;
    if players.len() < 2 {
        return wrong("agents", players.len().to_string(), "at least two");
    }
    if plan.sprt.is_some() && players.len() != 2 {
        return wrong("agents", players.len().to_string(), "two for a sequential test");
    }
    if plan.sprt.is_some() && plan.shard != Shard::WHOLE {
        let expected = "the whole of a sequential test, which ends when it has its answer";
        return wrong("shard", plan.shard.to_string(), expected);
    }
    for (i, player) in players.iter().enumerate() {
        if players[..i].iter().any(|other| other.key == player.key) {
            return wrong("agents", format!("{} twice", player.name), "each agent once");
        }
    }
    if plan.openings == 0 || plan.workers == 0 {
        return wrong("contest", "0".to_owned(), "at least one opening and one worker");
    }
    Ok(())
}

/// The pairings, and all games: the first opening of every pairing, then the second, so
/// that an interrupted contest has seen all about equally often.
fn tasks(plan: &ContestPlan<'_>) -> (Vec<Pairing>, Vec<Task>) {
    let mut pairs = Vec::new();
    for one in 0..plan.players.len() {
        for two in one + 1..plan.players.len() {
            let ordered = plan.players[one].key <= plan.players[two].key;
            pairs.push(if ordered { (one, two) } else { (two, one) });
        }
    }
    let key = |player: usize| plan.players[player].key.clone();
    let pairing = |&(one, two): &(usize, usize)| Pairing {
        game: plan.game.to_owned(),
        one: key(one),
        two: key(two),
        terms: plan.terms.to_owned(),
        program: plan.program.to_owned(),
    };
    let mut tasks = Vec::new();
    for opening in 0..plan.openings {
        for (pairing, &(one, two)) in pairs.iter().enumerate() {
            for swapped in [false, true] {
                let name = format!("{}\n{}\n{swapped}", key(one), key(two));
                let seed = run_seed(plan.seed, &name, opening);
                tasks.push(Task { one, two, pairing, opening, swapped, seed });
            }
        }
    }
    (pairs.iter().map(pairing).collect(), tasks)
}

fn entered(task: &Task, game: Game) -> ContestGame {
    let (first, second) = task.first_and_second();
    ContestGame { first, second, opening: task.opening, game }
}

fn crashed(plan: &ContestPlan<'_>, task: &Task) -> Error {
    let (first, second) = task.first_and_second();
    let name = |player: usize| plan.players[player].name.clone();
    Error::CrashedGame { one: name(first), two: name(second), opening: task.opening }
}

/// What one player scored against another.
pub(super) fn tally<'a>(
    games: impl Iterator<Item = &'a ContestGame>,
    one: usize,
    two: usize,
) -> Tally {
    let mut openings: BTreeMap<u32, Vec<Score>> = BTreeMap::new();
    for game in games.filter(|game| game.is_between(one, two)) {
        openings.entry(game.opening).or_default().push(game.score_of(one));
    }
    let mut tally = Tally::default();
    openings.values().for_each(|scores| tally.enter(scores));
    tally
}

/// A sequential test over the openings in their order, whatever the order in which they
/// end: the answer depends on the games alone.
struct Sequence {
    sprt: Sprt,
    tally: Tally,
    /// Games that are counted, a whole number of openings.
    counted: usize,
    total: usize,
    ended: Option<(usize, SprtDecision)>,
}

impl Sequence {
    fn new(sprt: Sprt, tasks: &[Task]) -> Self {
        Sequence { sprt, tally: Tally::default(), counted: 0, total: tasks.len(), ended: None }
    }

    /// Counts what has come since the last look.
    fn look(&mut self, games: &BTreeMap<usize, ContestGame>) -> Option<SprtDecision> {
        while self.ended.is_none() && self.counted < self.total {
            let (Some(one), Some(two)) = (games.get(&self.counted), games.get(&(self.counted + 1)))
            else {
                break;
            };
            self.tally.enter(&[one.score_of(0), two.score_of(0)]);
            self.counted += 2;
            let decision = self.sprt.decide(&self.tally.pairs);
            self.ended = decision.map(|decision| (self.counted, decision));
        }
        self.ended.map(|(_, decision)| decision)
    }
}
