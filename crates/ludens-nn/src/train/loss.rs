//! Losses and their slopes, on slices.

use crate::NOBODY;

/// The cross-entropy between the chances that a policy's outputs give to actions and those
/// that they should have, for one position. The slope by every output, times `scale`, is
/// written to `slope`.
///
/// `owners` says which action an output belongs to, as [`crate::Encoder::owners`] does;
/// `target` has a chance for each action, summing to 1.
///
/// ```
/// use ludens_nn::{NOBODY, policy_loss};
/// let mut slope = [0.0; 4];
/// let loss = policy_loss(&[0.0; 4], &[0, 0, 1, NOBODY], &[1.0, 0.0], 1.0, &mut slope);
/// assert!((loss - (1.5f32).ln()).abs() < 1e-6);
/// assert!(slope[0] < 0.0 && slope[2] > 0.0 && slope[3] == 0.0);
/// ```
pub fn policy_loss(
    logits: &[f32],
    owners: &[u16],
    target: &[f32],
    scale: f32,
    slope: &mut [f32],
) -> f32 {
    let owned = || logits.iter().zip(owners).filter(|(_, owner)| **owner != NOBODY);
    let most = owned().fold(f32::NEG_INFINITY, |most, (logit, _)| most.max(*logit));
    let total: f32 = owned().map(|(logit, _)| (logit - most).exp()).sum();
    // The sum of an action's outputs, found anew for each: there are few targets.
    let chance = |action: usize| {
        let mine = owned().filter(|(_, owner)| usize::from(**owner) == action);
        mine.map(|(logit, _)| (logit - most).exp()).sum::<f32>() / total
    };
    slope.fill(0.0);
    for ((slope, logit), owner) in slope.iter_mut().zip(logits).zip(owners) {
        if *owner != NOBODY {
            *slope = scale * (logit - most).exp() / total;
        }
    }
    let mut loss = 0.0;
    for (action, &wanted) in target.iter().enumerate().filter(|(_, wanted)| **wanted > 0.0) {
        let chance = chance(action).max(f32::MIN_POSITIVE);
        loss -= wanted * chance.ln();
        for ((slope, logit), owner) in slope.iter_mut().zip(logits).zip(owners) {
            if usize::from(*owner) == action {
                *slope -= scale * wanted * (logit - most).exp() / total / chance;
            }
        }
    }
    loss
}

/// The squared difference of a value from what it should be, with its slope times `scale`.
pub fn value_loss(value: f32, target: f32, scale: f32, slope: &mut f32) -> f32 {
    let difference = value - target;
    *slope = 2.0 * scale * difference;
    difference * difference
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    #[test]
    fn slopes_are_those_of_the_losses() {
        let mut rng = Rng::new(2);
        for _ in 0..50 {
            let logits: Vec<f32> = (0..12).map(|_| (4.0 * rng.unit() - 2.0) as f32).collect();
            let owners: Vec<u16> =
                (0..12).map(|i| if i % 4 == 3 { NOBODY } else { i % 3 }).collect();
            let target = [0.5, 0.2, 0.3];
            let mut slope = [0.0; 12];
            policy_loss(&logits, &owners, &target, 1.0, &mut slope);
            for i in 0..12 {
                let at = |change: f32| {
                    let mut moved = logits.clone();
                    moved[i] += change;
                    f64::from(policy_loss(&moved, &owners, &target, 1.0, &mut [0.0; 12]))
                };
                let expected = (at(1e-2) - at(-1e-2)) / 2e-2;
                assert!((f64::from(slope[i]) - expected).abs() < 1e-3, "{} {expected}", slope[i]);
            }
        }
    }
}
