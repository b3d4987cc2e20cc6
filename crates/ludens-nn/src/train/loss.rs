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
    // An action's chance is the sum of its outputs'; actions beyond the targets have none.
    let (mut total, mut sums) = (0.0, vec![0.0; target.len()]);
    for ((slope, logit), owner) in slope.iter_mut().zip(logits).zip(owners) {
        *slope = if *owner == NOBODY { 0.0 } else { (logit - most).exp() };
        total += *slope;
        if let Some(sum) = sums.get_mut(usize::from(*owner)) {
            *sum += *slope;
        }
    }
    for (slope, owner) in slope.iter_mut().zip(owners) {
        let action = usize::from(*owner);
        let share = match target.get(action) {
            Some(wanted) if *wanted > 0.0 => wanted / sums[action].max(f32::MIN_POSITIVE),
            _ => 0.0,
        };
        *slope *= scale * (1.0 / total - share);
    }
    let wanted = target.iter().zip(&sums).filter(|(wanted, _)| **wanted > 0.0);
    wanted.map(|(wanted, sum)| -wanted * (sum / total).max(f32::MIN_POSITIVE).ln()).sum()
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
