//! Who may depend on whom.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// What each crate may use of the workspace outside its tests, without `ludens-`. A crate that is
/// not listed here must be added together with its rule.
const RULES: &[(&str, &str)] = &[
    ("ludens-core", ""),
    ("ludens-testkit", "core"),
    ("ludens-games", "core"),
    ("ludens-search", "core"),
    ("ludens-arena", "core"),
    ("ludens-ntuple", "core"),
    ("ludens-nn", "core games"),
    ("ludens-learn", "core search ntuple nn"),
    ("ludens-models", "core nn ntuple"),
    ("ludens-engine", "core games search nn ntuple models"),
    ("ludens-runs", "core games search nn ntuple models engine learn arena"),
    ("ludens-lab", "core games search ntuple arena engine runs"),
    ("ludens-vision", "core games"),
    ("ludens-web", "core engine runs vision"),
    ("ludens-cli", "core engine runs lab vision web"),
    ("ludens", "core games search engine"),
    ("ludens-wasm", "core engine"),
    ("ludens-py", "core engine lab models nn runs"),
    ("ludens-dev", "core engine runs"),
];

/// What tests and benches may use besides.
const TEST_RULES: &[(&str, &str)] = &[
    ("ludens-games", "testkit"),
    ("ludens-search", "games testkit"),
    ("ludens-arena", "games testkit"),
    ("ludens-lab", "testkit"),
    // Its own feature `pack`, which only tests and examples need.
    ("ludens-ntuple", "games ntuple"),
    ("ludens-learn", "games"),
    ("ludens-cli", "testkit"),
    ("ludens-models", "games"),
    ("ludens-engine", "testkit"),
    ("ludens-runs", "testkit"),
    ("ludens-vision", "testkit"),
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
        let in_tests = test_rules.get(name).copied().unwrap_or("");
        for dependency in package.dependencies.iter().filter(|d| members.contains(&d.name)) {
            let used = dependency.name.as_str();
            let lists = |names: &str| {
                names.split_whitespace().any(|name| used.strip_prefix("ludens-") == Some(name))
            };
            let fine =
                lists(allowed) || dependency.kind == DependencyKind::Development && lists(in_tests);
            assert!(fine, "{name} must not depend on {used}");
        }
    }
    for (name, _) in RULES {
        assert!(members.contains(*name), "{name} has a rule but does not exist");
    }
}
