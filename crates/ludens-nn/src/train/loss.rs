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

/// How a policy is read from outputs, one for each action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PolicyOutput {
    /// In proportion to their exponentials.
    #[default]
    Softmax,
    /// In proportion to their hyperbolic tangents, of which those below 0 count as 0.
    Tanh,
}

impl PolicyOutput {
    /// What the outputs say of the actions before it is scaled to probabilities.
    fn activate(self, outputs: &[f32], out: &mut [f32]) {
        match self {
            PolicyOutput::Softmax => crate::softmax(outputs, out),
            PolicyOutput::Tanh => {
                out.iter_mut().zip(outputs).for_each(|(out, output)| *out = output.tanh());
            }
        }
    }

    /// Puts probabilities in place of outputs; equal ones where the outputs give none.
    ///
    /// ```
    /// use ludens_nn::PolicyOutput;
    /// let mut outputs = [0.5f32.atanh(), -3.0, 0.25f32.atanh()];
    /// PolicyOutput::Tanh.probabilities(&mut outputs);
    /// assert!((outputs[0] - 2.0 / 3.0).abs() < 1e-6 && outputs[1] == 0.0);
    /// ```
    pub fn probabilities(self, outputs: &mut [f32]) {
        match self {
            PolicyOutput::Softmax => {
                let most = outputs.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
                outputs.iter_mut().for_each(|x| *x = (*x - most).exp());
            }
            PolicyOutput::Tanh => outputs.iter_mut().for_each(|x| *x = x.tanh().max(0.0)),
        }
        let (total, even) = (outputs.iter().sum::<f32>(), 1.0 / outputs.len().max(1) as f32);
        outputs.iter_mut().for_each(|x| *x = if total > 0.0 { *x / total } else { even });
    }
}

/// The sum of the squared differences between what outputs say of the actions and the chances that
/// these should have. The slope by every output, times `scale`, is written to `slope`.
pub fn squared_policy_loss(
    outputs: &[f32],
    by: PolicyOutput,
    target: &[f32],
    scale: f32,
    slope: &mut [f32],
) -> f32 {
    let mut said = vec![0.0; outputs.len()];
    by.activate(outputs, &mut said);
    let differences = || said.iter().zip(target).map(|(said, wanted)| said - wanted);
    // By what is said; the softmax of one action moves all others.
    let tilt: f32 = said.iter().zip(differences()).map(|(said, d)| 2.0 * d * said).sum();
    for ((slope, said), difference) in slope.iter_mut().zip(&said).zip(differences()) {
        *slope = scale
            * match by {
                PolicyOutput::Softmax => said * (2.0 * difference - tilt),
                PolicyOutput::Tanh => 2.0 * difference * (1.0 - said * said),
            };
    }
    differences().map(|difference| difference * difference).sum()
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    #[test]
    fn slopes_of_squares_are_those_of_the_losses() {
        let mut rng = Rng::new(3);
        for by in [PolicyOutput::Softmax, PolicyOutput::Tanh] {
            for _ in 0..20 {
                let outputs: Vec<f32> = (0..5).map(|_| (3.0 * rng.unit() - 1.5) as f32).collect();
                let (target, mut slope) = ([0.5, 0.0, 0.2, 0.3, 0.0], [0.0; 5]);
                squared_policy_loss(&outputs, by, &target, 2.0, &mut slope);
                for i in 0..5 {
                    let at = |change: f32| {
                        let mut moved = outputs.clone();
                        moved[i] += change;
                        let mut scratch = [0.0; 5];
                        f64::from(squared_policy_loss(&moved, by, &target, 2.0, &mut scratch))
                    };
                    let expected = 2.0 * (at(1e-2) - at(-1e-2)) / 2e-2;
                    let found = f64::from(slope[i]);
                    assert!((found - expected).abs() < 2e-3, "{by:?} {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn outputs_below_0_have_no_chance() {
        let mut none = [-1.0, -2.0];
        PolicyOutput::Tanh.probabilities(&mut none);
        assert_eq!(none, [0.5, 0.5]);
        let mut outputs = [0.0, 1.0f32.ln(), 2.0f32.ln()];
        PolicyOutput::Softmax.probabilities(&mut outputs);
        assert!((outputs[2] - 0.5).abs() < 1e-6, "{outputs:?}");
    }

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
