//! The loss of proximal policy optimisation, on slices.
//!
//! Reference: J. Schulman et al., Proximal policy optimization algorithms, 2017.

use crate::NOBODY;

/// An action that was taken while games were played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Taken {
    /// The action, by index among the legal ones.
    pub action: u16,
    /// Its chance then.
    pub chance: f32,
    /// How much better it was than what was expected.
    pub advantage: f32,
}

/// What a sample contributes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clipped {
    /// The clipped objective, to be made small.
    pub actor: f32,
    /// The entropy of the policy.
    pub entropy: f32,
    /// The chance now over the chance then.
    pub ratio: f32,
}

/// The clipped objective of an action that was taken, less `entropy` times the policy's
/// entropy. The slope by every output, times `scale`, is written to `slope`.
///
/// `owners` says which action an output belongs to, as [`crate::Encoder::owners`] does.
///
/// ```
/// use ludens_nn::{Taken, clipped_loss};
/// let taken = Taken { action: 0, chance: 0.5, advantage: 1.0 };
/// let mut slope = [0.0; 2];
/// let loss = clipped_loss(&[0.0, 0.0], &[0, 1], taken, 0.2, 0.0, 1.0, &mut slope);
/// assert_eq!((loss.actor, loss.ratio), (-1.0, 1.0));
/// assert!(slope[0] < 0.0 && slope[1] > 0.0);
/// ```
pub fn clipped_loss(
    logits: &[f32],
    owners: &[u16],
    taken: Taken,
    clip: f32,
    entropy: f32,
    scale: f32,
    slope: &mut [f32],
) -> Clipped {
    let owned = || logits.iter().zip(owners).filter(|(_, owner)| **owner != NOBODY);
    let most = owned().fold(f32::NEG_INFINITY, |most, (logit, _)| most.max(*logit));
    // The chance of every output, and of every action.
    let actions = owned().map(|(_, owner)| usize::from(*owner) + 1).max().unwrap_or(0);
    let (mut total, mut chances) = (0.0, vec![0.0f32; actions]);
    for ((slope, logit), owner) in slope.iter_mut().zip(logits).zip(owners) {
        *slope = 0.0;
        if *owner != NOBODY {
            *slope = (logit - most).exp();
            total += *slope;
            chances[usize::from(*owner)] += *slope;
        }
    }
    let logs: Vec<f32> = chances
        .iter_mut()
        .map(|chance| {
            *chance = (*chance / total).max(f32::MIN_POSITIVE);
            chance.ln()
        })
        .collect();
    let disorder = -chances.iter().zip(&logs).map(|(chance, log)| chance * log).sum::<f32>();
    let action = usize::from(taken.action);
    let ratio = chances[action] / taken.chance;
    let plain = ratio * taken.advantage;
    let held = ratio.clamp(1.0 - clip, 1.0 + clip) * taken.advantage;
    // Beyond the clip nothing is to be gained any more.
    let by_log = if plain <= held { -plain } else { 0.0 };
    for (slope, owner) in slope.iter_mut().zip(owners).filter(|(_, owner)| **owner != NOBODY) {
        let (chance, mine) = (*slope / total, usize::from(*owner));
        let of_taken = if mine == action { chance / chances[action] } else { 0.0 };
        *slope =
            scale * (by_log * (of_taken - chance) + entropy * chance * (logs[mine] + disorder));
    }
    Clipped { actor: -plain.min(held), entropy: disorder, ratio }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    #[test]
    fn slopes_are_those_of_the_loss() {
        let mut rng = Rng::new(2);
        for round in 0..200 {
            let logits: Vec<f32> = (0..9).map(|_| (4.0 * rng.unit() - 2.0) as f32).collect();
            let owners: Vec<u16> =
                (0..9).map(|i| if i % 4 == 3 { NOBODY } else { i % 3 }).collect();
            let taken = Taken {
                action: rng.below(3) as u16,
                chance: 0.1 + 0.8 * rng.unit() as f32,
                advantage: 4.0 * rng.unit() as f32 - 2.0,
            };
            let loss = |logits: &[f32], slope: &mut [f32]| {
                let parts = clipped_loss(logits, &owners, taken, 0.2, 0.1, 1.0, slope);
                (f64::from(parts.actor) - 0.1 * f64::from(parts.entropy), parts.ratio)
            };
            let mut slope = [0.0; 9];
            let (_, ratio) = loss(&logits, &mut slope);
            // At the corners of the clip there is no slope.
            if (ratio - 1.2).abs() < 0.05 || (ratio - 0.8).abs() < 0.05 {
                continue;
            }
            for i in 0..9 {
                let at = |change: f32| {
                    let mut moved = logits.clone();
                    moved[i] += change;
                    loss(&moved, &mut [0.0; 9]).0
                };
                let expected = (at(3e-3) - at(-3e-3)) / 6e-3;
                assert!(
                    (f64::from(slope[i]) - expected).abs() < 3e-3,
                    "{round} {i}: {} {expected}",
                    slope[i]
                );
            }
        }
    }
}
