//! Networks that grow.

use ludens_core::Rng;

use crate::{Role, Spec, Weights};

impl Weights {
    /// The same network with more filters. The new ones are fresh, and nothing listens to them yet: it
    /// says what it said before, and what it learns from then on may use them.
    ///
    /// After T. Chen, I. Goodfellow, J. Shlens, Net2Net: accelerating learning via knowledge transfer,
    /// ICLR 2016, whose new filters are copies of others instead.
    ///
    /// # Panics
    /// When it has more filters than that already.
    ///
    /// ```
    /// use ludens_core::Rng;
    /// use ludens_nn::{Spec, Weights};
    /// let mut rng = Rng::new(1);
    /// let narrow = Weights::random(Spec::value(3, 3, 2, 8, 2), &mut rng);
    /// let wide = narrow.widened(16, &mut rng);
    /// assert_eq!(*wide.spec(), Spec::value(3, 3, 2, 16, 2));
    /// assert_eq!(wide.get("stem.norm.bias")[..8], *narrow.get("stem.norm.bias"));
    /// ```
    #[must_use]
    pub fn widened(&self, channels: usize, rng: &mut Rng) -> Weights {
        let old = self.spec();
        assert!(channels >= old.channels, "a network does not lose filters");
        let new = Spec { channels, ..*old };
        let mut wide = Weights::random(new, rng);
        for (old, new) in old.tensor_specs().into_iter().zip(new.tensor_specs()) {
            let from = self.get(&old.name);
            let to = wide.get_mut(&new.name);
            let Role::Factors(_) = new.role else {
                to[..from.len()].copy_from_slice(from);
                continue;
            };
            // Units that were there before get the same inputs, which are the first ones, and no others.
            let [was, is] = [&old, &new].map(|tensor| tensor.len() / tensor.shape[0]);
            for (from, to) in from.chunks_exact(was).zip(to.chunks_exact_mut(is)) {
                to[..was].copy_from_slice(from);
                to[was..].fill(0.0);
            }
        }
        wide
    }
}

#[cfg(test)]
mod tests {
    use crate::reference::lively;
    use crate::{Head, Network, Outputs};

    use super::*;

    #[test]
    fn wider_networks_say_the_same() {
        for spec in [
            Spec { value: Some(Head::Pooled), ..Spec::policy(5, 4, 3, 8, 3) },
            Spec::actor_critic(4, 4, 3, 8, 2),
            Spec::residual(3, 5, 2, 8, 2, 6),
        ] {
            let narrow = lively(spec, 5);
            let mut rng = Rng::new(6);
            let wide = narrow.widened(24, &mut rng);
            let inputs: Vec<f32> = (0..3 * spec.inputs()).map(|_| rng.unit() as f32).collect();
            let say = |weights: &Weights| {
                let mut out = Outputs::default();
                Network::new(weights).run(&mut Default::default(), &inputs, &mut out);
                [out.policy, out.values].concat()
            };
            let (before, after) = (say(&narrow), say(&wide));
            assert!(before.iter().any(|x| x.abs() > 0.01));
            for (before, after) in before.iter().zip(&after) {
                assert!((before - after).abs() < 1e-4, "{spec}: {before} {after}");
            }
        }
    }
}
