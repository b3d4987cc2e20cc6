//! What the documents claim of publications, as far as a program can tell.

use std::fs;
use std::path::{Path, PathBuf};

use ludens_lab::find;

/// Claims that do not hold: about what was published, and about what ours are compared with.
const REFUTED: [&str; 13] = [
    // The network of table 4.1 of Clark (2021) learned from 45,110 games, on processors.
    "114,000",
    "graphics processor",
    // The UCT of Clark (2021) is another program than ours, whatever the rule.
    "UCT as Clark",
    "UCT by Clark's formula",
    "That is Clark's opponent",
    "follows Clark's rule",
    // Networks and losses of PROBS are ours.
    "Pastukhov's settings",
    // The look-ahead agents are in section 4.
    "Pastukhov 2024, section 5",
    // Speeds of other machines.
    "ratio to published",
    // A mean of weights is no vote.
    "separate runs (bagging)",
    // Learning and search for days are not repeated.
    "as large as published",
    "default: as published",
    // Publications are cited by author and year.
    "of what the text ran",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder whose name ends so.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a test that is set up right") {
        let path = entry.expect("a test that is set up right").path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found
}

#[test]
fn refuted_claims_are_withdrawn() {
    let mut all = files(&root().join("docs"), ".md");
    all.extend(
        ["README.md", "CHANGELOG.md", "crates/ludens-models/models/README.md"]
            .map(|file| root().join(file)),
    );
    for package in ["ludens-lab", "ludens-cli", "ludens-engine", "ludens-runs"] {
        all.extend(files(&root().join("crates").join(package).join("src"), ".rs"));
    }
    assert!(all.len() > 100);
    for file in all {
        // Lines are wrapped anywhere.
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" /// ", " ");
        for claim in REFUTED {
            assert!(!text.contains(claim), "{}: {claim}", file.display());
        }
    }
}

/// The page of quick results has no rows that tell nothing, and none in which a published number
/// stands beside a search of ours that was not published.
#[test]
fn quick_results_are_of_what_they_name() {
    let page = fs::read_to_string(root().join("docs/results/reproduce.md")).unwrap();
    let mut rows = 0;
    for row in page.lines().filter_map(|line| line.strip_prefix("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, effort, label, _figure, published, ..] = cells[..] else {
            panic!("a row with too few cells: {row}")
        };
        assert_eq!(find(name.trim_matches('`')).unwrap().len(), 1, "{row}");
        assert!(!effort.contains("episodes"), "too little to tell anything: {row}");
        assert!(
            !label.starts_with("our ") || published == "-",
            "no such search was published: {row}"
        );
        rows += 1;
    }
    assert!(rows > 50);
}
