//! Normalisations, forward and backward.

use super::{By, Pass, padded};
use crate::buffer::Buffer;
use crate::weights::EPSILON;

/// A normalisation with ReLU, as it was on the way forward.
pub(super) struct Normed {
    pub(super) name: String,
    pub(super) channels: usize,
    pub(super) stride: usize,
    /// What was normalised, without gain and bias.
    pub(super) hat: Buffer,
    /// What came out.
    pub(super) out: Buffer,
    /// One over the standard deviations.
    pub(super) inverse: Vec<f32>,
}

impl Pass<'_> {
    /// Normalises by the batch, adds what is skipped to, and cuts off below 0.
    pub(super) fn normalise(
        &mut self,
        name: &str,
        mut z: Buffer,
        channels: usize,
        skip: Option<&[f32]>,
    ) -> Normed {
        let (machine, stride) = (self.machine, padded(channels, self.machine.level));
        let count = (z.len() / stride) as f32;
        let zeros = vec![0.0; stride];
        let mut mean = match self.by {
            By::Batch => machine.sums(stride, &z, &z, |x, _| x / count),
            By::Running => self.row(&format!("{name}.norm.running_mean"), stride),
        };
        let mut out = self.pool.take(z.len());
        machine.map(&mut z, &out, [&mean, &zeros], |x, _, mean, _| x - mean);
        let mut variance = match self.by {
            By::Batch => machine.sums(stride, &z, &z, |x, _| x * x / count),
            By::Running => self.row(&format!("{name}.norm.running_var"), stride),
        };
        let inverse: Vec<f32> = variance.iter().map(|var| 1.0 / (var + EPSILON).sqrt()).collect();
        machine.map(&mut z, &out, [&inverse, &zeros], |x, _, inverse, _| x * inverse);
        let gain = self.row(&format!("{name}.norm.weight"), stride);
        let bias = self.row(&format!("{name}.norm.bias"), stride);
        match skip {
            None => {
                let f = |_, x: f32, gain: f32, bias: f32| (x * gain + bias).max(0.0);
                machine.map(&mut out, &z, [&gain, &bias], f);
            }
            Some(skip) => {
                out.copy_from_slice(skip);
                let f = |skip: f32, x: f32, gain: f32, bias: f32| (x * gain + bias + skip).max(0.0);
                machine.map(&mut out, &z, [&gain, &bias], f);
            }
        }
        if self.by == By::Batch {
            mean.truncate(channels);
            variance.truncate(channels);
            // Running variances are those of the whole, not of the sample.
            let more = if count > 1.0 { count / (count - 1.0) } else { 1.0 };
            variance.iter_mut().for_each(|var| *var *= more);
            self.statistics.push((name.to_owned(), [mean, variance]));
        }
        Normed { name: name.to_owned(), channels, stride, hat: z, out, inverse }
    }

    /// Nothing comes back through what was cut off.
    pub(super) fn mask(&self, block: &Normed, slope: &mut [f32]) {
        let zeros = vec![0.0; block.stride];
        let f = |slope: f32, out: f32, _, _| if out > 0.0 { slope } else { 0.0 };
        self.machine.map(slope, &block.out, [&zeros, &zeros], f);
    }

    /// The slope of what was normalised, in place.
    pub(super) fn normalise_back(&mut self, block: Normed, slope: &mut [f32]) {
        let (machine, stride) = (self.machine, block.stride);
        let count = (slope.len() / stride) as f32;
        let mut bias = machine.sums(stride, slope, slope, |slope, _| slope);
        let mut gain = machine.sums(stride, slope, &block.hat, |slope, hat| slope * hat);
        if self.by == By::Batch {
            // Every number has moved the batch's mean and variance too.
            let means = |sums: &[f32]| sums.iter().map(|sum| sum / count).collect::<Vec<f32>>();
            let (mean, tilt) = (means(&bias), means(&gain));
            let f = |slope: f32, hat: f32, mean: f32, tilt: f32| slope - mean - hat * tilt;
            machine.map(slope, &block.hat, [&mean, &tilt], f);
        }
        let factor = self.row(&format!("{}.norm.weight", block.name), stride);
        let f = |slope: f32, _, gain: f32, inverse: f32| slope * gain * inverse;
        machine.map(slope, &block.hat, [&factor, &block.inverse], f);
        bias.truncate(block.channels);
        gain.truncate(block.channels);
        self.gradients.insert(format!("{}.norm.weight", block.name), gain);
        self.gradients.insert(format!("{}.norm.bias", block.name), bias);
        self.pool.put(block.hat);
        self.pool.put(block.out);
    }
}
