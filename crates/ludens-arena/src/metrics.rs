//! What tree searches did: as JSON, and on average over runs, with the columns
//! of the tables of Klein (2015).

use ludens_core::SearchStatistics;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

/// The statistics of one search as JSON and the store have them. Means are written so that
/// they read back exactly, and with their counts, so that sums can be had back.
#[derive(Serialize, Deserialize)]
struct SearchMetrics {
    iterations: u64,
    simulations: u64,
    game_length: f64,
    tree_nodes: u64,
    terminal_nodes: u64,
    average_depth: f64,
    maximum_depth: usize,
    hits: u64,
    suboptimal_hits: u64,
    hit_depth: f64,
    positions: u64,
    units: f64,
    nodes_per_depth: Vec<u64>,
}

impl From<&SearchStatistics> for SearchMetrics {
    fn from(s: &SearchStatistics) -> Self {
        SearchMetrics {
            iterations: s.iterations,
            simulations: s.games,
            game_length: s.game_length(),
            tree_nodes: s.nodes,
            terminal_nodes: s.terminals,
            average_depth: s.average_depth(),
            maximum_depth: s.maximum_depth(),
            hits: s.hits,
            suboptimal_hits: s.suboptimal,
            hit_depth: s.hit_depth(),
            positions: s.states,
            units: s.units(),
            nodes_per_depth: s.per_depth.clone(),
        }
    }
}

/// The statistics of one search as JSON.
pub fn statistics_json(statistics: &SearchStatistics) -> Value {
    json!(SearchMetrics::from(statistics))
}

/// The statistics that [`statistics_json`] wrote; `None` for anything else.
pub(crate) fn statistics_of(text: &str) -> Option<SearchStatistics> {
    let m: SearchMetrics = serde_json::from_str(text).ok()?;
    // Sums are far below 2^53.
    let sum = |mean: f64, of: u64| (mean >= 0.0).then(|| (mean * of as f64).round() as u64);
    Some(SearchStatistics {
        iterations: m.iterations,
        nodes: m.tree_nodes,
        terminals: m.terminal_nodes,
        depths: sum(m.average_depth, m.tree_nodes)?,
        per_depth: m.nodes_per_depth,
        hits: m.hits,
        hit_depths: sum(m.hit_depth, m.hits)?,
        suboptimal: m.suboptimal_hits,
        games: m.simulations,
        game_lengths: sum(m.game_length, m.simulations)?,
        states: m.positions,
        eighths: sum(m.units, 8)?,
    })
}

/// Writes statistics where a run has them.
pub(crate) fn serialize<S: Serializer>(
    statistics: &Option<SearchStatistics>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    statistics.as_ref().map(SearchMetrics::from).serialize(serializer)
}

/// Averages over runs of what their searches did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchMeans {
    /// Runs with statistics.
    pub runs: usize,
    /// Iterations of the loop.
    pub iterations: f64,
    /// Simulations.
    pub simulations: f64,
    /// The length of their games from the start.
    pub game_length: f64,
    /// Nodes created.
    pub tree_nodes: f64,
    /// Terminal nodes among them.
    pub terminal_nodes: f64,
    /// The mean depth of a run's nodes.
    pub average_depth: f64,
    /// The depth of a run's deepest node.
    pub maximum_depth: f64,
    /// Positions reached again.
    pub hits: f64,
    /// How many of these with a larger score than before.
    pub suboptimal_hits: f64,
    /// The mean depth of a run's hits, over the runs that have any.
    pub hit_depth: Option<f64>,
    /// Resource units.
    pub units: f64,
    /// Nodes at each depth.
    pub nodes_per_depth: Vec<f64>,
}

impl SearchMeans {
    /// The averages; `None` without any statistics.
    pub fn of(all: &[&SearchStatistics]) -> Option<Self> {
        if all.is_empty() {
            return None;
        }
        let mean = |of: &dyn Fn(&SearchStatistics) -> f64| {
            all.iter().map(|s| of(s)).sum::<f64>() / all.len() as f64
        };
        let hit: Vec<f64> = all.iter().filter(|s| s.hits > 0).map(|s| s.hit_depth()).collect();
        let deepest = all.iter().map(|s| s.per_depth.len()).max().unwrap_or(0);
        Some(SearchMeans {
            runs: all.len(),
            iterations: mean(&|s| s.iterations as f64),
            simulations: mean(&|s| s.games as f64),
            game_length: mean(&SearchStatistics::game_length),
            tree_nodes: mean(&|s| s.nodes as f64),
            terminal_nodes: mean(&|s| s.terminals as f64),
            average_depth: mean(&SearchStatistics::average_depth),
            maximum_depth: mean(&|s| s.maximum_depth() as f64),
            hits: mean(&|s| s.hits as f64),
            suboptimal_hits: mean(&|s| s.suboptimal as f64),
            hit_depth: (!hit.is_empty()).then(|| hit.iter().sum::<f64>() / hit.len() as f64),
            units: mean(&SearchStatistics::units),
            nodes_per_depth: (0..deepest)
                .map(|depth| mean(&|s| s.per_depth.get(depth).copied().unwrap_or(0) as f64))
                .collect(),
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Statistics with no two counts alike.
    pub(crate) fn sample() -> SearchStatistics {
        SearchStatistics {
            iterations: 1003,
            nodes: 997,
            terminals: 5,
            depths: 1234,
            per_depth: vec![0, 800, 150, 47],
            hits: 91,
            hit_depths: 277,
            suboptimal: 7,
            games: 1001,
            game_lengths: 65_773,
            states: 70_001,
            eighths: 561_239,
        }
    }

    #[test]
    fn statistics_come_back_as_they_were() {
        for statistics in [sample(), SearchStatistics::default()] {
            let text = statistics_json(&statistics).to_string();
            assert_eq!(statistics_of(&text), Some(statistics));
        }
        let negative = statistics_json(&sample()).to_string().replace("\"hits\":91", "\"hits\":-1");
        for bad in ["{}", "7", "", &negative] {
            assert_eq!(statistics_of(bad), None);
        }
    }

    #[test]
    fn averages() {
        assert_eq!(SearchMeans::of(&[]), None);
        let quiet = SearchStatistics { hits: 0, hit_depths: 0, per_depth: vec![0, 4], ..sample() };
        let means = SearchMeans::of(&[&sample(), &quiet]).unwrap();
        assert_eq!((means.runs, means.hits, means.maximum_depth), (2, 45.5, 2.0));
        assert_eq!(means.hit_depth, Some(277.0 / 91.0));
        assert_eq!(means.nodes_per_depth, [0.0, 402.0, 75.0, 23.5]);
        assert_eq!(json!(means)["average_depth"], 1234.0 / 997.0);
    }
}
