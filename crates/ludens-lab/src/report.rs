//! Published figures beside ours.

use ludens_arena::Summary;
use ludens_arena::statistics::Rate;

/// What an experiment came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The experiment's name.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Where the published figures are from.
    pub reference: &'static str,
    /// The size's name.
    pub size: &'static str,
    /// The rows, in the order of the text.
    pub sections: Vec<Section>,
    /// Drawings.
    pub figures: Vec<Figure>,
    /// Whether it was measured to its end.
    pub complete: bool,
    /// How long it took.
    pub seconds: f64,
}

impl Report {
    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.sections.iter().flat_map(|section| &section.rows)
    }
}

/// Rows measured in the same way.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// What was run on what.
    pub title: String,
    /// How much of what the text ran, one entry per dimension.
    pub parts: Vec<Part>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Section {
    /// The fraction of the text's effort that was made; above 1 where it was more.
    pub fn fraction(&self) -> f64 {
        self.parts.iter().map(|part| part.ours / part.text).product()
    }

    /// Adds a row. Where each run had less than in the text, a figure can be as
    /// good as the text's, but its being worse or other says nothing.
    pub(crate) fn push(&mut self, mut row: Row) {
        let less = self.parts.iter().any(|part| part.effort && part.ours < part.text);
        let one_sided = matches!(row.tolerance, Tolerance::AtLeast | Tolerance::AtMost);
        if less && !(one_sided && row.verdict() != Verdict::Differs) {
            row.tolerance = Tolerance::Open;
        }
        self.rows.push(row);
    }
}

/// How much of one dimension of the text's experiment was run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// What is counted.
    pub what: &'static str,
    /// How much we ran.
    pub ours: f64,
    /// How much the text ran.
    pub text: f64,
    /// Whether less of it makes results worse, and not only less certain: time,
    /// resource units.
    pub effort: bool,
}

impl Part {
    /// A size of the sample: boards, runs.
    pub fn sample(what: &'static str, ours: usize, text: usize) -> Self {
        Part { what, ours: ours as f64, text: text as f64, effort: false }
    }

    /// What each run may spend.
    pub fn effort(what: &'static str, ours: u64, text: u64) -> Self {
        Part { what, ours: ours as f64, text: text as f64, effort: true }
    }
}

/// A drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// The name of its file, without ending.
    pub name: String,
    /// The drawing.
    pub svg: String,
}

/// How far a figure may be from the published one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// They are not comparable enough to judge.
    Open,
    /// A share of the published figure.
    Relative(f64),
    /// A distance.
    Absolute(f64),
    /// It should be the published figure or more.
    AtLeast,
    /// It should be the published figure or less.
    AtMost,
}

/// What a row says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The figure agrees within the tolerance.
    Agrees,
    /// It is on the asked side of the published figure.
    Reached,
    /// It does so within the interval of what was measured.
    Compatible,
    /// It does not.
    Differs,
    /// There is nothing to judge it by.
    Open,
    /// It was not measured.
    Missing,
}

impl Verdict {
    /// Its name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Reached => "reached",
            Verdict::Compatible => "compatible",
            Verdict::Differs => "differs",
            Verdict::Open => "open",
            Verdict::Missing => "not measured",
        }
    }
}

/// One figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What was measured: a solver, a quantity.
    pub label: String,
    /// Which figure of it: the column of the text's table.
    pub figure: String,
    /// The text's.
    pub published: Option<f64>,
    /// Ours; `None` when it was not measured.
    pub ours: Option<f64>,
    /// The 95 % interval of ours, where it is a sample's.
    pub interval: Option<(f64, f64)>,
    /// How far ours may be from the published one.
    pub tolerance: Tolerance,
    /// Digits behind the point when it is printed.
    pub decimals: usize,
}

impl Row {
    /// A row without figures, to be printed with so many decimals.
    pub fn new(label: impl Into<String>, figure: impl Into<String>, decimals: usize) -> Self {
        Row {
            label: label.into(),
            figure: figure.into(),
            published: None,
            ours: None,
            interval: None,
            tolerance: Tolerance::Open,
            decimals,
        }
    }

    /// With the text's figure.
    #[must_use]
    pub fn published(self, published: impl Into<Option<f64>>) -> Self {
        Row { published: published.into(), ..self }
    }

    /// With our figure.
    #[must_use]
    pub fn ours(self, ours: impl Into<Option<f64>>) -> Self {
        Row { ours: ours.into(), ..self }
    }

    /// With the mean of a sample as our figure.
    #[must_use]
    pub fn mean(self, sample: Option<&Summary>) -> Self {
        let interval = sample.and_then(Summary::interval);
        Row { ours: sample.map(|sample| sample.mean), interval, ..self }
    }

    /// With a share in per cent as our figure.
    #[must_use]
    pub fn percent(self, rate: Rate) -> Self {
        let per_cent = |share: f64| 100.0 * share;
        let interval = rate.interval().map(|(low, high)| (per_cent(low), per_cent(high)));
        Row { ours: rate.share().map(per_cent), interval, ..self }
    }

    /// To be judged by a tolerance.
    #[must_use]
    pub fn within(self, tolerance: Tolerance) -> Self {
        Row { tolerance, ..self }
    }

    /// What it says.
    pub fn verdict(&self) -> Verdict {
        let Some(ours) = self.ours else { return Verdict::Missing };
        let Some(published) = self.published else { return Verdict::Open };
        // What is printed as equal is equal.
        let slack = 0.5 * 0.1f64.powi(self.decimals as i32);
        let fits = |low: f64, high: f64| match self.tolerance {
            Tolerance::Open => false,
            Tolerance::Relative(share) => {
                let scratch = share * published.abs() + slack;
                low <= published + scratch && high >= published - scratch
            }
            Tolerance::Absolute(scratch) => {
                let scratch = scratch + slack;
                low <= published + scratch && high >= published - scratch
            }
            Tolerance::AtLeast => high >= published - slack,
            Tolerance::AtMost => low <= published + slack,
        };
        let one_sided = matches!(self.tolerance, Tolerance::AtLeast | Tolerance::AtMost);
        match self.interval {
            _ if self.tolerance == Tolerance::Open => Verdict::Open,
            _ if fits(ours, ours) && one_sided => Verdict::Reached,
            _ if fits(ours, ours) => Verdict::Agrees,
            Some((low, high)) if fits(low, high) => Verdict::Compatible,
            _ => Verdict::Differs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours: f64) -> Row {
        Row::new("a", "mean", 0).published(100.0).ours(ours)
    }

    #[test]
    fn verdicts() {
        let relative = |ours| row(ours).within(Tolerance::Relative(0.04)).verdict();
        assert_eq!((relative(96.0), relative(104.4)), (Verdict::Agrees, Verdict::Agrees));
        assert_eq!((relative(95.0), relative(105.0)), (Verdict::Differs, Verdict::Differs));
        let wide = Row { interval: Some((90.0, 97.0)), ..row(93.0) };
        assert_eq!(wide.clone().within(Tolerance::Absolute(4.0)).verdict(), Verdict::Compatible);
        assert_eq!(wide.clone().within(Tolerance::Absolute(1.0)).verdict(), Verdict::Differs);
        assert_eq!(wide.clone().within(Tolerance::AtMost).verdict(), Verdict::Reached);
        assert_eq!(wide.clone().within(Tolerance::AtLeast).verdict(), Verdict::Differs);
        assert_eq!(wide.verdict(), Verdict::Open);
        let rising = Row { interval: Some((97.0, 105.0)), ..row(99.0) };
        assert_eq!(rising.within(Tolerance::AtLeast).verdict(), Verdict::Compatible);
        assert_eq!(Row::new("a", "b", 1).published(1.0).verdict(), Verdict::Missing);
        assert_eq!(Row::new("a", "b", 1).ours(1.0).verdict(), Verdict::Open);
    }

    #[test]
    fn fractions_multiply() {
        let parts = vec![Part::sample("boards", 25, 250), Part::sample("runs", 1, 5)];
        let section = Section { title: String::new(), parts, rows: Vec::new() };
        assert!((section.fraction() - 0.02).abs() < 1e-12);
    }

    #[test]
    fn less_effort_excuses() {
        let verdicts = |ours: u64| {
            let parts = vec![Part::sample("boards", 1, 9), Part::effort("ms", ours, 10)];
            let mut section = Section { title: String::new(), parts, rows: Vec::new() };
            for tolerance in [Tolerance::AtLeast, Tolerance::AtMost, Tolerance::Relative(0.1)] {
                section.push(row(80.0).within(tolerance));
            }
            section.rows.iter().map(Row::verdict).collect::<Vec<_>>()
        };
        use Verdict::{Differs, Open, Reached};
        assert_eq!(verdicts(10), [Differs, Reached, Differs]);
        assert_eq!(verdicts(9), [Open, Reached, Open]);
    }
}
