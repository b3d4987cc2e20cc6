//! One search: select, expand, simulate, back up, until the share is spent.

use ludens_core::{Game, Knowledge, Policy, Rng, Rollout, SearchStatistics, SoloPuzzle};

use super::backup::Simulated;
use super::config::{Config, Duplicates, Simulation};
use super::expand::Tried;
use super::schedule::{Meter, milestones};
use super::select::Situation;
use super::tree::{NONE, Tree};

/// A node of the path and the edge that led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) edge: u32,
}

pub(super) struct Search<'s, G: SoloPuzzle, R, K, P> {
    pub(super) config: &'s Config,
    pub(super) rollout: &'s mut R,
    pub(super) knowledge: &'s K,
    pub(super) policy: &'s mut P,
    pub(super) rng: Rng,
    pub(super) tree: &'s mut Tree<G>,
    /// Trees for the searches that simulations are.
    pub(super) lower: &'s mut [Tree<G>],
    /// The score before the first position.
    pub(super) before: i64,
    pub(super) meter: Meter<'s>,
    pub(super) statistics: SearchStatistics,
    /// The nodes of this iteration from the start on; the first `fixed` stay.
    pub(super) path: Vec<Step>,
    pub(super) fixed: usize,
    pub(super) fixed_score: i64,
    /// The actions of this iteration and the codes of them.
    pub(super) line: Vec<G::Action>,
    pub(super) codes: Vec<u64>,
    pub(super) probabilities: Vec<f32>,
    /// The common explorative factor.
    pub(super) c: f64,
    /// Games whose simulations started one move from the root, and the sum of their lengths:
    /// how long games are before the tree makes them better.
    pub(super) random_games: (u64, u64),
    /// How deep the tree is closed, and what has passed each depth below.
    pub(super) closed: usize,
    pub(super) passes: Vec<u32>,
    pub(super) memory: usize,
    pub(super) best: Option<i64>,
    pub(super) best_line: Vec<G::Action>,
}

/// The parts a search works with.
pub(super) struct Parts<'s, G: SoloPuzzle, R, K, P> {
    pub(super) config: &'s Config,
    pub(super) rollout: &'s mut R,
    pub(super) knowledge: &'s K,
    pub(super) policy: &'s mut P,
    pub(super) tree: &'s mut Tree<G>,
    pub(super) lower: &'s mut [Tree<G>],
    pub(super) before: i64,
    pub(super) meter: Meter<'s>,
    pub(super) rng: Rng,
    pub(super) memory: usize,
}

impl<'s, G: SoloPuzzle, R: Rollout<G>, K: Knowledge<G>, P: Policy<G>> Search<'s, G, R, K, P> {
    pub(super) fn new(parts: Parts<'s, G, R, K, P>, position: &G) -> Self {
        let Parts { config, tree, .. } = parts;
        tree.clear();
        let key = listed_key(config, parts.knowledge, position);
        tree.add(*position, (NONE, NONE), config.c, key);
        Search {
            config,
            rollout: parts.rollout,
            knowledge: parts.knowledge,
            policy: parts.policy,
            rng: parts.rng,
            tree,
            lower: parts.lower,
            before: parts.before,
            meter: parts.meter,
            statistics: SearchStatistics::default(),
            path: vec![Step { node: 0, edge: NONE }],
            fixed: 1,
            fixed_score: 0,
            line: Vec::new(),
            codes: Vec::new(),
            probabilities: Vec::new(),
            c: f64::from(config.c),
            random_games: (0, 0),
            closed: 0,
            passes: Vec::new(),
            memory: parts.memory,
            best: None,
            best_line: Vec::new(),
        }
    }

    /// Searches until the share of the budget is spent or all is tried; `report`
    /// is called with better lines now and then.
    pub(super) fn run(&mut self, report: &mut dyn FnMut(&Self)) {
        if self.tree.positions[0].is_over() {
            self.record(0);
        }
        let ends = milestones(self.config.allocation, self.meter.units());
        let mut moves = 0;
        let mut reported = self.best;
        while !self.is_exhausted_at_root() {
            self.iterate();
            self.meter.iterate();
            self.statistics.iterations += 1;
            self.adjust_factor();
            if self.meter.look() && self.best != reported {
                reported = self.best;
                report(self);
            }
            self.narrow();
            while ends.get(moves).is_some_and(|&end| self.meter.spent() >= end) {
                moves += 1;
                self.fix_move();
            }
            self.leave_solved();
            if self.meter.over() {
                break;
            }
        }
        self.statistics.states = self.meter.states;
        self.statistics.eighths = self.meter.eighths;
    }

    /// Whether nothing is left to try.
    fn is_exhausted_at_root(&self) -> bool {
        self.tree.nodes[0].solved || self.tree.positions[0].is_over()
    }

    /// Whether no line can be better than the best one.
    pub(super) fn is_proven(&self) -> bool {
        self.is_exhausted_at_root()
            && !self.config.state_pruning
            && self.closed == 0
            && matches!(self.config.duplicates, Duplicates::Keep | Duplicates::Share)
    }

    /// One iteration.
    pub(super) fn iterate(&mut self) {
        self.path.truncate(self.fixed);
        self.count_path(1);
        if !self.descend() {
            self.count_path(-1);
        }
    }

    /// Counts a visit of every node of the path, where that is done on the way down.
    fn count_path(&mut self, visits: i32) {
        if self.config.count_on_descent {
            for step in &self.path {
                let node = &mut self.tree.nodes[step.node as usize];
                node.visits = node.visits.saturating_add_signed(visits);
            }
        }
    }

    /// Goes a step further down.
    pub(super) fn enter(&mut self, step: Step) {
        self.path.push(step);
        self.tree.nodes[step.node as usize].visits += u32::from(self.config.count_on_descent);
        self.meter.descend();
    }

    /// Walks down, adds a node and simulates from it; `false` where this led nowhere.
    fn descend(&mut self) -> bool {
        let mut score = self.fixed_score;
        loop {
            let at = self.path[self.path.len() - 1].node;
            let c = self.factor(at);
            // 1. Until a node has been visited T times it is only simulated from,
            // and so is every node once the memory is full.
            let node = &self.tree.nodes[at as usize];
            let visits = node.visits.saturating_sub(u32::from(self.config.count_on_descent));
            let again = node.first == NONE && visits > 0;
            if again && self.config.late_ends && self.tree.positions[at as usize].is_over() {
                self.meter.inspect(1);
                self.solve_up(self.path.len() - 1);
                return false;
            }
            let young = visits < self.config.expand_after && self.path.len() > self.fixed;
            let untried = node.first == NONE || node.tried < node.edges;
            if young || untried && self.tree.bytes() >= self.memory {
                self.simulate(score, false);
                return true;
            }
            if node.first == NONE {
                self.open(at);
            }
            // 2. Moves not tried yet come first, in random order.
            let mut next = None;
            let arrived_untried = self.untried(at) > 0;
            let now = Situation { score, best: self.best, c };
            while next.is_none() {
                let Some(edge) = self.next_untried(at, &now) else { break };
                match self.try_move(at, edge, score) {
                    Tried::New => {
                        score += i64::from(self.tree.edges[edge as usize].reward);
                        self.simulate(score, true);
                        return true;
                    }
                    Tried::Joined => next = Some(edge),
                    Tried::Cut
                        if matches!(
                            self.config.duplicates,
                            Duplicates::Share | Duplicates::Symmetric
                        ) => {}
                    // The next iteration starts at the root again, as in Klein's
                    // program: the way down has its price.
                    Tried::Cut => {
                        if self.is_exhausted(at) {
                            self.solve_up(self.path.len() - 1);
                        }
                        return false;
                    }
                    Tried::Ceased => return false,
                }
            }
            // 3. Otherwise the rule chooses among the children.
            let next = next.or_else(|| self.choose(at, &now));
            let Some(edge) = next else {
                // Nothing leads on. If nothing was tried just now, this came to
                // pass elsewhere and counts as a terminal node.
                if !arrived_untried && self.config.duplicates != Duplicates::Keep {
                    self.terminal_hit(self.path.len() - 1);
                }
                self.meter.descend();
                self.solve_up(self.path.len() - 1);
                return false;
            };
            let step = self.tree.edges[edge as usize];
            self.enter(Step { node: step.child, edge });
            score += i64::from(step.reward);
        }
    }

    /// The actions of the path.
    pub(super) fn start_line(&mut self) {
        self.line.clear();
        let edges = self.path.iter().filter(|step| step.edge != NONE);
        self.line.extend(edges.map(|step| self.tree.edges[step.edge as usize].action));
    }

    /// Keeps the line if it is the best so far.
    pub(super) fn record(&mut self, value: i64) {
        if self.best.is_none_or(|best| value > best) {
            self.best = Some(value);
            self.best_line.clone_from(&self.line);
        }
    }

    /// Simulates from the last node of the path and backs the result up.
    pub(super) fn simulate(&mut self, score: i64, new: bool) {
        self.start_line();
        let last = self.path.len() - 1;
        let id = self.path[last].node;
        let position = self.tree.positions[id as usize];
        let before = self.line.len();
        let (end, total, solved) = if self.lower.is_empty() {
            let stepwise =
                self.config.epsilon > 0.0 || self.config.simulation == Simulation::Policy;
            let (end, total) = if stepwise {
                self.play_stepwise(position)
            } else {
                self.rollout.play(&position, &mut self.line, &mut self.rng)
            };
            self.meter.inspect((self.line.len() - before) as u64 + 1);
            self.statistics.games += 1;
            self.statistics.game_lengths += self.line.len() as u64;
            if self.path.len() == 2 {
                self.random_games.0 += 1;
                self.random_games.1 += self.line.len() as u64;
            }
            self.rollout.learn(self.before + score + total);
            (end, total, self.line.len() == before)
        } else {
            self.simulate_by_search(position, score)
        };
        let moves = self.line.len() - before;
        self.record(score + total);
        let bonus = self.knowledge.end_bonus(&end) as f64;
        let part = |fraction: f32| ((f64::from(fraction) - 1.0) * bonus).round() as i64;
        let less = (part(self.config.bonus_average), part(self.config.bonus_top));
        let mut outcome = Simulated { real: total, average: total, top: total };
        if moves > 0 {
            outcome.average += less.0;
            outcome.top += less.1;
        }
        self.back_up(outcome, (moves == 0).then_some(less), new);
        self.back_up_later(score + total);
        if moves == 0 {
            self.statistics.terminals += 1;
            self.terminal_hit(last);
        }
        if solved && !(moves == 0 && self.config.late_ends) {
            self.solve_up(last);
        }
    }

    /// A simulation that leaves its policy with a small probability. Policies may
    /// take long, so one that is interrupted ends with random moves.
    fn play_stepwise(&mut self, position: G) -> (G, i64) {
        let (mut here, mut total) = (position, 0);
        let slow = self.config.simulation == Simulation::Policy;
        self.rollout.start(&here, &mut self.rng);
        loop {
            let loose = self.config.epsilon > 0.0
                && self.rng.unit() < f64::from(self.config.epsilon)
                || slow && self.meter.limits.interrupted();
            let step = if loose {
                here.step(&mut self.rng)
            } else {
                self.rollout.pick(&here, &mut self.rng)
            };
            let Some((action, next, reward)) = step else { return (here, total) };
            self.line.push(action);
            total += i64::from(reward);
            here = next;
        }
    }

    /// Fixes the next move: the one with the best game so far, counted from the
    /// child on with "+". Solved children have nothing left to find.
    fn fix_move(&mut self) {
        let at = self.path[self.fixed - 1].node;
        let plus = self.config.plus;
        let open = |e: &u32| {
            let child = self.tree.edges[*e as usize].child;
            child != NONE
                && !self.tree.nodes[child as usize].solved
                // A position that is only symmetric has other moves.
                && (self.config.duplicates != Duplicates::Symmetric
                    || self.tree.nodes[child as usize].via == *e)
        };
        let value = |e: u32| {
            let edge = &self.tree.edges[e as usize];
            let top = i64::from(self.tree.nodes[edge.child as usize].top);
            if plus { top } else { top + i64::from(edge.reward) }
        };
        let best =
            self.tree.tried(at).filter(open).max_by_key(|&e| (value(e), std::cmp::Reverse(e)));
        let Some(edge) = best else { return };
        let step = self.tree.edges[edge as usize];
        if self.config.duplicates != Duplicates::Share
            && self.tree.nodes[step.child as usize].via != edge
        {
            self.adopt(step.child, at, edge);
        }
        self.path.truncate(self.fixed);
        self.path.push(Step { node: step.child, edge });
        self.fixed += 1;
        self.fixed_score += i64::from(step.reward);
    }

    /// Takes fixed moves back while nothing is left to try behind them.
    fn leave_solved(&mut self) {
        while self.fixed > 1 && self.tree.nodes[self.path[self.fixed - 1].node as usize].solved {
            let edge = self.path[self.fixed - 1].edge;
            self.fixed -= 1;
            self.fixed_score -= i64::from(self.tree.edges[edge as usize].reward);
        }
    }
}

/// What a position is entered under in the tree; nothing where duplicates are kept.
pub(super) fn listed_key<G: Game, K: Knowledge<G>>(
    config: &Config,
    knowledge: &K,
    position: &G,
) -> Option<u64> {
    match config.duplicates {
        Duplicates::Keep => None,
        Duplicates::Symmetric => Some(knowledge.canonical(position).key()),
        _ => Some(position.key()),
    }
}
