//! What a tree says of its root, and what is kept of it after a move.

use ludens_core::{Branch, Choice, Considered, Game, GameResult, Pov, Rng, Way};

use super::arena::{Edge, NONE, Node};
use super::backup::Backup;
use super::config::{Expansion, Solver};
use super::gumbel::logit;
use super::search::TreeSearch;
use crate::outline::{Outline, outline};

/// Better than everything that is not proven.
const WON: f32 = 1e18;

impl<G: Game, B: Backup<G>> TreeSearch<G, B> {
    /// What a move is chosen by in the end: a proven win first, a proven loss last; among the rest
    /// by the rule of the search.
    fn rank(&self, node: u32, index: usize) -> f32 {
        let edge = &self.tree.edges_of(node)[index];
        let Node { player, visits, .. } = self.tree.nodes[node as usize];
        match self.tree.proven(edge) {
            Some(GameResult::Win(winner)) if winner == player => WON,
            // More visits make a loss look further away.
            Some(GameResult::Win(_)) => {
                -WON + WON / 2.0 * edge.visits as f32 / visits.max(1) as f32
            }
            Some(GameResult::Draw) if self.prefers_draw(node) => WON / 2.0,
            _ => match (&self.halving, node) {
                (Some(halving), 0) => {
                    let most = self.tree.edges_of(0).iter().map(|edge| edge.visits).max();
                    let last = most == Some(edge.visits);
                    self.drawn_score(halving, index) + if last { 1e6 } else { 0.0 }
                }
                _ => self.final_score(node, edge),
            },
        }
    }

    /// Whether a draw that is proven is better than the move tried most often among those that are
    /// not proven.
    fn prefers_draw(&self, node: u32) -> bool {
        let open = self.tree.edges_of(node).iter().filter(|edge| self.tree.proven(edge).is_none());
        let most = open.max_by_key(|edge| edge.visits);
        self.config.solver == Solver::Values
            && self.tree.nodes[node as usize].drawable
            && most.is_none_or(|edge| edge.mean() < Pov(0.0))
    }

    /// The index of the best move of a node, the first of equals.
    fn best(&self, node: u32) -> Option<usize> {
        (0..self.tree.edges_of(node).len()).reduce(|best, index| {
            if self.rank(node, index) > self.rank(node, best) { index } else { best }
        })
    }

    /// The value of the root to its player: proven, or the mean of all simulations.
    pub fn value(&self) -> Pov {
        let Some(root) = self.tree.nodes.first() else { return Pov(0.0) };
        if let Some(result) = root.proven {
            return Pov(result.pov(root.player).0 as f32);
        }
        let own = (f64::from(root.value.pov(root.player).0), 1.0);
        let edges = self.tree.edges_of(0).iter();
        let (sum, visits) = edges.fold(own, |(sum, n), e| (sum + e.sum.0, n + f64::from(e.visits)));
        let mean = (sum / visits) as f32;
        Pov(if root.drawable { mean.max(0.0) } else { mean })
    }

    /// The move to play, with what is thought of it and of the others.
    ///
    /// # Panics
    /// Before the first evaluation.
    pub fn choice(&self) -> Choice<G::Action> {
        let edges = self.tree.edges_of(0);
        let mut order: Vec<usize> = (0..edges.len()).collect();
        order.sort_by(|a, b| self.rank(0, *b).total_cmp(&self.rank(0, *a)));
        let considered = |index: &usize| {
            let edge = &edges[*index];
            let known = edge.visits > 0 || self.tree.proven(edge).is_some();
            Some(Considered {
                value: known.then(|| f64::from(self.tree.value(0, edge).0)),
                visits: Some(u64::from(edge.visits)),
                prior: self.config.selection.uses_priors().then_some(edge.prior),
                ..Considered::bare(action_of(edge)?)
            })
        };
        let moves: Vec<_> = order.iter().filter_map(considered).collect();
        let best = moves.first().expect("the root has moves");
        let (action, value) = (best.action, best.value.or(Some(f64::from(self.value().0))));
        let (nodes, line) = (self.nodes(), self.line());
        Choice { value, moves, line, nodes, depth: self.depth, ..Choice::bare(action) }
    }

    /// The moves that are expected, as far as the tree goes and nature has no say.
    fn line(&self) -> Vec<G::Action> {
        let (mut node, mut line) = (0, Vec::new());
        while node != NONE && !self.tree.nodes[node as usize].chance {
            let Some(best) = self.best(node) else { break };
            let edge = &self.tree.edges_of(node)[best];
            if edge.visits == 0 && edge.child == NONE && !line.is_empty() {
                break;
            }
            line.extend(action_of(edge));
            node = edge.child;
        }
        line
    }

    /// Probabilities of the moves, in the order of the game's actions: what a policy should say of
    /// the root. Shares of visits, or of the improved policy of the Gumbel root; moves proven to lose
    /// have none, and if one is proven to win, all belongs to those that are.
    pub fn policy(&self, out: &mut Vec<f32>) {
        let edges = self.tree.edges_of(0);
        out.clear();
        let player = self.tree.nodes[0].player;
        let is = |edge: &Edge<Way<G>>, result| self.tree.proven(edge) == Some(result);
        let won = |edge: &Edge<Way<G>>| is(edge, GameResult::Win(player));
        let lost = |edge: &Edge<Way<G>>| is(edge, GameResult::Win(player.opponent()));
        if edges.iter().any(won) {
            out.extend(edges.iter().map(|edge| f32::from(u8::from(won(edge)))));
        } else if edges.iter().all(lost) {
            // All moves lose: later is as good as any.
            out.extend(edges.iter().map(|edge| edge.visits as f32 + edge.prior));
        } else if self.prefers_draw(0) {
            let draws = edges.iter().map(|edge| is(edge, GameResult::Draw));
            out.extend(draws.map(|draws| f32::from(u8::from(draws))));
        } else if let Some(halving) = &self.halving {
            let scale = halving.gumbel.scale;
            let score = |(i, edge): (usize, &Edge<Way<G>>)| match lost(edge) {
                true => f32::NEG_INFINITY,
                false => logit(edge.prior) + self.weighed(scale, i),
            };
            out.extend(edges.iter().enumerate().map(score));
            let most = out.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
            out.iter_mut().for_each(|x| *x = (*x - most).exp());
        } else {
            let tried = edges.iter().any(|edge| edge.visits > 0 && !lost(edge));
            out.extend(edges.iter().map(|edge| match (lost(edge), tried) {
                (true, _) => 0.0,
                (false, true) => edge.visits as f32,
                (false, false) => edge.prior,
            }));
        }
        let total: f32 = out.iter().sum();
        out.iter_mut().for_each(|chance| *chance /= total);
    }

    /// A move for self-play: drawn from the [`policy`](TreeSearch::policy) sharpened by
    /// `1 / temperature`, or the best one at 0. The Gumbel root has drawn already: its best one.
    ///
    /// # Panics
    /// Before the first evaluation.
    pub fn draw(&self, temperature: f32, rng: &mut Rng, scratch: &mut Vec<f32>) -> G::Action {
        let decided = self.proven().is_some() || self.halving.is_some();
        let index = if temperature <= 0.0 || decided {
            self.best(0).expect("the root has moves")
        } else {
            self.policy(scratch);
            scratch.iter_mut().for_each(|chance| *chance = chance.powf(1.0 / temperature));
            rng.weighted(scratch)
        };
        action_of(&self.tree.edges_of(0)[index]).expect("a player moves at the root")
    }

    /// Keeps what is known of the position after a move; nothing if nothing is, or nature moves.
    pub fn advance(&mut self, action: G::Action) {
        self.abandon();
        let Some(root) = self.root else { return };
        let known = self.tree.nodes.first().and_then(|_| {
            let edge = self.tree.edges_of(0).iter().find(|edge| action_of(edge) == Some(action))?;
            (edge.child != NONE).then_some(edge.child)
        });
        let (after, reward) = root.apply(action);
        let (Some(child), false) = (known, G::is_chance(&after)) else { return self.forget() };
        let outcome = G::sample(&after, &mut self.rng);
        let (next, bonus) = G::apply_outcome(&after, outcome);
        if next.is_over() {
            return self.forget();
        }
        self.tree = self.tree.below(child);
        (self.root, self.halving) = (Some(next), None);
        let paid = B::reward(reward + bonus);
        self.seen = self.seen.map(|(low, high)| (low - paid, high - paid));
    }

    /// Adds the simulations at the root of another tree of the same position.
    pub(super) fn absorb(&mut self, other: &TreeSearch<G, B>) {
        self.started += other.started;
        self.depth = self.depth.max(other.depth);
        self.tree.nodes[0].visits += other.tree.nodes[0].visits;
        for index in 0..self.tree.nodes[0].edges as usize {
            let theirs = other.tree.edges[index];
            let ours = &mut self.tree.edges[index];
            ours.visits += theirs.visits;
            ours.sum.0 += theirs.sum.0;
            let Some(result) = other.tree.proven(&theirs) else { continue };
            if ours.child == NONE {
                let player = self.tree.nodes[0].player;
                let end = self.tree.edges.len();
                self.tree.edges[index].child = self.tree.push_node(end, player, result.into());
            }
            let child = self.tree.edges[index].child;
            self.tree.nodes[child as usize].proven = Some(result);
        }
        self.tree.prove(0);
    }

    /// The `most` most visited nodes of the tree: the ways on from the root.
    pub fn outline(&self, most: usize) -> Vec<Branch<G>> {
        if self.tree.nodes.is_empty() { Vec::new() } else { outline(self, 0, most) }
    }
}

impl<G: Game, B: Backup<G>> Outline<G> for TreeSearch<G, B> {
    fn ways_on(&self, node: u32, out: &mut Vec<(Branch<G>, Option<u32>)>) {
        let likely = self.config.expansion == Expansion::Priors;
        let Node { chance, player, .. } = self.tree.nodes[node as usize];
        let edges = self.tree.edges_of(node);
        let visits: u64 = edges.iter().map(|edge| u64::from(edge.visits)).sum();
        for (edge, score) in edges.iter().zip(self.scores(node)) {
            let child = (edge.child != NONE).then_some(edge.child);
            let evaluation = child.map(|child| self.tree.nodes[child as usize].value.pov(player).0);
            let branch = Branch {
                way: edge.way,
                visits: u64::from(edge.visits),
                value: f64::from(self.tree.value(node, edge).0),
                prior: (likely || chance).then_some(edge.prior),
                score: Some(score).filter(|score| !chance && score.is_finite()),
                evaluation: evaluation.filter(|_| likely),
                share: (visits > 0).then(|| (f64::from(edge.visits) / visits as f64) as f32),
                proven: self.tree.proven(edge).is_some(),
                children: Vec::new(),
            };
            out.push((branch, child));
        }
    }
}

/// The move of an edge, unless it is nature's.
pub(super) fn action_of<G: Game>(edge: &Edge<Way<G>>) -> Option<G::Action> {
    match edge.way {
        Way::Action(action) => Some(action),
        Way::Chance(_) => None,
    }
}
