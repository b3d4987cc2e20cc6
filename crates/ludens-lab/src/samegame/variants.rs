//! Tables of search variants at equal resource units: chapters 6 and 7, the
//! comparison of chapter 8, and appendix B.
//!
//! A table is data: blocks of variants on one set of boards with one budget.
//! Every block is compared with Static on the same boards, so that how hard the
//! boards are cancels out.

use ludens_arena::plot::{BoxItem, BoxPlot, Labels, LinePlot};
use ludens_arena::statistics::Paired;
use ludens_arena::{Measure, RunResult, Suite, SuiteSummary, Summary};
use ludens_core::{Budget, SearchStatistics};
use ludens_runs::ablate::per_mille;

use super::{EMPTIER, GAME, SCHADD, SCHADD_BOARDS, STANDARD, STANDARD_BOARDS, over_boards};
use crate::lab::{Lab, Trial};
use crate::{Error, Experiment, Part, Row, Tolerance};

/// Runs of each board in Klein (2015).
const RUNS: u32 = 5;

/// Klein's shorter and longer budgets. A run of the shorter one takes a tenth
/// of a second, of the longer one several seconds.
pub(super) const SHORT: u64 = 640_000;
pub(super) const LONG: u64 = 6_400_000;

/// Runs of the shorter budget that a table may have in the quick size.
const QUICK_RUNS: usize = 200;

/// The boards of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Set {
    /// Random boards whose colour 0 is read as empty cells: only so do Klein's
    /// scores come out.
    Schadd,
    /// The same boards with all their colours.
    SchaddFull,
    Standard,
}

/// What Klein (2015) prints of a search besides its scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Statistic {
    Depth,
    Nodes,
    Terminals,
    MaxDepth,
    HitCount,
    HitDepth,
    Suboptimal,
}

/// A line of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    /// Its name in Klein (2015).
    pub(super) name: &'static str,
    /// Its solver in the engine.
    pub(super) solver: &'static str,
    /// Min, Avg and Max.
    pub(super) scores: [f64; 3],
    /// The block's other columns, as many of the first as Klein (2015) prints.
    pub(super) statistics: &'static [f64],
}

/// Variants on one set of boards with one budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) set: Set,
    /// Resource units per run.
    pub(super) units: u64,
    /// What is printed besides the scores.
    pub(super) columns: &'static [Statistic],
    /// The first one is Static, Klein's reference.
    pub(super) variants: &'static [Variant],
}

/// An experiment of such blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    pub(super) title: &'static str,
    pub(super) reference: &'static str,
    pub(super) blocks: &'static [Block],
}

impl Set {
    fn file(self) -> &'static str {
        match self {
            Set::Schadd | Set::SchaddFull => SCHADD,
            Set::Standard => STANDARD,
        }
    }

    /// How many boards Klein (2015) has.
    fn boards(self) -> usize {
        match self {
            Set::Schadd | Set::SchaddFull => SCHADD_BOARDS,
            Set::Standard => STANDARD_BOARDS,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Set::Schadd => "Schadd's random boards, colour 0 read as empty",
            Set::SchaddFull => "Schadd's random boards, all five colours",
            Set::Standard => "the standard boards",
        }
    }

    /// The game that reads the boards so.
    fn game(self) -> &'static str {
        match self {
            Set::Schadd => EMPTIER,
            Set::SchaddFull | Set::Standard => GAME,
        }
    }
}

impl Statistic {
    fn name(self) -> &'static str {
        match self {
            Statistic::Depth => "average depth",
            Statistic::MaxDepth => "maximum depth",
            Statistic::Nodes => "nodes",
            Statistic::Terminals => "terminal nodes",
            Statistic::HitCount => "hits",
            Statistic::Suboptimal => "suboptimal hits",
            Statistic::HitDepth => "hit depth",
        }
    }

    fn of(self, search: &SearchStatistics) -> f64 {
        match self {
            Statistic::Depth => search.average_depth(),
            Statistic::MaxDepth => search.maximum_depth() as f64,
            Statistic::Nodes => search.nodes as f64,
            Statistic::Terminals => search.terminals as f64,
            Statistic::HitCount => search.hits as f64,
            Statistic::Suboptimal => search.suboptimal as f64,
            Statistic::HitDepth => search.hit_depth(),
        }
    }

    /// Over all runs.
    fn over(self, results: &[RunResult]) -> Option<Summary> {
        let searches = results.iter().filter_map(|run| run.outcome.statistics.as_ref());
        Summary::of(&searches.map(|search| self.of(search)).collect::<Vec<_>>())
    }
}

pub(super) fn experiment(table: &'static Table) -> Experiment {
    let on = |file| table.blocks.iter().any(|block| block.set.file() == file);
    Experiment {
        name: table.name,
        aliases: table.aliases,
        title: table.title,
        reference: table.reference,
        needs: match (on(SCHADD), on(STANDARD)) {
            (true, false) => &[SCHADD],
            (false, _) => &[STANDARD],
            (true, true) => &[SCHADD, STANDARD],
        },
        measure: Box::new(|lab| {
            // Ask for all boards before the first is run.
            for block in table.blocks {
                lab.boards(block.set.game(), block.set.file(), 1)?;
            }
            let variants: usize = table.blocks.iter().map(|block| block.variants.len()).sum();
            let mut blocks = table.blocks.iter().enumerate();
            blocks.try_for_each(|(i, block)| block.measure(lab, i, variants))
        }),
    }
}

impl Block {
    /// Measures block `number` of a table of `variants` variants.
    fn measure(&self, lab: &mut Lab<'_>, number: usize, variants: usize) -> Result<(), Error> {
        let quick = (QUICK_RUNS / (variants * RUNS as usize)).clamp(2, 20);
        let count = lab.pick(usize::MAX, quick, 2);
        let suite = lab.boards(self.set.game(), self.set.file(), count)?;
        let runs = lab.runs(RUNS, RUNS, 2);
        let units = lab.units(self.units, SHORT, 2000);
        let parts = [
            Part::sample("boards", suite.cases().len(), self.set.boards()),
            Part::sample("runs", runs as usize, RUNS as usize),
            Part::effort("resource units", units, self.units),
        ];
        lab.section(self.set.title(), &parts);
        let budget = Budget { units: Some(units), ..Budget::default() };
        let mut reference: Option<(f64, Vec<RunResult>)> = None;
        let (mut boxes, mut depths) = (Vec::new(), Vec::new());
        for variant in self.variants {
            let trial = Trial {
                game: self.set.game(),
                solver: variant.solver,
                suite: &suite,
                budget,
                runs,
            };
            let results = lab.evaluate(&trial)?;
            variant.rows(lab, &suite, &results);
            if let Some((avg, reference)) = &reference {
                let (ours, interval) = ratio(&suite, &results, reference).unzip();
                let row = Row::new(variant.name, "avg / Static", 3);
                let row = row.published(variant.scores[1] / avg).ours(ours);
                let row = Row { interval: interval.flatten(), ..row };
                lab.row(row.within(Tolerance::Relative(0.02)));
            }
            for (statistic, &published) in self.columns.iter().zip(variant.statistics) {
                let row = Row::new(variant.name, statistic.name(), 2).published(published);
                lab.row(row.mean(statistic.over(&results).as_ref()));
            }
            if let Some(summary) = SuiteSummary::of(&suite, Measure::Score, &results) {
                boxes.push(BoxItem::of_suite(variant.name, &summary));
                if let Some(search) = &summary.search {
                    depths.push(per_mille(variant.name, &search.nodes_per_depth));
                }
            }
            reference.get_or_insert((variant.scores[1], results));
        }
        let labels = Labels::new(self.set.title(), "", "points");
        let suffix = if number == 0 { String::new() } else { format!("-{}", number + 1) };
        lab.plot(&suffix, BoxPlot { labels, boxes }.to_svg());
        // Figures 6.3, 6.12, 6.19, 6.22, 6.27 and 6.29 are such plots.
        let labels = Labels::new(self.set.title(), "depth", "nodes, per mille");
        let (log_x, steps, levels) = (false, false, Vec::new());
        let plot = LinePlot { labels, log_x, steps, series: depths, levels };
        lab.plot(&format!("{suffix}-depths"), plot.to_svg());
        Ok(())
    }
}

impl Variant {
    /// The scores: averages over boards of the board's worst, mean and best run.
    fn rows(&self, lab: &mut Lab<'_>, suite: &Suite, results: &[RunResult]) {
        let samples = [
            ("min", over_boards(suite, results, |board| board.min)),
            ("avg", over_boards(suite, results, |board| board.mean)),
            ("max", over_boards(suite, results, |board| board.max)),
        ];
        for ((metric, sample), published) in samples.into_iter().zip(self.scores) {
            let row = Row::new(self.name, metric, 0).published(published);
            lab.row(row.mean(sample.as_ref()).within(Tolerance::Relative(0.04)));
        }
    }
}

/// An average over a reference's on the same boards, with the interval that the
/// differences board by board allow.
pub(super) fn ratio(
    suite: &Suite,
    results: &[RunResult],
    reference: &[RunResult],
) -> Option<(f64, Option<(f64, f64)>)> {
    let base = over_boards(suite, reference, |board| board.mean)?.mean;
    let gain = Paired::of(suite, results, reference)?.gain;
    let over = |gain: f64| 1.0 + gain / base;
    (base > 0.0)
        .then(|| (over(gain.mean), gain.interval().map(|(low, high)| (over(low), over(high)))))
}
