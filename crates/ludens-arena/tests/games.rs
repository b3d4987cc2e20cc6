//! Suites of real games.

use std::path::PathBuf;

use ludens_arena::{Error, Suite};
use ludens_core::{Notation, ParseError};
use ludens_games::former::thesis_boards;
use ludens_games::{Former, SameGame};

fn check<G: Notation>(text: &str) -> Result<String, ParseError> {
    G::parse(&G::Variant::default(), text).map(|position| position.text())
}

/// The data's file of that name, if there are data.
fn data(name: &str) -> Option<PathBuf> {
    std::env::var_os("LUDENS_DATA").map(|folder| PathBuf::from(folder).join(name))
}

#[test]
fn suites_of_the_data_read() {
    let Some(path) = data("former/daily_boards.json") else {
        eprintln!("LUDENS_DATA is not set: its suites are not read");
        return;
    };
    let daily = Suite::read(&path, &check::<Former>).unwrap();
    assert_eq!((daily.name(), daily.cases().len()), ("daily_boards", 100));
    let best: Vec<i64> = daily.cases().iter().filter_map(|case| case.best_known).collect();
    // The Former text prints 13.6 moves on average.
    assert_eq!((best.len(), best.iter().sum::<i64>()), (100, 1358));
    assert_eq!(daily.dates("2025-01-27", "2025-01-31").unwrap().cases().len(), 1);

    let path = data("former/random_1000.txt").unwrap();
    let random = Suite::read(&path, &check::<Former>).unwrap();
    assert!(
        random
            .cases()
            .iter()
            .map(|case| &case.position)
            .eq(&thesis_boards().map(|board| board.text()).collect::<Vec<_>>())
    );
    let random = random.with_best_known(&data("former/random_1000_best_known.txt").unwrap());
    assert_eq!(random.unwrap().cases()[0].best_known, Some(14));
    assert!(
        Suite::read(&data("former/daily_boards_extra.json").unwrap(), &check::<Former>).is_ok()
    );

    let boards = [
        ("standard_20", 20),
        ("schadd_100", 100),
        ("codingame_recoloured_20", 20),
        ("codingame_examples_5", 5),
    ];
    for (name, count) in boards {
        let path = data(&format!("samegame/{name}.json")).unwrap();
        let suite = Suite::read(&path, &check::<SameGame>).unwrap();
        assert_eq!((suite.name(), suite.cases().len()), (name, count));
    }
    for name in ["fixture_sequences_20.json", "known_results_20.json", "README.md"] {
        let path = data(&format!("samegame/{name}")).unwrap();
        let error = Suite::read(&path, &check::<SameGame>).unwrap_err();
        assert!(matches!(error, Error::Entry { .. }), "{error}");
    }
}
