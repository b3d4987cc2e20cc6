//! Networks of valid convolutions by plain loops in double precision, to compare the fast ones and
//! their gradients with.

use std::collections::BTreeMap;

use ludens_core::Rng;

use super::machine::Machine;
use super::tests::{batch, share, weighted};
use super::valid::gradients;
use crate::simd::Level;
use crate::{Network, Outputs, Scratch, Spec, Tower, Valid, Weights};

fn specs() -> Vec<Spec> {
    let tiny = Valid { convolutions: [[2, 3], [2, 5]], dense: [0, 0], leak: 100, flag: false };
    vec![
        Spec::valid(6, 7, 2, Valid::PROBS_10K, 7),
        Spec::valid(6, 7, 2, Valid { dense: [9, 5], ..Valid::PROBS_100K }, 0),
        Spec::valid(8, 8, 4, Valid { dense: [6, 7], ..Valid::PROBS_REVERSI }, 65),
        Spec { value: Some(crate::Head::Dense), ..Spec::valid(3, 4, 1, tiny, 3) },
        Spec { range: crate::Range::Unit, ..Spec::valid(4, 3, 2, tiny, 0) },
    ]
}

fn form(spec: &Spec) -> Valid {
    match spec.tower {
        Tower::Valid(valid) => valid,
        _ => panic!("{spec} has valid convolutions"),
    }
}

/// Policies and values of a batch, one after the other.
fn plain(spec: &Spec, tensors: &BTreeMap<String, Vec<f64>>, inputs: &[f32]) -> Vec<f64> {
    let valid = form(spec);
    let leak = valid.leak as f64 / 1000.0;
    let activate = |x: f64| if x > 0.0 { x } else { leak * x };
    let linear = |name: &str, input: &[f64]| -> Vec<f64> {
        let (weight, bias) =
            (&tensors[&format!("{name}.weight")], &tensors[&format!("{name}.bias")]);
        let rows = weight.chunks_exact(input.len()).zip(bias);
        rows.map(|(row, bias)| bias + row.iter().zip(input).map(|(w, x)| w * x).sum::<f64>())
            .collect()
    };
    let (mut policies, mut values) = (Vec::new(), Vec::new());
    for input in inputs.chunks_exact(spec.inputs()) {
        // Plane after plane, row after row.
        let mut planes: Vec<Vec<f64>> = (0..spec.planes)
            .map(|p| input.iter().skip(p).step_by(spec.planes).map(|x| f64::from(*x)).collect())
            .collect();
        let empty = planes.last().unwrap().iter().all(|x| *x == 0.0);
        let (mut rows, mut cols) = (spec.rows, spec.cols);
        for (index, [kernel, channels]) in valid.convolutions.into_iter().enumerate() {
            let weight = &tensors[&format!("convolutions.{index}.weight")];
            let bias = &tensors[&format!("convolutions.{index}.bias")];
            let (high, wide) = (rows + 1 - kernel, cols + 1 - kernel);
            let mut next = vec![vec![0.0; high * wide]; channels];
            for (o, next) in next.iter_mut().enumerate() {
                for y in 0..high {
                    for x in 0..wide {
                        let mut sum = bias[o];
                        for (i, plane) in planes.iter().enumerate() {
                            for dy in 0..kernel {
                                for dx in 0..kernel {
                                    let at = ((o * planes.len() + i) * kernel + dy) * kernel + dx;
                                    sum += weight[at] * plane[(y + dy) * cols + x + dx];
                                }
                            }
                        }
                        next[y * wide + x] = if index == 0 { activate(sum) } else { sum };
                    }
                }
            }
            (planes, rows, cols) = (next, high, wide);
        }
        let mut here: Vec<f64> = planes.into_iter().flatten().collect();
        if valid.flag {
            here.push(f64::from(u8::from(empty)));
            here.iter_mut().for_each(|x| *x = activate(*x));
        }
        for (index, _) in valid.units().enumerate() {
            here = linear(&format!("dense.{index}"), &here).into_iter().map(activate).collect();
        }
        if spec.policy.is_some() {
            policies.extend(linear("policy.linear", &here));
        }
        if spec.value.is_some() {
            let value = linear("value.linear", &here)[0];
            values.push(if spec.range == crate::Range::Unit { value.tanh() } else { value });
        }
    }
    policies.extend(values);
    policies
}

fn tensors(weights: &Weights) -> BTreeMap<String, Vec<f64>> {
    let numbers = |name: &str| weights.get(name).iter().map(|x| f64::from(*x)).collect();
    weights
        .spec()
        .tensor_specs()
        .into_iter()
        .map(|tensor| (tensor.name.clone(), numbers(&tensor.name)))
        .collect()
}

/// A batch in which the last plane of some positions is empty.
fn positions(spec: &Spec, count: usize, rng: &mut Rng) -> Vec<f32> {
    let mut inputs = batch(spec, count, rng);
    for input in inputs.chunks_exact_mut(spec.inputs()).step_by(2) {
        input.iter_mut().skip(spec.planes - 1).step_by(spec.planes).for_each(|x| *x = 0.0);
    }
    inputs
}

#[test]
fn running_is_what_plain_loops_say() {
    for (number, spec) in specs().into_iter().enumerate() {
        let mut rng = Rng::new(number as u64);
        let weights = Weights::random(spec, &mut rng);
        // More than a group of positions, and some of the next.
        let inputs = positions(&spec, 11, &mut rng);
        let expected = plain(&spec, &tensors(&weights), &inputs);
        for level in Level::available() {
            let mut out = Outputs::default();
            Network::with_level(&weights, level).run(&mut Scratch::default(), &inputs, &mut out);
            let found: Vec<f32> = out.policy.into_iter().chain(out.values).collect();
            assert_eq!(found.len(), expected.len(), "{spec}");
            for (found, expected) in found.iter().zip(&expected) {
                assert!((f64::from(*found) - expected).abs() < 1e-4, "{spec}: {found} {expected}");
            }
        }
    }
}

#[test]
fn gradients_are_slopes_of_the_loss() {
    const STEP: f64 = 1e-6;
    for (number, spec) in specs().into_iter().enumerate() {
        let mut rng = Rng::new(number as u64 + 5);
        let weights = Weights::random(spec, &mut rng);
        let (inputs, exact) = (positions(&spec, 4, &mut rng), tensors(&weights));
        let loss = |tensors: &BTreeMap<String, Vec<f64>>| -> f64 {
            let outputs = plain(&spec, tensors, &inputs).into_iter().enumerate();
            outputs.map(|(i, x)| share(i, x).0).sum()
        };
        let results = [1, 3].map(|threads| {
            let machine = Machine { level: Level::best(), threads };
            gradients(&weights, form(&spec), machine, &inputs, weighted)
        });
        assert_eq!(results[0], results[1], "{spec}: threads matter");
        let (found_loss, found) = &results[0];
        assert!((f64::from(*found_loss) - loss(&exact)).abs() < 1e-3, "{spec}");
        for tensor in spec.tensor_specs() {
            let direction: Vec<f64> = (0..tensor.len()).map(|_| 2.0 * rng.unit() - 1.0).collect();
            let at = |step: f64| {
                let mut moved = exact.clone();
                let numbers = moved.get_mut(&tensor.name).unwrap().iter_mut().zip(&direction);
                numbers.for_each(|(x, d)| *x += step * d);
                loss(&moved)
            };
            let expected = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            let along: f64 =
                found[&tensor.name].iter().zip(&direction).map(|(g, d)| f64::from(*g) * d).sum();
            assert!(
                (along - expected).abs() < 1e-3 * expected.abs().max(1.0),
                "{spec} {}: {along}, expected {expected}",
                tensor.name
            );
        }
    }
}

/// The sizes that the names tell.
#[test]
fn networks_have_the_published_sizes() {
    let size = |spec: Spec| spec.tensor_specs().iter().map(crate::TensorSpec::len).sum::<usize>();
    assert_eq!(size(Spec::valid(6, 7, 2, Valid::PROBS_10K, 7)), 528 + 4640 + 2730 + 301);
    let large = 1216 + 36_928 + 384 * 128 + 128 + 128 * 64 + 64 + 64 * 7 + 7;
    assert_eq!(size(Spec::valid(6, 7, 2, Valid::PROBS_100K, 7)), large);
    assert_eq!(Valid::PROBS_REVERSI.flat(&Spec::valid(8, 8, 4, Valid::PROBS_REVERSI, 65)), 577);
}
