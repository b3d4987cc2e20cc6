//! Plays what is not in the store yet, on several threads.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::ParseError;

use super::{ContestPlan, Fixture, Game, Referee, Score, Sprt, Tally, Verdict};
use crate::eval::run_seed;
use crate::store::{Pairing, PairingId};
use crate::{Error, Reuse, Store, crew};

/// How far a contest has come.
#[derive(Clone, Copy, Debug)]
pub struct ContestProgress<'a> {
    /// Games that are over, those from the store included.
    pub done: usize,
    /// Games that were in the store.
    pub reused: usize,
    /// All games.
    pub total: usize,
    /// Time since the beginning.
    pub elapsed: Duration,
    /// What is left at the present pace, once a game is over.
    pub left: Option<Duration>,
    /// The games of the first entrant against the second so far; those of this run are
    /// entered one by one, not in pairs.
    pub first: &'a Tally,
}

/// A game of a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestGame {
    /// The entrant that moved first, by number.
    pub first: usize,
    /// The one that moved second.
    pub second: usize,
    /// The number of the opening.
    pub opening: u32,
    /// The game.
    pub game: Game,
}

impl ContestGame {
    /// Whether these two play, whoever begins.
    fn is_between(&self, one: usize, two: usize) -> bool {
        [(one, two), (two, one)].contains(&(self.first, self.second))
    }

    /// How it ended for one of the two.
    pub fn score_of(&self, entrant: usize) -> Score {
        if entrant == self.first { self.game.score } else { self.game.score.flipped() }
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
    pub verdict: Option<Verdict>,
}

impl Contested {
    /// Whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.games.len() == self.total || self.verdict.is_some()
    }
}

/// One game to play. `one` has the smaller key, so that the order in which entrants are
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
    let begin = Instant::now();
    let (pairings, tasks) = tasks(plan);
    let openings: Vec<u64> =
        (0..plan.openings).map(|opening| run_seed(plan.seed, "opening", opening)).collect();

    // 1. What the store has.
    let mut ids: Vec<PairingId> = Vec::new();
    let (mut own, mut others): (Vec<Known>, Vec<Known>) = (Vec::new(), Vec::new());
    for pairing in &pairings {
        let id = store.begin_pairing(pairing)?;
        own.push(known(store, id)?);
        let mut foreign = Known::new();
        for other in store.find_other_pairings(pairing)? {
            known(store, other)?.into_iter().for_each(|(place, game)| {
                foreign.entry(place).or_insert(game);
            });
        }
        others.push(foreign);
        ids.push(id);
    }
    let mut games: BTreeMap<usize, ContestGame> = BTreeMap::new();
    let mut todo = Vec::new();
    let (mut of_others, mut left_aside) = (0, 0);
    for (i, task) in tasks.iter().enumerate() {
        let place = (task.opening, task.swapped, task.seed);
        match (own[task.pairing].remove(&place), others[task.pairing].remove(&place)) {
            (None, Some(game)) if plan.reuse == Reuse::Any => {
                of_others += 1;
                games.insert(i, entered(task, game));
            }
            (own, other) => {
                left_aside += usize::from(other.is_some());
                match own {
                    Some(game) => drop(games.insert(i, entered(task, game))),
                    None => todo.push(i),
                }
            }
        }
    }
    let reused = games.len();
    let mut test = plan.sprt.map(|sprt| Sequence::new(sprt, &tasks));
    let mut first = tally(games.values(), 0, 1);
    let mut tell = |done: usize, last: Option<&ContestGame>| {
        if let Some(game) = last.filter(|game| game.is_between(0, 1)) {
            first.enter(&[game.score_of(0)]);
        }
        let (elapsed, fresh) = (begin.elapsed(), done - reused);
        let share = (tasks.len() - done) as f64 / fresh.max(1) as f64;
        let left = (fresh > 0).then(|| elapsed.mul_f64(share));
        let total = tasks.len();
        progress(&ContestProgress { done, reused, total, elapsed, left, first: &first });
    };
    tell(reused, None);

    // 2. Whatever is missing, unless the test has its answer already.
    let mut failure = None;
    if test.as_mut().is_none_or(|test| test.look(&games).is_none()) {
        let hire = || {
            let mut board = referee.board();
            let (tasks, todo, openings) = (&tasks, &todo, &openings);
            move |at: usize, halt: &AtomicBool| {
                let task = &tasks[todo[at]];
                let (first, second) = task.first_and_second();
                let opening = openings[task.opening as usize];
                board.play(&Fixture { first, second, opening, seed: task.seed }, halt)
            }
        };
        crew::run(todo.len(), plan.workers, stop, hire, |at, game| {
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
                    tell(games.len() + 1, Some(&game));
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
    let verdict = test.and_then(|test| {
        let (counted, verdict) = test.ended?;
        games.retain(|&i, _| i < counted);
        Some(verdict)
    });
    let games = games.into_values().collect();
    Ok(Contested { games, reused, of_others, left_aside, total: tasks.len(), verdict })
}

/// Games by opening, sides and seed.
type Known = HashMap<(u32, bool, u64), Game>;

/// The games of a pairing.
fn known(store: &Store, id: PairingId) -> Result<Known, Error> {
    let kept = store.games(id)?.into_iter();
    Ok(kept.map(|kept| ((kept.opening, kept.swapped, kept.seed), kept.game)).collect())
}

fn check(plan: &ContestPlan<'_>) -> Result<(), Error> {
    let wrong = |place: &str, found: String, expected: &str| {
        Err(Error::Plan(ParseError::new(place, found, expected)))
    };
    let entrants = plan.entrants;
    if entrants.len() < 2 {
        return wrong("agents", entrants.len().to_string(), "at least two");
    }
    if plan.sprt.is_some() && entrants.len() != 2 {
        return wrong("agents", entrants.len().to_string(), "two for a sequential test");
    }
    for (i, entrant) in entrants.iter().enumerate() {
        if entrants[..i].iter().any(|other| other.key == entrant.key) {
            return wrong("agents", format!("{} twice", entrant.name), "each agent once");
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
    for one in 0..plan.entrants.len() {
        for two in one + 1..plan.entrants.len() {
            let ordered = plan.entrants[one].key <= plan.entrants[two].key;
            pairs.push(if ordered { (one, two) } else { (two, one) });
        }
    }
    let key = |entrant: usize| plan.entrants[entrant].key.clone();
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
    let name = |entrant: usize| plan.entrants[entrant].name.clone();
    Error::CrashedGame { one: name(first), two: name(second), opening: task.opening }
}

/// What one entrant scored against another.
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
    ended: Option<(usize, Verdict)>,
}

impl Sequence {
    fn new(sprt: Sprt, tasks: &[Task]) -> Self {
        Sequence { sprt, tally: Tally::default(), counted: 0, total: tasks.len(), ended: None }
    }

    /// Counts what has come since the last look.
    fn look(&mut self, games: &BTreeMap<usize, ContestGame>) -> Option<Verdict> {
        while self.ended.is_none() && self.counted < self.total {
            let (Some(one), Some(two)) = (games.get(&self.counted), games.get(&(self.counted + 1)))
            else {
                break;
            };
            self.tally.enter(&[one.score_of(0), two.score_of(0)]);
            self.counted += 2;
            let verdict = self.sprt.verdict(&self.tally.pairs);
            self.ended = verdict.map(|verdict| (self.counted, verdict));
        }
        self.ended.map(|(_, verdict)| verdict)
    }
}
