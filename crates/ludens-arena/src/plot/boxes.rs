//! Box plots.

use super::Labels;
use super::frame::Frame;
use super::svg::{colour, fill};
use super::ticks::Scale;
use crate::{SuiteSummary, Summary};

/// One box.
#[derive(Clone, PartialEq, Debug)]
pub struct BoxItem {
    /// Its name below the axis.
    pub name: String,
    /// Least value, first quartile, median, third quartile, largest value. The
    /// whiskers go to the ends: no value is called an outlier.
    pub five: [f64; 5],
    /// The mean, drawn as a marker.
    pub mean: f64,
}

impl BoxItem {
    /// The box of a sample.
    pub fn of(name: &str, sample: &Summary) -> Self {
        let five = [sample.min, sample.q1, sample.median, sample.q3, sample.max];
        BoxItem { name: name.to_owned(), five, mean: sample.mean }
    }

    /// The box of averages over boards: Min, Q1, Q2, Q3, Max and Avg of
    /// Klein (2015).
    pub fn of_suite(name: &str, summary: &SuiteSummary) -> Self {
        let five = [summary.min, summary.q1, summary.median, summary.q3, summary.max];
        BoxItem { name: name.to_owned(), five, mean: summary.avg }
    }
}

/// Boxes side by side.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoxPlot {
    /// Title and labels.
    pub labels: Labels,
    /// The boxes, from left to right.
    pub boxes: Vec<BoxItem>,
}

impl BoxPlot {
    /// The plot as SVG.
    pub fn to_svg(&self) -> String {
        let mut frame = Frame::new(&self.labels, false);
        let ((left, right), (bottom, top)) = (frame.across(), frame.up());
        let values = self.boxes.iter().flat_map(|item| item.five.into_iter().chain([item.mean]));
        let Some(scale) = Scale::over(values, false, bottom, top) else { return frame.empty() };
        frame.y_axis(&scale);
        let width = (right - left) / self.boxes.len() as f64;
        let half = (0.3 * width).min(34.0);
        for (i, item) in self.boxes.iter().enumerate() {
            let x = left + (i as f64 + 0.5) * width;
            frame.x_name(x, width, &item.name);
            let pixels = item.five.map(|value| scale.pixel(value));
            let [Some(min), Some(q1), Some(median), Some(q3), Some(max)] = pixels else { continue };
            let pen = format!(r#"stroke="{}" stroke-width="1.6""#, colour(i));
            for (end, side) in [(min, q1), (max, q3)] {
                frame.svg.line((x, end), (x, side), &pen);
                frame.svg.line((x - 0.5 * half, end), (x + 0.5 * half, end), &pen);
            }
            let paint = format!(r#"fill="{}" {pen}"#, fill(i));
            frame.svg.rect((x - half, q3), (2.0 * half, q1 - q3), &paint);
            // The median stands out from any hatching by its white rim.
            for (stroke, width) in [("#fff", 6.0), ("#000", 2.6)] {
                let pen = format!(r#"stroke="{stroke}" stroke-width="{width}""#);
                frame.svg.line((x - half, median), (x + half, median), &pen);
            }
            if let Some(mean) = scale.pixel(item.mean) {
                frame.svg.marker((x, mean), i);
            }
        }
        frame.finish()
    }
}
