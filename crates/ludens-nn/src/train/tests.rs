//! Gradients against differences of the loss; learning against the evaluator.

use ludens_core::Rng;

use super::machine::Machine;
use super::pass::{By, Pool, gradients};
use super::*;
use crate::reference::{self, Plain, lively};
use crate::{Head, NOBODY, Network, Scratch};

pub(super) fn specs() -> Vec<Spec> {
    vec![
        Spec::policy(4, 3, 3, 9, 3),
        Spec::value(3, 4, 2, 17, 2),
        Spec::actor_critic(3, 3, 2, 5, 2),
        Spec::residual(3, 4, 2, 6, 2, 5),
        Spec { kernel: 5, value: Some(Head::Dense), ..Spec::policy(2, 9, 2, 4, 2) },
    ]
}

pub(super) fn batch(spec: &Spec, count: usize, rng: &mut Rng) -> Vec<f32> {
    let number = |_| if rng.below(2) == 0 { rng.unit() as f32 } else { 0.0 };
    (0..count * spec.inputs()).map(number).collect()
}

/// A loss that every output has its own share in: its value and its slope.
pub(super) fn share(i: usize, x: f64) -> (f64, f64) {
    let factor = ((i * 37 % 11) as f64 - 5.0) / 10.0;
    (factor * x + 0.05 * x * x, factor + 0.1 * x)
}

pub(super) fn weighted(out: &Outputs, slope: &mut Outputs) -> f32 {
    let outputs = out.policy.iter().chain(&out.values);
    let slopes = slope.policy.iter_mut().chain(&mut slope.values);
    let one = |(i, (x, slope)): (usize, (&f32, &mut f32))| {
        let (loss, by) = share(i, f64::from(*x));
        *slope = by as f32;
        loss
    };
    outputs.zip(slopes).enumerate().map(one).sum::<f64>() as f32
}

/// The same loss by plain loops in double precision.
fn plain_loss(plain: &Plain, inputs: &[f32], by: By) -> f64 {
    let by = match by {
        By::Batch => reference::By::Batch,
        By::Running => reference::By::Weights,
    };
    let (policies, values) = plain.run(inputs, by);
    let outputs = policies.into_iter().flatten().chain(values).enumerate();
    outputs.map(|(i, x)| share(i, x).0).sum()
}

/// Differences are taken in double precision and over tiny steps: in single precision, steps large
/// enough to be seen cross the kinks of ReLUs, and the slope found is another one.
#[test]
fn gradients_are_slopes_of_the_loss() {
    for (number, spec) in specs().into_iter().enumerate() {
        for by in [By::Batch, By::Running] {
            compare(number, spec, by);
        }
    }
}

fn compare(number: usize, spec: Spec, by: By) {
    const STEP: f64 = 1e-6;
    let mut rng = Rng::new(number as u64);
    let weights = lively(spec, number as u64 + 10);
    let plain = Plain::new(&weights);
    let inputs = batch(&spec, 6, &mut rng);
    let names: Vec<_> = learned(&spec).map(|tensor| tensor.name).collect();
    let found = Level::available().into_iter().map(|level| {
        let mut pool = Pool::default();
        // Again and again: buffers that are used again must not matter, nor must threads.
        let mut results = [1, 2, 3, 7].map(|threads| {
            gradients(&weights, Machine { level, threads }, by, &mut pool, &inputs, weighted)
        });
        assert!(results.iter().all(|result| *result == results[0]), "{spec}: threads matter");
        let (loss, found, _) = std::mem::take(&mut results[0]);
        let expected = plain_loss(&plain, &inputs, by);
        assert!((f64::from(loss) - expected).abs() < 1e-4 * expected.abs().max(1.0), "{spec}");
        assert_eq!(found.keys().len(), names.len());
        (level, found)
    });
    let found: Vec<_> = found.collect();
    for name in &names {
        let len = plain.tensors[name].len();
        // All weights of a tensor along random directions, and a few alone.
        let mut directions: Vec<Vec<f64>> =
            vec![(0..len).map(|_| 2.0 * rng.unit() - 1.0).collect()];
        directions.extend((0..4).map(|_| {
            let only = rng.below(len as u32) as usize;
            (0..len).map(|i| f64::from(u8::from(i == only))).collect()
        }));
        for direction in directions {
            let at = |step: f64| {
                let mut moved = plain.clone();
                let numbers = moved.tensors.get_mut(name).unwrap().iter_mut().zip(&direction);
                numbers.for_each(|(x, d)| *x += step * d);
                plain_loss(&moved, &inputs, by)
            };
            let expected = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            for (level, found) in &found {
                assert_eq!(found[name].len(), len, "{spec} {name}");
                let pairs = found[name].iter().zip(&direction);
                let along: f64 = pairs.map(|(g, d)| f64::from(*g) * d).sum();
                assert!(
                    (along - expected).abs() < 1e-3 * expected.abs().max(1.0),
                    "{spec} {level:?} {name}: {along}, expected {expected}"
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
        let machine = Machine { level: Level::best(), threads: 2 };
        let (_, _, statistics) =
            gradients(&weights, machine, By::Batch, &mut Pool::default(), &inputs, |out, _| {
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

/// The loss of self-play, on two heads: chances of moves as a search found them, and results.
#[test]
fn two_heads_learn_chances_and_results() {
    const STEP: f64 = 1e-6;
    let (count, actions) = (5, 7);
    for spec in [Spec::residual(3, 4, 2, 6, 2, actions), Spec::actor_critic(1, actions, 2, 5, 2)] {
        let mut rng = Rng::new(4);
        let inputs = batch(&spec, count, &mut rng);
        let mut chances = || {
            let weights: Vec<f32> = (0..5).map(|_| rng.unit() as f32).collect();
            let sum: f32 = weights.iter().sum();
            weights.into_iter().map(|x| x / sum).collect::<Vec<f32>>()
        };
        let targets: Vec<Vec<f32>> = (0..count).map(|_| chances()).collect();
        // One output belongs to no move, two belong to the same one.
        let owners = [0, 1, NOBODY, 2, 3, 4, 0];
        let results = [1.0, -1.0, 0.0, 1.0, -1.0];
        let weights = lively(spec, 5);
        let machine = Machine { level: Level::best(), threads: 2 };
        let (loss, found, _) =
            gradients(&weights, machine, By::Batch, &mut Pool::default(), &inputs, |out, slope| {
                let one = |i: usize, slope: &mut Outputs| {
                    let mine = i * actions..(i + 1) * actions;
                    let (logits, policy) = (&out.policy[mine.clone()], &mut slope.policy[mine]);
                    policy_loss(logits, &owners, &targets[i], 1.0, policy)
                        + value_loss(out.values[i], results[i], 1.0, &mut slope.values[i])
                };
                (0..count).map(|i| one(i, slope)).sum()
            });
        let plain_loss = |plain: &Plain| {
            let (policies, values) = plain.run(&inputs, reference::By::Batch);
            let one = |i: usize| {
                let mine = |action: u16| {
                    let mine = policies[i].iter().zip(owners).filter(|(_, o)| *o == action);
                    mine.map(|(x, _)| x.exp()).sum::<f64>()
                };
                let total: f64 = (0..5).map(mine).sum();
                let wanted = targets[i].iter().zip(0..);
                let entropy: f64 =
                    wanted.map(|(w, action)| -f64::from(*w) * (mine(action) / total).ln()).sum();
                entropy + (values[i] - f64::from(results[i])).powi(2)
            };
            (0..count).map(one).sum::<f64>()
        };
        let plain = Plain::new(&weights);
        let expected = plain_loss(&plain);
        assert!((f64::from(loss) - expected).abs() < 1e-4 * expected, "{loss} {expected}");
        for tensor in learned(&spec) {
            let name = tensor.name;
            let direction: Vec<f64> = found[&name].iter().map(|_| 2.0 * rng.unit() - 1.0).collect();
            let at = |step: f64| {
                let mut moved = plain.clone();
                let numbers = moved.tensors.get_mut(&name).unwrap().iter_mut().zip(&direction);
                numbers.for_each(|(x, d)| *x += step * d);
                plain_loss(&moved)
            };
            let expected = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            let along: f64 =
                found[&name].iter().zip(&direction).map(|(g, d)| f64::from(*g) * d).sum();
            assert!(
                (along - expected).abs() < 1e-3 * expected.abs().max(1.0),
                "{spec} {name}: {along}, expected {expected}"
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
