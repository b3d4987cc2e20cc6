//! Learning curves of runs as SVG.

use ludens_arena::plot::{Labels, LinePlot, Series};
use serde_json::Value;

/// Tiles whose rates are drawn: the largest that any block reached.
const TILES: usize = 5;

/// The curves of a run's metrics, each with the name of its file: `curve.svg` with mean and
/// best scores, `rates.svg` with the per cent of episodes that reached the largest tiles.
///
/// ```
/// use serde_json::json;
/// let metrics = [
///     json!({"episodes": 10, "mean_score": 50.0, "max_score": 80, "rate": {"16": 0.5, "8": 1.0}}),
///     json!({"episodes": 20, "mean_score": 70.0, "max_score": 90, "rate": {"16": 0.7, "8": 1.0}}),
/// ];
/// let [(name, svg), _] = ludens_runs::curves::curves("2048", &metrics);
/// assert_eq!(name, "curve.svg");
/// assert!(svg.starts_with("<svg") && svg.contains("mean score"));
/// ```
pub fn curves(game: &str, metrics: &[Value]) -> [(&'static str, String); 2] {
    let series = |name: &str, value: &dyn Fn(&Value) -> Option<f64>| {
        let point = |line: &Value| Some((line["episodes"].as_f64()?, value(line)?));
        Series { name: name.to_owned(), points: metrics.iter().filter_map(point).collect() }
    };
    let field = |name: &'static str| move |line: &Value| line[name].as_f64();
    let scores =
        vec![series("mean", &field("mean_score")), series("best of a block", &field("max_score"))];
    let mut tiles: Vec<u64> = metrics
        .iter()
        .flat_map(|line| line["rate"].as_object().into_iter().flatten())
        .filter_map(|(tile, _)| tile.parse().ok())
        .collect();
    tiles.sort_unstable();
    tiles.dedup();
    let rates = tiles.iter().rev().take(TILES).map(|tile| {
        let name = tile.to_string();
        // A tile that a block did not reach is not in its metrics.
        series(&name, &|line| Some(100.0 * line["rate"][&name].as_f64().unwrap_or(0.0)))
    });
    let plot = |title: String, y: &str, series: Vec<Series>| {
        let labels = Labels::new(&title, "training episodes", y);
        LinePlot { labels, log_x: false, steps: false, series, levels: Vec::new() }.to_svg()
    };
    [
        ("curve.svg", plot(format!("{game}: scores while learning"), "mean score", scores)),
        ("rates.svg", plot(format!("{game}: tiles reached"), "per cent", rates.collect())),
    ]
}
