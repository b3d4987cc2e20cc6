//! The loop: gather, evaluate, apply.

use std::time::Duration;

use ludens_core::{
    Branch, Choice, Considered, Deterministic, Duel, Evals, Evaluator, GameResult, Limits,
};

use super::tree::{Edge, NONE, Node, Tree};

/// Samples between looks at the clock.
const PATIENCE: u64 = 64;

/// Time between two reports.
const REPORT: Duration = Duration::from_millis(100);

/// How a move is chosen on the way down, with the constant of exploration. `N` counts the
/// samples of the node, `n` those of the move, `Q` is the move's mean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rule {
    /// `Q + c sqrt(ln N / n)`: UCB1.
    Ucb1(f32),
    /// `Q + c sqrt(N / (1 + n))`: equation 1 of the Sevn text, which also decides the move.
    Root(f32),
    /// `Q + c P sqrt(N) / (1 + n)` with the evaluator's probability `P`: equation 2, PUCT.
    Puct(f32),
}

impl Rule {
    #[inline]
    fn bonus<A>(self, visits: u32, edge: &Edge<A>) -> f32 {
        let (all, own) = (visits as f32, edge.visits as f32);
        match self {
            Rule::Ucb1(_) if edge.visits == 0 => f32::INFINITY,
            Rule::Ucb1(c) => c * (all.max(1.0).ln() / own).sqrt(),
            Rule::Root(c) => c * (all / (1.0 + own)).sqrt(),
            Rule::Puct(c) => c * edge.prior * all.sqrt() / (1.0 + own),
        }
    }
}

/// A tree that grows.
pub struct TreeSearch<G: Duel> {
    /// How moves are chosen on the way down.
    pub rule: Rule,
    /// Bytes that the tree may take; growing ends there. No limit unless one is set.
    pub memory: usize,
    tree: Tree<G>,
    root: Option<G>,
    samples: u64,
    depth: u32,
    /// The way of the sample under way: edges by number, with who chose them.
    path: Vec<(u32, u32)>,
    evals: Evals,
}

impl<G: Duel + Deterministic> TreeSearch<G> {
    /// An empty tree.
    pub fn new(rule: Rule) -> Self {
        TreeSearch {
            rule,
            memory: usize::MAX,
            tree: Tree::new(),
            root: None,
            samples: 0,
            depth: 0,
            path: Vec::new(),
            evals: Evals::default(),
        }
    }

    /// Grows the tree of a position by up to so many samples, within the limits. Ends at
    /// once when the outcome is proven. `report` is called now and then.
    ///
    /// # Panics
    /// When the game is over.
    pub fn grow(
        &mut self,
        position: &G,
        samples: u64,
        limits: &Limits<'_>,
        evaluator: &mut impl Evaluator<G>,
        mut report: impl FnMut(&Self),
    ) {
        assert!(!position.is_over(), "there is a move to choose");
        self.tree.clear();
        (self.samples, self.depth, self.root) = (0, 0, Some(*position));
        self.tree.add(position, &[]);
        let mut next = REPORT;
        while self.samples < samples && self.tree.nodes[0].proven.is_none() {
            // The first sample is always made, so that there is something to say.
            let full = limits.spent(self.samples) || self.tree.bytes() >= self.memory;
            if self.samples > 0 && full {
                return;
            }
            if self.samples > 0 && self.samples.is_multiple_of(PATIENCE) {
                if limits.interrupted() {
                    return;
                }
                if limits.elapsed() >= next {
                    next = limits.elapsed() + REPORT;
                    report(self);
                }
            }
            self.sample(position, evaluator);
        }
    }

    /// One sample.
    fn sample(&mut self, root: &G, evaluator: &mut impl Evaluator<G>) {
        self.samples += 1;
        self.path.clear();
        let (mut node, mut position) = (0, *root);
        // Step 1. Walk down to a position that is new, or proven.
        let value = loop {
            if let Some(outcome) = self.tree.nodes[node as usize].proven {
                break outcome.value() as f32;
            }
            let edge = self.select(node);
            self.path.push((node, edge));
            position = position.apply(self.tree.edges[edge as usize].action).0;
            let child = self.tree.edges[edge as usize].child;
            if child != NONE {
                node = child;
                continue;
            }
            // Step 2. Judge it and add it.
            let value = match position.outcome() {
                Some(outcome) if position.is_over() => outcome.value() as f32,
                _ => {
                    evaluator.evaluate(&[position], &mut self.evals);
                    self.evals.value(0).unwrap_or(0.0)
                }
            };
            let priors = if self.evals.is_empty() { &[] } else { self.evals.priors(0) };
            let child = self.tree.add(&position, priors);
            self.tree.edges[edge as usize].child = child;
            self.tree.nodes[child as usize].visits += 1;
            break value;
        };
        self.depth = self.depth.max(self.path.len() as u32);
        self.back_up(value);
    }

    /// Step 3. Enters a value to player one into everything on the way, and what it proves.
    fn back_up(&mut self, value: f32) {
        let mut proving = true;
        for &(node, edge) in self.path.iter().rev() {
            let edge = &mut self.tree.edges[edge as usize];
            let player = self.tree.nodes[node as usize].player;
            edge.visits += 1;
            edge.sum += value * player.sign() as f32;
            let child = edge.child;
            self.tree.nodes[node as usize].visits += 1;
            proving &= self.tree.nodes[child as usize].proven.is_some();
            if proving {
                self.tree.prove(node);
                proving = self.tree.nodes[node as usize].proven.is_some();
            }
        }
    }

    /// The edge to follow: the largest by the rule among those that are not proven.
    fn select(&self, node: u32) -> u32 {
        let visits = self.tree.nodes[node as usize].visits;
        let first = self.tree.nodes[node as usize].first;
        let (mut best, mut most) = (None, f32::NEG_INFINITY);
        for (i, edge) in self.tree.edges_of(node).iter().enumerate() {
            if self.tree.proven(edge).is_some() {
                continue;
            }
            let worth = edge.mean() + self.rule.bonus(visits, edge);
            if best.is_none() || worth > most {
                (best, most) = (Some(i), worth);
            }
        }
        first + best.expect("a node with all moves proven is proven itself") as u32
    }

    /// What the tree says of the root.
    ///
    /// # Panics
    /// Before [`grow`](TreeSearch::grow).
    pub fn choice(&self) -> Choice<G::Action> {
        let mut moves: Vec<(Edge<G::Action>, f32)> =
            self.tree.edges_of(0).iter().map(|edge| (*edge, self.worth(0, edge))).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        let considered = |(edge, _): &(Edge<G::Action>, f32)| Considered {
            action: edge.action,
            value: (edge.visits > 0).then(|| f64::from(self.tree.value(0, edge))),
            visits: Some(u64::from(edge.visits)),
            prior: matches!(self.rule, Rule::Puct(_)).then_some(edge.prior),
        };
        let best = moves.first().expect("the root has moves").0;
        Choice {
            action: best.action,
            value: Some(f64::from(self.tree.value(0, &best))),
            moves: moves.iter().map(considered).collect(),
            line: self.line(),
            nodes: self.samples,
            depth: self.depth,
            proven: false,
        }
    }

    /// Adds the samples at the root of another tree of the same position.
    pub(super) fn absorb(&mut self, other: &TreeSearch<G>) {
        self.samples += other.samples;
        self.depth = self.depth.max(other.depth);
        self.tree.nodes[0].visits += other.tree.nodes[0].visits;
        for i in 0..self.tree.nodes[0].edges as usize {
            let theirs = other.tree.edges[i];
            let ours = &mut self.tree.edges[i];
            ours.visits += theirs.visits;
            ours.sum += theirs.sum;
            if let Some(outcome) = other.tree.proven(&theirs) {
                self.learn(i, outcome);
            }
        }
        self.tree.prove(0);
    }

    /// Notes what another tree has proven of a move at the root.
    fn learn(&mut self, edge: usize, outcome: GameResult) {
        if self.tree.edges[edge].child == NONE {
            let root = self.root.expect("a tree that has grown has a root");
            let position = root.apply(self.tree.edges[edge].action).0;
            self.tree.edges[edge].child = self.tree.add(&position, &[]);
        }
        let child = self.tree.edges[edge].child;
        self.tree.nodes[child as usize].proven = Some(outcome);
    }

    /// By what a move is chosen in the end: a proven win first, a proven loss last; by
    /// the text's rule itself, or by how often it was tried.
    fn worth(&self, node: u32, edge: &Edge<G::Action>) -> f32 {
        let Node { visits, player, .. } = self.tree.nodes[node as usize];
        match (self.tree.proven(edge), self.rule) {
            (Some(GameResult::Win(winner)), _) if winner == player => f32::INFINITY,
            // More samples make a loss look further away.
            (Some(GameResult::Win(_)), _) => {
                -2.0 + edge.visits as f32 / (1.0 + visits as f32) - 1e9
            }
            (_, Rule::Root(_)) => edge.mean() + self.rule.bonus(visits, edge),
            (_, Rule::Ucb1(_) | Rule::Puct(_)) => edge.visits as f32 + edge.mean() / 4.0,
        }
    }

    /// The moves that both sides would choose, as far as the tree goes.
    fn line(&self) -> Vec<G::Action> {
        let (mut node, mut line) = (0, Vec::new());
        while node != NONE {
            let better = |best: Option<(Edge<G::Action>, f32)>, edge: &Edge<G::Action>| {
                let worth = self.worth(node, edge);
                if best.is_some_and(|(_, most)| most >= worth) {
                    best
                } else {
                    Some((*edge, worth))
                }
            };
            match self.tree.edges_of(node).iter().fold(None, better) {
                Some((best, _)) if best.visits > 0 || line.is_empty() => {
                    line.push(best.action);
                    node = best.child;
                }
                _ => break,
            }
        }
        line
    }

    /// The `most` most visited nodes of the tree: the ways on from the root.
    pub fn outline(&self, most: usize) -> Vec<Branch<G>> {
        self.tree.outline(most)
    }

    /// How the game ends under best play, if the search has proven it.
    pub fn proven(&self) -> Option<GameResult> {
        self.tree.nodes.first().and_then(|root| root.proven)
    }
}
