//! Figures 6.8 and 6.12: what values say, by the moves that were left.

use std::collections::BTreeMap;

use ludens_arena::plot::{BoxItem, BoxPlot, Labels, Series};
use ludens_arena::{RunResult, Suite, Summary};
use ludens_core::{Game, Notation};
use ludens_engine::former_values;
use ludens_games::Former;
use serde_json::Value;

use super::networks::curves;
use crate::lab::Lab;
use crate::runs::{Learned, failed};
use crate::{Error, Row};

/// Positions with more moves left are not drawn, as in Urheim (2025).
const LONGEST: usize = 20;

/// What a value says by the moves that were left, as figure 6.8 has it.
pub(super) fn value(lab: &mut Lab<'_>, label: &str, held: &Value) {
    let rows = held["by_value"].as_array().into_iter().flatten();
    let said: Vec<(f64, f64)> =
        rows.filter_map(|row| Some((-row[0].as_f64()?, -row[2].as_f64()?))).collect();
    let true_ones = said.iter().map(|(left, _)| (*left, *left)).collect();
    let series = vec![
        Series { name: "said".to_owned(), points: said },
        Series { name: "true".to_owned(), points: true_ones },
    ];
    let title = format!("What the value {label} says by the moves left");
    curves(
        lab,
        &format!("calibration-{label}"),
        &title,
        ("moves left", "mean of what it says"),
        series,
    );
}

/// How well a critic foretells its actor: by the moves that the actor still made, what the critic
/// said.
pub(super) fn critic(
    lab: &mut Lab<'_>,
    learned: &Learned,
    label: &str,
    suite: &Suite,
    actor: &[RunResult],
) -> Result<(), Error> {
    let (mut boards, mut left) = (Vec::new(), Vec::new());
    for result in actor {
        let case = suite.cases().iter().find(|case| case.id == result.case);
        let case = case.expect("results are of the suite's boards");
        let mut here = Former::parse(&Default::default(), &case.position).map_err(failed)?;
        let moves: Vec<&str> = result.outcome.line.split_whitespace().collect();
        for (made, text) in moves.iter().enumerate() {
            boards.push(here);
            left.push(moves.len() - made);
            here = here.apply(here.parse_action(text).map_err(failed)?).0;
        }
    }
    let said = former_values(learned.folder.path(), &boards).map_err(failed)?;
    let mut by_left: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    let mut squares = Vec::new();
    for (&left, said) in left.iter().zip(said) {
        let said = -f64::from(said);
        by_left.entry(left).or_default().push(said);
        squares.push((said - left as f64).powi(2));
    }
    let error = Summary::of(&squares).map(|squares| squares.mean.sqrt());
    lab.row(Row::new(format!("critic {label}"), "root mean square error, moves", 2).ours(error));
    let boxes = by_left.into_iter().filter(|(left, _)| *left <= LONGEST);
    let boxes =
        boxes.filter_map(|(left, said)| Some(BoxItem::of(&left.to_string(), &Summary::of(&said)?)));
    let title = format!("What the critic {label} says by the moves its actor still made");
    let labels = Labels::new(&title, "moves left", "moves foretold");
    lab.plot(&format!("calibration-{label}"), BoxPlot { labels, boxes: boxes.collect() }.to_svg());
    Ok(())
}
