//! Reports as text, JSON and CSV.

use ludens_arena::export;
use serde_json::{Value, json};

use crate::{Experiment, Part, Report, Row, Section, Tolerance, Verdict};

/// The columns of the CSV.
const COLUMNS: [&str; 10] = [
    "experiment",
    "section",
    "fraction",
    "label",
    "figure",
    "published",
    "ours",
    "low",
    "high",
    "verdict",
];

impl Experiment {
    /// What it is, as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "aliases": self.aliases,
            "title": self.title,
            "reference": self.reference,
            "needs": self.needs,
        })
    }
}

impl Report {
    /// The report as a table.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}: {} ({})\n", self.name, self.title, self.reference);
        for section in &self.sections {
            text.push_str(&format!("\n{}\n{}\n", section.title, section.parts_text()));
            text.push_str(&section.table());
        }
        if !self.complete {
            text.push_str("\ninterrupted: the rows above are what was measured\n");
        }
        text
    }

    /// The report as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "title": self.title,
            "reference": self.reference,
            "size": self.size,
            "complete": self.complete,
            "seconds": self.seconds,
            "sections": self.sections.iter().map(Section::to_json).collect::<Vec<_>>(),
        })
    }

    /// A line per row.
    pub fn to_csv(&self) -> String {
        let number = |x: Option<f64>| x.map_or_else(String::new, |x| x.to_string());
        let lines = self.sections.iter().flat_map(|section| {
            section.rows.iter().map(move |row| {
                [
                    self.name.to_owned(),
                    section.title.clone(),
                    section.fraction().to_string(),
                    row.label.clone(),
                    row.figure.clone(),
                    number(row.published),
                    number(row.ours),
                    number(row.interval.map(|interval| interval.0)),
                    number(row.interval.map(|interval| interval.1)),
                    row.verdict().name().to_owned(),
                ]
            })
        });
        export::csv(&COLUMNS, lines)
    }
}

impl Section {
    /// How much was run: the dimensions and the fraction they come to.
    fn parts_text(&self) -> String {
        let part = |part: &Part| match part.ours == part.text {
            true => format!("{} {}", part.ours, part.what),
            false => format!("{} of {} {}", part.ours, part.text, part.what),
        };
        let telling = |part: &&Part| (part.ours, part.text) != (1.0, 1.0);
        let parts: Vec<String> = self.parts.iter().filter(telling).map(part).collect();
        let percent = 100.0 * self.fraction();
        let percent = match percent {
            100.0 => "all".to_owned(),
            1.0.. => format!("{percent:.0} %"),
            0.01.. => format!("{percent:.2} %"),
            _ => format!("{percent:.1e} %"),
        };
        format!("measured: {percent} of what the text ran ({})", parts.join(", "))
    }

    fn table(&self) -> String {
        let cells: Vec<[String; 6]> = self.rows.iter().map(Row::cells).collect();
        let header = ["", "", "published", "ours", "95 % interval", "verdict"].map(str::to_owned);
        let width = |i: usize| {
            let cells = cells.iter().chain([&header]).map(|row| row[i].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: [usize; 6] = std::array::from_fn(width);
        let mut text = String::new();
        for row in std::iter::once(&header).chain(&cells) {
            let mut line = String::new();
            for (i, (cell, width)) in row.iter().zip(widths).enumerate() {
                // Numbers are aligned at the right, words at the left.
                let padding = " ".repeat(width - cell.chars().count());
                match i {
                    2..=4 => line.push_str(&format!("{padding}{cell}  ")),
                    _ => line.push_str(&format!("{cell}{padding}  ")),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn to_json(&self) -> Value {
        let part = |part: &Part| json!({"of": part.what, "ours": part.ours, "text": part.text});
        json!({
            "title": self.title,
            "fraction": self.fraction(),
            "parts": self.parts.iter().map(part).collect::<Vec<_>>(),
            "rows": self.rows.iter().map(Row::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Row {
    fn cells(&self) -> [String; 6] {
        let number = |x: f64| format!("{x:.*}", self.decimals);
        let or_dash = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), number);
        let interval =
            self.interval.map(|(low, high)| format!("{} to {}", number(low), number(high)));
        [
            self.label.clone(),
            self.figure.clone(),
            or_dash(self.published),
            or_dash(self.ours),
            interval.unwrap_or_default(),
            self.verdict_text(),
        ]
    }

    /// The verdict with its tolerance.
    fn verdict_text(&self) -> String {
        let verdict = self.verdict();
        let asked = match self.tolerance {
            Tolerance::Open => String::new(),
            Tolerance::Relative(share) => format!("within {} %", round(100.0 * share)),
            Tolerance::Absolute(scratch) => format!("within {scratch}"),
            Tolerance::AtLeast => "at least".to_owned(),
            Tolerance::AtMost => "at most".to_owned(),
        };
        match verdict {
            Verdict::Agrees | Verdict::Reached => asked,
            Verdict::Compatible => format!("{asked}, by its interval"),
            Verdict::Differs => format!("not {asked}"),
            Verdict::Open => String::new(),
            Verdict::Missing => verdict.name().to_owned(),
        }
    }

    fn to_json(&self) -> Value {
        let (kind, scratch) = match self.tolerance {
            Tolerance::Open => ("open", None),
            Tolerance::Relative(share) => ("relative", Some(share)),
            Tolerance::Absolute(scratch) => ("absolute", Some(scratch)),
            Tolerance::AtLeast => ("at least", None),
            Tolerance::AtMost => ("at most", None),
        };
        json!({
            "label": self.label,
            "figure": self.figure,
            "published": self.published,
            "ours": self.ours,
            "interval": self.interval.map(|(low, high)| [low, high]),
            "tolerance": {"kind": kind, "scratch": scratch},
            "verdict": self.verdict().name(),
        })
    }
}

/// Without the traces of binary fractions.
fn round(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_fraction_is_told() {
        let text = |ours| {
            let parts = vec![Part::effort("episodes", ours, 100_000_000)];
            Section { title: String::new(), parts, rows: Vec::new() }.parts_text()
        };
        assert_eq!(
            text(400),
            "measured: 4.0e-4 % of what the text ran (400 of 100000000 episodes)"
        );
        assert!(text(20_000).starts_with("measured: 0.02 %"), "{}", text(20_000));
        assert!(text(7_000_000).starts_with("measured: 7 %"), "{}", text(7_000_000));
    }
}
