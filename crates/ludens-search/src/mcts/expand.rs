//! Moves: which ones a node has, which one is tried next, and where it leads.

use ludens_core::{Knowledge, Policy, Rollout, SoloPuzzle};

use super::config::{Amaf, Duplicates, Rule};
use super::rollout::draw;
use super::search::{Search, Step, listed_key};
use super::select::{Situation, best_edge, is_live, puct};
use super::tree::NONE;

/// What trying a move led to.
pub(super) enum Tried {
    /// A new node.
    New,
    /// A node that was there already and continues from here.
    Joined,
    /// Nothing: the move is cut.
    Cut,
    /// The end of the iteration.
    Ceased,
}

impl<G: SoloPuzzle, R: Rollout<G>, K: Knowledge<G>, P: Policy<G>> Search<'_, G, R, K, P> {
    pub(super) fn untried(&self, at: u32) -> u32 {
        let node = &self.tree.nodes[at as usize];
        u32::from(node.edges - node.tried)
    }

    /// Lists the moves of a node, with probabilities and codes where needed.
    pub(super) fn open(&mut self, at: u32) {
        let extras = self.config.edge_statistics();
        self.tree.open(at, extras);
        if !extras {
            return;
        }
        let node = self.tree.nodes[at as usize];
        let position = self.tree.positions[at as usize];
        let range = node.first as usize..node.first as usize + usize::from(node.edges);
        if self.config.rule == Rule::Puct {
            self.probabilities.clear();
            self.policy.probabilities(&position, &mut self.probabilities);
            for (extra, &p) in self.tree.extras[range.clone()].iter_mut().zip(&self.probabilities) {
                extra.prior = p;
            }
        }
        if self.config.amaf != Amaf::None {
            for e in range {
                let code = self.knowledge.code(&position, self.tree.edges[e].action);
                self.tree.extras[e].code = code;
            }
        }
    }

    /// The next move to try at a node, if it is time to try one.
    pub(super) fn next_untried(&mut self, at: u32, now: &Situation) -> Option<u32> {
        let left = self.untried(at);
        if left == 0 {
            return None;
        }
        if self.config.rule != Rule::Puct {
            let offset = self.rng.below(left);
            return Some(self.tree.take(at, offset));
        }
        let node = self.tree.nodes[at as usize];
        let from = node.first + u32::from(node.tried);
        let to = node.first + u32::from(node.edges);
        let offset = if node.tried == 0 {
            // A leaf: its first child is drawn from the policy.
            let priors = self.tree.extras[from as usize..to as usize].iter().map(|x| x.prior);
            draw(priors, &mut self.rng).unwrap_or(0) as u32
        } else if self.path.len() == 1 && self.config.root_visits > 0 {
            0
        } else {
            puct(self.tree, self.config, at, now)?.checked_sub(from)?
        };
        Some(self.tree.take(at, offset))
    }

    /// The child to go to, all moves being tried.
    pub(super) fn choose(&mut self, at: u32, now: &Situation) -> Option<u32> {
        if self.path.len() == 1 && self.config.root_visits > 0 {
            let visits =
                |e: u32| self.tree.nodes[self.tree.edges[e as usize].child as usize].visits;
            let live = self.tree.tried(at).filter(|&e| is_live(self.tree, self.config, e));
            let least = live.min_by_key(|&e| visits(e));
            if let Some(e) = least.filter(|&e| visits(e) < self.config.root_visits) {
                return Some(e);
            }
        }
        best_edge(self.tree, self.config, at, now)
    }

    /// Plays a move that has not been tried: a new node, or what the rule for
    /// duplicates says.
    pub(super) fn try_move(&mut self, at: u32, edge: u32, score: i64) -> Tried {
        let action = self.tree.edges[edge as usize].action;
        let (position, reward) = self.tree.positions[at as usize].apply(action);
        self.tree.edges[edge as usize].reward = reward;
        let key = listed_key(self.config, self.knowledge, &position);
        if let Some(id) = key.and_then(|key| self.found(key, &position)) {
            let score = score + i64::from(reward);
            match self.config.duplicates {
                Duplicates::Symmetric if score > self.owned_score(id) => self.drop_worse(id),
                _ => return self.meet(at, edge, id, score),
            }
        }
        let id = self.tree.add(position, (at, edge), self.config.c, key);
        self.tree.edges[edge as usize].child = id;
        if self.config.state_pruning {
            let bound = self.knowledge.upper_bound(&position);
            let bound = bound.map_or(i32::MAX, |b| b.min(i64::from(i32::MAX)) as i32);
            self.tree.nodes[id as usize].bound = bound;
        }
        self.enter(Step { node: id, edge });
        self.statistics.created(self.path.len() - 1);
        Tried::New
    }

    /// The node that was entered under a position's key, unless it is of another position.
    fn found(&self, key: u64, position: &G) -> Option<u32> {
        let id = self.tree.find(key)?;
        let known = &self.tree.positions[id as usize];
        let same = match self.config.duplicates {
            Duplicates::Symmetric => {
                self.knowledge.canonical(known) == self.knowledge.canonical(position)
            }
            _ => known == position,
        };
        same.then_some(id)
    }

    /// Cuts a node to which a symmetric position was reached with a larger score. It is not
    /// taken over: its moves are others.
    fn drop_worse(&mut self, id: u32) {
        self.statistics.hits += 1;
        self.statistics.hit_depths += self.path.len() as u64;
        self.statistics.suboptimal += 1;
        self.tree.nodes[id as usize].via = NONE;
    }

    /// A move leads to a node that is in the tree already.
    pub(super) fn meet(&mut self, at: u32, edge: u32, id: u32, score: i64) -> Tried {
        self.tree.edges[edge as usize].child = id;
        self.statistics.hits += 1;
        self.statistics.hit_depths += self.path.len() as u64;
        let solved = self.tree.nodes[id as usize].solved;
        if self.config.duplicates == Duplicates::Share {
            return if solved { Tried::Cut } else { Tried::Joined };
        }
        let better = score > self.owned_score(id);
        self.statistics.suboptimal += u64::from(better);
        if solved {
            // Without the duplicate rule this would have led to terminal nodes.
            self.terminal_hit(self.path.len() - 1);
        }
        if !better || matches!(self.config.duplicates, Duplicates::Naive | Duplicates::Symmetric) {
            return Tried::Cut;
        }
        self.adopt(id, at, edge);
        if !solved {
            return Tried::Joined;
        }
        let top = i64::from(self.tree.nodes[id as usize].top);
        if self.best.is_none_or(|best| score + top > best) {
            self.follow(id, edge, score);
        }
        self.meter.descend();
        Tried::Ceased
    }

    /// Plays on from a solved node along its best known line and records it.
    pub(super) fn follow(&mut self, mut id: u32, edge: u32, mut score: i64) {
        self.start_line();
        self.line.push(self.tree.edges[edge as usize].action);
        while let Some(edge) = self.best_child(id, |edge, top| i64::from(edge) + top) {
            let step = self.tree.edges[edge as usize];
            self.line.push(step.action);
            score += i64::from(step.reward);
            id = step.child;
        }
        // The best known line may end in a simulation that was not kept: play anew.
        let position = self.tree.positions[id as usize];
        let (_, total) = self.rollout.play(&position, &mut self.line, &mut self.rng);
        self.meter.inspect(1);
        self.record(score + total);
    }

    /// The tried edge of a node whose reward and child's top come to most.
    pub(super) fn best_child(&self, id: u32, value: impl Fn(i32, i64) -> i64) -> Option<u32> {
        let known = |&e: &u32| {
            let child = self.tree.edges[e as usize].child;
            child != NONE && self.tree.nodes[child as usize].top > i32::MIN
        };
        self.tree.tried(id).filter(known).max_by_key(|&e| {
            let edge = &self.tree.edges[e as usize];
            let top = i64::from(self.tree.nodes[edge.child as usize].top);
            (value(edge.reward, top), std::cmp::Reverse(e))
        })
    }
}
