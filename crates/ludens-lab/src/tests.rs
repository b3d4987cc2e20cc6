//! Every experiment, as small as it gets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use ludens_arena::Store;
use ludens_testkit::data_folder;
use serde_json::Value;

use crate::{Agreement, Error, Experiment, Report, Row, Settings, Size, all, find, run};

fn settings() -> Settings {
    Settings {
        size: Size::Tiny,
        workers: 2,
        memory: 1 << 28,
        data: data_folder("experiments on known boards"),
        ..Settings::default()
    }
}

fn tiny(experiment: &Experiment, settings: &Settings, stop: bool) -> Result<Report, Error> {
    let mut store = Store::in_memory().unwrap();
    run(experiment, settings, &mut store, &AtomicBool::new(stop), &mut |_| {})
}

#[test]
fn the_list_is_stable() {
    let names: Vec<&str> = all().iter().map(|e| e.name).collect();
    let expected = "former-2.4 former-2.5 former-5.1 former-5.2 former-5.3 former-6.1 former-6.2 former-6.3 former-6.4 former-6.6 former-6.8 former-6.9 former-6.15 \
        former-6.16 former-6.17 former-A samegame-4.1 samegame-4.2 samegame-variants samegame-6.1 samegame-6.2 \
        samegame-6.3 samegame-6.4 samegame-6.5 samegame-6.6 samegame-6.7 samegame-6.8 \
        samegame-6.9.1 samegame-6.9.2 samegame-B.2 samegame-6.10.1 samegame-6.10.2 samegame-7.0.3 \
        samegame-7.0.4 samegame-7.0.5 samegame-7.0.6 samegame-8.1 samegame-8.2 samegame-8.3 \
        samegame-8.3.16 samegame-A.2 samegame-standard 2048-1 2048-2 2048-3 2048-4 2048-5 2048-6 2048-7 2048-8 2048-9 2048-10 \
        2048-11 2048-42 2048-41 2048-14 2048-15 2048-19 2048-f40 2048-12 2048-13 2048-16 2048-16-tc \
        2048-40 2048-41-values 2048-f41 2584-p2 2584-p4 threes-p2 threes-p4 2048-f25 threes-28 tiles-regret-methods tiles-regret-initial tiles-regret-targets connect-four-elo othello-elo \
        togyzkumalak-elo sevn-3.5 sevn-4.1 sevn-4.2 sevn-4.3 probs-f1 probs-f1-sizes probs-f2 \
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
    assert_eq!((found("former").len(), found("samegame").len()), (16, 26));
    assert_eq!(found("connect-four"), ["connect-four-elo"]);
    assert_eq!(found("sevn"), ["sevn-3.5", "sevn-4.1", "sevn-4.2", "sevn-4.3", "sevn-4.7"]);
    let error = find("former-7.3").err().unwrap().to_string();
    assert!(error.starts_with("experiment: found 'former-7.3', expected"), "{error}");
}

/// What a tiny run of each experiment gives: rows, those with a published number, and those that
/// so small a run cannot measure.
const ROWS: &str = "
former-2.4 12 4 0
former-2.5 3 3 0
former-5.1 8 4 0
former-5.2 2 2 0
former-5.3 2 2 0
former-6.1 15 15 0
former-6.2 30 30 0
former-6.3 14 8 6
former-6.4 23 20 0
former-6.6 20 19 1
former-6.8 34 26 18
former-6.9 36 36 36
former-6.15 10 2 1
former-6.16 12 5 5
former-6.17 58 10 0
former-A 8 8 0
samegame-4.1 12 12 0
samegame-4.2 6 6 0
samegame-variants 85 85 0
samegame-6.1 14 14 0
samegame-6.2 9 9 0
samegame-6.3 14 14 0
samegame-6.4 19 19 0
samegame-6.5 24 24 0
samegame-6.6 62 62 0
samegame-6.7 68 68 0
samegame-6.8 71 71 0
samegame-6.9.1 29 29 0
samegame-6.9.2 59 59 0
samegame-B.2 65 65 0
samegame-6.10.1 14 14 0
samegame-6.10.2 39 39 0
samegame-7.0.3 19 19 0
samegame-7.0.4 14 14 0
samegame-7.0.5 24 24 0
samegame-7.0.6 24 24 0
samegame-8.1 15 15 0
samegame-8.2 9 9 0
samegame-8.3 43 43 0
samegame-8.3.16 21 21 0
samegame-A.2 15 2 0
samegame-standard 30 27 0
2048-1 24 24 0
2048-2 24 24 0
2048-3 24 24 0
2048-4 24 24 0
2048-5 30 30 0
2048-6 24 24 0
2048-7 16 16 0
2048-8 40 40 0
2048-9 32 32 0
2048-10 16 16 0
2048-11 10 10 0
2048-42 24 24 0
2048-41 12 12 0
2048-14 8 8 4
2048-15 49 49 42
2048-19 42 42 42
2048-f40 4 4 0
2048-12 15 12 0
2048-13 6 3 0
2048-16 27 27 20
2048-16-tc 1 1 0
2048-40 10 10 0
2048-41-values 18 18 0
2048-f41 6 2 0
2584-p2 4 3 0
2584-p4 4 4 0
threes-p2 4 3 0
threes-p4 4 2 0
2048-f25 16 5 0
threes-28 20 20 0
tiles-regret-methods 22 0 0
tiles-regret-initial 24 0 0
tiles-regret-targets 40 0 0
connect-four-elo 8 4 0
othello-elo 8 1 0
togyzkumalak-elo 8 1 0
sevn-3.5 6 2 0
sevn-4.1 31 7 0
sevn-4.2 4 4 0
sevn-4.3 12 4 0
probs-f1 19 4 0
probs-f1-sizes 6 4 0
probs-f2 10 2 0
sevn-4.7 22 1 0
";

/// How many more rows may be missing: two searches with networks may not come to the end of a game
/// in so little time, and learners on several threads may win or lose all of their few games.
const UNCERTAIN: [(&str, usize); 5] = [
    ("former-6.8", 2),
    ("former-6.15", 2),
    ("probs-f1", 3),
    ("probs-f1-sizes", 3),
    ("probs-f2", 6),
];

/// Every experiment gives all its rows, with a published number wherever there is one, and
/// measures all of them but those that need more time than a tiny run has.
#[test]
fn every_experiment_yields_its_rows() {
    let settings = settings();
    let expected: BTreeMap<&str, [usize; 3]> = ROWS
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| {
            let (name, counts) = line.split_once(' ').unwrap();
            let mut counts = counts.split(' ').map(|count| count.parse().unwrap());
            (name, std::array::from_fn(|_| counts.next().unwrap()))
        })
        .collect();
    let mut wrong = String::new();
    for experiment in all() {
        let name = experiment.name;
        if !experiment.needs.is_empty() && settings.data.is_none() {
            // `settings` has said why.
            continue;
        }
        let report = tiny(&experiment, &settings, false).unwrap();
        check_report(name, &report);
        let count = |of: fn(&Row) -> bool| report.rows().filter(|row| of(row)).count();
        let missing = count(|row| row.agreement() == Agreement::Missing);
        let found = [report.rows().count(), count(|row| row.published.is_some()), missing];
        let uncertain = UNCERTAIN.iter().find(|(uncertain, _)| *uncertain == name);
        let more = uncertain.map_or(0, |(_, more)| *more);
        let fits = expected.get(name).is_some_and(|&[rows, published, least]| {
            found[..2] == [rows, published] && (least..=least + more).contains(&missing)
        });
        if !fits {
            wrong.push_str(&format!("{name} {} {} {}\n", found[0], found[1], found[2]));
        }
    }
    assert!(wrong.is_empty(), "rows, published, missing:\n{wrong}");
    assert!(all().iter().map(|e| e.name).eq(ROWS.split_whitespace().step_by(4)));
}

/// A report is whole, and the same in every form.
fn check_report(name: &str, report: &Report) {
    assert!(report.complete && report.name == name);
    // What no publication has stands under a name of its own.
    let published = report.rows().any(|row| row.published.is_some());
    assert!(published != name.starts_with("tiles-"), "{name}");
    for section in &report.sections {
        let whole = |fraction: f64| fraction > 0.0 && fraction <= 1.0;
        assert!(section.fraction.is_none_or(whole), "{name}");
    }
    let json: Value = serde_json::from_str(&report.to_json().to_string()).unwrap();
    assert_eq!(json["name"], name);
    let rows = json["sections"].as_array().unwrap().iter();
    let rows: usize = rows.map(|section| section["rows"].as_array().unwrap().len()).sum();
    assert_eq!(rows, report.rows().count());
    assert_eq!(report.to_csv().lines().count(), rows + 1);
    assert_eq!(report.to_text().contains("of the published experiment"), published, "{name}");
    for plot in &report.plots {
        assert!(plot.svg.starts_with("<svg") && plot.name.starts_with(name));
        assert!(!plot.svg.contains("no data"), "{}", plot.name);
    }
}

#[test]
fn solvers_without_time_limits_repeat() {
    let settings = settings();
    let rows = |name: &str| {
        let report = tiny(&find(name).unwrap()[0], &settings, false).unwrap();
        let rows = report.rows().filter(|row| !row.metric.contains("per board"));
        rows.map(|row| row.ours).collect::<Vec<_>>()
    };
    for name in ["former-2.5", "former-6.1", "former-6.17", "former-A", "samegame-4.1"] {
        assert_eq!(rows(name), rows(name), "{name}");
    }
}

#[test]
fn boards_that_are_missing_in_a_named_folder_are_told() {
    let nowhere = Settings { data: Some(PathBuf::from("no-such-folder")), ..settings() };
    for experiment in all().iter().filter(|e| !e.needs.is_empty()) {
        let error = tiny(experiment, &nowhere, false).unwrap_err().to_string();
        let file = experiment.needs.iter().any(|file| error.contains(file));
        assert!(file && error.contains("--data DIR or in LUDENS_DATA"), "{error}");
    }
}

/// Without any published boards experiments run on seeded ones, say so, and compare nothing.
#[test]
fn seeded_boards_stand_in_for_published_ones() {
    let settings = Settings { data: None, boards: Some(2), units: Some(500), ..settings() };
    for name in ["samegame-6.1", "samegame-8.3.16"] {
        let report = tiny(&find(name).unwrap()[0], &settings, false).unwrap();
        assert!(report.sections.iter().all(|s| s.title.contains("seeded boards")), "{name}");
        assert!(report.rows().all(|row| row.agreement() == Agreement::Open), "{name}");
        assert!(report.to_text().contains("2 of "), "{}", report.to_text());
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

/// Table 6.1 of Urheim (2025), whose numbers follow from its rules.
#[test]
fn the_look_ahead_models_agree() {
    let settings = Settings { size: Size::Full, ..settings() };
    let mut lab_rows = Vec::new();
    let mut store = Store::in_memory().unwrap();
    let stop = AtomicBool::new(false);
    // Stops before the last model, which takes longer.
    let mut on_progress = |text: &str| {
        if text.contains("greedy:moves=2") {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let report =
        run(&find("former-6.1").unwrap()[0], &settings, &mut store, &stop, &mut on_progress)
            .unwrap();
    lab_rows.extend(report.rows().filter(|row| row.metric == "mean moves"));
    assert_eq!(lab_rows.len(), 4);
    for row in &lab_rows {
        assert!(matches!(row.agreement(), Agreement::Agrees | Agreement::Compatible), "{row:?}");
    }
    assert!(!report.complete);
}

/// Table 5.1 of Urheim (2025): beams that keep equal positions.
#[test]
fn the_beams_agree() {
    let settings = Settings { size: Size::Full, boards: Some(150), ..settings() };
    let report = tiny(&find("former-5.1").unwrap()[0], &settings, false).unwrap();
    let means = report.rows().filter(|row| row.metric == "mean moves" && row.published.is_some());
    for row in means {
        assert!(matches!(row.agreement(), Agreement::Agrees | Agreement::Compatible), "{row:?}");
    }
}

/// Networks that were kept are found again, learn no more, and guide the published searches.
#[test]
fn kept_networks_are_used_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { keep: Some(folder.path().to_owned()), ..settings() };
    let report = |name: &str| tiny(&find(name).unwrap()[0], &settings, false).unwrap();
    let means = |report: &Report| -> Vec<Option<f64>> {
        let rows = report.rows().filter(|row| row.metric == "mean moves");
        rows.map(|row| row.ours).collect()
    };
    let first = report("former-6.4");
    for name in ["former-expert-1", "former-policy-32-5-1", "former-value-32-5-1"] {
        assert!(folder.path().join(name).join("games.sqlite").is_file(), "{name}");
    }
    assert_eq!(means(&report("former-6.4")), means(&first));
    let (mut store, stop, mut log) =
        (Store::in_memory().unwrap(), AtomicBool::new(false), String::new());
    let mut on_progress = |text: &str| log.push_str(text);
    let experiment = &find("former-6.8").unwrap()[0];
    let searches = run(experiment, &settings, &mut store, &stop, &mut on_progress).unwrap();
    for (solver, name) in [
        ("PUCT:policy=", "former-policy-32-5-1"),
        ("beam:width=1,plain=on,eval=", "former-value-32-5-1"),
    ] {
        let solver = format!("{solver}{}", folder.path().join(name).display());
        assert!(log.contains(&solver), "{solver}: {log}");
    }
    let trained = |section: &&crate::Section| {
        section.parts.iter().any(|part| part.what.contains("training of the networks"))
    };
    assert_eq!(searches.sections.iter().filter(trained).count(), 2);
}

/// Published numbers stand only beside the search that they are of.
#[test]
fn rows_are_of_the_search_that_they_name() {
    let apart = |row: &Row| row.ours.is_none() || row.published.is_none();
    for name in ["former-6.8", "former-6.9", "former-6.15", "former-6.16"] {
        let (mut store, mut log) = (Store::in_memory().unwrap(), String::new());
        let (stop, experiment) = (AtomicBool::new(false), &find(name).unwrap()[0]);
        let mut on_progress = |text: &str| log.push_str(text);
        let report = run(experiment, &settings(), &mut store, &stop, &mut on_progress).unwrap();
        for solver in ["PUCT:policy=bundled", "beam:eval=bundled,width=1", "portfolio"] {
            assert!(log.contains(solver), "{name} does not run {solver}: {log}");
        }
        for section in &report.sections {
            let own =
                |row: &&Row| [&section.title, &row.label].iter().any(|t| t.starts_with("our "));
            assert!(section.rows.iter().filter(own).all(apart), "{name}");
        }
    }
    for name in ["sevn-4.1", "sevn-4.3"] {
        let report = tiny(&find(name).unwrap()[0], &settings(), false).unwrap();
        let ours = |row: &&Row| row.label.contains("uct") && !row.label.contains("etazero");
        assert!(report.rows().filter(ours).all(apart), "{name}");
    }
}

/// Table 28 of Guei (2023) follows from the rules.
#[test]
fn small_games_agree() {
    let report = tiny(&find("threes-28").unwrap()[0], &settings(), false).unwrap();
    assert!(report.rows().all(|row| row.agreement() == Agreement::Agrees), "{}", report.to_text());
}
