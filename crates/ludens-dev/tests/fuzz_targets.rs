//! Every registered game has a fuzz target for its parsers, and every target's corpus passes.

use std::fs;

use ludens_dev::checks::root;
use ludens_dev::fuzz::targets;

#[test]
fn every_game_has_a_fuzz_target() {
    let targets = targets().expect("the folder of the targets");
    for info in ludens_engine::games() {
        assert!(targets.iter().any(|target| target == info.name), "{} is missing", info.name);
    }
}

#[test]
fn every_fuzz_target_is_built() {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).expect("a manifest");
    for name in targets().expect("the folder of the targets") {
        let path = format!("path = \"fuzz_targets/{name}.rs\"");
        assert!(manifest.contains(&path), "{name} is not in fuzz/Cargo.toml");
    }
}

/// What libFuzzer starts from, and what it once failed at, on the stable compiler.
#[test]
fn every_corpus_passes() {
    for target in targets().expect("the folder of the targets") {
        let folder = root().join("fuzz/corpus").join(&target);
        let inputs = fs::read_dir(&folder);
        let inputs = inputs.unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let paths: Vec<_> = inputs.map(|input| input.expect("a file").path()).collect();
        assert!(!paths.is_empty(), "{target} has no corpus");
        for path in paths {
            let input = fs::read(&path).expect("a file");
            let done = std::panic::catch_unwind(|| ludens_fuzz::check(&target, &input));
            assert!(done.is_ok(), "{} fails", path.display());
        }
    }
}
