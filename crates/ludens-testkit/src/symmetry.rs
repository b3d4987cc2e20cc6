//! Symmetries commute with moves, outcomes, rewards and ends.

use std::collections::HashMap;

use ludens_core::{Rng, Sym, Symmetric};

use crate::{Sample, chance};

pub(crate) fn check<G: Symmetric>(sample: &Sample<G>) {
    let group = G::symmetries(&sample.variant);
    assert!(group >= 1, "every group has the identity");
    let mut rng = Rng::new(10);
    for position in sample.positions() {
        assert_eq!(position.map(Sym::IDENTITY), position, "the identity changes {position:?}");
        let mut syms: Vec<u32> = (0..group.min(8)).collect();
        syms.extend((0..6).map(|_| rng.below(group)));
        let canonical = position.canonical();
        for sym in syms.into_iter().map(Sym) {
            let image = position.map(sym);
            assert_eq!(image.to_move(), position.to_move(), "{sym:?} of {position:?}");
            assert_eq!(image.score(), position.score(), "{sym:?} of {position:?}");
            assert_eq!(image.actions().len(), position.actions().len(), "{sym:?} of {position:?}");
            assert_eq!(image.canonical(), canonical, "canonical form of {sym:?} of {position:?}");
            moves_commute(&position, &image, sym);
        }
    }
}

fn moves_commute<G: Symmetric>(position: &G, image: &G, sym: Sym) {
    for action in position.actions().take(60) {
        let mapped = position.map_action(action, sym);
        assert!(image.is_legal(mapped), "{sym:?} of {action:?} in {position:?} is illegal");
        let (after, reward) = position.apply(action);
        let mapped_after = G::map_after(&after, sym);
        assert_eq!(
            image.apply(mapped),
            (mapped_after, reward),
            "{sym:?} of {action:?} in {position:?}"
        );
    }
    let Some(action) = position.actions().next() else { return };
    let (after, _) = position.apply(action);
    let mapped_after = G::map_after(&after, sym);
    let expected: HashMap<G::Chance, f64> = chance::list::<G>(&mapped_after).into_iter().collect();
    for (chance, p) in chance::list::<G>(&after) {
        let mapped = G::map_chance(&after, chance, sym);
        let q = expected.get(&mapped).copied().unwrap_or(0.0);
        assert!(
            (p - q).abs() < 1e-12,
            "{sym:?} of outcome {chance:?} after {after:?}: {p} and {q}"
        );
        let ((next, bonus), (image, image_bonus)) =
            (G::apply_outcome(&after, chance), G::apply_outcome(&mapped_after, mapped));
        assert_eq!(
            (next.map(sym), bonus),
            (image, image_bonus),
            "{sym:?} of {chance:?} after {after:?}"
        );
    }
}
