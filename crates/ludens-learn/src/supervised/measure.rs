//! How well a network does on samples.

use std::collections::BTreeMap;
use std::sync::Arc;

use ludens_core::{Evals, Evaluator, Game, ParseError};
use ludens_nn::{Encoder, NetEvaluator, Network};
use serde_json::{Value, json};

use super::{Heads, Sample};

/// Samples evaluatord at once.
const BATCH: usize = 512;

/// What a network makes of samples.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measure {
    /// Cross-entropy of a policy, mean squared error of a value, or the sum of both.
    pub loss: f64,
    /// The mean squared error of a value.
    pub mse: f64,
    /// The share of samples whose move a policy likes best.
    pub top1: f64,
    /// The share whose move is among its best three.
    pub top3: f64,
    /// By the rewards that were still to come: samples, and the mean of what the value said;
    /// without one, the share that the policy had right.
    pub by_value: Vec<(i32, u64, f64)>,
}

impl Measure {
    /// The metrics with stable names.
    pub fn to_json(&self, heads: Heads) -> Value {
        let rows = self.by_value.iter().map(|(value, count, mean)| json!([value, count, mean]));
        let rows: Vec<Value> = rows.collect();
        let mut metrics = json!({"loss": self.loss, "by_value": rows});
        if heads.has_policy() {
            metrics["top1"] = json!(self.top1);
            metrics["top3"] = json!(self.top3);
        }
        if heads.has_value() {
            metrics["mse"] = json!(self.mse);
        }
        metrics
    }
}

/// Measures a network.
///
/// # Errors
/// When it is for another board.
pub fn measure<G: Game, E: Encoder<G>>(
    network: Network,
    encoder: E,
    variant: &G::Variant,
    heads: Heads,
    samples: &[Sample<G>],
    threads: usize,
) -> Result<Measure, ParseError> {
    let mut evaluator = NetEvaluator::new(Arc::new(network), encoder, variant)?.threads(threads);
    let mut evals = Evals::default();
    let mut measure = Measure::default();
    let mut rows: BTreeMap<i32, (u64, f64)> = BTreeMap::new();
    for batch in samples.chunks(BATCH) {
        let positions: Vec<G> = batch.iter().map(|sample| sample.position).collect();
        evaluator.evaluate(&positions, &mut evals);
        for (index, sample) in batch.iter().enumerate() {
            let mut said = 0.0;
            if heads.has_policy() {
                let priors = evals.priors(index);
                let mine = priors[usize::from(sample.choice)];
                let better = priors.iter().filter(|prior| **prior > mine).count();
                measure.loss -= f64::from(mine.max(f32::MIN_POSITIVE)).ln();
                measure.top3 += f64::from(u8::from(better < 3));
                said = f64::from(u8::from(better == 0));
                measure.top1 += said;
            }
            if heads.has_value() {
                said = f64::from(evals.value(index).unwrap_or_default());
                measure.mse += (said - f64::from(sample.value)).powi(2);
            }
            let row = rows.entry(sample.value).or_default();
            *row = (row.0 + 1, row.1 + said);
        }
    }
    let count = samples.len().max(1) as f64;
    measure.loss += measure.mse;
    for sum in [&mut measure.loss, &mut measure.mse, &mut measure.top1, &mut measure.top3] {
        *sum /= count;
    }
    let mean = |(value, (count, sum)): (i32, (u64, f64))| (value, count, sum / count as f64);
    measure.by_value = rows.into_iter().rev().map(mean).collect();
    Ok(measure)
}
