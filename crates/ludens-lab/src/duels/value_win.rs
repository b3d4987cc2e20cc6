//! Figure 3.5 of Clark (2021): what a value-win network costs in one game of self-play.
//!
//! A network that gives each position a value and a chance to win has its policy from the positions that
//! moves lead to: all of them are evaluated when a position is expanded, where a network with a policy
//! evaluates the position alone. Weights hardly matter to that, so few games teach the network.

use std::collections::HashSet;

use ludens_arena::plot::{Labels, LinePlot, Series};
use ludens_core::{ParseError, Player, TreeNode};
use ludens_engine::analysis::{NamedWay, Request};
use ludens_engine::{Table, game};

use crate::lab::Lab;
use crate::runs::{RunPlan, failed, settings};
use crate::{Error, Experiment, Part, Row, Tolerance};

pub(super) fn experiments() -> Vec<Experiment> {
    vec![Experiment::new(
        "sevn-3.5",
        "Sevn: nodes evaluated and move times with a value-win network",
        "Clark 2021, figure 3.5",
        Box::new(measure),
    )]
}

const GAME: &str = "sevn";
/// Nodes of a tree that are looked at, more than there are.
const TREE: usize = 1_000_000;

/// What a move cost.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// Tiles that were there.
    tiles: usize,
    millis: f64,
    /// Positions whose moves were added to the tree.
    expanded: usize,
    /// Positions that those moves lead to without ending the game.
    children: usize,
}

fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    let games = lab.episodes(90, 8, 2);
    let plan = RunPlan {
        name: lab.report.name.to_owned(),
        recipe: "alphazero",
        game: GAME,
        settings: settings(&[
            ("wins", &1),
            ("iterations", &1),
            ("games", &games),
            ("sims", &lab.pick(32, 8, 2)),
            ("minutes", &1_000_000),
        ]),
        ..RunPlan::default()
    };
    let learned = lab.learned(&plan)?;
    let search = format!("az:sims={},plain=on", lab.pick(50, 50, 4));
    let seed = lab.settings.seed;
    let value_win = self_play(&learned.agent(&search), seed).map_err(failed)?;
    lab.check_stop()?;
    let policy = self_play(&search, seed).map_err(failed)?;

    let parts = [Part::sample("games", 1, 1)];
    lab.section("value-win network, 50 simulations a move; one game of self-play", &parts);
    let most = |costs: &[Cost], of: fn(&Cost) -> usize| costs.iter().map(of).max();
    let count = |label: &str, most: Option<usize>| {
        Row::new(label, "nodes", 0).ours(most.map(|most| most as f64))
    };
    lab.row(count("evaluated for a move, most", most(&value_win, |cost| cost.children)));
    let capped = Tolerance::Absolute(1.0);
    let row = count("expanded for a move, most", most(&value_win, |cost| cost.expanded));
    lab.row(row.published(50.0).within(capped));
    lab.row(time_row(&value_win));
    let related = correlation(&value_win, |cost| cost.children as f64);
    lab.row(Row::new("time and nodes evaluated", "correlation", 2).ours(related));
    lab.section("policy-value network (the bundled one), otherwise the same", &parts);
    let row = count("evaluated for a move, most", most(&policy, |cost| cost.expanded));
    lab.row(row.published(50.0).within(capped));
    lab.row(time_row(&policy));

    let curve = |name: &str, costs: &[Cost], of: fn(&Cost) -> f64| Series {
        name: name.to_owned(),
        points: costs.iter().map(|cost| (cost.tiles as f64, of(cost))).collect(),
    };
    let nodes = vec![
        curve("evaluated, value-win", &value_win, |cost| cost.children as f64),
        curve("expanded, value-win", &value_win, |cost| cost.expanded as f64),
        curve("evaluated, policy-value", &policy, |cost| cost.expanded as f64),
    ];
    let times = vec![
        curve("value-win", &value_win, |cost| cost.millis),
        curve("policy-value", &policy, |cost| cost.millis),
    ];
    for (suffix, y, series) in [("", "nodes", nodes), ("-times", "milliseconds", times)] {
        let labels = Labels::new(lab.report.title, "tiles that remain", y);
        let plot = LinePlot { labels, log_x: false, steps: false, series, levels: Vec::new() };
        lab.plot(suffix, plot.to_svg());
    }
    Ok(())
}

fn time_row(costs: &[Cost]) -> Row {
    let mean = costs.iter().map(|cost| cost.millis).sum::<f64>() / costs.len().max(1) as f64;
    Row::new("time per move", "mean ms", 3).ours(mean)
}

/// How times go with something else, if both vary.
fn correlation(costs: &[Cost], of: impl Fn(&Cost) -> f64) -> Option<f64> {
    let count = costs.len() as f64;
    let pairs: Vec<(f64, f64)> = costs.iter().map(|cost| (cost.millis, of(cost))).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(a, b)| of(a - x, b - y)).sum::<f64>();
    let spread = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    (spread > 0.0).then(|| sum(&|a, b| a * b) / spread)
}

/// One game of an agent against itself; each side keeps its tree from move to move.
fn self_play(agent: &str, seed: u64) -> Result<Vec<Cost>, ParseError> {
    let mut table = game(GAME)?.start(seed);
    table.reseed(seed);
    table.seat(Player::One, agent)?;
    table.seat(Player::Two, agent)?;
    let request = Request { tree: TREE, ..Request::default() };
    let (mut costs, mut known) = (Vec::new(), [HashSet::new(), HashSet::new()]);
    let (mut way, mut side) = (String::new(), 0);
    while table.outcome().is_none() {
        let Some(analysis) = table.think(&request, Request::never(), &mut |_| {}) else { break };
        let Some(best) = analysis.best else { break };
        let position = table.position();
        let tiles = position.rsplit('/').next().unwrap_or_default();
        let tiles = tiles.chars().filter(char::is_ascii_alphabetic).count();
        let millis = analysis.time.as_secs_f64() * 1000.0;
        let mut cost = Cost { tiles, millis, ..Cost::default() };
        let mut here = game(GAME)?.parse(&position)?;
        let mut now = HashSet::new();
        count(&mut *here, &way, &analysis.tree, &known[side], &mut now, &mut cost)?;
        costs.push(cost);
        known[side] = now;
        way = after(&way, &best.text);
        side = 1 - side;
        table.play(&best.text)?;
    }
    Ok(costs)
}

/// A way with one move more.
fn after(way: &str, action: &str) -> String {
    format!("{way}/{action}")
}

/// Counts what a search has expanded that was not known before: the position of a table and what was
/// visited below it. `now` gets the ways to all of it.
fn count(
    table: &mut dyn Table,
    way: &str,
    tree: &[TreeNode<NamedWay>],
    before: &HashSet<String>,
    now: &mut HashSet<String>,
    cost: &mut Cost,
) -> Result<(), ParseError> {
    if table.outcome().is_some() {
        return Ok(());
    }
    if !before.contains(way) {
        cost.expanded += 1;
        for action in table.actions() {
            table.play(&action.text)?;
            cost.children += usize::from(table.outcome().is_none());
            table.undo();
        }
    }
    now.insert(way.to_owned());
    for node in tree {
        let NamedWay::Action(action) = &node.way else { continue };
        table.play(&action.text)?;
        count(table, &after(way, &action.text), &node.children, before, now, cost)?;
        table.undo();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a network with a policy no more positions are expanded than there are simulations, and the
    /// root of the first move.
    #[test]
    fn costs_are_those_of_the_search() {
        let costs = self_play("az:sims=6,plain=on", 1).unwrap();
        assert_eq!(costs[0].tiles, 49);
        assert!(costs.windows(2).all(|pair| pair[1].tiles < pair[0].tiles));
        assert!(costs.iter().all(|cost| cost.expanded <= 7));
        assert!(costs[0].expanded >= 5 && costs[0].children > 3 * costs[0].expanded);
    }

    #[test]
    fn correlations_are_known() {
        let of = |pairs: &[(f64, usize)]| {
            let one =
                |&(millis, children): &(f64, usize)| Cost { millis, children, ..Cost::default() };
            correlation(&pairs.iter().map(one).collect::<Vec<_>>(), |cost| cost.children as f64)
        };
        assert!((of(&[(1.0, 10), (2.0, 20), (4.0, 40)]).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(of(&[(1.0, 5), (2.0, 5)]), None);
    }
}
