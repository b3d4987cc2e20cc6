//! Gather, evaluate, apply.

use std::marker::PhantomData;

use ludens_core::{Abs, Evals, Game, GameResult, Reward, Rng, Way};

use super::arena::{NONE, Node, Tree};
use super::backup::Backup;
use super::config::{Expansion, PuctConfig, Root, TreeConfig};
use super::gumbel::Halving;

/// A tree that grows by evaluations from outside.
pub struct TreeSearch<G: Game, B> {
    /// The parts that it is made of.
    pub config: TreeConfig,
    pub(super) tree: Tree<Way<G>>,
    pub(super) root: Option<G>,
    /// Whether a move was made in this game: a root not known then was a leaf before, whose
    /// evaluation is a simulation like that of any other.
    pub(super) moved: bool,
    /// What is different at this root.
    style: Root,
    pub(super) rng: Rng,
    pub(super) halving: Option<Halving>,
    /// Whether the style has been applied to the root.
    prepared: bool,
    goal: u64,
    /// Simulations started for this move.
    pub(super) started: u64,
    pub(super) depth: u32,
    pending: Vec<Pending<G>>,
    /// The paths of all pending simulations.
    pub(super) path: Vec<Step>,
    /// The least and the largest value of a whole game that a move was thought to lead to.
    pub(super) seen: Option<(f32, f32)>,
    scratch: Vec<f32>,
    backup: PhantomData<B>,
}

/// A simulation that waits for an evaluation.
#[derive(Clone, Copy)]
struct Pending<G> {
    position: G,
    /// Where its path begins in the list of paths; it ends where the next one begins.
    from: usize,
}

/// A step of a path.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) edge: u32,
    /// What it paid player one.
    pub(super) reward: f32,
}

impl<G: Game, B: Backup<G>> TreeSearch<G, B> {
    /// An empty tree.
    pub fn new(config: TreeConfig) -> Self {
        TreeSearch {
            config,
            tree: Tree::new(),
            root: None,
            moved: false,
            style: Root::Plain,
            rng: Rng::new(0),
            halving: None,
            prepared: false,
            goal: 0,
            started: 0,
            depth: 0,
            pending: Vec::new(),
            path: Vec::new(),
            seen: None,
            scratch: Vec::new(),
            backup: PhantomData,
        }
    }

    /// An empty tree for PUCT.
    pub fn puct(config: PuctConfig) -> Self {
        TreeSearch::new(B::puct(config))
    }

    /// Starts a move: `simulations` from a position, of which the first may evaluate the position
    /// itself. What is known of the position is kept, except by the Gumbel root.
    ///
    /// # Panics
    /// When the game is over.
    pub fn start(&mut self, position: &G, simulations: u64, style: Root, rng: Rng) {
        let moves = position.actions().len();
        assert!(moves > 0, "there is a move to choose");
        // Halving counts every move's visits from 0 on.
        if self.root != Some(*position) || matches!(style, Root::Gumbel(_)) {
            self.forget();
            self.root = Some(*position);
        }
        self.abandon();
        (self.style, self.rng, self.halving, self.prepared) = (style, rng, None, false);
        let forced = moves == 1 && !self.config.search_forced;
        let counted = self.config.count_root || (self.moved && self.tree.nodes.is_empty());
        let root = u64::from(self.config.evaluate_root && !counted);
        self.goal = if forced { 1 } else { simulations.max(1).saturating_add(root) };
        (self.started, self.depth) = (0, 0);
        if !self.tree.nodes.is_empty() {
            self.started = u64::from(self.config.evaluate_root);
            self.prepare();
        } else if !self.config.evaluate_root {
            self.expand(position, &[], Abs(0.0));
            self.tree.nodes[0].visits = 0;
            self.prepare();
        }
    }

    /// Forgets everything, keeping the memory.
    pub fn forget(&mut self) {
        self.abandon();
        self.tree.clear();
        (self.root, self.seen) = (None, None);
    }

    /// Whether the move is decided: all simulations are made, or nothing is left to find out.
    pub fn is_done(&self) -> bool {
        self.pending.is_empty() && (self.proven().is_some() || self.started >= self.goal)
    }

    /// Simulations of this move.
    pub fn simulations(&self) -> u64 {
        self.started
    }

    /// Positions that this move took to look at: simulations, or with the values of all moves
    /// everything that lies in the tree.
    pub fn nodes(&self) -> u64 {
        match self.config.expansion {
            Expansion::Priors => self.started,
            Expansion::Values => 1 + self.tree.edges.len() as u64,
        }
    }

    /// Positions in the tree.
    pub fn size(&self) -> usize {
        self.tree.nodes.len()
    }

    /// The memory that the tree takes.
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// How the game ends under best play, if that is proven.
    pub fn proven(&self) -> Option<GameResult> {
        self.tree.nodes.first().and_then(|root| root.proven)
    }

    /// Appends up to `most` positions that need an evaluation, fewer when paths meet or simulations
    /// run out. None means that the move is decided, or that evaluations are awaited.
    pub fn gather(&mut self, most: usize, out: &mut Vec<G>) -> usize {
        self.gather_within(most, usize::MAX, out)
    }

    /// The same with at most `walks` simulations, some of which may need no evaluation.
    pub(super) fn gather_within(&mut self, most: usize, walks: usize, out: &mut Vec<G>) -> usize {
        let before = out.len();
        if self.tree.nodes.is_empty() {
            if let (Some(position), true) = (self.root, self.pending.is_empty()) {
                self.started += 1;
                self.pending.push(Pending { position, from: 0 });
                out.push(position);
            }
            return out.len() - before;
        }
        for _ in 0..walks {
            let enough = out.len() - before >= most || self.started >= self.goal;
            if enough || self.proven().is_some() || !self.walk(out) {
                break;
            }
        }
        out.len() - before
    }

    /// Enters the evaluations of all positions gathered, from index `first` of `evals` on.
    pub fn apply(&mut self, evals: &Evals, first: usize) {
        for index in 0..self.pending.len() {
            let Pending { position, from } = self.pending[index];
            let to = self.pending.get(index + 1).map_or(self.path.len(), |next| next.from);
            let value = Abs(evals.value(first + index).unwrap_or(0.0));
            let node = self.expand(&position, evals.priors(first + index), value);
            match self.path[from..to].last() {
                Some(&Step { edge, .. }) => self.tree.edges[edge as usize].child = node,
                None => self.prepare(),
            }
            self.back_up(from, to, node);
        }
        self.pending.clear();
        self.path.clear();
    }

    /// One simulation. `false` when it met one that is pending.
    fn walk(&mut self, out: &mut Vec<G>) -> bool {
        let from = self.path.len();
        let (mut node, mut position) = (0, self.root.expect("a tree has a root"));
        loop {
            // Step 1. Choose a move, and an outcome where nature moves.
            let mut edge = self.select(node);
            let Way::Action(action) = self.tree.edges[edge as usize].way else {
                unreachable!("only chance nodes have outcomes")
            };
            let (after, mut reward) = position.apply(action);
            let outcome = if G::is_chance(&after) {
                let chance = self.chance_node(node, edge, &after);
                self.lend(node, edge, reward);
                (node, edge, reward) = (chance, self.select_outcome(chance), 0);
                let Way::Chance(outcome) = self.tree.edges[edge as usize].way else {
                    unreachable!("chance nodes have outcomes only")
                };
                outcome
            } else {
                G::sample(&after, &mut self.rng)
            };
            let (next, bonus) = G::apply_outcome(&after, outcome);
            position = next;
            let child = self.tree.edges[edge as usize].child;
            if child == NONE && self.is_pending(edge) {
                self.take_back(from);
                return false;
            }
            self.lend(node, edge, reward + bonus);
            // Step 2. Go on while the position is known and its end is not.
            if child != NONE {
                let Node { edges, proven, .. } = self.tree.nodes[child as usize];
                if edges > 0 && proven.is_none() {
                    node = child;
                    continue;
                }
            }
            self.started += 1;
            self.depth = self.depth.max((self.path.len() - from) as u32);
            // Step 3. Ask for an evaluation, unless the value is known.
            if child == NONE && !position.is_over() && !self.wins_at_once(&position) {
                self.pending.push(Pending { position, from });
                out.push(position);
                return true;
            }
            let end = if child == NONE { self.expand(&position, &[], Abs(0.0)) } else { child };
            self.tree.edges[edge as usize].child = end;
            self.back_up(from, self.path.len(), end);
            self.path.truncate(from);
            return true;
        }
    }

    /// Whether a pending simulation ends with this edge.
    fn is_pending(&self, edge: u32) -> bool {
        // A path ends where the next one begins.
        let ends = self.pending.iter().skip(1).map(|walk| walk.from).chain([self.path.len()]);
        self.pending
            .iter()
            .zip(ends)
            .any(|(walk, end)| end > walk.from && self.path[end - 1].edge == edge)
    }

    /// Counts a simulation through an edge as lost until its evaluation comes.
    fn lend(&mut self, node: u32, edge: u32, reward: Reward) {
        self.path.push(Step { node, edge, reward: B::reward(reward) });
        self.tree.nodes[node as usize].visits += 1;
        let edge = &mut self.tree.edges[edge as usize];
        edge.visits += 1;
        edge.sum.0 -= f64::from(self.config.virtual_loss);
    }

    /// Undoes the simulation whose path begins at `from`.
    fn take_back(&mut self, from: usize) {
        for Step { node, edge, .. } in self.path.drain(from..) {
            self.tree.nodes[node as usize].visits -= 1;
            let edge = &mut self.tree.edges[edge as usize];
            edge.visits -= 1;
            edge.sum.0 += f64::from(self.config.virtual_loss);
        }
    }

    /// Undoes all simulations that wait for evaluations.
    pub(super) fn abandon(&mut self) {
        self.take_back(0);
        self.pending.clear();
    }

    /// Applies the style once the root has its moves.
    fn prepare(&mut self) {
        if self.prepared || self.tree.nodes.is_empty() {
            return;
        }
        self.prepared = true;
        let edges = self.tree.edges_of_mut(0);
        match self.style {
            Root::Plain => {}
            Root::Noisy(noise) => noise.mix(edges, &mut self.scratch, &mut self.rng),
            Root::Gumbel(gumbel) => {
                let left = self.goal - self.started.min(self.goal);
                self.halving = Some(Halving::new(gumbel, edges, left, &mut self.rng));
            }
        }
    }
}
