//! Every registered game has a fuzz target for its parsers.

use ludens_dev::checks::root;

#[test]
fn every_game_has_a_fuzz_target() {
    for info in ludens_registry::games() {
        let target = root().join("fuzz/fuzz_targets").join(format!("{}.rs", info.name));
        assert!(target.exists(), "{} is missing", target.display());
    }
}
