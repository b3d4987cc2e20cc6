//! What a tree says of its root.

use ludens_core::{Choice, Considered, Deterministic, Duel, GameResult, Rng};

use super::gumbel::logit;
use super::search::Puct;
use crate::duel::tree::{Edge, NONE};

/// Better than everything that is not proven.
const WON: f32 = 1e18;

impl<G: Duel + Deterministic> Puct<G> {
    /// By what a move is chosen in the end: a proven win first, a proven loss last; among the rest by
    /// visits, then by probability.
    fn rank(&self, node: u32, index: usize) -> f32 {
        let edge = &self.tree.edges_of(node)[index];
        let player = self.tree.nodes[node as usize].player;
        match self.tree.proven(edge) {
            Some(GameResult::Win(winner)) if winner == player => WON,
            // More visits make a loss look further away.
            Some(GameResult::Win(_)) => {
                let all = self.tree.nodes[node as usize].visits;
                -WON + WON / 2.0 * edge.visits as f32 / (1.0 + all as f32)
            }
            Some(GameResult::Draw) if self.prefers_draw(node) => WON / 2.0,
            _ => match (&self.halving, node) {
                (Some(halving), 0) => {
                    let most = self.tree.edges_of(0).iter().map(|edge| edge.visits).max();
                    let last = most == Some(edge.visits);
                    self.drawn_worth(halving, index) + if last { 1e6 } else { 0.0 }
                }
                _ => edge.visits as f32 + edge.prior,
            },
        }
    }

    /// Whether a draw that is proven is better than the move tried most often among those that are
    /// not proven.
    fn prefers_draw(&self, node: u32) -> bool {
        let open = self.tree.edges_of(node).iter().filter(|edge| self.tree.proven(edge).is_none());
        let most = open.max_by_key(|edge| edge.visits);
        self.tree.nodes[node as usize].drawable && most.is_none_or(|edge| edge.mean() < 0.0)
    }

    /// What a move is worth to the mover: proven, or the mean.
    fn worth(&self, node: u32, edge: &Edge<G::Action>) -> f32 {
        match self.tree.proven(edge) {
            Some(outcome) => {
                (outcome.value() * self.tree.nodes[node as usize].player.sign()) as f32
            }
            None => edge.mean(),
        }
    }

    /// The place of the best move of a node.
    fn best(&self, node: u32) -> Option<usize> {
        let places = 0..self.tree.edges_of(node).len();
        places.reduce(
            |best, place| {
                if self.rank(node, place) > self.rank(node, best) { place } else { best }
            },
        )
    }

    /// The move to play, with what is thought of it and of the others.
    ///
    /// # Panics
    /// Before the first verdict.
    pub fn choice(&self) -> Choice<G::Action> {
        let edges = self.tree.edges_of(0);
        let mut places: Vec<usize> = (0..edges.len()).collect();
        places.sort_by(|a, b| self.rank(0, *b).total_cmp(&self.rank(0, *a)));
        let considered = |place: &usize| {
            let edge = &edges[*place];
            let known = edge.visits > 0 || self.tree.proven(edge).is_some();
            Considered {
                action: edge.action,
                value: known.then(|| f64::from(self.worth(0, edge))),
                visits: Some(u64::from(edge.visits)),
                prior: Some(edge.prior),
            }
        };
        let moves: Vec<_> = places.iter().map(considered).collect();
        let best = moves.first().expect("the root has moves");
        let (action, value) = (best.action, best.value.or(Some(f64::from(self.value()))));
        let nodes = u64::from(self.simulations());
        Choice { action, value, moves, line: self.line(), nodes, depth: self.depth, proven: false }
    }

    /// The moves that both sides would choose, as far as the tree goes.
    fn line(&self) -> Vec<G::Action> {
        let (mut node, mut line) = (0, Vec::new());
        while node != NONE {
            let Some(best) = self.best(node) else { break };
            let edge = &self.tree.edges_of(node)[best];
            if edge.visits == 0 && edge.child == NONE && !line.is_empty() {
                break;
            }
            line.push(edge.action);
            node = edge.child;
        }
        line
    }

    /// Chances of the moves, in the order of the game's actions: what a policy should say of the
    /// root. Shares of visits, or of the improved policy of the Gumbel root; moves proven to lose
    /// have none, and if one is proven to win, all belongs to those that are.
    pub fn policy(&self, out: &mut Vec<f32>) {
        let edges = self.tree.edges_of(0);
        out.clear();
        let player = self.player();
        let won = |edge: &Edge<G::Action>| self.tree.proven(edge) == Some(GameResult::Win(player));
        let lost = |edge: &Edge<G::Action>| {
            self.tree.proven(edge) == Some(GameResult::Win(player.opponent()))
        };
        if edges.iter().any(won) {
            out.extend(edges.iter().map(|edge| f32::from(u8::from(won(edge)))));
        } else if edges.iter().all(lost) {
            // All moves lose: later is as good as any.
            out.extend(edges.iter().map(|edge| edge.visits as f32 + edge.prior));
        } else if self.prefers_draw(0) {
            let draws = edges.iter().map(|edge| self.tree.proven(edge) == Some(GameResult::Draw));
            out.extend(draws.map(|draws| f32::from(u8::from(draws))));
        } else if let Some(halving) = &self.halving {
            let scale = halving.gumbel.scale;
            let worth = |(i, edge): (usize, &Edge<G::Action>)| match lost(edge) {
                true => f32::NEG_INFINITY,
                false => logit(edge.prior) + self.weighed(scale, i),
            };
            out.extend(edges.iter().enumerate().map(worth));
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

    /// A move for self-play: drawn from the [`policy`](Puct::policy) sharpened by `1 / temperature`,
    /// or the best one at 0. The Gumbel root has drawn already: its best one.
    pub fn draw(&self, temperature: f32, rng: &mut Rng, scratch: &mut Vec<f32>) -> G::Action {
        let edges = self.tree.edges_of(0);
        let settled = self.proven().is_some() || self.halving.is_some();
        if temperature <= 0.0 || settled {
            return edges[self.best(0).expect("the root has moves")].action;
        }
        self.policy(scratch);
        scratch.iter_mut().for_each(|chance| *chance = chance.powf(1.0 / temperature));
        edges[rng.weighted(scratch)].action
    }
}
