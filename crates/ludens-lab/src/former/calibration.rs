//! Figures 6.6, 6.8 and 6.12: what networks say, by the moves that were left.

use std::collections::BTreeMap;
use std::path::Path;

use ludens_arena::plot::{Across, Labels, Sample, ViolinPlot};
use ludens_arena::{RunResult, Suite, Summary};
use ludens_core::{Game, Notation};
use ludens_engine::{former_policies, former_values};
use ludens_games::Former;
use ludens_runs::imitation::{Position, expert_games};

use crate::lab::Lab;
use crate::runs::{failed, slug};
use crate::{Error, Row};

/// Positions with more moves left are not drawn, as in Urheim (2025).
const LONGEST: usize = 20;
/// Positions held out that are looked at, evenly spread over them.
const POSITIONS: usize = 20_000;

/// What was said, and whether it was right or what was true.
type Said = Vec<(f64, f64)>;
/// The same by the moves left.
type ByLeft = BTreeMap<usize, Said>;
/// A number for the positions with so many moves left.
type Of<'a> = &'a dyn Fn(&Said) -> Option<f64>;

/// Figure 6.6: how sure a policy is of its first choice, and how often that is the expert's move.
pub(super) fn policy(lab: &mut Lab<'_>, run: &Path, label: &str) -> Result<(), Error> {
    let positions = held_out(run)?;
    let boards: Vec<Former> = positions.iter().map(|position| position.board).collect();
    let (mut by_left, mut gaps) = (ByLeft::new(), Vec::new());
    for (position, chances) in positions.iter().zip(former_policies(run, &boards).map_err(failed)?)
    {
        let first = chances.iter().copied().fold(0.0, f32::max);
        let right = f64::from(u8::from(chances.get(position.choice) == Some(&first)));
        gaps.push(f64::from(first) - right);
        by_left.entry(position.left).or_default().push((f64::from(first), right));
    }
    // Published: the accuracy lies on the mean chance for up to 15 moves left.
    let gap = Summary::of(&gaps).map(|gaps| 100.0 * gaps.mean);
    lab.row(Row::new(label, "% by which it is too sure", 1).ours(gap));
    let accuracy =
        |said: &Said| Some(said.iter().map(|(_, right)| right).sum::<f64>() / said.len() as f64);
    let title = format!("How sure the {label} is, and how often it is right");
    let line: (&str, Of<'_>) = ("right", &accuracy);
    violins(lab, label, &title, "chance of its first choice", &by_left, line);
    Ok(())
}

/// Figure 6.8: what a value foretells of the positions held out.
pub(super) fn value(lab: &mut Lab<'_>, run: &Path, label: &str) -> Result<(), Error> {
    let positions = held_out(run)?;
    let boards: Vec<Former> = positions.iter().map(|position| position.board).collect();
    let left: Vec<usize> = positions.iter().map(|position| position.left).collect();
    foretold(lab, run, label, &boards, &left).map(drop)
}

/// Figure 6.12, how well a critic foretells its actor: by the moves that the actor still made, what the
/// critic said.
pub(super) fn critic(
    lab: &mut Lab<'_>,
    run: &Path,
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
    let error = foretold(lab, run, label, &boards, &left)?;
    lab.row(Row::new(label, "root mean square error, moves", 2).ours(error));
    Ok(())
}

/// Draws what a value says of boards, by the moves left; gives the root of the mean square error.
fn foretold(
    lab: &mut Lab<'_>,
    run: &Path,
    label: &str,
    boards: &[Former],
    left: &[usize],
) -> Result<Option<f64>, Error> {
    let (mut by_left, mut squares) = (ByLeft::new(), Vec::new());
    for (&left, said) in left.iter().zip(former_values(run, boards).map_err(failed)?) {
        let (said, left_over) = (-f64::from(said), left as f64);
        by_left.entry(left).or_default().push((said, left_over));
        squares.push((said - left_over).powi(2));
    }
    let title = format!("What the {label} foretells by the moves left");
    let truth = |said: &Said| said.first().map(|(_, left)| *left);
    let line: (&str, Of<'_>) = ("true", &truth);
    violins(lab, label, &title, "moves foretold", &by_left, line);
    Ok(Summary::of(&squares).map(|squares| squares.mean.sqrt()))
}

/// The positions of a run's games that were held out.
fn held_out(run: &Path) -> Result<Vec<Position>, Error> {
    let all = expert_games(run).map_err(failed)?.held_out;
    let step = all.len().div_ceil(POSITIONS).max(1);
    Ok(all.into_iter().step_by(step).collect())
}

fn violins(
    lab: &mut Lab<'_>,
    label: &str,
    title: &str,
    y: &str,
    by_left: &ByLeft,
    (name, line): (&str, Of<'_>),
) {
    let drawn = || by_left.iter().filter(|(left, _)| **left <= LONGEST);
    let sample = |(left, said): (&usize, &Said)| Sample {
        name: left.to_string(),
        values: said.iter().map(|(said, _)| *said).collect(),
    };
    let line =
        Across { name: name.to_owned(), values: drawn().map(|(_, said)| line(said)).collect() };
    let labels = Labels::new(title, "moves left", y);
    let plot = ViolinPlot { labels, samples: drawn().map(sample).collect(), lines: vec![line] };
    lab.plot(&format!("-calibration-{}", slug(label)), plot.to_svg());
}
