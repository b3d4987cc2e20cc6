//! Evaluation of networks of [valid convolutions](crate::Valid).

use crate::kernels::{Matrix, Then};
use crate::network::Scratch;
use crate::simd::Level;
use crate::valid::{Valid, convolution_name, dense_name};
use crate::{Spec, Weights};

/// A network of valid convolutions ready to run.
pub(crate) struct ValidNetwork {
    spec: Spec,
    valid: Valid,
    level: Level,
    convolutions: Vec<Matrix>,
    dense: Vec<Matrix>,
    policy: Option<Matrix>,
    value: Option<Matrix>,
}

impl ValidNetwork {
    pub(crate) fn new(weights: &Weights, valid: Valid, level: Level) -> ValidNetwork {
        let spec = *weights.spec();
        let linear = |name: String, inputs: usize, outputs: usize| {
            let factors = weights.get(&format!("{name}.weight"));
            let bias = weights.get(&format!("{name}.bias"));
            let factor = |output: usize, input: usize| factors[output * inputs + input];
            Matrix::pack(level, outputs, inputs, |output| bias[output], factor)
        };
        let stages = valid.stages(&spec).into_iter().enumerate();
        let convolutions =
            stages.map(|(i, stage)| linear(convolution_name(i), stage.patch(), stage.outputs));
        let convolutions = convolutions.collect();
        let (mut inputs, mut dense) = (valid.flat(&spec), Vec::new());
        for (index, units) in valid.units().enumerate() {
            dense.push(linear(dense_name(index), inputs, units));
            inputs = units;
        }
        let head = |name: &str, outputs| linear(format!("{name}.linear"), inputs, outputs);
        let policy = spec.policy.map(|_| head("policy", spec.actions));
        let value = spec.value.map(|_| head("value", 1));
        ValidNetwork { spec, valid, level, convolutions, dense, policy, value }
    }

    /// Evaluates a few positions.
    pub(crate) fn group(
        &self,
        scratch: &mut Scratch,
        inputs: &[f32],
        policy: &mut [f32],
        values: &mut [f32],
    ) {
        let (size, valid, level) = (self.spec.inputs(), self.valid, self.level);
        let count = inputs.len() / size;
        let Scratch { boards: [patches, here, there], rows: [flat, row, next], .. } = scratch;
        let [first, second] = valid.stages(&self.spec);
        patches.grow(count * first.cells() * first.patch());
        let per = first.cells() * first.patch();
        for (input, patches) in inputs.chunks_exact(size).zip(patches.chunks_exact_mut(per)) {
            first.gather(input, self.spec.planes, patches, first.patch());
        }
        let stride = self.convolutions[0].outputs;
        let rows = (&**patches, first.patch());
        self.convolutions[0].multiply(level, rows, count * first.cells(), here, Then::Keep);
        let len = count * first.cells() * stride;
        valid.activate(&mut here[..len]);

        let (per, board) = (second.cells() * second.patch(), second.board() * stride);
        patches.grow(count * per);
        for (here, patches) in here[..len].chunks_exact(board).zip(patches.chunks_exact_mut(per)) {
            second.gather(here, stride, patches, second.patch());
        }
        let stride = self.convolutions[1].outputs;
        let rows = (&**patches, second.patch());
        self.convolutions[1].multiply(level, rows, count * second.cells(), there, Then::Keep);

        let (width, board) = (valid.flat(&self.spec), second.cells() * stride);
        flat.grow(count * width);
        let rows = flat.chunks_exact_mut(width).zip(there.chunks_exact(board));
        for ((flat, there), input) in rows.zip(inputs.chunks_exact(size)) {
            second.flatten(stride, |to, from| flat[to] = there[from]);
            if let (true, Some(last)) = (valid.flag, flat.last_mut()) {
                *last = valid.flag_of(&self.spec, input);
            }
        }
        let mut width = width;
        if valid.flag {
            valid.activate(&mut flat[..count * width]);
        }
        for matrix in &self.dense {
            matrix.multiply(level, (flat, width), count, row, Then::Keep);
            width = matrix.outputs;
            valid.activate(&mut row[..count * width]);
            std::mem::swap(flat, row);
        }
        for (matrix, outputs, out) in
            [(&self.policy, self.spec.actions, policy), (&self.value, 1, &mut *values)]
        {
            let Some(matrix) = matrix else { continue };
            matrix.multiply(level, (flat, width), count, next, Then::Keep);
            for (out, row) in out.chunks_exact_mut(outputs).zip(next.chunks_exact(matrix.outputs)) {
                out.copy_from_slice(&row[..outputs]);
            }
        }
        self.spec.range.apply(values);
    }
}
