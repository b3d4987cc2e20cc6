//! A small writer of SVG.

use std::fmt::Write;

/// Colours that people with any colour vision tell apart (Okabe and Ito), in an
/// order in which neighbours also differ in lightness.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#000000", "#cc79a7", "#8a6d00"];

/// Dashes, so that no colour is needed.
const DASHES: [&str; 6] = ["", "8 4", "2 3", "10 3 2 3", "5 2", "1 5"];

/// The colour of the `i`-th series.
pub(super) fn colour(i: usize) -> &'static str {
    COLOURS[i % COLOURS.len()]
}

/// The stroke of the `i`-th series as attributes. A second round of colours
/// goes with other dashes.
pub(super) fn stroke(i: usize) -> String {
    let dash = DASHES[(i + i / COLOURS.len()) % DASHES.len()];
    let dash =
        if dash.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dash}""#) };
    format!(r#"stroke="{}" stroke-width="1.8"{dash}"#, colour(i))
}

/// The fill of the `i`-th series: hatchings of different directions.
pub(super) fn fill(i: usize) -> String {
    format!("url(#hatch{})", i % COLOURS.len())
}

/// Where a text is attached.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing that grows element by element.
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Svg { width, height, body: String::new() }
    }

    /// Any element; `attributes` are written as they are.
    pub(super) fn element(&mut self, name: &str, attributes: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "<{name} {attributes}/>");
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), attributes: &str) {
        let ends =
            format!(r#"x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}""#, from.0, from.1, to.0, to.1);
        self.element("line", &format!("{ends} {attributes}"));
    }

    pub(super) fn polyline(&mut self, points: &[(f64, f64)], attributes: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let attributes = format!(r#"points="{}" fill="none" {attributes}"#, points.join(" "));
        self.element("polyline", &attributes);
    }

    pub(super) fn rect(&mut self, corner: (f64, f64), size: (f64, f64), attributes: &str) {
        let shape = format!(
            r#"x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}""#,
            corner.0, corner.1, size.0, size.1
        );
        self.element("rect", &format!("{shape} {attributes}"));
    }

    pub(super) fn text(&mut self, at: (f64, f64), anchor: Anchor, attributes: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.body,
            r#"<text x="{:.1}" y="{:.1}" text-anchor="{anchor}" {attributes}>{}</text>"#,
            at.0,
            at.1,
            escape(text)
        );
    }

    /// The marker of the `i`-th series: six shapes, filled with white so that
    /// they stand out from lines below.
    pub(super) fn marker(&mut self, (x, y): (f64, f64), i: usize) {
        let paint = format!(r##"fill="#fff" stroke="{}" stroke-width="1.4""##, colour(i));
        let shape: &[(f64, f64)] = match i % 6 {
            0 => {
                let shape = format!(r#"cx="{x:.1}" cy="{y:.1}" r="3.6" {paint}"#);
                return self.element("circle", &shape);
            }
            1 => &[(-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)],
            2 => &[(0.0, -4.4), (4.2, 3.2), (-4.2, 3.2)],
            3 => &[(0.0, -4.8), (4.8, 0.0), (0.0, 4.8), (-4.8, 0.0)],
            4 => &[(0.0, 4.4), (4.2, -3.2), (-4.2, -3.2)],
            _ => &[(-4.2, -2.2), (4.2, -2.2), (4.2, 2.2), (-4.2, 2.2)],
        };
        let corners: Vec<String> =
            shape.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
        self.element("polygon", &format!(r#"points="{}" {paint}"#, corners.join(" ")));
    }

    /// The whole document.
    pub(super) fn finish(self, title: &str) -> String {
        let (width, height, body) = (self.width, self.height, self.body);
        let hatches: String = (0..COLOURS.len()).map(hatch).collect();
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="sans-serif" font-size="13" role="img">
<title>{}</title>
<defs>
{hatches}</defs>
<rect width="100%" height="100%" fill="#fff"/>
{body}</svg>
"##,
            escape(title)
        )
    }
}

/// A pattern of lines on a pale ground: rising, falling, level, upright, wide
/// and solid.
fn hatch(i: usize) -> String {
    let (turn, gap, thick) =
        [(45, 6, 2), (135, 6, 2), (0, 5, 1), (90, 5, 1), (45, 10, 4), (0, 2, 2)][i % 6];
    format!(
        r##"<pattern id="hatch{i}" width="{gap}" height="{gap}" patternUnits="userSpaceOnUse" patternTransform="rotate({turn})"><rect width="{gap}" height="{gap}" fill="#fff"/><rect width="{gap}" height="{thick}" fill="{}" fill-opacity="0.75"/></pattern>
"##,
        colour(i)
    )
}

/// Text for an element: special characters escaped, control characters, which
/// XML forbids, replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {
                escaped.push('\u{fffd}');
            }
            _ => escaped.push(character),
        }
    }
    escaped
}
