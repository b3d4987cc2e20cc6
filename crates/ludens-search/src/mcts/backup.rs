//! After a simulation: statistics, solved nodes, explorative factors.

use ludens_core::{Knowledge, Policy, Rollout, SoloPuzzle};

use super::config::{Amaf, Annealing, Block, Duplicates, Rule, Urgency};
use super::search::Search;
use super::select::is_live;
use super::tree::NONE;

/// A simulation's result from some node on, counted in three ways.
#[derive(Clone, Copy)]
pub(super) struct Simulated {
    /// As the game counts.
    pub(super) real: i64,
    /// With the part of the end bonus that averages get.
    pub(super) average: i64,
    /// With the part that maxima get.
    pub(super) top: i64,
}

impl Simulated {
    pub(super) fn add(&mut self, reward: i64) {
        self.real += reward;
        self.average += reward;
        self.top += reward;
    }
}

/// How much the factor of an ancestor grows at a terminal node (P and f).
const HIT: f32 = 1.05;
const HIT_FADES: f32 = 0.999;
/// How much the factor falls under late urgency, or grows with the depth block.
const STEP: f64 = 0.9995;
/// How much it grows with a terminal node (LeafBlock).
const LEAF_STEP: f64 = 0.99;
/// Late urgency starts when this part of the budget is spent.
const LATE: f64 = 0.70;
/// A node's own factor under late urgency and SA-UCT's exponential form do not
/// fall below 8 points of 5,000.
const COLDEST: f64 = 8.0 / 5000.0;

impl<G: SoloPuzzle, R: Rollout<G>, K: Knowledge<G>, P: Policy<G>> Search<'_, G, R, K, P> {
    /// Enters a result at the end of the path into all nodes of the path. At a
    /// terminal node `adjust` is what averages and maxima count less of the end
    /// bonus; `own` says that the last node is new.
    pub(super) fn back_up(
        &mut self,
        mut outcome: Simulated,
        adjust: Option<(i64, i64)>,
        own: bool,
    ) {
        let mut adjust = adjust;
        let extras = !self.tree.extras.is_empty();
        for i in (0..self.path.len()).rev() {
            let step = self.path[i];
            let node = &mut self.tree.nodes[step.node as usize];
            node.visits += u32::from(!self.config.count_on_descent);
            node.sum += outcome.average;
            node.squares += outcome.average * outcome.average;
            node.top = node.top.max(outcome.real as i32);
            node.guide = node.guide.max(outcome.top as i32);
            if step.edge == NONE {
                break;
            }
            if extras {
                let extra = &mut self.tree.extras[step.edge as usize];
                extra.visits += 1;
                extra.sum += outcome.average;
                if own && i + 1 == self.path.len() {
                    extra.own = Some(outcome.average as i32);
                }
            }
            outcome.add(i64::from(self.tree.edges[step.edge as usize].reward));
            // A terminal node has nothing to come; its bonus lies in the move to it.
            if let Some((average, top)) = adjust.take() {
                outcome.average += average;
                outcome.top += top;
            }
        }
        if self.config.rule == Rule::Uct3 {
            self.refresh();
        }
    }

    /// UCT3: averages of the path made anew from the children, bottom up. Nodes
    /// off the path keep theirs until an iteration passes.
    fn refresh(&mut self) {
        for i in (0..self.path.len()).rev() {
            let id = self.path[i].node;
            let mut count = 0.0;
            let mut sum = 0.0;
            for e in self.tree.tried(id) {
                let edge = self.tree.edges[e as usize];
                let n = f64::from(self.tree.extras[e as usize].visits);
                if n > 0.0 && edge.child != NONE {
                    let child = &self.tree.nodes[edge.child as usize];
                    sum += n * (f64::from(edge.reward) + child.refreshed);
                    count += n;
                }
            }
            let node = &mut self.tree.nodes[id as usize];
            // What the children do not account for are the node's own simulations.
            let rest = f64::from(node.visits) - count;
            node.refreshed = if count == 0.0 || rest < 0.0 {
                if count == 0.0 { node.average() } else { sum / count }
            } else {
                (sum + rest * node.average()) / (count + rest)
            };
        }
    }

    /// All moves as first: every node of the path counts the moves played
    /// from it on.
    pub(super) fn back_up_later(&mut self, total: i64) {
        if self.config.amaf == Amaf::None {
            return;
        }
        // 1. The codes of the whole line, from the start on.
        self.codes.clear();
        let mut here = self.tree.positions[0];
        for &action in &self.line {
            self.codes.push(self.knowledge.code(&here, action));
            here = here.apply(action).0;
        }
        // 2. Each node's edges with a code from there on. The path has one node
        // more than moves, the last one's edges are not listed yet.
        let mut score = 0;
        for (depth, step) in self.path.iter().enumerate() {
            if step.edge != NONE {
                score += i64::from(self.tree.edges[step.edge as usize].reward);
            }
            let node = &self.tree.nodes[step.node as usize];
            if node.first == NONE {
                continue;
            }
            let later = self.codes.get(depth..).unwrap_or_default();
            for e in node.first..node.first + u32::from(node.edges) {
                let extra = &mut self.tree.extras[e as usize];
                if later.contains(&extra.code) {
                    extra.later += 1;
                    extra.later_sum += total - score;
                }
            }
        }
    }

    /// Marks the node at an index of the path as solved, and its ancestors as far
    /// as they have nothing left to try.
    pub(super) fn solve_up(&mut self, mut i: usize) {
        loop {
            let id = self.path[i].node;
            self.tree.nodes[id as usize].solved = true;
            if self.config.duplicates == Duplicates::Consistent {
                self.move_statistics(id, -1);
            }
            if i == 0 || !self.is_exhausted(self.path[i - 1].node) {
                return;
            }
            i -= 1;
        }
    }

    /// Whether all moves of a node are tried and none leads on.
    pub(super) fn is_exhausted(&self, id: u32) -> bool {
        let node = &self.tree.nodes[id as usize];
        node.first != NONE
            && node.tried == node.edges
            && !self.tree.tried(id).any(|e| is_live(self.tree, self.config, e))
    }

    /// Adds a node's statistics to all its ancestors (`sign` 1) or takes them
    /// out (-1), each shifted by the score between the two.
    pub(super) fn move_statistics(&mut self, id: u32, sign: i64) {
        let node = self.tree.nodes[id as usize];
        let n = i64::from(node.visits);
        let (mut sum, mut squares) = (node.sum, node.squares);
        let (mut top, mut guide) = (node.top, node.guide);
        let (mut via, mut above) = (node.via, node.parent);
        while via != NONE {
            let reward = self.tree.edges[via as usize].reward;
            let r = i64::from(reward);
            squares += 2 * r * sum + n * r * r;
            sum += n * r;
            (top, guide) = (top.saturating_add(reward), guide.saturating_add(reward));
            let owner = &mut self.tree.nodes[above as usize];
            owner.visits = (i64::from(owner.visits) + sign * n).max(0) as u32;
            owner.sum += sign * sum;
            owner.squares += sign * squares;
            if sign > 0 {
                (owner.top, owner.guide) = (owner.top.max(top), owner.guide.max(guide));
            }
            (via, above) = (owner.via, owner.parent);
        }
    }

    /// The score of the way by which a node is owned.
    pub(super) fn owned_score(&self, mut id: u32) -> i64 {
        let mut score = 0;
        loop {
            let node = &self.tree.nodes[id as usize];
            if node.via == NONE {
                return score;
            }
            score += i64::from(self.tree.edges[node.via as usize].reward);
            id = node.parent;
        }
    }

    /// Gives a node another owner.
    pub(super) fn adopt(&mut self, id: u32, parent: u32, via: u32) {
        let moves = self.config.duplicates == Duplicates::Consistent
            && !self.tree.nodes[id as usize].solved;
        if moves {
            self.move_statistics(id, -1);
        }
        let node = &mut self.tree.nodes[id as usize];
        (node.parent, node.via) = (parent, via);
        if moves {
            self.move_statistics(id, 1);
        }
    }

    /// A terminal node below the path's node at index `i`: explore more.
    pub(super) fn terminal_hit(&mut self, i: usize) {
        match self.config.block {
            Block::Node { floor } => {
                let mut factor = HIT;
                for step in self.path[..=i].iter().rev() {
                    let node = &mut self.tree.nodes[step.node as usize];
                    node.c *= factor;
                    node.reached_end = true;
                    factor = (factor * HIT_FADES).max(floor);
                }
            }
            Block::Leaf => self.c /= LEAF_STEP,
            _ => {}
        }
    }

    /// The explorative factor of a node that is visited now.
    pub(super) fn factor(&mut self, id: u32) -> f64 {
        if !self.config.factor_per_node() {
            return self.c;
        }
        let spent = self.meter.spent();
        let cooled = self.cooled(spent);
        let node = &mut self.tree.nodes[id as usize];
        if !node.reached_end {
            if let Some(c) = cooled {
                node.c = c as f32;
            } else if self.config.urgency == Urgency::NoTerminal && spent > LATE {
                node.c = (node.c * STEP as f32).max(COLDEST as f32);
            }
        }
        f64::from(node.c)
    }

    /// SA-UCT's factor when so much is spent.
    fn cooled(&self, spent: f64) -> Option<f64> {
        let start = f64::from(self.config.c);
        match self.config.annealing {
            Annealing::None => None,
            Annealing::Linear => Some(start * (1.0 - spent).max(0.0)),
            Annealing::Exponential => Some((start * (-5.0 * spent).exp()).max(COLDEST)),
        }
    }

    /// The common explorative factor, once per iteration.
    pub(super) fn adjust_factor(&mut self) {
        if self.config.factor_per_node() {
            return;
        }
        let spent = self.meter.spent();
        if let Some(c) = self.cooled(spent) {
            self.c = c;
        }
        // The length of random games: that of all games falls as the tree makes them better,
        // and gives neither the published depths nor the published terminal nodes.
        let (games, lengths) = self.random_games;
        let length = lengths as f64 / games.max(1) as f64;
        let ideal = match self.config.block {
            Block::Depth(depth) => f64::from(depth),
            Block::Length(part) => length / f64::from(part),
            _ => length / 2.0,
        };
        let depth = self.statistics.average_depth();
        let urgent = match self.config.urgency {
            Urgency::None => false,
            Urgency::Shallow => depth < 0.5 * ideal,
            Urgency::NoTerminal => self.statistics.terminals == 0,
        };
        if urgent && spent > LATE {
            self.c *= STEP;
        }
        if matches!(self.config.block, Block::Depth(_) | Block::Length(_)) && depth > ideal {
            self.c /= STEP;
        }
    }
}
