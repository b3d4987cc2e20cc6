//! The networks by plain loops, layer by layer as the texts describe them, to compare the
//! fast ones with.

use std::sync::Arc;

use ludens_core::{Evals, Evaluator, Game, Rng};
use ludens_games::Former;

use crate::simd::Level;
use crate::spec::{Head, Range, Tower};
use crate::weights::{EPSILON, Role, block_name};
use crate::{FormerCells, Judge, Network, Outputs, Scratch, Spec, Weights};

/// Channel after channel, each row after row.
fn convolve(weights: &Weights, name: &str, input: &[f64], kernel: usize) -> Vec<f64> {
    let spec = weights.spec();
    let (rows, cols) = (spec.rows as isize, spec.cols as isize);
    let cells = spec.cells();
    let factors = weights.get(&format!("{name}.conv.weight"));
    let inputs = input.len() / cells;
    let outputs = factors.len() / (inputs * kernel * kernel);
    let reach = kernel as isize / 2;
    let mut out = vec![0.0; outputs * cells];
    for o in 0..outputs {
        for y in 0..rows {
            for x in 0..cols {
                let mut sum = 0.0;
                for i in 0..inputs {
                    for dy in -reach..=reach {
                        for dx in -reach..=reach {
                            let (v, u) = (y + dy, x + dx);
                            if (0..rows).contains(&v) && (0..cols).contains(&u) {
                                let tap = (dy + reach) * kernel as isize + dx + reach;
                                let at = (o * inputs + i) * kernel * kernel + tap as usize;
                                sum += f64::from(factors[at])
                                    * input[i * cells + (v * cols + u) as usize];
                            }
                        }
                    }
                }
                out[o * cells + (y * cols + x) as usize] = sum;
            }
        }
    }
    out
}

fn normalise(weights: &Weights, name: &str, planes: &mut [f64]) {
    let norm = |part: &str, i: usize| f64::from(weights.get(&format!("{name}.norm.{part}"))[i]);
    for (i, plane) in planes.chunks_exact_mut(weights.spec().cells()).enumerate() {
        let deviation = (norm("running_var", i) + f64::from(EPSILON)).sqrt();
        for x in plane {
            *x = (*x - norm("running_mean", i)) / deviation * norm("weight", i) + norm("bias", i);
        }
    }
}

fn relu(numbers: &mut [f64]) {
    numbers.iter_mut().for_each(|x| *x = x.max(0.0));
}

fn linear(weights: &Weights, name: &str, input: &[f64]) -> Vec<f64> {
    let (factors, bias) =
        (weights.get(&format!("{name}.weight")), weights.get(&format!("{name}.bias")));
    let rows = factors.chunks_exact(input.len()).zip(bias);
    rows.map(|(row, b)| {
        f64::from(*b) + row.iter().zip(input).map(|(w, x)| f64::from(*w) * x).sum::<f64>()
    })
    .collect()
}

fn head(weights: &Weights, name: &str, head: Head, tower: &[f64], base: &[f64]) -> Vec<f64> {
    let last = format!("{name}.linear");
    match head {
        Head::Cells => {
            let bias = f64::from(weights.get(&format!("{name}.conv.bias"))[0]);
            convolve(weights, name, tower, 1).into_iter().map(|x| x + bias).collect()
        }
        Head::Pooled => {
            let cells = weights.spec().cells();
            let means: Vec<f64> =
                tower.chunks_exact(cells).map(|p| p.iter().sum::<f64>() / cells as f64).collect();
            linear(weights, &last, &means)
        }
        Head::Dense => linear(weights, &last, base),
        Head::Reduced { hidden, .. } => {
            let reduce = format!("{name}.reduce");
            let mut planes = convolve(weights, &reduce, tower, 1);
            normalise(weights, &reduce, &mut planes);
            relu(&mut planes);
            if hidden > 0 {
                planes = linear(weights, &format!("{name}.hidden"), &planes);
                relu(&mut planes);
            }
            linear(weights, &last, &planes)
        }
    }
}

/// Policy and value of one position.
fn run(weights: &Weights, input: &[f32]) -> (Vec<f64>, Option<f64>) {
    let spec = weights.spec();
    let (cells, planes) = (spec.cells(), spec.planes);
    let by_plane = |i: usize| f64::from(input[(i % cells) * planes + i / cells]);
    let mut here: Vec<f64> = (0..cells * planes).map(by_plane).collect();
    here = convolve(weights, "stem", &here, spec.kernel);
    normalise(weights, "stem", &mut here);
    relu(&mut here);
    let mut before = here.clone();
    for index in 0..spec.convolutions() {
        let name = block_name(index);
        here = convolve(weights, &name, &here, 3);
        normalise(weights, &name, &mut here);
        if matches!(spec.tower, Tower::Residual(_)) && index % 2 == 1 {
            here.iter_mut().zip(&before).for_each(|(x, skip)| *x += skip);
        }
        relu(&mut here);
        if index % 2 == 1 {
            before.clone_from(&here);
        }
    }
    let mut base = here.clone();
    if spec.shared > 0 {
        base = linear(weights, "shared", &here);
        relu(&mut base);
    }
    let policy = spec.policy.map_or_else(Vec::new, |h| head(weights, "policy", h, &here, &base));
    let value = spec.value.map(|h| head(weights, "value", h, &here, &base)[0]);
    (policy, value.map(|v| if spec.range == Range::Unit { v.tanh() } else { v }))
}

/// Weights whose normalisations do something.
pub(crate) fn lively(spec: Spec, seed: u64) -> Weights {
    let mut rng = Rng::new(seed);
    let mut weights = Weights::random(spec, &mut rng);
    for slot in spec.slots() {
        let range = match slot.role {
            Role::Factors(_) => continue,
            Role::Gain => 0.5..1.5,
            Role::Bias | Role::Mean => -0.3..0.3,
            Role::Variance => 0.5..2.0,
        };
        for x in weights.get_mut(&slot.name) {
            *x = (range.start + (range.end - range.start) * rng.unit()) as f32;
        }
    }
    weights
}

fn specs() -> Vec<Spec> {
    let mut specs = vec![
        Spec::policy(9, 7, 5, 32, 5),
        Spec::value(9, 7, 5, 32, 3),
        Spec::actor_critic(5, 5, 4, 20, 3),
        Spec::residual(6, 7, 2, 24, 2, 7),
        Spec::residual(8, 8, 3, 48, 1, 65),
        Spec { value: Some(Head::Dense), shared: 0, ..Spec::policy(4, 4, 3, 8, 2) },
        Spec::value(1, 1, 2, 3, 3),
    ];
    // Every width of tile, and boards wider than one.
    specs.extend((2..=19).map(|cols| Spec::policy(2, cols, 2, 17, 2)));
    specs
}

#[test]
fn all_levels_agree_with_plain_loops() {
    for (number, spec) in specs().into_iter().enumerate() {
        let weights = lively(spec, number as u64);
        let mut rng = Rng::new(number as u64);
        let batch = 1 + number % 11;
        let inputs: Vec<f32> = (0..batch * spec.inputs())
            .map(|_| if rng.below(3) == 0 { rng.unit() as f32 } else { 0.0 })
            .collect();
        let expected: Vec<_> =
            inputs.chunks_exact(spec.inputs()).map(|i| run(&weights, i)).collect();
        for level in Level::available() {
            let network = Network::with_level(&weights, level);
            let (mut scratch, mut out) = (Scratch::default(), Outputs::default());
            network.run(&mut scratch, &inputs, &mut out);
            for (index, (policy, value)) in expected.iter().enumerate() {
                let found = &out.policy[index * spec.actions..(index + 1) * spec.actions];
                let scale = policy.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
                for (found, expected) in found.iter().zip(policy) {
                    let difference = (f64::from(*found) - expected).abs();
                    assert!(difference < 1e-4 * scale, "{spec} {level:?}: {found} {expected}");
                }
                assert_eq!(out.values.get(index).is_some(), value.is_some());
                if let Some(value) = value {
                    let difference = (f64::from(out.values[index]) - value).abs();
                    assert!(difference < 1e-4 * value.abs().max(1.0), "{spec} {level:?}");
                }
            }
        }
    }
}

/// Batches and threads change nothing, and neither does what was evaluated before.
#[test]
fn batches_and_threads_agree() {
    let mut rng = Rng::new(5);
    let spec = Spec { value: Some(Head::Pooled), ..Spec::policy(9, 7, 5, 16, 3) };
    let network = Arc::new(Network::new(&lively(spec, 1)));
    let boards: Vec<Former> = (0..75)
        .map(|moves| {
            let mut board = Former::start(&Default::default(), &mut rng);
            for _ in 0..moves % 9 {
                board = board.step(&mut rng).map_or(board, |(_, next, _)| next);
            }
            board
        })
        .collect();
    let mut one = Judge::new(network, FormerCells, &Default::default()).unwrap();
    let mut two = one.clone().threads(2);
    let (mut single, mut both) = (Evals::default(), Evals::default());
    two.evaluate(&boards, &mut both);
    assert_eq!(both.len(), boards.len());
    for (index, board) in boards.iter().enumerate() {
        one.evaluate(&[*board], &mut single);
        assert_eq!(single.value(0), both.value(index));
        assert_eq!(single.priors(0), both.priors(index));
        assert_eq!(single.priors(0).len(), board.actions().len());
        let sum: f32 = single.priors(0).iter().sum();
        assert!((sum - 1.0).abs() < 1e-4 || board.is_over(), "{sum}");
    }
}

#[test]
fn networks_for_other_boards_are_refused() {
    let network = Arc::new(Network::new(&lively(Spec::policy(5, 5, 5, 4, 1), 1)));
    let judge = Judge::<Former, _>::new(Arc::clone(&network), FormerCells, &Default::default());
    let message = judge.err().unwrap().to_string();
    assert_eq!(message, "network's input: found 5x5x5, expected 9x7x5");
    let variant = ludens_games::former::FormerVariant::new(5, 5, 4).unwrap();
    let value = crate::NetValue::<Former, _>::new(network, FormerCells, &variant);
    assert!(value.err().unwrap().to_string().ends_with("expected one that gives values"));
}
