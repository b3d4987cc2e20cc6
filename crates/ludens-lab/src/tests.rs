//! Every experiment, as small as it gets.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use ludens_arena::Store;
use serde_json::Value;

use crate::{Error, Experiment, Report, Row, Settings, Size, Verdict, all, find, run};

fn data() -> Option<PathBuf> {
    std::env::var_os("LUDENS_DATA").map(PathBuf::from)
}

fn settings() -> Settings {
    Settings { size: Size::Tiny, workers: 2, memory: 1 << 28, data: data(), ..Settings::default() }
}

fn tiny(experiment: &Experiment, settings: &Settings, stop: bool) -> Result<Report, Error> {
    let mut store = Store::in_memory().unwrap();
    run(experiment, settings, &mut store, &AtomicBool::new(stop), &mut |_| {})
}

#[test]
fn the_list_is_stable() {
    let names: Vec<&str> = all().iter().map(|e| e.name).collect();
    let expected = "former-2.5 former-5.1 former-6.1 former-6.2 former-6.3 former-6.4 former-6.6 former-6.8 former-6.9 former-6.15 \
        former-6.16 former-6.17 former-A samegame-4.1 samegame-4.2 samegame-variants samegame-6.1 samegame-6.2 \
        samegame-6.3 samegame-6.4 samegame-6.5 samegame-6.6 samegame-6.7 samegame-6.8 \
        samegame-6.9.1 samegame-6.9.2 samegame-B.2 samegame-6.10.1 samegame-6.10.2 samegame-7.0.3 \
        samegame-7.0.4 samegame-7.0.5 samegame-7.0.6 samegame-8.1 samegame-8.2 samegame-8.3 \
        samegame-standard 2048-1 2048-2 2048-3 2048-4 2048-5 2048-6 2048-7 2048-8 2048-9 2048-10 \
        2048-11 2048-42 2048-41 2048-14 2048-15 2048-19 2048-f40 2048-12 2048-13 2048-16 \
        2048-40 2048-41-values 2048-f41 threes-28 connect-four-elo othello-elo \
        togyzkumalak-elo sevn-4.1 sevn-4.2 sevn-4.3 probs-f1 probs-f1-sizes probs-f2 \
        sevn-4.7";
    assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
    let all = all();
    let with_aliases = || all.iter().flat_map(|e| e.aliases.iter().chain([&e.name]));
    assert_eq!(with_aliases().collect::<BTreeSet<_>>().len(), with_aliases().count());
}

#[test]
fn names_aliases_and_games_are_found() {
    let found = |name: &str| find(name).unwrap().iter().map(|e| e.name).collect::<Vec<_>>();
    assert_eq!(found("former-6.1"), ["former-6.1"]);
    assert_eq!(found("samegame-B.4"), ["samegame-7.0.5"]);
    assert_eq!((found("former").len(), found("samegame").len()), (13, 24));
    assert_eq!(found("connect-four"), ["connect-four-elo"]);
    assert_eq!(found("sevn"), ["sevn-4.1", "sevn-4.2", "sevn-4.3", "sevn-4.7"]);
    let error = find("former-7.3").err().unwrap().to_string();
    assert!(error.starts_with("experiment: found 'former-7.3', expected"), "{error}");
}

/// Every row of every experiment is there, with a published figure wherever the
/// text prints one, and measured unless it needs more time than there is.
#[test]
fn every_experiment_yields_its_rows() {
    let settings = settings();
    // Rows, and how many of them a tiny run cannot measure.
    let expected = |name: &str| match name {
        "former-2.5" => (3, 0),
        "former-5.1" => (4, 0),
        "former-6.1" => (15, 0),
        "former-6.2" => (30, 0),
        "former-6.3" => (14, 6),
        "former-6.4" => (20, 0),
        "former-6.6" => (20, 0),
        "former-6.8" => (18, 2),
        // Nothing has the seconds that the text looks at.
        "former-6.9" => (36, 36),
        "former-6.15" => (10, 1),
        "former-6.16" => (10, 5),
        "former-A" => (8, 0),
        "samegame-4.1" => (12, 0),
        "samegame-4.2" => (6, 0),
        "samegame-8.3" => (43, 0),
        "samegame-standard" => (20, 0),
        "2048-1" | "2048-2" | "2048-3" | "2048-4" | "2048-6" | "2048-42" => (24, 0),
        "2048-5" => (30, 0),
        "2048-8" | "2048-9" => (32, 0),
        "2048-14" => (4, 2),
        "2048-15" => (16, 13),
        "2048-19" => (21, 0),
        "threes-28" => (20, 0),
        // Ratings and games of the text's program, which is none of our agents.
        "sevn-4.3" => (8, 3),
        "probs-f1" => (5, 0),
        "sevn-4.7" => (22, 0),
        _ => (0, 0),
    };
    for experiment in all() {
        if data().is_none() && !experiment.needs.is_empty() {
            eprintln!("LUDENS_DATA is not set: {} is not run", experiment.name);
            continue;
        }
        let report = tiny(&experiment, &settings, false).unwrap();
        let name = report.name;
        assert!(report.complete && report.rows().count() > 2, "{name}");
        let missing = report.rows().filter(|row| row.verdict() == Verdict::Missing).count();
        match expected(name) {
            // Two searches with networks may not come to the end of a game in so little time.
            (rows, least) if matches!(name, "former-6.8" | "former-6.15") => {
                let slow = least..=least + 2;
                assert!(
                    report.rows().count() == rows && slow.contains(&missing),
                    "{name}: {missing}"
                );
            }
            (0, 0) => assert!(missing < report.rows().count(), "{name}"),
            counts => assert_eq!((report.rows().count(), missing), counts, "{name}"),
        }
        assert!(report.rows().any(|row| row.published.is_some()), "{name}");
        for section in &report.sections {
            assert!(section.fraction() > 0.0 && section.fraction() <= 1.0, "{name}");
        }
        let json: Value = serde_json::from_str(&report.to_json().to_string()).unwrap();
        assert_eq!(json["name"], name);
        let rows = json["sections"].as_array().unwrap().iter();
        let rows: usize = rows.map(|section| section["rows"].as_array().unwrap().len()).sum();
        assert_eq!(rows, report.rows().count());
        assert_eq!(report.to_csv().lines().count(), rows + 1);
        assert!(report.to_text().contains("of what the text ran"));
        for figure in &report.figures {
            assert!(figure.svg.starts_with("<svg") && figure.name.starts_with(name));
            assert!(!figure.svg.contains("no data"), "{}", figure.name);
        }
    }
}

#[test]
fn solvers_without_time_limits_repeat() {
    let settings = settings();
    let rows = |name: &str| {
        let report = tiny(&find(name).unwrap()[0], &settings, false).unwrap();
        let figures = report.rows().filter(|row| !row.figure.contains("per board"));
        figures.map(|row| row.ours).collect::<Vec<_>>()
    };
    for name in ["former-2.5", "former-6.1", "former-6.17", "former-A", "samegame-4.1"] {
        assert_eq!(rows(name), rows(name), "{name}");
    }
}

#[test]
fn missing_data_are_named() {
    let settings = Settings { data: None, ..settings() };
    let nowhere = Settings { data: Some(PathBuf::from("no-such-folder")), ..settings.clone() };
    for settings in [&settings, &nowhere] {
        for experiment in all().iter().filter(|e| !e.needs.is_empty()) {
            let error = tiny(experiment, settings, false).unwrap_err().to_string();
            let file = experiment.needs.iter().any(|file| error.contains(file));
            assert!(file && error.contains("--data DIR or in LUDENS_DATA"), "{error}");
        }
    }
}

#[test]
fn what_is_stopped_is_not_complete() {
    let settings = settings();
    for name in ["former-6.1", "former-6.17", "samegame-4.2"] {
        let report = tiny(&find(name).unwrap()[0], &settings, true).unwrap();
        assert!(!report.complete, "{name}");
        assert!(report.rows().all(|row| row.ours.is_none()), "{name}");
        assert!(report.to_text().contains("interrupted"));
    }
}

/// Table 6.1 of the Former text, whose figures follow from its rules.
#[test]
fn the_look_ahead_models_agree() {
    let settings = Settings { size: Size::Full, ..settings() };
    let mut lab_rows = Vec::new();
    let mut store = Store::in_memory().unwrap();
    let stop = AtomicBool::new(false);
    // Stops before the last model, which takes longer.
    let mut tell = |text: &str| {
        if text.contains("greedy:moves=2") {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let report =
        run(&find("former-6.1").unwrap()[0], &settings, &mut store, &stop, &mut tell).unwrap();
    lab_rows.extend(report.rows().filter(|row| row.figure == "mean moves"));
    assert_eq!(lab_rows.len(), 4);
    for row in &lab_rows {
        assert!(matches!(row.verdict(), Verdict::Agrees | Verdict::Compatible), "{row:?}");
    }
    assert!(!report.complete);
}

/// Published figures stand only beside the search that they are of.
#[test]
fn rows_are_of_the_search_that_they_name() {
    let apart = |row: &Row| row.ours.is_none() || row.published.is_none();
    for name in ["former-6.8", "former-6.9", "former-6.15", "former-6.16"] {
        let (mut store, mut told) = (Store::in_memory().unwrap(), String::new());
        let (stop, experiment) = (AtomicBool::new(false), &find(name).unwrap()[0]);
        let mut tell = |text: &str| told.push_str(text);
        let report = run(experiment, &settings(), &mut store, &stop, &mut tell).unwrap();
        for solver in ["PUCT:policy=bundled", "beam:eval=bundled,width=1", "portfolio"] {
            assert!(told.contains(solver), "{name} does not run {solver}: {told}");
        }
        for section in &report.sections {
            let own =
                |row: &&Row| [&section.title, &row.label].iter().any(|t| t.starts_with("our "));
            assert!(section.rows.iter().filter(own).all(apart), "{name}");
        }
    }
    for name in ["sevn-4.1", "sevn-4.3"] {
        let report = tiny(&find(name).unwrap()[0], &settings(), false).unwrap();
        assert!(report.rows().filter(|row| row.label.contains("uct")).all(apart), "{name}");
    }
}

/// Table 28 of the 2048 text follows from the rules.
#[test]
fn small_games_agree() {
    let report = tiny(&find("threes-28").unwrap()[0], &settings(), false).unwrap();
    assert!(report.rows().all(|row| row.verdict() == Verdict::Agrees), "{}", report.to_text());
}
