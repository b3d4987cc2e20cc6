//! Whatever a user types is read or refused, never a panic.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use ludens_core::{Record, Rng};
use ludens_engine::{former, framework, game, games};
use ludens_testkit::mutations;
use proptest::prelude::*;

/// Texts that look a little like what the readers expect.
fn nearly(alphabet: &'static str) -> impl Strategy<Value = String> {
    let characters: Vec<char> = alphabet.chars().collect();
    prop::collection::vec(prop::sample::select(characters), 0..120).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn names_are_read_or_refused(text in "\\PC{0,40}", params in nearly("abceorws=,:x0123456789-.")) {
        let _ = game(&text);
        for info in games() {
            let _ = game(&format!("{}:{params}", info.name));
        }
    }

    #[test]
    fn positions_are_read_or_refused(
        any in "(?s).{0,80}",
        nearly in nearly("0123456789.,/;XO ab-*\n+"),
    ) {
        for info in games() {
            let handle = game(&info.spec()).unwrap();
            for text in [&any, &nearly] {
                if let Ok(table) = handle.parse(text) {
                    prop_assert!(handle.parse(&table.position()).is_ok());
                }
            }
        }
    }

    #[test]
    fn moves_are_played_or_refused(seed in 0u64..50, text in "\\PC{0,20}", nearly in nearly("0123456789,;@:udlr#-")) {
        for info in games() {
            let mut table = game(&info.spec()).unwrap().random(seed, 3);
            for text in [&text, &nearly] {
                let before = table.position();
                if table.play(text).is_err() {
                    prop_assert_eq!(table.position(), before);
                }
            }
        }
    }

    #[test]
    fn dates_are_read_or_refused(text in "\\PC{0,12}", y in 0u32..12_000, m in 0u32..15, d in 0u32..40) {
        let handle = game(former::NAME).unwrap();
        let _ = handle.generate("date", &text);
        if let Ok(table) = handle.generate("date", &format!("{y:04}-{m:02}-{d:02}")) {
            prop_assert!((1..=12).contains(&m) && (1..=31).contains(&d) && y >= 2024);
            prop_assert_eq!(table.position().len(), 63);
        }
    }

    #[test]
    fn records_are_read_or_refused(text in "(?s).{0,200}") {
        let _ = Record::parse(&text);
        let _ = framework::read(&text, "2048");
        let _ = framework::read(&text, "threes");
    }
}

#[test]
fn damaged_records_are_refused_or_replayed() {
    let mut rng = Rng::new(3);
    for info in games() {
        let mut table = game(&info.spec()).unwrap().random(1, 2);
        for _ in 0..3 {
            let action = table.actions()[0].text.clone();
            table.play(&action).unwrap();
        }
        for text in mutations(&table.record().write(), 300, &mut rng) {
            let Ok(record) = Record::parse(&text) else { continue };
            assert_eq!(record.write(), text);
            if let Ok(handle) = game(&record.game) {
                let _ = handle.replay(&record);
            }
        }
    }
}
