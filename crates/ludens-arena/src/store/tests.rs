use std::fs;

use tempfile::TempDir;

use super::*;
use crate::EvalResult;
use crate::contest::{Game, Score};
use crate::{Case, CurvePoint};

fn evaluation(solver: &str) -> Evaluation {
    Evaluation {
        game: "former".to_owned(),
        solver: solver.to_owned(),
        budget: "nodes=1000".to_owned(),
        threads: 1,
        program: "test".to_owned(),
        suite: "suite".to_owned(),
        suite_hash: "00".to_owned(),
    }
}

fn result(case: usize, run: u32) -> RunResult {
    let outcome = EvalResult {
        value: Some(-13),
        length: 13,
        proven: true,
        bound: Some(-13),
        nodes: u64::MAX >> 1,
        millis: 0.1 + 0.2,
        line: "0,0 \"'; DROP TABLE result; -- é\n".to_owned(),
        curve: vec![
            CurvePoint { millis: 0.1, nodes: 7, value: -20 },
            CurvePoint { millis: 1.0 / 3.0, nodes: 9, value: -13 },
        ],
        statistics: (run == 0).then(crate::metrics::tests::sample),
        failure: (run == 1).then(|| "crashed: on purpose".to_owned()),
    };
    RunResult { case: case.to_string(), run, seed: u64::MAX >> 1, outcome }
}

fn filled(path: &Path, results: usize) -> EvaluationId {
    let mut store = Store::open(path).unwrap();
    let id = store.start(&evaluation("beam")).unwrap();
    for case in 0..results {
        assert!(store.insert(id, &result(case, 0)).unwrap());
    }
    let board = Case { id: "a".to_owned(), position: "11/12".to_owned(), best_known: None };
    store.keep_boards(&Suite::new("suite", vec![board]).unwrap()).unwrap();
    let games = store.start_pairing(&pairing()).unwrap();
    for opening in 0..results as u32 {
        assert!(store.insert_game(games, opening, false, 1, &game(Score::Draw, None)).unwrap());
    }
    id
}

#[test]
fn results_come_back_as_they_were() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.find(&evaluation("beam")).unwrap(), None);
    let id = store.start(&evaluation("beam")).unwrap();
    assert_eq!(store.start(&evaluation("beam")).unwrap(), id);
    let other = store.start(&evaluation("mcts:c=0.1")).unwrap();
    assert_ne!(id, other);
    let bare = RunResult { outcome: EvalResult::default(), ..result(1, 1) };
    assert!(store.insert(id, &bare).unwrap());
    assert!(store.insert(id, &result(1, 0)).unwrap());
    // The first one stays.
    let changed = RunResult { outcome: EvalResult::default(), ..result(1, 0) };
    assert!(!store.insert(id, &changed).unwrap());
    let odd = EvalResult { millis: f64::NAN, ..EvalResult::default() };
    assert!(store.insert(id, &RunResult { outcome: odd, seed: 5, ..result(1, 2) }).unwrap());
    drop(store);
    let store = Store::open(&path).unwrap();
    let results = store.results(id).unwrap();
    assert_eq!(results[..2], [result(1, 0), bare]);
    assert_eq!((results[2].outcome.millis, results.len()), (0.0, 3));
    assert_eq!(store.results(other).unwrap(), []);
    let list = store.evaluations().unwrap();
    assert_eq!(list.len(), 2);
    assert_eq!((list[0].id, list[0].results, &list[0].evaluation), (id, 3, &evaluation("beam")));
    assert!(list[0].started > 1_700_000_000);
    assert_eq!(store.path(), path);
}

#[test]
fn in_memory_is_like_a_file() {
    let mut store = Store::in_memory().unwrap();
    let id = store.start(&evaluation("beam")).unwrap();
    assert!(store.insert(id, &result(1, 0)).unwrap());
    assert_eq!(store.results(id).unwrap(), [result(1, 0)]);
}

/// Opening must fail with this message and leave the bytes alone.
fn refused(path: &Path, message: &str) {
    let before = fs::read(path).unwrap();
    let error = Store::open(path).unwrap_err().to_string();
    assert!(error.contains(message) && error.contains("results.db"), "{error}");
    assert!(!error.contains('\n'), "{error}");
    assert!(fs::read(path).unwrap() == before, "the file changed: {error}");
}

#[test]
fn foreign_files_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    for content in ["x", "my precious notes, longer than a header of a database\n"] {
        fs::write(&path, content).unwrap();
        refused(&path, "is not a Ludens result store");
    }
    fs::remove_file(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)").unwrap();
    drop(other);
    refused(&path, "another program's SQLite database");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("DROP TABLE mine; PRAGMA user_version = 4").unwrap();
    drop(other);
    refused(&path, "another program's SQLite database");
    assert!(Store::open(folder.path()).is_err(), "a folder");
    let error = Store::open(&folder.path().join("no/such/folder.db")).unwrap_err().to_string();
    assert!(error.contains("folder.db"), "{error}");
}

#[test]
fn damaged_files_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    filled(&path, 200);
    let good = fs::read(&path).unwrap();
    assert!(good.len() > 20_000, "the store is in the file: {}", good.len());
    // Cut short, in the middle of a page and between two.
    for length in [good.len() / 2, 4096 * 3, 600] {
        fs::write(&path, &good[..length]).unwrap();
        refused(&path, "damaged");
    }
    // A page overwritten, for every page that is in use.
    for page in 0..good.len() / 4096 {
        let mut bytes = good.clone();
        // The first begins with the header of the file; empty pages are all header.
        let start = if page == 0 { 200 } else { page * 4096 };
        bytes[start..(page + 1) * 4096].fill(0xAA);
        fs::write(&path, &bytes).unwrap();
        refused(&path, "damaged");
    }
    fs::write(&path, &good).unwrap();
    assert_eq!(Store::open(&path).unwrap().evaluations().unwrap()[0].results, 200);
}

#[test]
fn tables_that_do_not_fit_are_damage() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    filled(&path, 1);
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("ALTER TABLE result RENAME COLUMN bound TO bond").unwrap();
    drop(raw);
    refused(&path, "no such column: bound");
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("ALTER TABLE result RENAME COLUMN bond TO bound").unwrap();
    let id = Store::open(&path).unwrap().evaluations().unwrap()[0].id;
    for change in ["nodes = -1", "nodes = 1, curve = 'x'", "curve = '[]', statistics = '{}'"] {
        raw.execute_batch(&format!("UPDATE result SET {change}")).unwrap();
        let error = Store::open(&path).unwrap().results(id).unwrap_err();
        assert!(matches!(error, Error::DamagedStore { .. }), "{error}");
    }
}

#[test]
fn newer_versions_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    filled(&path, 3);
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("PRAGMA user_version = 8").unwrap();
    drop(raw);
    refused(&path, "has version 8, this program knows versions up to 7: use a newer program");
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("PRAGMA user_version = 0").unwrap();
    drop(raw);
    refused(&path, "its version is 0");
}

/// A store of version 1, 2 or 6 gets what it lacks and keeps its results.
#[test]
fn older_versions_are_brought_up_to_date() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    let id = filled(&path, 3);
    // A connection anew for every step: it remembers the names of columns.
    let raw = || Connection::open(&path).unwrap();
    const AS_6: &str = "ALTER TABLE evaluation RENAME COLUMN started TO begun;
        ALTER TABLE pairing RENAME COLUMN started TO begun;";
    let times = |store: &Store| store.evaluations().unwrap()[0].started;
    let before = times(&Store::open(&path).unwrap());
    raw().execute_batch(&format!("{AS_6} PRAGMA user_version = 6")).unwrap();
    assert_eq!(times(&Store::open(&path).unwrap()), before, "another name, the same time");
    const WITHOUT_4: &str =
        "DROP TABLE block; DROP TABLE board; DROP TABLE shard; DROP TABLE episode;
        ALTER TABLE result DROP COLUMN failure;";
    raw()
        .execute_batch(&format!(
            "{AS_6} {WITHOUT_4} DROP TABLE game; DROP TABLE pairing; PRAGMA user_version = 2"
        ))
        .unwrap();
    assert_eq!(Store::open(&path).unwrap().pairings().unwrap(), [], "the tables are new");
    raw().execute_batch(&format!(
        "{AS_6} {WITHOUT_4} DROP TABLE game; DROP TABLE pairing; ALTER TABLE result DROP COLUMN statistics;
         PRAGMA user_version = 1"
    ))
    .unwrap();
    let mut store = Store::open(&path).unwrap();
    let old = store.results(id).unwrap();
    assert_eq!(old.len(), 3);
    assert!(old.iter().all(|result| result.outcome.statistics.is_none()));
    store.insert(id, &result(7, 0)).unwrap();
    drop(store);
    assert_eq!(Store::open(&path).unwrap().results(id).unwrap()[3], result(7, 0));
}

/// Before version 4 the memory per worker was part of the budget. It is no more, and what was run
/// with different ones is still there, of a build that nobody has.
#[test]
fn the_memory_leaves_the_budget() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    let id = filled(&path, 3);
    let mut store = Store::open(&path).unwrap();
    let twin = store.start(&evaluation("other")).unwrap();
    store.insert(twin, &result(1, 0)).unwrap();
    drop(store);
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch(
        "ALTER TABLE evaluation RENAME COLUMN started TO begun;
         ALTER TABLE pairing RENAME COLUMN started TO begun;
         DROP TABLE block; DROP TABLE board; DROP TABLE shard; DROP TABLE episode;
         ALTER TABLE result DROP COLUMN failure; PRAGMA user_version = 3;
         UPDATE evaluation SET budget = 'nodes=1000,memory=5,network=ab' WHERE id = 1;
         UPDATE evaluation SET budget = 'nodes=1000,memory=7,network=ab', solver = 'beam'
         WHERE id = 2;",
    )
    .unwrap();
    drop(raw);
    let store = Store::open(&path).unwrap();
    let now = Evaluation { budget: "nodes=1000,network=ab".to_owned(), ..evaluation("beam") };
    assert_eq!(store.find(&now).unwrap(), None);
    assert_eq!(store.find_others(&now).unwrap(), [twin, id]);
    assert_eq!((store.results(id).unwrap().len(), store.results(twin).unwrap().len()), (3, 1));
    assert_eq!(store.evaluations().unwrap()[0].evaluation.program, "test memory=5");
}

#[test]
fn several_writers_at_once() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    // All open the file at the same time: only one may create it. Half of the
    // results are written by two of them.
    let new: usize = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let path = &path;
                scope.spawn(move || {
                    let mut store = Store::open(path).unwrap();
                    let id = store.start(&evaluation("beam")).unwrap();
                    let cases = writer * 20..writer * 20 + 40;
                    cases.filter(|&case| store.insert(id, &result(case, 0)).unwrap()).count()
                })
            })
            .collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).sum()
    });
    assert_eq!(new, 100);
    let list = Store::open(&path).unwrap().evaluations().unwrap();
    assert_eq!((list.len(), list[0].results), (1, 100));
}

/// A killed program leaves the log beside the file; what was kept is in it.
#[test]
fn what_was_kept_survives_a_crash() {
    let folder = TempDir::new().unwrap();
    let (path, copy) = (folder.path().join("results.db"), folder.path().join("copy.db"));
    let mut store = Store::open(&path).unwrap();
    let id = store.start(&evaluation("beam")).unwrap();
    for case in 0..30 {
        store.insert(id, &result(case, 0)).unwrap();
    }
    fs::copy(&path, &copy).unwrap();
    let log = fs::read(folder.path().join("results.db-wal")).unwrap();
    fs::write(folder.path().join("copy.db-wal"), &log).unwrap();
    assert_eq!(Store::open(&copy).unwrap().results(id).unwrap().len(), 30);
    // A log cut short loses only the last results.
    fs::copy(&path, &copy).unwrap();
    fs::write(folder.path().join("copy.db-wal"), &log[..log.len() - 2000]).unwrap();
    assert_eq!(Store::open(&copy).unwrap().results(id).unwrap().len(), 29);
}

fn pairing() -> Pairing {
    let text = str::to_owned;
    Pairing {
        game: text("connect-four"),
        one: text("random"),
        two: text("uct:samples=10"),
        terms: text("plies=6"),
        program: text("test"),
    }
}

fn game(score: Score, reason: Option<&str>) -> Game {
    Game {
        score,
        reason: reason.map(str::to_owned),
        start: "44".to_owned(),
        moves: ["1", "7", "3,3;3,4"].map(str::to_owned).to_vec(),
        micros: [vec![5, 9_000_000_000], vec![1]],
    }
}

#[test]
fn games_come_back_as_they_were() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    let mut store = Store::open(&path).unwrap();
    let id = store.start_pairing(&pairing()).unwrap();
    assert_eq!(store.start_pairing(&pairing()).unwrap(), id);
    let (won, lost) = (game(Score::Win, None), game(Score::Loss, Some("no move after 2 s")));
    assert!(store.insert_game(id, 0, false, 77, &won).unwrap());
    assert!(store.insert_game(id, 0, true, u64::MAX >> 11, &lost).unwrap());
    assert!(!store.insert_game(id, 0, false, 77, &lost).unwrap(), "the first one stays");
    drop(store);
    let store = Store::open(&path).unwrap();
    let kept = store.games(id).unwrap();
    assert_eq!(kept.len(), 2);
    assert_eq!(
        (kept[0].opening, kept[0].swapped, kept[0].seed, &kept[0].game),
        (0, false, 77, &won)
    );
    assert_eq!((kept[1].swapped, &kept[1].game), (true, &lost));
    let scores: Vec<(bool, Score)> =
        store.scores(id).unwrap().iter().map(|kept| (kept.swapped, kept.score)).collect();
    assert_eq!(scores, [(false, Score::Win), (true, Score::Loss)]);
    let newest = store.newest_games(1).unwrap();
    assert_eq!((newest.len(), newest[0].swapped, &newest[0].moves), (1, true, &lost.moves));
    assert_eq!((newest[0].two.as_str(), &newest[0].reason), ("uct:samples=10", &lost.reason));
    let list = store.pairings().unwrap();
    assert_eq!((list.len(), list[0].games, &list[0].pairing), (1, 2, &pairing()));
    let raw = Connection::open(&path).unwrap();
    for change in ["score = 3", "score = 1, micros = 'x'"] {
        raw.execute_batch(&format!("UPDATE game SET {change}")).unwrap();
        let error = Store::open(&path).unwrap().games(id).unwrap_err();
        assert!(matches!(error, Error::DamagedStore { .. }), "{error}");
    }
}
