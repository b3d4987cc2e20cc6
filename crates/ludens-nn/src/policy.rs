//! From a policy's outputs to the legal actions, and back to slopes.

use ludens_core::Game;

use crate::encoder::{Encoder, NOBODY, priors_of};
use crate::train::policy_loss;

/// Scratch buffers that are used again from position to position.
#[derive(Clone, Debug, Default)]
pub struct PolicyScratch {
    owners: Vec<u16>,
    logits: Vec<f32>,
}

/// The sums of the outputs that are parts of each legal action, in the order of
/// [`Game::actions`]: logits where [`Encoder::SUMS`] says so, or values of actions.
pub fn action_sums<G: Game, E: Encoder<G>>(
    encoder: E,
    position: &G,
    outputs: &[f32],
    sums: &mut Vec<f32>,
) {
    sums.clear();
    sums.resize(position.actions().len(), 0.0);
    encoder.parts(position, |action, output| sums[action] += outputs[output]);
}

/// The probabilities that outputs give to the legal actions. `priors` has one number per action.
pub fn action_priors<G: Game, E: Encoder<G>>(
    encoder: E,
    position: &G,
    outputs: &[f32],
    scratch: &mut PolicyScratch,
    priors: &mut [f32],
) {
    if E::SUMS {
        action_sums(encoder, position, outputs, &mut scratch.logits);
        softmax(&scratch.logits, priors);
    } else {
        scratch.owners.resize(outputs.len(), NOBODY);
        encoder.owners(position, &mut scratch.owners);
        priors_of(outputs, &scratch.owners, priors);
    }
}

/// The cross-entropy between the probabilities of the legal actions and those that they should
/// have, `target`. The slope by every output, times `scale`, is written to `slope`.
pub fn action_loss<G: Game, E: Encoder<G>>(
    encoder: E,
    position: &G,
    outputs: &[f32],
    target: &[f32],
    scale: f32,
    scratch: &mut PolicyScratch,
    slope: &mut [f32],
) -> f32 {
    if !E::SUMS {
        scratch.owners.resize(outputs.len(), NOBODY);
        encoder.owners(position, &mut scratch.owners);
        return policy_loss(outputs, &scratch.owners, target, scale, slope);
    }
    let mut logits = std::mem::take(&mut scratch.logits);
    action_sums(encoder, position, outputs, &mut logits);
    let most = logits.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
    let total = logits.iter().map(|x| (x - most).exp()).sum::<f32>();
    let loss = |(logit, wanted): (&f32, &f32)| wanted * (most + total.ln() - logit);
    let loss = logits.iter().zip(target).map(loss).sum();
    slope.fill(0.0);
    encoder.parts(position, |action, output| {
        let chance = (logits[action] - most).exp() / total;
        slope[output] += scale * (chance - target[action]);
    });
    scratch.logits = logits;
    loss
}

/// Probabilities in proportion to the exponentials of logits.
pub fn softmax(logits: &[f32], out: &mut [f32]) {
    let most = logits.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
    let mut total = 0.0;
    for (out, logit) in out.iter_mut().zip(logits) {
        *out = (logit - most).exp();
        total += *out;
    }
    out.iter_mut().for_each(|x| *x /= total);
}
