//! The selection rules: which child of a node comes next.
//!
//! Values are in points: Klein's formulas times the scale.

use ludens_core::SoloPuzzle;

use super::config::{Amaf, Config, Duplicates, Rule, Scale};
use super::tree::{Edge, Extra, NONE, Node, Tree};

/// What a choice depends on besides the node.
pub(super) struct Situation {
    /// The score of the way to the node.
    pub(super) score: i64,
    /// The best score so far.
    pub(super) best: Option<i64>,
    /// The explorative factor.
    pub(super) c: f64,
}

/// A tried edge with its child.
struct Child<'a, A> {
    node: &'a Node,
    edge: &'a Edge<A>,
    extra: Extra,
}

impl<A> Child<'_, A> {
    fn reward(&self) -> f64 {
        f64::from(self.edge.reward)
    }
}

/// Whether an edge may be followed: its child is neither cut nor solved.
#[inline]
pub(super) fn is_live<G: SoloPuzzle>(tree: &Tree<G>, config: &Config, e: u32) -> bool {
    let child = tree.edges[e as usize].child;
    if child == NONE {
        return false;
    }
    let node = &tree.nodes[child as usize];
    !node.solved && (node.via == e || config.duplicates == Duplicates::Share)
}

/// The best live edge of a node by the configured rule, the first of equals.
pub(super) fn best_edge<G: SoloPuzzle>(
    tree: &Tree<G>,
    config: &Config,
    at: u32,
    now: &Situation,
) -> Option<u32> {
    let parent = &tree.nodes[at as usize];
    let ln = f64::from(parent.visits.max(1)).ln();
    let scale = match config.scale {
        Scale::Fixed(scale) => f64::from(scale),
        Scale::Best => now.best.unwrap_or(1).max(1) as f64,
        Scale::ParentTop { .. } => f64::from(parent.top.max(1)),
    };
    let c = now.c * scale;
    let way = now.score as f64;
    let explore = |visits: u32| c * (ln / f64::from(visits.max(1))).sqrt();
    // The score that the exploiting term counts before the child.
    let before = |x: &Child<'_, G::Action>| match config.scale {
        Scale::ParentTop { reward } => f64::from(u8::from(reward)) * x.reward(),
        Scale::Fixed(_) | Scale::Best => way + x.reward(),
    };
    let top_weight = f64::from(config.top_weight);
    let average = |x: &Child<'_, G::Action>| {
        let own = before(x) + x.node.average();
        let later = f64::from(x.extra.later);
        let value = match config.amaf {
            Amaf::Only if later > 0.0 => way + x.extra.later_sum as f64 / later,
            Amaf::Rave { b } if later > 0.0 => {
                let n = f64::from(x.node.visits);
                let beta = later / (n + later + 4.0 * f64::from(b * b) * n * later);
                (1.0 - beta) * own + beta * (way + x.extra.later_sum as f64 / later)
            }
            _ => own,
        };
        if top_weight == 0.0 {
            return value;
        }
        value + top_weight * (before(x) + f64::from(x.node.guide))
    };
    let choose = Choose { tree, config, at, now };
    match config.rule {
        Rule::Average => choose.best(|x| average(x) + explore(x.node.visits)),
        Rule::SpMcts { d } => {
            let d = f64::from(d) * scale * scale;
            choose.best(|x| {
                let n = f64::from(x.node.visits.max(1));
                average(x) + explore(x.node.visits) + (x.node.variance() + d / n).sqrt()
            })
        }
        Rule::ThirdAverage => {
            choose.best(|x| average(x) + explore(x.node.visits) + x.node.average())
        }
        Rule::ThirdAveragePlus => {
            choose.best(|x| average(x) + explore(x.node.visits) + x.reward() + x.node.average())
        }
        Rule::Tuned => choose.best(|x| {
            let n = f64::from(x.node.visits.max(1));
            let spread = x.node.variance() / (scale * scale) + (2.0 * ln / n).sqrt();
            average(x) + explore(x.node.visits) * spread.min(0.25).sqrt()
        }),
        Rule::Top => choose.best(|x| before(x) + f64::from(x.node.guide) + explore(x.node.visits)),
        Rule::ThirdTop => {
            choose.best(|x| before(x) + 2.0 * f64::from(x.node.guide) + explore(x.node.visits))
        }
        Rule::TopThirdAverage => choose.best(|x| {
            before(x) + f64::from(x.node.guide) + x.node.average() + explore(x.node.visits)
        }),
        Rule::Uct1 => choose.best(|x| {
            let edge = x.extra.sum as f64 / f64::from(x.extra.visits.max(1));
            before(x) + edge + explore(x.extra.visits)
        }),
        Rule::Uct2 => choose.best(|x| average(x) + explore(x.extra.visits)),
        Rule::Uct3 => choose.best(|x| before(x) + x.node.refreshed + explore(x.extra.visits)),
        Rule::Ucd { average: d1, parent: d2, visits: d3 } => {
            let sum: f64 = tree.tried(at).map(|e| visits_below(tree, e, d2)).sum();
            let ln = sum.max(1.0).ln();
            choose.best_numbered(|e, x| {
                let n = visits_below(tree, e, d3).max(1.0);
                before(x) + average_below(tree, e, d1) + c * (ln / n).sqrt()
            })
        }
        Rule::Puct => puct(tree, config, at, now),
    }
}

struct Choose<'a, G: SoloPuzzle> {
    tree: &'a Tree<G>,
    config: &'a Config,
    at: u32,
    now: &'a Situation,
}

impl<G: SoloPuzzle> Choose<'_, G> {
    #[inline(always)]
    fn best(&self, value: impl Fn(&Child<'_, G::Action>) -> f64) -> Option<u32> {
        self.best_numbered(|_, x| value(x))
    }

    #[inline(always)]
    fn best_numbered(&self, value: impl Fn(u32, &Child<'_, G::Action>) -> f64) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        for e in self.tree.tried(self.at) {
            if !is_live(self.tree, self.config, e) {
                continue;
            }
            let edge = &self.tree.edges[e as usize];
            let node = &self.tree.nodes[edge.child as usize];
            if self.config.state_pruning && hopeless(node, edge.reward, self.now) {
                continue;
            }
            let extra = self.tree.extras.get(e as usize).copied().unwrap_or_default();
            let value = value(e, &Child { node, edge, extra });
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, e));
            }
        }
        best.map(|(_, e)| e)
    }
}

/// State pruning: even the most that could still come does not beat the best.
fn hopeless(node: &Node, reward: i32, now: &Situation) -> bool {
    let most = now.score + i64::from(reward) + i64::from(node.bound);
    now.best.is_some_and(|best| most <= best)
}

/// PUCT over all moves, tried or not: the number of the chosen edge.
pub(super) fn puct<G: SoloPuzzle>(
    tree: &Tree<G>,
    config: &Config,
    at: u32,
    now: &Situation,
) -> Option<u32> {
    let node = &tree.nodes[at as usize];
    let root = f64::from(node.visits.max(1)).sqrt();
    let mut best: Option<(f64, u32)> = None;
    for e in node.first..node.first + u32::from(node.edges) {
        let edge = &tree.edges[e as usize];
        let (average, visits) = if edge.child == NONE {
            (0.0, 0.0)
        } else if is_live(tree, config, e) {
            let child = &tree.nodes[edge.child as usize];
            let score = now.score as f64 + f64::from(edge.reward) + child.average();
            (score, f64::from(child.visits))
        } else {
            continue;
        };
        let prior = f64::from(tree.extras[e as usize].prior);
        let value = average + now.c * prior * root / (1.0 + visits);
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, e));
        }
    }
    best.map(|(_, e)| e)
}

/// UCD: visits of an edge counted from edges `depth` levels further down.
fn visits_below<G: SoloPuzzle>(tree: &Tree<G>, e: u32, depth: u8) -> f64 {
    let extra = &tree.extras[e as usize];
    let child = tree.edges[e as usize].child;
    if depth == 0 || child == NONE {
        return f64::from(extra.visits);
    }
    let own = if extra.own.is_some() { 1.0 } else { 0.0 };
    own + tree.tried(child).map(|f| visits_below(tree, f, depth - 1)).sum::<f64>()
}

/// UCD: the average from the child on, from edges `depth` levels further down.
fn average_below<G: SoloPuzzle>(tree: &Tree<G>, e: u32, depth: u8) -> f64 {
    let extra = &tree.extras[e as usize];
    let child = tree.edges[e as usize].child;
    let plain = extra.sum as f64 / f64::from(extra.visits.max(1));
    if depth == 0 || child == NONE {
        return plain;
    }
    let mut count = if extra.own.is_some() { 1.0 } else { 0.0 };
    let mut sum = extra.own.map_or(0.0, f64::from);
    for f in tree.tried(child) {
        let n = f64::from(tree.extras[f as usize].visits);
        if n > 0.0 {
            let reward = f64::from(tree.edges[f as usize].reward);
            sum += n * (reward + average_below(tree, f, depth - 1));
            count += n;
        }
    }
    if count > 0.0 { sum / count } else { plain }
}
