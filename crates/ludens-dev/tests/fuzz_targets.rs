//! Every registered game has a fuzz target for its parsers.

use ludens_dev::checks::root;

#[test]
fn every_game_has_a_fuzz_target() {
    for info in ludens_engine::games() {
        let target = root().join("fuzz/fuzz_targets").join(format!("{}.rs", info.name));
        assert!(target.exists(), "{} is missing", target.display());
    }
}

#[test]
fn every_fuzz_target_is_built() {
    let manifest = std::fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    for target in std::fs::read_dir(root().join("fuzz/fuzz_targets")).unwrap() {
        let name = target.unwrap().file_name().into_string().unwrap();
        let path = format!("path = \"fuzz_targets/{name}\"");
        assert!(manifest.contains(&path), "{name} is not in fuzz/Cargo.toml");
    }
}
