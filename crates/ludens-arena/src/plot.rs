//! Plots as SVG: lines, boxes, histograms, violins.
//!
//! Series differ by dash, marker or hatching as well as by colour, so a plot
//! reads in black and white. The same data give the same text, byte for byte.

mod boxes;
mod frame;
mod histogram;
mod lines;
mod svg;
mod ticks;
mod violins;

pub use boxes::{BoxItem, BoxPlot};
pub use histogram::{Histogram, Sample};
pub use lines::{Level, LinePlot, Series};
pub use violins::{Across, ViolinPlot};

/// Title and axis labels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Labels {
    /// Above the plot; may be empty.
    pub title: String,
    /// Below the horizontal axis.
    pub x: String,
    /// Beside the vertical axis.
    pub y: String,
}

impl Labels {
    /// Labels from strings.
    pub fn new(title: &str, x: &str, y: &str) -> Self {
        Labels { title: title.to_owned(), x: x.to_owned(), y: y.to_owned() }
    }
}

#[cfg(test)]
mod tests;
