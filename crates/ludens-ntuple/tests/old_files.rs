//! Networks of version 0.1.0 stay readable: one file of each kind.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use ludens_core::{Game, Rng};
use ludens_games::Game2048;
use ludens_ntuple::{Network, Probe, file};

/// A value that all of them have learned.
fn value(network: &Network) -> f32 {
    let mut rng = Rng::new(5);
    let start = Game2048::start(&Default::default(), &mut rng);
    let (_, after, _) = start.step(&mut rng).unwrap();
    let mut probe = Probe::default();
    network.probe::<Game2048>(&after, &mut probe);
    network.value(&probe)
}

#[test]
fn full_compact_and_packed_networks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let variant = Default::default();
    let mut values = Vec::new();
    for name in ["full.ntuple", "compact.ntuple", "packed.packed"] {
        let path = folder.join(name);
        file::verify(&path).unwrap();
        let loaded = file::load::<Game2048>(&path, "2048", &variant, true).unwrap();
        assert_eq!(loaded.run["seed"], 5, "{name}");
        assert_eq!(loaded.coherence.is_some(), name == "full.ntuple");
        // The same from memory.
        let bytes = std::fs::read(&path).unwrap();
        let memory = file::from_bytes::<Game2048>(name, &bytes, "2048", &variant).unwrap();
        assert_eq!(memory.checksum, loaded.checksum);
        assert_eq!(value(&memory.network).to_bits(), value(&loaded.network).to_bits());
        assert_eq!(file::header_from_bytes(name, &bytes).unwrap(), file::header(&path).unwrap());
        values.push(value(&loaded.network));
    }
    let [full, compact, packed] = values[..] else { panic!("three networks") };
    assert_eq!(full, 2501.9517);
    assert!((compact - full).abs() < 0.5 && (packed - full).abs() < 20.0, "{values:?}");
}
