//! Augmentation of training data by symmetries.

use ludens_core::{Rng, Sym, Symmetric};

/// A position under a random symmetry, and its actions' probabilities in the order of the new
/// position's actions.
///
/// ```
/// use ludens_core::{Game, NoVariant, Notation, Rng};
/// use ludens_games::ConnectFour;
/// let position = ConnectFour::parse(&NoVariant, "1").unwrap();
/// let probabilities = [0.4, 0.3, 0.2, 0.1, 0.0, 0.0, 0.0];
/// let mut rng = Rng::new(1);
/// for _ in 0..9 {
///     let mut seen = Vec::new();
///     let mapped = ludens_nn::random_symmetry(&position, &probabilities, &mut rng, &mut seen);
///     assert_eq!(seen[if mapped == position { 0 } else { 6 }], 0.4);
/// }
/// ```
pub fn random_symmetry<G: Symmetric>(
    position: &G,
    probabilities: &[f32],
    rng: &mut Rng,
    out: &mut Vec<f32>,
) -> G {
    let sym = Sym(rng.below(G::symmetries(&position.variant())));
    out.clear();
    if sym == Sym::IDENTITY {
        out.extend_from_slice(probabilities);
        return *position;
    }
    let mapped = position.map(sym);
    out.resize(probabilities.len(), 0.0);
    for (action, &probability) in position.actions().zip(probabilities) {
        let action = position.map_action(action, sym);
        let index = mapped.actions().position(|legal| legal == action);
        out[index.expect("a symmetry maps legal actions to legal ones")] = probability;
    }
    mapped
}
