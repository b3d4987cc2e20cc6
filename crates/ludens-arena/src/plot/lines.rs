//! Line plots.

use super::Labels;
use super::frame::Frame;
use super::svg::{Svg, stroke};
use super::ticks::Scale;
use crate::statistics::CurveMean;

/// Along a line there are about this many markers.
const MARKERS: usize = 7;

/// One line.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points, from left to right. Those that are not finite, or not
    /// positive on a logarithmic axis, are left out.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// The line of an averaged curve, as far as it has averages.
    pub fn of_curve(name: &str, curve: &[CurveMean]) -> Self {
        let points = curve.iter().filter_map(|point| Some((point.x, point.mean?))).collect();
        Series { name: name.to_owned(), points }
    }
}

/// A level to compare with, drawn across the plot: the best known average.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Level {
    /// Its name in the legend.
    pub name: String,
    /// Its height.
    pub y: f64,
}

/// Lines with a legend.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LinePlot {
    /// Title and labels.
    pub labels: Labels,
    /// Whether the horizontal axis is logarithmic.
    pub log_x: bool,
    /// Whether lines go in steps, as best-so-far curves do.
    pub steps: bool,
    /// The lines.
    pub series: Vec<Series>,
    /// Levels across the plot.
    pub levels: Vec<Level>,
}

impl LinePlot {
    /// The plot as SVG.
    pub fn to_svg(&self) -> String {
        let mut frame = Frame::new(&self.labels, self.series.len() + self.levels.len() > 0);
        let ((left, right), (bottom, top)) = (frame.across(), frame.up());
        let points = || {
            let points = self.series.iter().flat_map(|series| series.points.iter().copied());
            points.filter(|(x, y)| x.is_finite() && y.is_finite() && (!self.log_x || *x > 0.0))
        };
        let levels = self.levels.iter().map(|level| level.y);
        let x = Scale::over(points().map(|point| point.0), self.log_x, left, right);
        let y = Scale::over(points().map(|point| point.1).chain(levels), false, bottom, top);
        let (Some(x), Some(y)) = (x, y) else { return frame.empty() };
        frame.x_axis(&x);
        frame.y_axis(&y);
        for level in &self.levels {
            let attributes = r##"stroke="#000" stroke-width="1.2" stroke-dasharray="6 5""##;
            if let Some(y) = y.pixel(level.y) {
                frame.svg.line((left, y), (right, y), attributes);
                let (sample, height) = frame.legend(&level.name);
                frame.svg.line((sample, height), (sample + 34.0, height), attributes);
            }
        }
        for (i, series) in self.series.iter().enumerate() {
            let placed: Vec<(f64, f64)> = series
                .points
                .iter()
                .filter_map(|&(px, py)| Some((x.pixel(px)?, y.pixel(py)?)))
                .collect();
            self.draw(&mut frame.svg, &placed, i);
            let (sample, height) = frame.legend(&series.name);
            frame.svg.line((sample, height), (sample + 34.0, height), &stroke(i));
            frame.svg.marker((sample + 17.0, height), i);
        }
        frame.finish()
    }

    fn draw(&self, svg: &mut Svg, placed: &[(f64, f64)], i: usize) {
        if self.steps {
            let mut path: Vec<(f64, f64)> = Vec::with_capacity(2 * placed.len());
            for &(x, y) in placed {
                if let Some(&(_, before)) = path.last() {
                    path.push((x, before));
                }
                path.push((x, y));
            }
            svg.polyline(&path, &stroke(i));
        } else {
            svg.polyline(placed, &stroke(i));
        }
        // Markers of different series begin at different points, so that they
        // do not hide each other where lines meet.
        let every = placed.len().div_ceil(MARKERS).max(1);
        let first = (every * (i % 4)) / 4;
        for &point in placed.iter().skip(first).step_by(every) {
            svg.marker(point, i);
        }
    }
}
