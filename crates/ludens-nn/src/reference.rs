//! The networks by plain loops, layer by layer as the texts describe them, to compare the
//! fast ones with.

use std::collections::BTreeMap;
use std::sync::Arc;

use ludens_core::{Evals, Evaluator, Game, Rng};
use ludens_games::Former;

use crate::simd::Level;
use crate::spec::{Head, Range, Tower};
use crate::weights::{EPSILON, Role, block_name};
use crate::{FormerCells, NetEvaluator, Network, Outputs, Scratch, Spec, Weights};

/// Where a normalisation takes its means and variances from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// The running ones.
    Weights,
    /// The batch.
    Batch,
}

/// A network in double precision. Activations are lists of positions, each channel after
/// channel, row after row.
#[derive(Clone)]
pub(crate) struct Plain {
    pub(crate) spec: Spec,
    pub(crate) tensors: BTreeMap<String, Vec<f64>>,
}

impl Plain {
    pub(crate) fn new(weights: &Weights) -> Plain {
        let spec = *weights.spec();
        let tensors = spec.tensor_specs().into_iter().map(|tensor| {
            let numbers = weights.get(&tensor.name).iter().map(|x| f64::from(*x)).collect();
            (tensor.name, numbers)
        });
        Plain { spec, tensors: tensors.collect() }
    }

    fn get(&self, name: String) -> &[f64] {
        &self.tensors[&name]
    }

    fn convolve(&self, name: &str, batch: &[Vec<f64>], kernel: usize) -> Vec<Vec<f64>> {
        batch.iter().map(|input| self.convolve_one(name, input, kernel)).collect()
    }

    fn convolve_one(&self, name: &str, input: &[f64], kernel: usize) -> Vec<f64> {
        let (rows, cols) = (self.spec.rows as isize, self.spec.cols as isize);
        let cells = self.spec.cells();
        let factors = self.get(format!("{name}.conv.weight"));
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
                                    sum += factors[at] * input[i * cells + (v * cols + u) as usize];
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

    fn normalise(&self, name: &str, by: By, batch: &mut [Vec<f64>]) {
        let norm = |part: &str| self.get(format!("{name}.norm.{part}"));
        let cells = self.spec.cells();
        for channel in 0..norm("weight").len() {
            let plane = channel * cells..(channel + 1) * cells;
            let all = || batch.iter().flat_map(|planes| &planes[plane.clone()]);
            let (mean, variance) = match by {
                By::Weights => (norm("running_mean")[channel], norm("running_var")[channel]),
                By::Batch => {
                    let count = all().count() as f64;
                    let mean = all().sum::<f64>() / count;
                    (mean, all().map(|x| (x - mean).powi(2)).sum::<f64>() / count)
                }
            };
            let scale = norm("weight")[channel] / (variance + f64::from(EPSILON)).sqrt();
            for x in batch.iter_mut().flat_map(|planes| &mut planes[plane.clone()]) {
                *x = (*x - mean) * scale + norm("bias")[channel];
            }
        }
    }

    fn linear(&self, name: &str, batch: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (factors, bias) =
            (self.get(format!("{name}.weight")), self.get(format!("{name}.bias")));
        let one = |input: &Vec<f64>| {
            let rows = factors.chunks_exact(input.len()).zip(bias);
            rows.map(|(row, b)| b + row.iter().zip(input).map(|(w, x)| w * x).sum::<f64>())
                .collect()
        };
        batch.iter().map(one).collect()
    }

    fn head(
        &self,
        name: &str,
        head: Head,
        by: By,
        tower: &[Vec<f64>],
        base: &[Vec<f64>],
    ) -> Vec<Vec<f64>> {
        let last = format!("{name}.linear");
        match head {
            Head::Cells => {
                let bias = self.get(format!("{name}.conv.bias"))[0];
                let mut out = self.convolve(name, tower, 1);
                out.iter_mut().flatten().for_each(|x| *x += bias);
                out
            }
            Head::Pooled => {
                let cells = self.spec.cells();
                let mean = |plane: &[f64]| plane.iter().sum::<f64>() / cells as f64;
                let means = |planes: &Vec<f64>| planes.chunks_exact(cells).map(mean).collect();
                self.linear(&last, &tower.iter().map(means).collect::<Vec<Vec<f64>>>())
            }
            Head::Dense => self.linear(&last, base),
            Head::Reduced { hidden, .. } => {
                let reduce = format!("{name}.reduce");
                let mut planes = self.convolve(&reduce, tower, 1);
                self.normalise(&reduce, by, &mut planes);
                relu(&mut planes);
                if hidden > 0 {
                    planes = self.linear(&format!("{name}.hidden"), &planes);
                    relu(&mut planes);
                }
                self.linear(&last, &planes)
            }
        }
    }

    /// Policies and values of a batch.
    pub(crate) fn run(&self, inputs: &[f32], by: By) -> (Vec<Vec<f64>>, Vec<f64>) {
        let spec = &self.spec;
        let (cells, planes) = (spec.cells(), spec.planes);
        let by_plane = |input: &[f32]| {
            let number = |i: usize| f64::from(input[(i % cells) * planes + i / cells]);
            (0..cells * planes).map(number).collect()
        };
        let mut here: Vec<Vec<f64>> = inputs.chunks_exact(spec.inputs()).map(by_plane).collect();
        here = self.convolve("stem", &here, spec.kernel);
        self.normalise("stem", by, &mut here);
        relu(&mut here);
        let mut before = here.clone();
        for index in 0..spec.convolutions() {
            let name = block_name(index);
            here = self.convolve(&name, &here, 3);
            self.normalise(&name, by, &mut here);
            if matches!(spec.tower, Tower::Residual(_)) && index % 2 == 1 {
                let skips = here.iter_mut().flatten().zip(before.iter().flatten());
                skips.for_each(|(x, skip)| *x += skip);
            }
            relu(&mut here);
            if index % 2 == 1 {
                before.clone_from(&here);
            }
        }
        let mut base = here.clone();
        if spec.shared > 0 {
            base = self.linear("shared", &here);
            relu(&mut base);
        }
        let outputs =
            |name, head: Option<Head>| head.map(|head| self.head(name, head, by, &here, &base));
        let policies = outputs("policy", spec.policy).unwrap_or_default();
        let values = outputs("value", spec.value).unwrap_or_default().into_iter().flatten();
        let range = |value: f64| if spec.range == Range::Unit { value.tanh() } else { value };
        (policies, values.map(range).collect())
    }
}

fn relu(batch: &mut [Vec<f64>]) {
    batch.iter_mut().flatten().for_each(|x| *x = x.max(0.0));
}

/// Weights whose normalisations do something.
pub(crate) fn lively(spec: Spec, seed: u64) -> Weights {
    let mut rng = Rng::new(seed);
    let mut weights = Weights::random(spec, &mut rng);
    for tensor in spec.tensor_specs() {
        let range = match tensor.role {
            Role::Factors(_) | Role::Messages(..) | Role::Uniform(_) => continue,
            Role::Gain => 0.5..1.5,
            Role::Bias | Role::Mean => -0.3..0.3,
            Role::Variance => 0.5..2.0,
        };
        for x in weights.get_mut(&tensor.name) {
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
        let (policies, values) = Plain::new(&weights).run(&inputs, By::Weights);
        let scale = policies.iter().flatten().fold(1.0, |most: f64, x| most.max(x.abs()));
        for level in Level::available() {
            let network = Network::with_level(&weights, level);
            let (mut scratch, mut out) = (Scratch::default(), Outputs::default());
            network.run(&mut scratch, &inputs, &mut out);
            assert_eq!(out.policy.len(), batch * spec.actions);
            for (found, expected) in out.policy.iter().zip(policies.iter().flatten()) {
                let difference = (f64::from(*found) - expected).abs();
                assert!(difference < 1e-4 * scale, "{spec} {level:?}: {found} {expected}");
            }
            assert_eq!(out.values.len(), values.len());
            for (found, expected) in out.values.iter().zip(&values) {
                let difference = (f64::from(*found) - expected).abs();
                assert!(difference < 1e-4 * expected.abs().max(1.0), "{spec} {level:?}");
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
    let mut one = NetEvaluator::new(network, FormerCells, &Default::default()).unwrap();
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
    let evaluator =
        NetEvaluator::<Former, _>::new(Arc::clone(&network), FormerCells, &Default::default());
    let message = evaluator.err().unwrap().to_string();
    assert_eq!(message, "network's input: found 5x5x5, expected 9x7x5");
    let variant = ludens_games::former::FormerVariant::new(5, 5, 4).unwrap();
    let value = crate::NetValue::<Former, _>::new(network, FormerCells, &variant);
    assert!(value.err().unwrap().to_string().ends_with("expected one that gives values"));
}
