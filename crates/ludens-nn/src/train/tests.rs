//! Gradients against differences of the loss; learning against the evaluator.

use ludens_core::Rng;

use super::pass::{Pool, gradients};
use super::*;
use crate::reference::lively;
use crate::{Head, Network, Scratch};

fn specs() -> Vec<Spec> {
    vec![
        Spec::policy(4, 3, 3, 9, 3),
        Spec::value(3, 4, 2, 17, 2),
        Spec::actor_critic(3, 3, 2, 5, 2),
        Spec::residual(3, 4, 2, 6, 2, 5),
        Spec { kernel: 5, value: Some(Head::Dense), ..Spec::policy(2, 9, 2, 4, 2) },
    ]
}

fn batch(spec: &Spec, count: usize, rng: &mut Rng) -> Vec<f32> {
    let number = |_| if rng.below(2) == 0 { rng.unit() as f32 } else { 0.0 };
    (0..count * spec.inputs()).map(number).collect()
}

/// A loss that every output has its own share in.
fn weighted(out: &Outputs, slope: &mut Outputs) -> f32 {
    let mut loss = 0.0;
    let outputs = out.policy.iter().chain(&out.values);
    let slopes = slope.policy.iter_mut().chain(&mut slope.values);
    for (i, (x, slope)) in outputs.zip(slopes).enumerate() {
        let factor = ((i * 37 % 11) as f32 - 5.0) / 10.0;
        loss += factor * x + 0.05 * x * x;
        *slope = factor + 0.1 * x;
    }
    loss
}

#[test]
fn gradients_are_slopes_of_the_loss() {
    for (number, spec) in specs().into_iter().enumerate() {
        let mut rng = Rng::new(number as u64);
        let weights = lively(spec, number as u64 + 10);
        let inputs = batch(&spec, 6, &mut rng);
        for level in Level::available() {
            let mut pool = Pool::default();
            // Twice: buffers that are used again must not matter.
            gradients(&weights, level, &mut pool, &inputs, weighted);
            let (_, found, _) = gradients(&weights, level, &mut pool, &inputs, weighted);
            let names: Vec<_> = learned(&spec).map(|slot| slot.name).collect();
            assert_eq!(found.keys().len(), names.len());
            for name in names {
                assert_eq!(found[&name].len(), weights.get(&name).len(), "{spec} {name}");
                // Along a random direction: single weights may cross a ReLU's kink.
                let direction: Vec<f32> = found[&name]
                    .iter()
                    .map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 })
                    .collect();
                let mut at = |step: f32| {
                    let mut moved = weights.clone();
                    let numbers = moved.get_mut(&name).iter_mut().zip(&direction);
                    numbers.for_each(|(x, d)| *x += step * d);
                    f64::from(gradients(&moved, level, &mut pool, &inputs, weighted).0)
                };
                let along: f64 =
                    found[&name].iter().zip(&direction).map(|(g, d)| f64::from(g * d)).sum();
                let close = [1e-2f32, 3e-3, 1e-3].into_iter().any(|step| {
                    let expected = (at(step) - at(-step)) / (2.0 * f64::from(step));
                    (along - expected).abs() < 0.02 * expected.abs().max(0.5)
                });
                assert!(
                    close,
                    "{spec} {level:?} {name}: {along}, {}",
                    (at(1e-3) - at(-1e-3)) / 2e-3
                );
            }
        }
    }
}

/// The network says the same when it runs as when it learns, once its running statistics are
/// those of the batch.
#[test]
fn learning_and_running_agree() {
    for (number, spec) in specs().into_iter().enumerate() {
        let inputs = batch(&spec, 40, &mut Rng::new(3));
        let mut weights = lively(spec, number as u64 + 20);
        let mut seen = Outputs::default();
        let (_, _, statistics) =
            gradients(&weights, Level::best(), &mut Pool::default(), &inputs, |out, _| {
                seen = out.clone();
                0.0
            });
        for (name, [mean, variance]) in statistics {
            weights.get_mut(&format!("{name}.norm.running_mean")).copy_from_slice(&mean);
            let rows = 40.0 * spec.cells() as f32;
            let sample = variance.iter().map(|var| var * (rows - 1.0) / rows);
            let running = weights.get_mut(&format!("{name}.norm.running_var"));
            running.iter_mut().zip(sample).for_each(|(old, new)| *old = new);
        }
        let mut out = Outputs::default();
        Network::new(&weights).run(&mut Scratch::default(), &inputs, &mut out);
        let pairs = out.policy.iter().zip(&seen.policy).chain(out.values.iter().zip(&seen.values));
        for (found, expected) in pairs {
            assert!(
                (found - expected).abs() < 1e-4 * expected.abs().max(1.0),
                "{spec}: {found} {expected}"
            );
        }
    }
}

#[test]
fn a_resumed_trainer_goes_on_as_if_nothing_happened() {
    let spec = Spec::value(3, 3, 2, 8, 2);
    let inputs = batch(&spec, 16, &mut Rng::new(1));
    let adam = Adam { decay: 1e-4, ..Adam::default() };
    let mut whole = Trainer::new(Weights::random(spec, &mut Rng::new(2)));
    for _ in 0..3 {
        whole.step(&adam, &inputs, weighted);
    }
    let mut resumed =
        Trainer::resume(whole.weights().clone(), whole.state(), whole.steps()).unwrap();
    for _ in 0..3 {
        assert_eq!(whole.step(&adam, &inputs, weighted), resumed.step(&adam, &inputs, weighted));
    }
    assert_eq!(whole.weights(), resumed.weights());
    assert!(Trainer::resume(whole.weights().clone(), BTreeMap::new(), 3).is_err());
}

#[test]
fn a_loss_that_is_not_finite_changes_nothing() {
    let spec = Spec::value(3, 3, 2, 8, 1);
    let mut trainer = Trainer::new(Weights::random(spec, &mut Rng::new(2)));
    let before = trainer.weights().clone();
    let inputs = batch(&spec, 4, &mut Rng::new(1));
    let loss = trainer.step(&Adam::default(), &inputs, |_, slope| {
        slope.values[0] = f32::NAN;
        1.0
    });
    assert!(loss.is_nan());
    assert_eq!(trainer.weights(), &before);
}
