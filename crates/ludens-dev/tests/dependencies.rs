//! Who may depend on whom.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// What each crate may use of the workspace outside its tests. A crate that is
/// not listed here must be added together with its rule.
const RULES: &[(&str, &[&str])] = &[
    ("ludens-core", &[]),
    ("ludens-testkit", &["ludens-core"]),
    ("ludens-games", &["ludens-core"]),
    ("ludens-search", &["ludens-core"]),
    ("ludens-arena", &["ludens-core"]),
    ("ludens-ntuple", &["ludens-core"]),
    ("ludens-nn", &["ludens-core", "ludens-games"]),
    ("ludens-learn", &["ludens-core", "ludens-search", "ludens-ntuple", "ludens-nn"]),
    ("ludens-models", &["ludens-core", "ludens-nn", "ludens-ntuple"]),
    (
        "ludens-engine",
        &[
            "ludens-core",
            "ludens-games",
            "ludens-search",
            "ludens-nn",
            "ludens-ntuple",
            "ludens-models",
        ],
    ),
    (
        "ludens-runs",
        &[
            "ludens-core",
            "ludens-games",
            "ludens-search",
            "ludens-nn",
            "ludens-ntuple",
            "ludens-models",
            "ludens-engine",
            "ludens-learn",
            "ludens-arena",
        ],
    ),
    (
        "ludens-lab",
        &[
            "ludens-core",
            "ludens-games",
            "ludens-search",
            "ludens-ntuple",
            "ludens-arena",
            "ludens-engine",
            "ludens-runs",
        ],
    ),
    ("ludens-vision", &["ludens-core", "ludens-games"]),
    ("ludens-web", &["ludens-core", "ludens-engine", "ludens-runs", "ludens-vision"]),
    (
        "ludens-cli",
        &[
            "ludens-core",
            "ludens-engine",
            "ludens-runs",
            "ludens-lab",
            "ludens-vision",
            "ludens-web",
        ],
    ),
    ("ludens", &["ludens-core", "ludens-games", "ludens-search", "ludens-engine"]),
    ("ludens-wasm", &["ludens-core", "ludens-engine"]),
    (
        "ludens-py",
        &[
            "ludens-core",
            "ludens-engine",
            "ludens-lab",
            "ludens-models",
            "ludens-nn",
            "ludens-runs",
        ],
    ),
    ("ludens-dev", &["ludens-core", "ludens-engine", "ludens-runs"]),
];

/// What tests and benches may use besides.
const TEST_RULES: &[(&str, &[&str])] = &[
    ("ludens-games", &["ludens-testkit"]),
    ("ludens-search", &["ludens-games", "ludens-testkit"]),
    ("ludens-arena", &["ludens-games", "ludens-testkit"]),
    ("ludens-lab", &["ludens-testkit"]),
    // Its own feature `pack`, which only tests and examples need.
    ("ludens-ntuple", &["ludens-games", "ludens-ntuple"]),
    ("ludens-learn", &["ludens-games"]),
    ("ludens-cli", &["ludens-testkit"]),
    ("ludens-models", &["ludens-games"]),
    ("ludens-engine", &["ludens-testkit"]),
    ("ludens-runs", &["ludens-testkit"]),
    ("ludens-vision", &["ludens-testkit"]),
];

#[test]
fn crates_depend_only_on_what_they_may() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo metadata runs");
    let rules: BTreeMap<_, _> = RULES.iter().copied().collect();
    let test_rules: BTreeMap<_, _> = TEST_RULES.iter().copied().collect();
    let members: BTreeSet<String> =
        metadata.workspace_packages().iter().map(|p| p.name.to_string()).collect();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let allowed = rules.get(name).unwrap_or_else(|| panic!("{name} has no rule"));
        let in_tests = test_rules.get(name).copied().unwrap_or(&[]);
        for dependency in package.dependencies.iter().filter(|d| members.contains(&d.name)) {
            let used = dependency.name.as_str();
            let fine = allowed.contains(&used)
                || dependency.kind == DependencyKind::Development && in_tests.contains(&used);
            assert!(fine, "{name} must not depend on {used}");
        }
    }
    for (name, _) in RULES {
        assert!(members.contains(*name), "{name} has a rule but does not exist");
    }
}
