//! Histograms.

use super::Labels;
use super::frame::Frame;
use super::svg::{colour, fill};
use super::ticks::Scale;

/// Values to be counted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sample {
    /// Its name in the legend.
    pub name: String,
    /// The values; those that are not finite are left out.
    pub values: Vec<f64>,
}

/// How often values occur, several samples side by side.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    /// Title and labels.
    pub labels: Labels,
    /// The width of a bin; bins are centred on its multiples, so 1 gives a bin
    /// per whole number.
    pub bin: f64,
    /// The samples.
    pub samples: Vec<Sample>,
}

/// More bins than this are a mistake in the width; the plot then widens them.
const MOST_BINS: f64 = 400.0;

impl Histogram {
    /// The counts of each sample: the number of the first bin, then a list per
    /// sample, all of the same length. `None` when there are no values or the
    /// width is not positive.
    fn counts(&self) -> Option<(f64, i64, Vec<Vec<usize>>)> {
        let values = || {
            let values = self.samples.iter().flat_map(|sample| sample.values.iter().copied());
            values.filter(|value| value.is_finite())
        };
        let low = values().reduce(f64::min)?;
        let high = values().reduce(f64::max)?;
        if !(self.bin > 0.0 && self.bin.is_finite() && (high - low).is_finite()) {
            return None;
        }
        let bin = self.bin.max((high - low) / MOST_BINS);
        let number = |value: f64| (value / bin).round() as i64;
        let (first, last) = (number(low), number(high));
        let length = usize::try_from(last.checked_sub(first)?).ok()? + 1;
        let count = |sample: &Sample| {
            let mut counts = vec![0; length];
            for value in sample.values.iter().filter(|value| value.is_finite()) {
                counts[(number(*value) - first) as usize] += 1;
            }
            counts
        };
        Some((bin, first, self.samples.iter().map(count).collect()))
    }

    /// The plot as SVG.
    pub fn to_svg(&self) -> String {
        let mut frame = Frame::new(&self.labels, self.samples.len() > 1);
        let ((left, right), (bottom, top)) = (frame.across(), frame.up());
        let Some((bin, first, counts)) = self.counts() else { return frame.empty() };
        let bins = counts.first().map_or(1, Vec::len);
        let (low, high) = ((first as f64 - 0.5) * bin, (first as f64 + bins as f64 - 0.5) * bin);
        let most = counts.iter().flatten().copied().max().unwrap_or(0) as f64;
        let x = Scale::over([low, high].into_iter(), false, left, right);
        let y = Scale::over([0.0, most].into_iter(), false, bottom, top);
        let (Some(x), Some(y), true) = (x, y, low < high) else { return frame.empty() };
        let (x, y) = (x.between(low, high), y.between(0.0, most * 1.05));
        frame.y_axis(&y);
        frame.x_axis(&x);
        let pitch = (right - left) / bins as f64;
        let width = 0.86 * pitch / self.samples.len() as f64;
        for (i, counts) in counts.iter().enumerate() {
            let paint = format!(r#"fill="{}" stroke="{}""#, fill(i), colour(i));
            for (j, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let Some(height) = y.pixel(*count as f64) else { continue };
                let corner = left + (j as f64 + 0.07) * pitch + i as f64 * width;
                frame.svg.rect((corner, height), (width, bottom - height), &paint);
            }
            if self.samples.len() > 1 {
                let (sample, height) = frame.legend(&self.samples[i].name);
                frame.svg.rect((sample, height - 7.0), (34.0, 14.0), &paint);
            }
        }
        frame.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(bin: f64, values: &[f64]) -> Histogram {
        let sample = Sample { name: "a".to_owned(), values: values.to_vec() };
        Histogram { labels: Labels::default(), bin, samples: vec![sample] }
    }

    #[test]
    fn whole_numbers_have_a_bin_each() {
        let values = [13.0, 14.0, 14.0, 16.0, f64::NAN];
        assert_eq!(histogram(1.0, &values).counts(), Some((1.0, 13, vec![vec![1, 2, 0, 1]])));
        let (bin, first, counts) = histogram(0.5, &[-0.2, 0.2, 0.3]).counts().unwrap();
        assert_eq!((bin, first, counts), (0.5, 0, vec![vec![2, 1]]));
    }

    #[test]
    fn odd_widths_and_no_values() {
        assert_eq!(histogram(0.0, &[1.0]).counts(), None);
        assert_eq!(histogram(f64::NAN, &[1.0]).counts(), None);
        assert_eq!(histogram(1.0, &[]).counts(), None);
        assert_eq!(histogram(1.0, &[f64::MIN, f64::MAX]).counts(), None);
        let (_, _, counts) = histogram(1e-9, &[0.0, 1.0]).counts().unwrap();
        assert!(counts[0].len() <= 402, "{}", counts[0].len());
    }
}
