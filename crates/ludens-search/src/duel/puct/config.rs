//! Every setting of the search.

use ludens_core::Rng;

use crate::duel::tree::Edge;

/// How the tree is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PuctConfig {
    /// Exploration: `Q + c P sqrt(N) / (1 + n)`.
    pub c: f32,
    /// A move not tried yet counts as the position's value less this, times the root of the
    /// probability of the moves that were tried.
    pub fpu: f32,
    /// What a walk costs the moves on its way until its position is judged.
    pub virtual_loss: f32,
}

impl Default for PuctConfig {
    fn default() -> Self {
        PuctConfig { c: 1.5, fpu: 0.25, virtual_loss: 1.0 }
    }
}

/// What is different at the root.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Root {
    /// Nothing.
    #[default]
    Plain,
    /// Probabilities mixed with noise, so that every move is tried now and then.
    Noisy(Noise),
    /// Sequential halving of a few moves drawn without replacement.
    Gumbel(Gumbel),
}

/// Dirichlet noise.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Noise {
    /// The parameter: small ones favour few moves.
    pub alpha: f64,
    /// The share of the noise.
    pub share: f32,
}

impl Noise {
    /// Mixes the moves' probabilities with noise; `room` holds it.
    pub(crate) fn mix<A>(self, edges: &mut [Edge<A>], scratch: &mut Vec<f32>, rng: &mut Rng) {
        scratch.clear();
        scratch.resize(edges.len(), 0.0);
        rng.dirichlet(self.alpha, scratch);
        for (edge, random) in edges.iter_mut().zip(scratch) {
            edge.prior += self.share * (*random - edge.prior);
        }
    }
}

/// The Gumbel root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gumbel {
    /// Moves to begin with, at least 1.
    pub considered: usize,
    /// How much a value counts against a logit: `(50 + most visits) * scale` per unit of the chance
    /// to win.
    pub scale: f32,
    /// Whether moves are drawn; otherwise the likeliest ones are considered.
    pub draw: bool,
}

impl Gumbel {
    /// Visits that every move counts as having when values are weighed.
    pub(super) const VISITS: f32 = 50.0;
}

impl Default for Gumbel {
    fn default() -> Self {
        Gumbel { considered: 16, scale: 0.5, draw: true }
    }
}
