//! Networks against a plain implementation, symmetries, stages, files.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;

use ludens_core::{Cells, FileError, Game, Rng, Sym, Symmetric};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_ntuple::pack::Precision;
use ludens_ntuple::{Coherence, Error, Network, Probe, Spec, file, pack};

/// Afterstates of random games.
fn afterstates<G: Game>(variant: &G::Variant, count: usize, seed: u64) -> Vec<G::After> {
    let mut rng = Rng::new(seed);
    let mut out = Vec::new();
    let mut position = G::start(variant, &mut rng);
    while out.len() < count {
        match position.step(&mut rng) {
            Some((_, after, _)) => {
                out.push(after);
                position = G::apply_outcome(&after, G::sample(&after, &mut rng)).0;
            }
            None => position = G::start(variant, &mut rng),
        }
    }
    out
}

/// A table, what is known besides the cells, and the numbers in a tuple's cells.
type Key = (usize, usize, Vec<u8>);

/// A network as a map from a table, what is known besides and the numbers in a
/// tuple's cells to an entry and its two sums of errors.
struct Plain {
    tuples: Vec<(Vec<u8>, bool)>,
    values: u8,
    entries: HashMap<Key, (f32, f32, f32)>,
}

impl Plain {
    fn new(network: &Network) -> Self {
        let tuples = network.form().layout.tuples();
        Plain {
            tuples: tuples.iter().map(|t| (t.cells.clone(), t.symmetric)).collect(),
            values: network.form().values as u8,
            entries: HashMap::new(),
        }
    }

    fn keys<G: Cells>(&self, variant: &G::Variant, after: &G::After) -> Vec<Key> {
        let shape = G::cell_shape(variant);
        let mut cells = vec![0; shape.cells];
        G::write_cells(after, &mut cells);
        let mut keys = Vec::new();
        for (table, (tuple, symmetric)) in self.tuples.iter().enumerate() {
            let maps = if *symmetric { shape.symmetries.len() } else { 1 };
            for map in &shape.symmetries[..maps] {
                let number =
                    |&cell: &u8| cells[usize::from(map[usize::from(cell)])].min(self.values - 1);
                keys.push((table, G::extra(after), tuple.iter().map(number).collect()));
            }
        }
        keys
    }

    fn adjust<G: Cells>(
        &mut self,
        variant: &G::Variant,
        after: &G::After,
        step: f32,
        tc: bool,
    ) -> f32 {
        let mut value = 0.0;
        for key in self.keys::<G>(variant, after) {
            let (weight, error, size) = self.entries.entry(key).or_default();
            let rate = if tc && *size != 0.0 { error.abs() / *size } else { 1.0 };
            *weight += step * rate;
            *error += step;
            *size += step.abs();
            value += *weight;
        }
        value
    }

    fn value<G: Cells>(&self, variant: &G::Variant, after: &G::After) -> f32 {
        let weight = |key| self.entries.get(&key).map_or(0.0, |entry| entry.0);
        self.keys::<G>(variant, after).into_iter().map(weight).sum()
    }
}

fn agrees_with_the_plain_one<G: Cells>(layout: &str, values: Option<usize>, tc: bool) {
    let variant = G::Variant::default();
    let spec = Spec { values, ..Spec::new(layout) };
    let network = Network::new::<G>(&variant, &spec).unwrap();
    let coherence = Coherence::new(&network).unwrap();
    let mut plain = Plain::new(&network);
    let (mut probe, mut rng) = (Probe::default(), Rng::new(9));
    for after in afterstates::<G>(&variant, 1500, 4) {
        network.probe::<G>(&after, &mut probe);
        let expected = plain.value::<G>(&variant, &after);
        let found = network.value(&probe);
        assert!((found - expected).abs() < 1e-2, "{found} {expected}");
        let step = rng.unit() as f32 - 0.5;
        let changed =
            if tc { coherence.adjust(&network, &probe, step) } else { network.add(&probe, step) };
        let expected = plain.adjust::<G>(&variant, &after, step, tc);
        assert!((changed - expected).abs() < 1e-2, "{changed} {expected}");
    }
}

#[test]
fn values_and_updates_are_those_of_the_plain_network() {
    agrees_with_the_plain_one::<Game2048>("rects+lines", None, false);
    agrees_with_the_plain_one::<Game2048>("re+cdef!", None, true);
    agrees_with_the_plain_one::<Game2048>("4x6", Some(9), true);
    agrees_with_the_plain_one::<Game2584>("re", Some(24), true);
    agrees_with_the_plain_one::<Threes>("re", None, false);
}

#[test]
fn symmetric_boards_have_one_value() {
    let variant = Default::default();
    let network = Network::new::<Game2048>(&variant, &Spec::new("4x6+re")).unwrap();
    let mut probe = Probe::default();
    let afters = afterstates::<Game2048>(&variant, 300, 1);
    for (i, after) in afters.iter().enumerate() {
        network.probe::<Game2048>(after, &mut probe);
        network.add(&probe, i as f32 * 0.01);
    }
    for after in &afters {
        network.probe::<Game2048>(after, &mut probe);
        let mut indices = probe.indices().to_vec();
        indices.sort_unstable();
        let value = network.value(&probe);
        for sym in 1..8 {
            network.probe::<Game2048>(&Game2048::map_after(after, Sym(sym)), &mut probe);
            let mut image = probe.indices().to_vec();
            image.sort_unstable();
            assert_eq!(image, indices);
            assert!((network.value(&probe) - value).abs() <= 1e-4 * value.abs());
        }
    }
}

/// The afterstate of a slide to the left.
fn after_left(text: &str) -> <Game2048 as Game>::After {
    use ludens_core::Notation;
    let position = Game2048::parse(&Default::default(), text).unwrap();
    position.apply(position.parse_action("left").unwrap()).0
}

#[test]
fn stages_have_their_own_entries_and_may_inherit_them() {
    let variant = Default::default();
    let early = after_left("0,64,32,2/0,0,0,0/0,0,0,0/0,0,0,0");
    let late = after_left("0,128,32,2/0,0,0,0/0,0,0,0/0,0,0,0");
    let later = after_left("0,128,64,2/0,0,0,0/0,0,0,0/0,0,0,0");
    let (mut a, mut b) = (Probe::default(), Probe::default());
    for promotion in [false, true] {
        let stages = "128,128+64".to_owned();
        let spec = Spec { stages, promotion, initial: 80.0, ..Spec::new("re") };
        let network = Network::new::<Game2048>(&variant, &spec).unwrap();
        network.probe::<Game2048>(&early, &mut a);
        assert_eq!(network.value(&a), 80.0);
        network.add(&a, 1.0);
        for (after, shared) in [(late, true), (later, true)] {
            network.probe::<Game2048>(&after, &mut b);
            assert!(a.indices().iter().all(|index| !b.indices().contains(index)));
            let value = network.value(&b);
            // Entries of empty cells were learned in the first stage.
            assert_eq!(value > 80.0, promotion && shared, "{value}");
            assert!(value >= 80.0);
        }
    }
}

#[test]
fn files_give_the_same_network_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.ntuple");
    let variant = Default::default();
    let spec = Spec { stages: "64".to_owned(), initial: 320.0, ..Spec::new("re") };
    let network = Network::new::<Game2048>(&variant, &spec).unwrap();
    let coherence = Coherence::new(&network).unwrap();
    let afters = afterstates::<Game2048>(&variant, 2000, 2);
    let (mut probe, mut rng) = (Probe::default(), Rng::new(5));
    let mut learn = |network: &Network, coherence: &Coherence| {
        for after in &afters {
            network.probe::<Game2048>(after, &mut probe);
            coherence.adjust(network, &probe, rng.unit() as f32 - 0.3);
        }
    };
    learn(&network, &coherence);
    let run = serde_json::json!({"episodes": 7});
    file::save(&path, "2048", &network, Some(&coherence), &run).unwrap();
    let loaded = file::load::<Game2048>(&path, "2048", &variant, true).unwrap();
    assert_eq!(loaded.run, run);
    assert_eq!(file::load_run(&path).unwrap(), run);
    let second = loaded.coherence.unwrap();
    learn(&network, &coherence);
    let mut rng = Rng::new(5);
    // The copy must resume as the original does, bit by bit.
    for _ in 0..afters.len() {
        rng.unit();
    }
    let mut other = Probe::default();
    for after in &afters {
        loaded.network.probe::<Game2048>(after, &mut other);
        second.adjust(&loaded.network, &other, rng.unit() as f32 - 0.3);
    }
    let compact = network.compact().unwrap();
    let small = folder.path().join("small.ntuple");
    file::save(&small, "2048", &compact, None, &run).unwrap();
    let small = file::load::<Game2048>(&small, "2048", &variant, false).unwrap().network;
    for after in &afters {
        network.probe::<Game2048>(after, &mut other);
        let value = network.value(&other);
        assert_eq!(value.to_bits(), loaded.network.value(&other).to_bits());
        let off = (compact.value(&other) - value).abs();
        assert!(off < 0.5, "{off} of {value}");
        assert_eq!(compact.value(&other).to_bits(), small.value(&other).to_bits());
    }
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.ntuple");
    let variant = Default::default();
    let network = Network::new::<Game2048>(&variant, &Spec::new("re")).unwrap();
    let after = afterstates::<Game2048>(&variant, 1, 2)[0];
    let mut probe = Probe::default();
    network.probe::<Game2048>(&after, &mut probe);
    network.add(&probe, 1.0);
    file::save(&path, "2048", &network, None, &serde_json::Value::Null).unwrap();
    let good = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8], game: &str| {
        std::fs::write(&path, bytes).unwrap();
        match file::load::<Game2048>(&path, game, &variant, true) {
            Ok(_) => panic!("it was read"),
            Err(Error::File(FileError::Content { what, .. })) => what,
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(refused(&good, "2584"), "a network for \"2048\", expected one for 2584");
    assert_eq!(refused(b"PNG", "2048"), "it ends within the header");
    assert!(refused(&[7; 4000], "2048").starts_with("no n-tuple network"));
    for cut in [9, 40, good.len() / 2, good.len() - 1] {
        assert!(refused(&good[..cut], "2048").contains("it ends within"), "{cut}");
    }
    let mut rng = Rng::new(1);
    for _ in 0..100 {
        let mut bad = good.clone();
        let at = rng.below(bad.len() as u32) as usize;
        bad[at] ^= 1 << rng.below(8);
        assert!(!refused(&bad, "2048").is_empty());
    }
}

#[test]
fn layouts_that_are_too_large_or_do_not_fit_are_refused() {
    let variant = Default::default();
    let refused = |spec: Spec| match Network::new::<Game2048>(&variant, &spec) {
        Ok(_) => panic!("it was made"),
        Err(error) => error.to_string(),
    };
    assert!(refused(Spec::new("2x8")).contains("8589934592 entries"));
    assert!(refused(Spec::new("0123")).contains("no tuple with cell 5"));
    let spec = |stages: &str| Spec { stages: stages.to_owned(), ..Spec::new("re") };
    assert!(refused(spec("16384,8192")).contains("each boundary above the one before"));
    assert!(refused(spec("17")).contains("found '17', expected tiles of the game"));
}

/// A network that learned something, with its learning rates.
fn learned() -> (Network, Coherence, Vec<<Game2048 as Game>::After>) {
    let variant = Default::default();
    let network = Network::new::<Game2048>(&variant, &Spec::new("re")).unwrap();
    let coherence = Coherence::new(&network).unwrap();
    let afters = afterstates::<Game2048>(&variant, 3000, 5);
    let mut probe = Probe::default();
    for (i, after) in afters.iter().enumerate() {
        network.probe::<Game2048>(after, &mut probe);
        let target = 1000.0 + (i % 97) as f32;
        let error = target - network.value(&probe);
        coherence.adjust(&network, &probe, error / network.lookups() as f32);
    }
    (network, coherence, afters)
}

fn value(network: &Network, after: &<Game2048 as Game>::After) -> f32 {
    let mut probe = Probe::default();
    network.probe::<Game2048>(after, &mut probe);
    network.value(&probe)
}

#[test]
fn packed_networks_keep_what_matters() {
    let (network, coherence, afters) = learned();
    let variant = Default::default();
    let about = serde_json::json!({"seed": 5});
    let error = |step: f32, bit: f32| {
        let precision = Precision { step, bit };
        let packed = pack::pack("2048", &network, Some(&coherence), precision, &about).unwrap();
        let small = pack::unpack::<Game2048>("a test", &packed, "2048", &variant).unwrap();
        let differ = |after| f64::from((value(&small, after) - value(&network, after)).abs());
        (packed.len(), afters.iter().map(differ).sum::<f64>() / afters.len() as f64)
    };
    let (fine, coarse, few) = (error(0.1, 0.0), error(10.0, 0.0), error(10.0, 100.0));
    // Forty look-ups, each wrong by a half of a step at most and by a quarter on average.
    assert!(fine.1 < 1.0, "{fine:?}");
    assert!(coarse.0 < fine.0 && coarse.1 > fine.1 && coarse.1 < 40.0, "{coarse:?} {fine:?}");
    assert!(few.0 < coarse.0 && few.1 > coarse.1 && few.1 < 900.0, "{few:?} {coarse:?}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.packed");
    let mut packed =
        pack::pack("2048", &network, None, Precision { step: 5.0, bit: 1.0 }, &about).unwrap();
    std::fs::write(&path, &packed).unwrap();
    file::verify(&path).unwrap();
    let loaded = file::load::<Game2048>(&path, "2048", &variant, true).unwrap();
    assert_eq!(loaded.run, about);
    assert!(loaded.network.is_compact() && loaded.coherence.is_none());
    let foreign = pack::unpack::<Threes>("it", &packed, "threes", &Default::default()).err();
    assert!(foreign.unwrap().to_string().contains("a network for \"2048\""));
    for index in [40, 60, packed.len() - 1] {
        packed[index] ^= 1;
        let wrong = pack::unpack::<Game2048>("it", &packed, "2048", &variant).err().unwrap();
        assert!(wrong.to_string().contains("damaged"), "{wrong}");
        packed[index] ^= 1;
    }
    let short = pack::unpack::<Game2048>("it", &packed[..20], "2048", &variant).err().unwrap();
    assert_eq!(short.to_string(), "it: it ends too early");
}

#[test]
fn blending_gives_the_mean() {
    let (first, _, afters) = learned();
    let second = Network::new::<Game2048>(&Default::default(), &Spec::new("re")).unwrap();
    let third =
        Network::new::<Game2048>(&Default::default(), &Spec { initial: 900.0, ..Spec::new("re") })
            .unwrap();
    let before: Vec<f32> = afters.iter().map(|after| value(&first, after)).collect();
    first.blend(&second, 0.5);
    first.blend(&third, 1.0 / 3.0);
    for (after, before) in afters.iter().zip(before) {
        let mean = (before + 900.0) / 3.0;
        assert!((value(&first, after) - mean).abs() < 1.0);
    }
}
