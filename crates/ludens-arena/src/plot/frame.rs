//! What all plots share: the area, its axes, the legend.

use super::Labels;
use super::svg::{Anchor, Svg};
use super::ticks::Scale;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 72.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = HEIGHT - 56.0;
/// What the legend takes at the right.
const LEGEND: f64 = 206.0;
/// Longer names are cut in the legend.
const NAME: usize = 24;

const GRID: &str = r##"stroke="#ddd""##;
const AXIS: &str = r##"stroke="#333""##;

/// A plot under construction.
pub(super) struct Frame {
    pub(super) svg: Svg,
    title: String,
    right: f64,
    legend: usize,
}

impl Frame {
    /// Title and labels, with room for a legend if one is wanted.
    pub(super) fn new(labels: &Labels, with_legend: bool) -> Self {
        let mut svg = Svg::new(WIDTH, HEIGHT);
        let right = WIDTH - if with_legend { LEGEND } else { 24.0 };
        let (middle, height) = (0.5 * (LEFT + right), 0.5 * (TOP + BOTTOM));
        svg.text((middle, 24.0), Anchor::Middle, r#"font-size="15""#, &labels.title);
        svg.text((middle, HEIGHT - 14.0), Anchor::Middle, "", &labels.x);
        let turn = format!(r#"transform="rotate(-90 18 {height:.1})""#);
        svg.text((18.0, height), Anchor::Middle, &turn, &labels.y);
        Frame { svg, title: labels.title.clone(), right, legend: 0 }
    }

    /// The left and right ends of the area.
    pub(super) fn across(&self) -> (f64, f64) {
        (LEFT, self.right)
    }

    /// The lower and upper ends of the area.
    pub(super) fn up(&self) -> (f64, f64) {
        (BOTTOM, TOP)
    }

    /// Marks and grid lines of the horizontal axis.
    pub(super) fn x_axis(&mut self, scale: &Scale) {
        for (value, label) in scale.ticks() {
            let Some(x) = scale.pixel(value) else { continue };
            self.svg.line((x, TOP), (x, BOTTOM), GRID);
            self.svg.line((x, BOTTOM), (x, BOTTOM + 5.0), AXIS);
            self.svg.text((x, BOTTOM + 20.0), Anchor::Middle, "", &label);
        }
    }

    /// Marks and grid lines of the vertical axis.
    pub(super) fn y_axis(&mut self, scale: &Scale) {
        for (value, label) in scale.ticks() {
            let Some(y) = scale.pixel(value) else { continue };
            self.svg.line((LEFT, y), (self.right, y), GRID);
            self.svg.line((LEFT - 5.0, y), (LEFT, y), AXIS);
            self.svg.text((LEFT - 9.0, y + 4.5), Anchor::End, "", &label);
        }
    }

    /// A name below the horizontal axis, in place of a mark.
    pub(super) fn x_name(&mut self, x: f64, width: f64, name: &str) {
        // A character is about 7 wide.
        let name = shorten(name, ((width / 7.0) as usize).max(3));
        self.svg.text((x, BOTTOM + 20.0), Anchor::Middle, "", &name);
    }

    /// The next line of the legend: where its sample is drawn, 34 wide.
    pub(super) fn legend(&mut self, name: &str) -> (f64, f64) {
        let (x, y) = (self.right + 14.0, TOP + 12.0 + 22.0 * self.legend as f64);
        self.legend += 1;
        self.svg.text(
            (x + 40.0, y + 4.5),
            Anchor::Start,
            r#"font-size="12""#,
            &shorten(name, NAME),
        );
        (x, y)
    }

    /// Says that there is nothing to draw.
    pub(super) fn empty(mut self) -> String {
        let middle = (0.5 * (LEFT + self.right), 0.5 * (TOP + BOTTOM));
        self.svg.text(middle, Anchor::Middle, r##"fill="#666""##, "no data");
        self.finish()
    }

    /// The whole drawing, with the border of the area on top.
    pub(super) fn finish(mut self) -> String {
        let size = (self.right - LEFT, BOTTOM - TOP);
        self.svg.rect((LEFT, TOP), size, &format!(r#"fill="none" {AXIS}"#));
        self.svg.finish(&self.title)
    }
}

fn shorten(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}
