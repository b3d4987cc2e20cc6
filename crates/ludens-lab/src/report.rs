//! Published numbers beside ours.

use ludens_arena::Summary;
use ludens_arena::statistics::Rate;
use serde::{Serialize, Serializer};
use serde_json::json;

/// What an experiment came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The experiment's name.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The publication.
    pub reference: &'static str,
    /// The size's name.
    pub size: &'static str,
    /// Whether it was measured to its end.
    pub complete: bool,
    /// How long it took.
    pub seconds: f64,
    /// The rows, in the order of the publication.
    pub sections: Vec<Section>,
    /// Plots, which are files of their own.
    #[serde(skip)]
    pub plots: Vec<Plot>,
}

impl Report {
    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.sections.iter().flat_map(|section| &section.rows)
    }
}

/// Rows measured in the same way.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Section {
    /// What was run on what.
    pub title: String,
    /// The fraction of the published experiment that was run; above 1 where it was more, none where
    /// nothing was published.
    pub fraction: Option<f64>,
    /// How much of the published experiment was run, one entry per dimension.
    pub parts: Vec<Part>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Section {
    /// A section without rows.
    pub(crate) fn new(title: String, parts: &[Part]) -> Self {
        let share = |part: &Part| part.published.map(|published| part.ours / published);
        let fraction = parts.iter().filter_map(share).reduce(|product, share| product * share);
        Section { title, fraction, parts: parts.to_vec(), rows: Vec::new() }
    }

    /// Adds a row. Where each run had less than in the publication, a result may be
    /// as good as the published one, but a worse or different one says nothing.
    pub(crate) fn push(&mut self, mut row: Row) {
        let less = self.parts.iter().any(Part::is_less_effort);
        let one_sided = matches!(row.tolerance, Tolerance::AtLeast | Tolerance::AtMost);
        if less && !(one_sided && row.agreement() != Agreement::Differs) {
            row.tolerance = Tolerance::Open;
        }
        self.rows.push(row);
    }
}

/// How much of one dimension of the published experiment was run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Part {
    /// What is counted.
    pub what: &'static str,
    /// How much we ran.
    pub ours: f64,
    /// How much the publication ran; none where nothing was published.
    pub published: Option<f64>,
    /// Whether less of it makes results worse, and not only less certain: time,
    /// resource units.
    #[serde(skip)]
    pub effort: bool,
}

impl Part {
    /// A size of the sample: boards, runs.
    pub fn sample(what: &'static str, ours: usize, published: usize) -> Self {
        Part { what, ours: ours as f64, published: Some(published as f64), effort: false }
    }

    /// What each run may spend.
    pub fn effort(what: &'static str, ours: u64, published: u64) -> Self {
        Part { what, ours: ours as f64, published: Some(published as f64), effort: true }
    }

    /// A size of an experiment that nobody has published.
    pub fn unpublished(what: &'static str, ours: u64) -> Self {
        Part { what, ours: ours as f64, published: None, effort: false }
    }

    /// Whether each run had less to spend than in the publication.
    fn is_less_effort(&self) -> bool {
        self.effort && self.published.is_some_and(|published| self.ours < published)
    }
}

/// A plot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plot {
    /// The name of its file, without ending.
    pub name: String,
    /// The plot as SVG.
    pub svg: String,
}

/// How far a number may be from the published one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// They are not comparable enough.
    Open,
    /// A share of the published number.
    Relative(f64),
    /// A distance.
    Absolute(f64),
    /// It should be the published number or more.
    AtLeast,
    /// It should be the published number or less.
    AtMost,
}

impl Tolerance {
    fn kind_and_margin(self) -> (&'static str, Option<f64>) {
        match self {
            Tolerance::Open => ("open", None),
            Tolerance::Relative(share) => ("relative", Some(share)),
            Tolerance::Absolute(margin) => ("absolute", Some(margin)),
            Tolerance::AtLeast => ("at least", None),
            Tolerance::AtMost => ("at most", None),
        }
    }
}

/// How our number compares with the published one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// It agrees within the tolerance.
    Agrees,
    /// It is on the asked side of the published number.
    Reached,
    /// Only its interval reaches that far.
    Compatible,
    /// It does not agree.
    Differs,
    /// There is nothing to compare it with.
    Open,
    /// It was not measured.
    Missing,
}

impl Agreement {
    /// Its name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Agreement::Agrees => "agrees",
            Agreement::Reached => "reached",
            Agreement::Compatible => "compatible",
            Agreement::Differs => "differs",
            Agreement::Open => "open",
            Agreement::Missing => "not measured",
        }
    }
}

/// One number.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What was measured: a solver, a quantity.
    pub label: String,
    /// The metric: the column of the published table.
    pub metric: String,
    /// The published number.
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
    /// A row without numbers, to be printed with `decimals` decimals.
    pub fn new(label: impl Into<String>, metric: impl Into<String>, decimals: usize) -> Self {
        Row {
            label: label.into(),
            metric: metric.into(),
            published: None,
            ours: None,
            interval: None,
            tolerance: Tolerance::Open,
            decimals,
        }
    }

    /// With the published number.
    #[must_use]
    pub fn published(self, published: impl Into<Option<f64>>) -> Self {
        Row { published: published.into(), ..self }
    }

    /// With our number.
    #[must_use]
    pub fn ours(self, ours: impl Into<Option<f64>>) -> Self {
        Row { ours: ours.into(), ..self }
    }

    /// With the mean of a sample as our number.
    #[must_use]
    pub fn mean(self, sample: Option<&Summary>) -> Self {
        let interval = sample.and_then(Summary::interval);
        Row { ours: sample.map(|sample| sample.mean), interval, ..self }
    }

    /// With a share in per cent as our number.
    #[must_use]
    pub fn percent(self, rate: Rate) -> Self {
        let per_cent = |share: f64| 100.0 * share;
        let interval = rate.interval().map(|(low, high)| (per_cent(low), per_cent(high)));
        Row { ours: rate.share().map(per_cent), interval, ..self }
    }

    /// To be compared within a tolerance.
    #[must_use]
    pub fn within(self, tolerance: Tolerance) -> Self {
        Row { tolerance, ..self }
    }

    /// How our number compares with the published one.
    pub fn agreement(&self) -> Agreement {
        let Some(ours) = self.ours else { return Agreement::Missing };
        let Some(published) = self.published else { return Agreement::Open };
        // What is printed as equal is equal.
        let slack = 0.5 * 0.1f64.powi(self.decimals as i32);
        let fits = |low: f64, high: f64| match self.tolerance {
            Tolerance::Open => false,
            Tolerance::Relative(share) => {
                let margin = share * published.abs() + slack;
                low <= published + margin && high >= published - margin
            }
            Tolerance::Absolute(margin) => {
                let margin = margin + slack;
                low <= published + margin && high >= published - margin
            }
            Tolerance::AtLeast => high >= published - slack,
            Tolerance::AtMost => low <= published + slack,
        };
        let one_sided = matches!(self.tolerance, Tolerance::AtLeast | Tolerance::AtMost);
        match self.interval {
            _ if self.tolerance == Tolerance::Open => Agreement::Open,
            _ if fits(ours, ours) && one_sided => Agreement::Reached,
            _ if fits(ours, ours) => Agreement::Agrees,
            Some((low, high)) if fits(low, high) => Agreement::Compatible,
            _ => Agreement::Differs,
        }
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, margin) = self.tolerance.kind_and_margin();
        json!({
            "label": self.label,
            "metric": self.metric,
            "published": self.published,
            "ours": self.ours,
            "interval": self.interval,
            "tolerance": {"kind": kind, "margin": margin},
            "agreement": self.agreement().name(),
        })
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests;
