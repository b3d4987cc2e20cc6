//! Reports as text, JSON and CSV.

use comfy_table::{CellAlignment, Table, presets};
use ludens_arena::export;
use serde_json::{Value, json};

use crate::{Agreement, Experiment, Part, Report, Row, Section, Tolerance};

/// The columns of the CSV.
const COLUMNS: [&str; 10] = [
    "experiment",
    "section",
    "fraction",
    "label",
    "metric",
    "published",
    "ours",
    "low",
    "high",
    "agreement",
];

impl Experiment {
    /// What it is, as JSON.
    pub fn to_json(&self) -> Value {
        json!(self)
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
        json!(self)
    }

    /// A line per row.
    pub fn to_csv(&self) -> String {
        let number = |x: Option<f64>| x.map_or_else(String::new, |x| x.to_string());
        let lines = self.sections.iter().flat_map(|section| {
            section.rows.iter().map(move |row| {
                [
                    self.name.to_owned(),
                    section.title.clone(),
                    number(section.fraction),
                    row.label.clone(),
                    row.metric.clone(),
                    number(row.published),
                    number(row.ours),
                    number(row.interval.map(|interval| interval.0)),
                    number(row.interval.map(|interval| interval.1)),
                    row.agreement().name().to_owned(),
                ]
            })
        });
        export::csv(&COLUMNS, lines)
    }
}

impl Section {
    /// How much was run: the dimensions and the fraction they come to.
    fn parts_text(&self) -> String {
        let part = |part: &Part| match part.published {
            Some(published) if published != part.ours => {
                format!("{} of {published} {}", part.ours, part.what)
            }
            _ => format!("{} {}", part.ours, part.what),
        };
        let telling = |part: &&Part| (part.ours, part.published) != (1.0, Some(1.0));
        let parts: Vec<String> = self.parts.iter().filter(telling).map(part).collect();
        let parts = parts.join(", ");
        let Some(fraction) = self.fraction else {
            return format!("measured: {parts}; nothing like it was published");
        };
        let percent = 100.0 * fraction;
        let percent = match percent {
            100.0 => "all".to_owned(),
            1.0.. => format!("{percent:.0} %"),
            0.01.. => format!("{percent:.2} %"),
            _ => format!("{percent:.1e} %"),
        };
        format!("measured: {percent} of the published experiment ({parts})")
    }

    fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(["", "", "published", "ours", "95 % interval", "agreement"]);
        table.add_rows(self.rows.iter().map(Row::cells));
        for (i, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            if (2..=4).contains(&i) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.trim_fmt() + "\n"
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
            self.metric.clone(),
            or_dash(self.published),
            or_dash(self.ours),
            interval.unwrap_or_default(),
            self.agreement_text(),
        ]
    }

    /// The agreement with its tolerance.
    fn agreement_text(&self) -> String {
        let asked = match self.tolerance {
            Tolerance::Open => String::new(),
            Tolerance::Relative(share) => format!("within {} %", round(100.0 * share)),
            Tolerance::Absolute(margin) => format!("within {margin}"),
            Tolerance::AtLeast => "at least".to_owned(),
            Tolerance::AtMost => "at most".to_owned(),
        };
        match self.agreement() {
            Agreement::Agrees | Agreement::Reached => asked,
            Agreement::Compatible => format!("{asked}, by its interval"),
            Agreement::Differs => format!("not {asked}"),
            Agreement::Open => String::new(),
            Agreement::Missing => Agreement::Missing.name().to_owned(),
        }
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
    fn what_nobody_published_has_no_fraction() {
        let parts = [Part::unpublished("episodes", 5000), Part::unpublished("games", 1)];
        let section = Section::new(String::new(), &parts);
        assert_eq!(section.fraction, None);
        let text = "measured: 5000 episodes, 1 games; nothing like it was published";
        assert_eq!(section.parts_text(), text);
    }

    #[test]
    fn a_small_fraction_is_printed() {
        let text = |ours| {
            let parts = [Part::effort("episodes", ours, 100_000_000)];
            Section::new(String::new(), &parts).parts_text()
        };
        assert_eq!(
            text(400),
            "measured: 4.0e-4 % of the published experiment (400 of 100000000 episodes)"
        );
        assert!(text(20_000).starts_with("measured: 0.02 %"), "{}", text(20_000));
        assert!(text(7_000_000).starts_with("measured: 7 %"), "{}", text(7_000_000));
    }

    #[test]
    fn numbers_are_aligned_at_the_right_and_words_at_the_left() {
        let mut section = Section::new(String::new(), &[]);
        let row = Row::new("beam", "mean moves", 1).published(14.0).ours(9.5);
        section.push(row.within(Tolerance::AtMost));
        section.push(Row::new("a longer name", "n", 0).published(100.0));
        assert_eq!(
            section.table(),
            "                           published  ours  95 % interval  agreement\n\
             beam           mean moves       14.0   9.5                 at most\n\
             a longer name  n                 100     -                 not measured\n"
        );
    }
}
