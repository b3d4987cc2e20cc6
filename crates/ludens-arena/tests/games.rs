//! Suites of real games.

use ludens_arena::{Error, Suite};
use ludens_core::{Notation, ParseError};
use ludens_games::former::thesis_boards;
use ludens_games::{Former, SameGame};
use ludens_testkit::data_folder;

fn check<G: Notation>(text: &str) -> Result<String, ParseError> {
    G::parse(&G::Variant::default(), text).map(|position| position.text())
}

#[test]
fn suites_of_the_data_read() {
    let Some(data) = data_folder("known results of SameGame") else { return };
    let path = data.join("former/daily_boards.json");
    let daily = Suite::read(&path, &check::<Former>).unwrap();
    assert_eq!((daily.name(), daily.cases().len()), ("daily_boards", 100));
    let best: Vec<i64> = daily.cases().iter().filter_map(|case| case.best_known).collect();
    // Urheim (2025) has 13.6 moves on average.
    assert_eq!((best.len(), best.iter().sum::<i64>()), (100, 1358));

    let path = data.join("former/random_1000.txt");
    let random = Suite::read(&path, &check::<Former>).unwrap();
    assert!(
        random
            .cases()
            .iter()
            .map(|case| &case.position)
            .eq(&thesis_boards().map(|board| board.text()).collect::<Vec<_>>())
    );
    assert!(Suite::read(&data.join("former/daily_boards_extra.json"), &check::<Former>).is_ok());

    let boards = [
        ("standard_20", 20),
        ("schadd_100", 100),
        ("codingame_recoloured_20", 20),
        ("codingame_examples_5", 5),
    ];
    for (name, count) in boards {
        let path = data.join(format!("samegame/{name}.json"));
        let suite = Suite::read(&path, &check::<SameGame>).unwrap();
        assert_eq!((suite.name(), suite.cases().len()), (name, count));
    }
    for name in ["fixture_sequences_20.json", "known_results_20.json", "README.md"] {
        let path = data.join(format!("samegame/{name}"));
        let error = Suite::read(&path, &check::<SameGame>).unwrap_err();
        assert!(matches!(error, Error::Entry { .. }), "{error}");
    }
}
