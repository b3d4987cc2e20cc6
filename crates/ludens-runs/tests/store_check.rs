//! What is found wrong with a store of results.

use std::sync::atomic::{AtomicBool, Ordering};

use ludens_arena::contest::{Game, Score};
use ludens_arena::store::PairingId;
use ludens_arena::{Case, EvalResult, Evaluation, Pairing, RunResult, Store, Suite};
use ludens_engine::game;
use ludens_runs::store_check::{StoreReport, check};

fn checked(store: &Store) -> StoreReport {
    check(store, &AtomicBool::new(false), &mut |_, _| {}).expect("the store can be read")
}

fn suite() -> Suite {
    // Two groups: the fewest moves are two.
    let rows = format!("{}{}", "0".repeat(7), "1".repeat(56));
    let position = game("former")
        .expect("a test that is set up right")
        .parse(&rows)
        .expect("a test that is set up right")
        .position();
    Suite::new("two", vec![Case { id: "a".to_owned(), position, best_known: None }])
        .expect("a test that is set up right")
}

fn evaluation(suite: &Suite) -> Evaluation {
    Evaluation {
        game: "former".to_owned(),
        solver: "exact".to_owned(),
        budget: "none".to_owned(),
        threads: 1,
        program: "test".to_owned(),
        suite: suite.name().to_owned(),
        suite_hash: suite.hash(),
    }
}

fn solved() -> EvalResult {
    let mut table = game("former")
        .expect("a test that is set up right")
        .parse(&suite().cases()[0].position)
        .expect("a test that is set up right");
    let mut line = Vec::new();
    while let Some(action) = table.actions().first().map(|action| action.text.clone()) {
        table.play(&action).expect("a test that is set up right");
        line.push(action);
    }
    EvalResult {
        value: Some(table.total()),
        length: line.len(),
        line: line.join(" "),
        ..EvalResult::default()
    }
}

#[test]
fn lines_are_replayed() {
    let suite = suite();
    let mut store = Store::in_memory().unwrap();
    let id = store.start(&evaluation(&suite)).unwrap();
    store.keep_boards(&suite).unwrap();
    let good = solved();
    let value = good.value;
    let cut = good.line.rsplit_once(' ').unwrap().0.to_owned();
    let outcomes = [
        (good.clone(), None),
        (EvalResult::failed("no memory"), None),
        (
            EvalResult { value: None, line: cut.clone(), length: good.length - 1, ..good.clone() },
            None,
        ),
        (
            EvalResult { value: value.map(|v| v + 1), ..good.clone() },
            Some("the value of its line is"),
        ),
        (EvalResult { length: 1, ..good.clone() }, Some("its length is given as 1")),
        (
            EvalResult { line: cut, length: good.length - 1, ..good.clone() },
            Some("does not lead to"),
        ),
        (EvalResult { line: "9,9".to_owned(), ..good.clone() }, Some("move 1: ")),
        (EvalResult { bound: Some(-9), ..good.clone() }, Some("more than its bound")),
        (EvalResult { proven: true, bound: Some(0), ..good.clone() }, Some("given as proven")),
    ];
    for (run, (outcome, _)) in outcomes.iter().enumerate() {
        let outcome = outcome.clone();
        let result = RunResult { case: "a".to_owned(), run: run as u32, seed: 1, outcome };
        store.insert(id, &result).unwrap();
    }
    let strange = RunResult { case: "unknown".to_owned(), run: 0, seed: 1, outcome: good };
    store.insert(id, &strange).unwrap();
    let report = checked(&store);
    let StoreReport { results, replayed, without_board, failures, .. } = report;
    assert_eq!((results, replayed, without_board, failures), (10, 2, 1, 1), "{report:?}");
    let wrong = outcomes.iter().enumerate().filter_map(|(i, (_, wrong))| Some((i, (*wrong)?)));
    for ((at, expected), found) in wrong.clone().zip(&report.damage) {
        assert_eq!((found.table, found.id), ("result", at as i64 + 1));
        assert!(found.what.contains(expected), "{expected}: {}", found.what);
    }
    assert_eq!(report.damage.len(), wrong.count());
    // It can be stopped.
    let stop = AtomicBool::new(false);
    let some = check(&store, &stop, &mut |_, _| stop.store(true, Ordering::Relaxed)).unwrap();
    assert!(!some.complete && some.results == 1, "{some:?}");
}

/// Boards that an older program has not kept are made again by the name of their suite.
#[test]
fn boards_of_named_suites_are_known() {
    let former = game("former").unwrap();
    let named = ludens_runs::eval::suite(&*former, "random:2,5").unwrap();
    let mut store = Store::in_memory().unwrap();
    let id = store.start(&evaluation(&named)).unwrap();
    let result =
        RunResult { case: "5".to_owned(), run: 0, seed: 1, outcome: EvalResult::default() };
    store.insert(id, &result).unwrap();
    assert_eq!(checked(&store).replayed, 1);
    let other = Evaluation { suite_hash: "other".to_owned(), ..evaluation(&named) };
    let id = store.start(&other).unwrap();
    store.insert(id, &result).unwrap();
    let report = checked(&store);
    assert_eq!((report.replayed, report.without_board, report.damage.len()), (1, 1, 0));
}

#[test]
fn games_are_replayed() {
    let mut store = Store::in_memory().unwrap();
    let pairing = |game: &str| Pairing {
        game: game.to_owned(),
        one: "a".to_owned(),
        two: "b".to_owned(),
        terms: "plies=1".to_owned(),
        program: "test".to_owned(),
    };
    let id = store.start_pairing(&pairing("connect-four")).unwrap();
    let start = game("connect-four").unwrap().start(0).position();
    // After an opening of one move the second player begins, and wins in column 1.
    let good = Game {
        score: Score::Win,
        reason: None,
        start,
        moves: "7 1 2 1 2 1 2 1".split(' ').map(str::to_owned).collect(),
        micros: [vec![1; 4], vec![1; 3]],
    };
    let cut = |game: &Game, moves: usize, timed: [usize; 2]| Game {
        moves: game.moves[..moves].to_vec(),
        micros: timed.map(|count| vec![1; count]),
        ..game.clone()
    };
    let slow = Game { reason: Some("slow".to_owned()), ..cut(&good, 3, [2, 1]) };
    let games = [
        (good.clone(), None),
        (Game { score: Score::Loss, ..slow.clone() }, None),
        (
            Game { score: Score::Loss, ..good.clone() },
            Some("won by who moved first, given as lost"),
        ),
        (cut(&good, 7, [3, 3]), Some("do not lead to the end")),
        (Game { moves: vec!["9".to_owned()], ..good.clone() }, Some("move 1: ")),
        (Game { start: "?".to_owned(), ..good.clone() }, Some("its start: ")),
        (Game { score: Score::Draw, ..slow.clone() }, Some("given as forfeited, but drawn")),
        (Game { reason: slow.reason.clone(), ..good.clone() }, Some("over by the rules")),
    ];
    let mut insert = |id: PairingId, opening: u32, game: &Game| {
        store.insert_game(id, opening, false, 1, game).unwrap();
    };
    for (opening, (game, _)) in games.iter().enumerate() {
        insert(id, opening as u32, game);
    }
    let report = checked(&store);
    assert_eq!(report.games, games.len());
    let wrong = games.iter().enumerate().filter_map(|(i, (_, wrong))| Some((i, (*wrong)?)));
    for ((at, expected), found) in wrong.clone().zip(&report.damage) {
        assert_eq!((found.table, found.id), ("game", at as i64 + 1), "{report:?}");
        assert!(found.what.contains(expected), "{expected}: {}", found.what);
    }
    assert_eq!(report.damage.len(), wrong.count(), "{report:?}");
    store.start_pairing(&pairing("chess")).unwrap();
    assert_eq!(checked(&store).damage.last().unwrap().table, "pairing");
}
