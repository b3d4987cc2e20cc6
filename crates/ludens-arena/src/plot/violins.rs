//! Violin plots: how values are distributed, group by group.

use super::frame::Frame;
use super::svg::{colour, fill};
use super::ticks::Scale;
use super::{Labels, Sample};
use crate::statistics::Summary;

/// Heights at which a density is drawn.
const STEPS: usize = 48;

/// A value for each violin, drawn as a line across them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Across {
    /// Its name in the legend.
    pub name: String,
    /// The values from left to right; violins without one are passed over.
    pub values: Vec<Option<f64>>,
}

/// Violins side by side: the density of each sample, drawn to both sides, with bars at the mean and
/// at the ends.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ViolinPlot {
    /// Title and labels.
    pub labels: Labels,
    /// The samples, from left to right; values that are not finite are left out.
    pub samples: Vec<Sample>,
    /// Lines across the violins.
    pub lines: Vec<Across>,
}

impl ViolinPlot {
    /// The plot as SVG.
    pub fn to_svg(&self) -> String {
        let mut frame = Frame::new(&self.labels, !self.lines.is_empty());
        let ((left, right), (bottom, top)) = (frame.across(), frame.up());
        let finite = |sample: &Sample| -> Vec<f64> {
            sample.values.iter().copied().filter(|value| value.is_finite()).collect()
        };
        let samples: Vec<Vec<f64>> = self.samples.iter().map(finite).collect();
        let of_lines = self.lines.iter().flat_map(|line| line.values.iter().flatten().copied());
        let values = samples.iter().flatten().copied().chain(of_lines);
        let Some(scale) = Scale::over(values, false, bottom, top) else { return frame.empty() };
        frame.y_axis(&scale);
        let width = (right - left) / samples.len().max(1) as f64;
        let middle = |i: usize| left + (i as f64 + 0.5) * width;
        for (i, values) in samples.iter().enumerate() {
            frame.x_name(middle(i), width, &self.samples[i].name);
            if let Some(summary) = Summary::of(values) {
                violin(&mut frame, &scale, (middle(i), (0.42 * width).min(34.0)), values, &summary);
            }
        }
        for (i, line) in self.lines.iter().enumerate() {
            let pen = format!(r#"stroke="{}" stroke-width="2.2""#, colour(i + 1));
            let known = line.values.iter().enumerate();
            let known = known.filter_map(|(i, value)| Some((middle(i), scale.pixel((*value)?)?)));
            let points: Vec<(f64, f64)> = known.collect();
            frame.svg.polyline(&points, &pen);
            points.iter().for_each(|point| frame.svg.marker(*point, i + 1));
            let (x, y) = frame.legend(&line.name);
            frame.svg.line((x, y), (x + 34.0, y), &pen);
            frame.svg.marker((x + 17.0, y), i + 1);
        }
        frame.finish()
    }
}

fn violin(frame: &mut Frame, scale: &Scale, place: (f64, f64), values: &[f64], of: &Summary) {
    let (x, half) = place;
    let pen = format!(r#"stroke="{}" stroke-width="1.4""#, colour(0));
    if let Some(densities) = densities(values, of) {
        let most = densities.iter().map(|(_, density)| *density).fold(0.0, f64::max);
        let side = |sign: f64| {
            densities.iter().filter_map(move |(value, density)| {
                Some((x + sign * half * density / most, scale.pixel(*value)?))
            })
        };
        let outline: Vec<(f64, f64)> =
            side(-1.0).chain(side(1.0).collect::<Vec<_>>().into_iter().rev()).collect();
        let points: Vec<String> = outline.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let paint = format!(r#"points="{}" fill="{}" {pen}"#, points.join(" "), fill(0));
        frame.svg.element("polygon", &paint);
    }
    for (value, share) in [(of.min, 0.4), (of.mean, 0.8), (of.max, 0.4)] {
        if let Some(y) = scale.pixel(value) {
            frame.svg.line((x - share * half, y), (x + share * half, y), &pen);
        }
    }
}

/// Values from the least to the largest with their densities, by Gaussian kernels of Silverman's
/// width; nothing where all values are equal.
fn densities(values: &[f64], of: &Summary) -> Option<Vec<(f64, f64)>> {
    let sd = of.sd.filter(|sd| *sd > 0.0)?;
    let width = 0.9 * sd * (values.len() as f64).powf(-0.2);
    let step = (of.max - of.min) / (STEPS - 1) as f64;
    let density = |at: f64| -> f64 {
        values.iter().map(|value| (-0.5 * ((value - at) / width).powi(2)).exp()).sum()
    };
    let heights = (0..STEPS).map(|i| of.min + i as f64 * step);
    Some(heights.map(|at| (at, density(at))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_are_largest_where_values_are() {
        let values: Vec<f64> =
            (0..100).map(|i| f64::from(i % 10) + 40.0 * f64::from(i / 90)).collect();
        let found = densities(&values, &Summary::of(&values).unwrap()).unwrap();
        let at = |value: f64| found.iter().find(|(at, _)| *at >= value).unwrap().1;
        assert!(at(4.0) > 4.0 * at(45.0) && at(45.0) > 2.0 * at(25.0), "{found:?}");
        assert_eq!(densities(&[1.0, 1.0], &Summary::of(&[1.0, 1.0]).unwrap()), None);
    }

    #[test]
    fn equal_values_have_bars_alone() {
        let sample = |values: &[f64]| Sample { name: "a".to_owned(), values: values.to_vec() };
        let plot = |samples: Vec<Sample>| ViolinPlot { samples, ..ViolinPlot::default() }.to_svg();
        assert_eq!(plot(vec![sample(&[2.0]), sample(&[])]).matches("<polygon").count(), 0);
        assert!(plot(vec![sample(&[f64::NAN])]).contains("no data"));
    }
}
