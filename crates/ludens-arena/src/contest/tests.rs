use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ludens_core::Rng;

use super::*;
use crate::{Error, Store};

/// Coins: the player with the larger number wins the more often, by the seed.
struct Coins {
    played: AtomicUsize,
    /// From this game on every one panics.
    sound: usize,
    /// How long a game takes.
    pause: Duration,
}

impl Coins {
    fn new() -> Self {
        Coins { played: AtomicUsize::new(0), sound: usize::MAX, pause: Duration::ZERO }
    }
}

struct Tossing<'a>(&'a Coins);

impl Referee for Coins {
    fn board(&self) -> Box<dyn Board + '_> {
        Box::new(Tossing(self))
    }
}

impl Board for Tossing<'_> {
    fn play(&mut self, fixture: &Fixture, _: &AtomicBool) -> Game {
        let number = self.0.played.fetch_add(1, Ordering::Relaxed);
        assert!(number < self.0.sound, "on purpose");
        std::thread::sleep(self.0.pause);
        let mut rng = Rng::new(fixture.seed);
        let edge = 0.2 * (fixture.first as f64 - fixture.second as f64);
        let won = rng.unit() < 0.5 + edge;
        Game {
            score: if won { Score::Win } else { Score::Loss },
            reason: (!won && fixture.first == 0).then(|| "slept".to_owned()),
            start: fixture.opening.to_string(),
            moves: vec!["toss".to_owned()],
            micros: [vec![1500], Vec::new()],
        }
    }
}

fn players(names: &[&str]) -> Vec<ContestPlayer> {
    let player = |name: &&str| ContestPlayer { name: (*name).to_owned(), key: (*name).to_owned() };
    names.iter().map(player).collect()
}

fn plan<'a>(players: &'a [ContestPlayer], openings: u32) -> ContestPlan<'a> {
    ContestPlan {
        game: "coins",
        players,
        terms: "",
        program: "test",
        reuse: Reuse::Same,
        openings,
        seed: 1,
        workers: 2,
        sprt: None,
        shard: Shard::WHOLE,
    }
}

fn run(plan: &ContestPlan<'_>, coins: &Coins, store: &mut Store) -> Result<Contested, Error> {
    contest(plan, coins, store, &AtomicBool::new(false), &mut |progress| {
        assert!(progress.done <= progress.total && progress.reused <= progress.done);
    })
}

#[test]
fn openings_are_shared_and_sides_swapped() {
    let three = players(&["c", "a", "b"]);
    let (coins, mut store) = (Coins::new(), Store::in_memory().unwrap());
    let done = run(&plan(&three, 50), &coins, &mut store).unwrap();
    assert_eq!((done.games.len(), done.total, done.reused), (300, 300, 0));
    for opening in 0..50 {
        let games: Vec<_> = done.games.iter().filter(|game| game.opening == opening).collect();
        let starts: std::collections::BTreeSet<&str> =
            games.iter().map(|game| game.game.start.as_str()).collect();
        assert_eq!((games.len(), starts.len()), (6, 1), "one opening for all");
        for (one, two) in [(0, 1), (1, 2), (0, 2)] {
            let sides = games.iter().filter(|g| (g.first, g.second) == (one, two)).count();
            let swapped = games.iter().filter(|g| (g.first, g.second) == (two, one)).count();
            assert_eq!((sides, swapped), (1, 1));
        }
    }
    let standings = Standings::of(3, &done, (0, 500.0));
    let elo = |i: usize| match standings.ratings[i] {
        Rating::Rated(elo) => elo.value.unwrap(),
        other => panic!("{other:?}"),
    };
    assert!(elo(0) == 500.0 && elo(0) < elo(1) && elo(1) < elo(2), "{:?}", standings.ratings);
    assert_eq!(standings.totals.iter().map(Tally::games).sum::<u64>(), 600);
    assert_eq!(standings.times[0].moves, 100, "100 games moved first");
    assert_eq!(standings.times[0].median, 1.5);
    assert!(standings.forfeits.iter().all(|f| f.player == 0 && f.reason == "slept"));
    let json = contest_json(&plan(&three, 50), &done, &standings, (0, 500.0));
    assert_eq!(json["table"].as_array().unwrap().len(), 3);
    assert_eq!(json["ratings"][0]["elo"], 500.0);
    assert!(json.get("wins").is_none());
}

/// The order in which players are named makes no difference to the games, only to who is
/// told first.
#[test]
fn games_are_found_again_whatever_the_order() {
    let mut store = Store::in_memory().unwrap();
    let coins = Coins::new();
    let (forth, back) = (players(&["a", "b"]), players(&["b", "a"]));
    let first = run(&plan(&forth, 20), &coins, &mut store).unwrap();
    let again = run(&plan(&forth, 20), &coins, &mut store).unwrap();
    assert_eq!((first.games.clone(), 40), (again.games, again.reused));
    let turned = run(&plan(&back, 20), &coins, &mut store).unwrap();
    assert_eq!(turned.reused, 40);
    assert_eq!(coins.played.load(Ordering::Relaxed), 40);
    let tally = |done: &Contested| Standings::of(2, done, (0, 0.0)).duels[0].tally;
    assert_eq!(tally(&first), tally(&turned).flipped());
    // More games add to those that are there; another seed shares none.
    assert_eq!(run(&plan(&forth, 30), &coins, &mut store).unwrap().reused, 40);
    let other = ContestPlan { seed: 2, ..plan(&forth, 20) };
    assert_eq!(run(&other, &coins, &mut store).unwrap().reused, 0);
}

#[test]
fn games_of_other_builds_are_left_aside_or_reused() {
    let two = players(&["a", "b"]);
    let mut store = Store::in_memory().unwrap();
    let old = ContestPlan { program: "old", ..plan(&two, 10) };
    run(&old, &Coins::new(), &mut store).unwrap();
    let coins = Coins::new();
    let counts = |done: &Contested| (done.reused, done.of_others, done.left_aside);
    let any = ContestPlan { reuse: Reuse::Any, ..plan(&two, 20) };
    assert_eq!(counts(&run(&any, &coins, &mut store).unwrap()), (20, 20, 0));
    let same = run(&plan(&two, 20), &coins, &mut store).unwrap();
    assert_eq!(counts(&same), (20, 0, 20));
    assert_eq!(coins.played.load(Ordering::Relaxed), 40);
    let json = contest_json(&plan(&two, 20), &same, &Standings::of(2, &same, (0, 0.0)), (0, 0.0));
    assert_eq!((&json["reused"], &json["left_aside"]), (&20.into(), &20.into()));
}

/// A contest that crashes or is interrupted goes on without counting a game twice.
#[test]
fn an_interrupted_contest_goes_on() {
    let two = players(&["a", "b"]);
    let whole = run(&plan(&two, 40), &Coins::new(), &mut Store::in_memory().unwrap()).unwrap();
    let mut store = Store::in_memory().unwrap();
    let faulty = Coins { sound: 30, ..Coins::new() };
    let error = run(&plan(&two, 40), &faulty, &mut store).unwrap_err().to_string();
    assert!(error.contains("a game of") && error.contains("are kept"), "{error}");
    let stop = AtomicBool::new(false);
    let slow = Coins { pause: Duration::from_millis(5), ..Coins::new() };
    let stopped = contest(&plan(&two, 40), &slow, &mut store, &stop, &mut |progress| {
        if progress.done >= 60 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let stopped = stopped.unwrap();
    assert!(!stopped.is_complete() && stopped.reused >= 28, "{}", stopped.reused);
    let done = run(&plan(&two, 40), &Coins::new(), &mut store).unwrap();
    assert!(done.is_complete() && done.reused >= 60);
    assert_eq!(done.games, whole.games);
    assert_eq!(store.pairings().unwrap()[0].games, 80);
}

#[test]
fn a_sequential_test_ends_early_and_repeats() {
    let two = players(&["weak", "strong"]);
    let sprt = Some(Sprt { elo0: -20.0, elo1: 20.0 });
    let plan = ContestPlan { sprt, ..plan(&two, 10_000) };
    let mut store = Store::in_memory().unwrap();
    let done = run(&plan, &Coins::new(), &mut store).unwrap();
    assert_eq!(done.decision, Some(SprtDecision::AcceptH0));
    assert!(done.is_complete() && done.games.len() < 2000, "{}", done.games.len());
    // From the store, without playing.
    let idle = Coins { sound: 0, ..Coins::new() };
    let again = run(&plan, &idle, &mut store).unwrap();
    assert_eq!((again.games, again.decision), (done.games, done.decision));
    let standings = Standings::of(2, &again_of(&plan, &mut store), (0, 0.0));
    let json = contest_json(&plan, &again_of(&plan, &mut store), &standings, (0, 0.0));
    assert_eq!(json["sprt"]["decision"], "H0");
    assert!(json["elo"].as_f64().unwrap() < -20.0);
}

fn again_of(plan: &ContestPlan<'_>, store: &mut Store) -> Contested {
    run(plan, &Coins { sound: 0, ..Coins::new() }, store).unwrap()
}

#[test]
fn plans_that_make_no_sense_are_refused() {
    let mut store = Store::in_memory().unwrap();
    let mut refused =
        |plan: &ContestPlan<'_>| run(plan, &Coins::new(), &mut store).unwrap_err().to_string();
    assert!(refused(&plan(&players(&["a"]), 1)).contains("at least two"));
    assert!(refused(&plan(&players(&["a", "a"]), 1)).contains("a twice"));
    assert!(refused(&plan(&players(&["a", "b"]), 0)).contains("at least one opening"));
    let three = players(&["a", "b", "c"]);
    let sprt = Some(Sprt { elo0: 0.0, elo1: 5.0 });
    assert!(refused(&ContestPlan { sprt, ..plan(&three, 1) }).contains("two for a sequential"));
}
