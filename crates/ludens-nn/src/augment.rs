//! Positions seen from another side.

use ludens_core::{Rng, Sym, Symmetric};

/// The image of a position under a symmetry drawn by lot, and its actions' chances in the order of
/// the image's actions.
///
/// ```
/// use ludens_core::{Game, NoVariant, Notation, Rng};
/// use ludens_games::ConnectFour;
/// let position = ConnectFour::parse(&NoVariant, "1").unwrap();
/// let chances = [0.4, 0.3, 0.2, 0.1, 0.0, 0.0, 0.0];
/// let mut rng = Rng::new(1);
/// for _ in 0..9 {
///     let mut seen = Vec::new();
///     let image = ludens_nn::random_image(&position, &chances, &mut rng, &mut seen);
///     assert_eq!(seen[if image == position { 0 } else { 6 }], 0.4);
/// }
/// ```
pub fn random_image<G: Symmetric>(
    position: &G,
    chances: &[f32],
    rng: &mut Rng,
    out: &mut Vec<f32>,
) -> G {
    let sym = Sym(rng.below(G::symmetries(&position.variant())));
    out.clear();
    if sym == Sym::IDENTITY {
        out.extend_from_slice(chances);
        return *position;
    }
    let image = position.map(sym);
    out.resize(chances.len(), 0.0);
    for (action, &chance) in position.actions().zip(chances) {
        let mapped = position.map_action(action, sym);
        let place = image.actions().position(|legal| legal == mapped);
        out[place.expect("a symmetry maps legal actions to legal ones")] = chance;
    }
    image
}
