//! Ablations as JSON, tables and plots.

use ludens_arena::export::csv;
use ludens_arena::plot::{BoxItem, BoxPlot, Labels, LinePlot, Series};
use ludens_arena::statistics::Summary;
use serde_json::{Value, json};

use super::{Ablated, Variant};

/// The columns of the tables.
const COLUMNS: [&str; 6] =
    ["variant", "mean", "95 % interval", "gain over the base", "better / equal / worse", "depth"];

impl Variant {
    /// Its name in tables.
    fn name(&self) -> &str {
        if self.label.is_empty() { &self.solver } else { &self.label }
    }

    /// The mean over the base's.
    fn ratio(&self, base: &Variant) -> Option<f64> {
        let (own, base) = (self.summary.avg, base.summary.avg);
        (self.against_base.is_some() && base > 0.0).then(|| own / base)
    }

    fn cells(&self) -> [String; 6] {
        let summary = &self.summary;
        let interval = |sample: &Summary| match sample.interval() {
            Some((low, high)) => format!("{low:.1} to {high:.1}"),
            None => "-".to_owned(),
        };
        let (gain, counts) = match &self.against_base {
            None => ("-".to_owned(), "-".to_owned()),
            Some(paired) => (
                format!("{:+.1} ({})", paired.gain.mean, interval(&paired.gain)),
                format!("{} / {} / {}", paired.better, paired.equal, paired.worse),
            ),
        };
        let depth = summary.search.as_ref();
        let depth = depth.map_or_else(|| "-".to_owned(), |s| format!("{:.2}", s.average_depth));
        [
            self.name().to_owned(),
            format!("{:.1}", summary.avg),
            interval(&summary.over_boards),
            gain,
            counts,
            depth,
        ]
    }
}

impl Ablated {
    /// What was run, in one line.
    pub fn title(&self) -> String {
        let base = self.variants.first().map_or("", |base| base.solver.as_str());
        let boards = self.variants.first().map_or(0, |base| base.summary.boards);
        let (game, suite, budget, runs) = (&self.game, &self.suite, &self.budget, self.runs);
        format!("{base} on {game}: {boards} boards of {suite}, {runs} runs each, {budget}")
    }

    /// All of it.
    pub fn to_json(&self) -> Value {
        let mut document = json!(self);
        let base = &self.variants[0];
        for (variant, json) in
            self.variants.iter().zip(document["variants"].as_array_mut().into_iter().flatten())
        {
            json["ratio"] = json!(variant.ratio(base));
            if let Some(paired) = &variant.against_base {
                json["against_base"]["interval"] = json!(paired.gain.interval());
            }
            json["interval"] = json!(variant.summary.over_boards.interval());
        }
        document
    }

    /// A table in Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("{}\n\n| {} |\n", self.title(), COLUMNS.join(" | "));
        text.push_str(&format!("|{}\n", "---|".repeat(COLUMNS.len())));
        for variant in &self.variants {
            text.push_str(&format!("| {} |\n", variant.cells().join(" | ")));
        }
        text
    }

    /// A table in LaTeX, with the rules of the `booktabs` package.
    pub fn to_latex(&self) -> String {
        let row = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
            format!("{} \\\\\n", cells.join(" & "))
        };
        let head: Vec<String> = COLUMNS.iter().map(|&name| name.to_owned()).collect();
        let mut text =
            "\\begin{table}\n\\centering\n\\begin{tabular}{lrrrrr}\n\\toprule\n".to_owned();
        text.push_str(&row(&head));
        text.push_str("\\midrule\n");
        for variant in &self.variants {
            text.push_str(&row(&variant.cells()));
        }
        let caption = escaped(&self.title());
        text.push_str(&format!(
            "\\bottomrule\n\\end{{tabular}}\n\\caption{{{caption}}}\n\\end{{table}}\n"
        ));
        text
    }

    /// The same table as CSV.
    pub fn to_csv(&self) -> String {
        csv(&COLUMNS, self.variants.iter().map(Variant::cells))
    }

    /// The scores as boxes, as Klein (2015) draws them.
    pub fn scores_svg(&self) -> String {
        let boxes = self.variants.iter().map(|v| BoxItem::of_suite(v.name(), &v.summary));
        let labels = Labels::new(&self.title(), "", "score");
        BoxPlot { labels, boxes: boxes.collect() }.to_svg()
    }

    /// The distribution of nodes over depths; `None` where searches keep no tree.
    pub fn depths_svg(&self) -> Option<String> {
        let series = self.variants.iter().filter_map(|variant| {
            let search = variant.summary.search.as_ref()?;
            Some(per_mille(variant.name(), &search.nodes_per_depth))
        });
        let series: Vec<Series> = series.collect();
        let labels = Labels::new(&self.title(), "depth", "nodes, per mille");
        let plot = LinePlot { labels, log_x: false, steps: false, series, levels: Vec::new() };
        (!plot.series.is_empty()).then(|| plot.to_svg())
    }
}

/// A line of nodes per depth, in thousandths of all nodes.
pub fn per_mille(name: &str, nodes: &[f64]) -> Series {
    let all: f64 = nodes.iter().sum();
    let point = |(depth, n): (usize, &f64)| (depth as f64, 1000.0 * n / all.max(1.0));
    Series { name: name.to_owned(), points: nodes.iter().enumerate().map(point).collect() }
}

/// A text without the characters that LaTeX reads as commands.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "%&_#$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
