//! Heads, forward and backward.

use super::normalise::Normed;
use super::{Form, Layer, Pass, add, padded};
use crate::buffer::Buffer;
use crate::spec::Head;

/// A head, as it was on the way forward.
pub(super) enum Tape {
    Cells(Layer),
    Pooled(Layer, Buffer),
    Dense(Layer),
    Reduced(Box<Reduced>),
}

/// A head of few planes, as it was on the way forward.
pub(super) struct Reduced {
    reduce: Layer,
    planes: Normed,
    hidden: Option<(Layer, Buffer)>,
    linear: Layer,
}

impl Pass<'_> {
    /// A head forward: `outputs` numbers per position into `out`.
    pub(super) fn head(
        &mut self,
        name: &str,
        head: Head,
        outputs: usize,
        tower: &[f32],
        base: &[f32],
        out: &mut [f32],
    ) -> Tape {
        let (spec, level) = (self.spec, self.machine.level);
        let (cells, width) = (spec.cells(), spec.channels);
        let count = out.len() / outputs;
        let last = format!("{name}.linear");
        match head {
            Head::Cells => {
                let layer = self.layer(&format!("{name}.conv"), Form::Rows(width), 1, true);
                self.linear(&layer, tower, count * cells, 1, out);
                Tape::Cells(layer)
            }
            Head::Pooled => {
                let layer = self.layer(&last, Form::Rows(width), outputs, true);
                let stride = padded(width, level);
                let mut means = self.pool.take(count * stride);
                means.fill(0.0);
                for (mean, board) in
                    means.chunks_exact_mut(stride).zip(tower.chunks_exact(cells * stride))
                {
                    board.chunks_exact(stride).for_each(|cell| add(mean, cell));
                    mean.iter_mut().for_each(|sum| *sum /= cells as f32);
                }
                self.linear(&layer, &means, count, outputs, out);
                Tape::Pooled(layer, means)
            }
            Head::Dense => {
                let form = if spec.shared > 0 {
                    Form::Rows(spec.shared)
                } else {
                    Form::Flat(cells, width)
                };
                let layer = self.layer(&last, form, outputs, true);
                self.linear(&layer, base, count, outputs, out);
                Tape::Dense(layer)
            }
            Head::Reduced { planes, hidden } => {
                let part = format!("{name}.reduce");
                let reduce = self.layer(&format!("{part}.conv"), Form::Rows(width), planes, false);
                let mut z = self.pool.take(count * cells * reduce.stride());
                reduce.forward([1, 1], tower, &mut z);
                let normed = self.normalise(&part, z, planes, None);
                let flat = Form::Flat(cells, planes);
                if hidden == 0 {
                    let linear = self.layer(&last, flat, outputs, true);
                    self.linear(&linear, &normed.out, count, outputs, out);
                    let tape = Reduced { reduce, planes: normed, hidden: None, linear };
                    return Tape::Reduced(Box::new(tape));
                }
                let between = self.layer(&format!("{name}.hidden"), flat, hidden, true);
                let mut units = self.pool.take(count * between.stride());
                between.forward([1, 1], &normed.out, &mut units);
                units.iter_mut().for_each(|x| *x = x.max(0.0));
                let linear = self.layer(&last, Form::Rows(hidden), outputs, true);
                self.linear(&linear, &units, count, outputs, out);
                let hidden = Some((between, units));
                Tape::Reduced(Box::new(Reduced { reduce, planes: normed, hidden, linear }))
            }
        }
    }

    /// A linear layer into rows without padding.
    pub(super) fn linear(
        &mut self,
        layer: &Layer,
        input: &[f32],
        rows: usize,
        outputs: usize,
        out: &mut [f32],
    ) {
        let mut padded = self.pool.take(rows * layer.stride());
        layer.forward([1, 1], input, &mut padded);
        for (out, row) in out.chunks_exact_mut(outputs).zip(padded.chunks_exact(layer.stride())) {
            out.copy_from_slice(&row[..outputs]);
        }
        self.pool.put(padded);
    }

    /// A head backward: adds to the slope of the tower, or of the shared layer.
    #[expect(clippy::too_many_arguments, reason = "all that the head saw on its way forward")]
    pub(super) fn head_back(
        &mut self,
        name: &str,
        tape: Tape,
        slopes: &[f32],
        tower: &[f32],
        base: &[f32],
        tower_slope: &mut [f32],
        base_slope: Option<&mut Buffer>,
    ) {
        let last = format!("{name}.linear");
        match tape {
            Tape::Cells(layer) => {
                let above = spread(&layer, slopes, 1);
                let below =
                    self.layer_back(&format!("{name}.conv"), &layer, [1, 1], tower, &above, true);
                add(tower_slope, &below);
                self.pool.put(below);
            }
            Tape::Pooled(layer, means) => {
                let above = spread(&layer, slopes, layer.outputs);
                let below = self.layer_back(&last, &layer, [1, 1], &means, &above, true);
                let (cells, stride) = (self.spec.cells(), layer.input_stride());
                let boards =
                    tower_slope.chunks_exact_mut(cells * stride).zip(below.chunks_exact(stride));
                for (board, mean) in boards {
                    for cell in board.chunks_exact_mut(stride) {
                        cell.iter_mut().zip(mean).for_each(|(x, mean)| *x += mean / cells as f32);
                    }
                }
                self.pool.put(below);
                self.pool.put(means);
            }
            Tape::Dense(layer) => {
                let above = spread(&layer, slopes, layer.outputs);
                let below = self.layer_back(&last, &layer, [1, 1], base, &above, true);
                match base_slope {
                    Some(base_slope) => add(base_slope, &below),
                    None => add(tower_slope, &below),
                }
                self.pool.put(below);
            }
            Tape::Reduced(tape) => {
                let Reduced { reduce, planes, hidden, linear } = *tape;
                let above = spread(&linear, slopes, linear.outputs);
                let mut slope = match &hidden {
                    None => self.layer_back(&last, &linear, [1, 1], &planes.out, &above, true),
                    Some((between, units)) => {
                        let mut slope =
                            self.layer_back(&last, &linear, [1, 1], units, &above, true);
                        slope.iter_mut().zip(&**units).for_each(|(slope, x)| {
                            *slope = if *x > 0.0 { *slope } else { 0.0 };
                        });
                        let name = format!("{name}.hidden");
                        let below =
                            self.layer_back(&name, between, [1, 1], &planes.out, &slope, true);
                        self.pool.put(slope);
                        below
                    }
                };
                self.mask(&planes, &mut slope);
                self.normalise_back(planes, &mut slope);
                let name = format!("{name}.reduce.conv");
                let below = self.layer_back(&name, &reduce, [1, 1], tower, &slope, false);
                add(tower_slope, &below);
                self.pool.put(below);
                self.pool.put(slope);
            }
        }
    }
}

/// Rows of `outputs` slopes with the padding that a layer's outputs have.
fn spread(layer: &Layer, slopes: &[f32], outputs: usize) -> Buffer {
    let mut rows = Buffer::zeros(slopes.len() / outputs * layer.stride());
    for (row, slopes) in rows.chunks_exact_mut(layer.stride()).zip(slopes.chunks_exact(outputs)) {
        row[..outputs].copy_from_slice(slopes);
    }
    rows
}
