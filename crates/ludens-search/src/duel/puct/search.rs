//! Walks down and values up.

use ludens_core::{Deterministic, Duel, Evals, GameResult, Player, Rng};

use super::config::{PuctConfig, Root};
use super::gumbel::Halving;
use crate::duel::tree::{NONE, Node, Tree};

/// A tree that grows by evaluations from outside.
pub struct Puct<G: Duel> {
    pub(super) config: PuctConfig,
    pub(super) tree: Tree<G>,
    pub(super) root: Option<G>,
    /// What is different at this root, and its randomness.
    style: Root,
    rng: Rng,
    pub(super) halving: Option<Halving>,
    /// Whether the style has been applied to the root.
    prepared: bool,
    goal: u32,
    /// Simulations begun for this move.
    begun: u32,
    pub(super) depth: u32,
    /// Evaluations asked for since the tree was new.
    pub(super) evaluated: u64,
    pending: Vec<Pending<G>>,
    /// The ways of all pending walks: nodes with the edges chosen there.
    ways: Vec<(u32, u32)>,
    noise: Vec<f32>,
}

/// A walk that waits for a verdict.
#[derive(Clone, Copy)]
struct Pending<G> {
    position: G,
    /// Where its way begins in the list of ways; it ends where the next one begins.
    from: usize,
}

impl<G: Duel + Deterministic> Puct<G> {
    /// An empty tree.
    pub fn new(config: PuctConfig) -> Self {
        Puct {
            config,
            tree: Tree::new(),
            root: None,
            style: Root::Plain,
            rng: Rng::new(0),
            halving: None,
            prepared: false,
            goal: 0,
            begun: 0,
            depth: 0,
            evaluated: 0,
            pending: Vec::new(),
            ways: Vec::new(),
            noise: Vec::new(),
        }
    }

    /// Begins a move: so many simulations from a position, of which the first is the verdict on the
    /// position itself. What is known of the position is kept, except by the Gumbel root.
    ///
    /// # Panics
    /// When the game is over.
    pub fn begin(&mut self, position: &G, simulations: u32, style: Root, rng: Rng) {
        assert!(!position.is_over(), "there is a move to choose");
        // Halving counts every move's visits from 0 on.
        if self.root != Some(*position) || matches!(style, Root::Gumbel(_)) {
            self.forget();
            self.root = Some(*position);
        }
        self.abandon();
        (self.style, self.rng, self.halving, self.prepared) = (style, rng, None, false);
        (self.goal, self.begun, self.depth) = (simulations.max(1), 0, 0);
        if !self.tree.nodes.is_empty() {
            self.begun = 1;
            self.prepare();
        }
    }

    /// Forgets everything, keeping the memory.
    pub fn forget(&mut self) {
        self.abandon();
        self.tree.clear();
        self.root = None;
        self.evaluated = 0;
    }

    /// The position of the root.
    ///
    /// # Panics
    /// Before [`begin`](Puct::begin).
    pub fn position(&self) -> &G {
        self.root.as_ref().expect("a move has begun")
    }

    /// Whether the move is decided: all simulations are made, or nothing is left to find out.
    pub fn is_done(&self) -> bool {
        let settled = self.tree.nodes.first().is_some_and(|root| root.proven.is_some());
        self.pending.is_empty() && (settled || self.begun >= self.goal)
    }

    /// Simulations of this move.
    pub fn simulations(&self) -> u32 {
        self.begun
    }

    /// The memory that the tree takes.
    pub(super) fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// How the game ends under best play, if that is proven.
    pub fn proven(&self) -> Option<GameResult> {
        self.tree.nodes.first().and_then(|root| root.proven)
    }

    /// Appends up to `most` positions that need a verdict, fewer when walks meet or simulations run
    /// out. None means that the move is decided, or that verdicts are awaited.
    pub fn gather(&mut self, most: usize, out: &mut Vec<G>) -> usize {
        let before = out.len();
        if self.tree.nodes.is_empty() && self.pending.is_empty() {
            let root = *self.position();
            self.begun += 1;
            self.ask(root, out);
            return 1;
        }
        while out.len() - before < most && self.begun < self.goal && self.proven().is_none() {
            // A root that is being judged has no moves to walk yet.
            if self.tree.nodes.is_empty() || !self.walk(out) {
                break;
            }
        }
        out.len() - before
    }

    /// Enters the verdicts on all positions gathered, from place `first` of `evals` on.
    pub fn apply(&mut self, evals: &Evals, first: usize) {
        let pending = std::mem::take(&mut self.pending);
        let ways = std::mem::take(&mut self.ways);
        for (index, walk) in pending.iter().enumerate() {
            let to = pending.get(index + 1).map_or(ways.len(), |next| next.from);
            let way = &ways[walk.from..to];
            let (value, priors) = (evals.value(first + index), evals.priors(first + index));
            let node = self.expand(&walk.position, priors, value.unwrap_or(0.0));
            match way.last() {
                Some(&(_, edge)) => self.tree.edges[edge as usize].child = node,
                None => self.prepare(),
            }
            self.back_up(way, node);
        }
        (self.pending, self.ways) = (pending, ways);
        self.pending.clear();
        self.ways.clear();
    }

    /// Walks down once. `false` when the walk met one that is pending.
    fn walk(&mut self, out: &mut Vec<G>) -> bool {
        let from = self.ways.len();
        let (mut node, mut position) = (0, *self.position());
        loop {
            let edge = self.select(node);
            position = position.apply(self.tree.edges[edge as usize].action).0;
            let child = self.tree.edges[edge as usize].child;
            if child == NONE && self.is_awaited(edge) {
                self.take_back(from);
                return false;
            }
            self.lend(node, edge);
            if child != NONE && self.tree.nodes[child as usize].proven.is_none() {
                node = child;
                continue;
            }
            self.begun += 1;
            self.depth = self.depth.max((self.ways.len() - from) as u32);
            if child == NONE && !wins_at_once(&position) {
                self.pending.push(Pending { position, from });
                self.evaluated += 1;
                out.push(position);
                return true;
            }
            // What is known needs no verdict.
            let way = self.ways.split_off(from);
            let end = if child == NONE { self.expand(&position, &[], 0.0) } else { child };
            self.tree.edges[edge as usize].child = end;
            self.back_up(&way, end);
            return true;
        }
    }

    fn ask(&mut self, position: G, out: &mut Vec<G>) {
        self.pending.push(Pending { position, from: self.ways.len() });
        self.evaluated += 1;
        out.push(position);
    }

    /// Whether a pending walk ends with this edge.
    fn is_awaited(&self, edge: u32) -> bool {
        // Ends of ways: a way ends where the next one begins.
        let ends = self.pending.iter().skip(1).map(|walk| walk.from).chain([self.ways.len()]);
        self.pending
            .iter()
            .zip(ends)
            .any(|(walk, end)| end > walk.from && self.ways[end - 1].1 == edge)
    }

    /// Counts a walk through an edge as lost until its verdict comes.
    fn lend(&mut self, node: u32, edge: u32) {
        self.ways.push((node, edge));
        self.tree.nodes[node as usize].visits += 1;
        let edge = &mut self.tree.edges[edge as usize];
        edge.visits += 1;
        edge.sum -= self.config.virtual_loss;
    }

    /// Undoes the walk whose way begins at `from`.
    fn take_back(&mut self, from: usize) {
        for (node, edge) in self.ways.drain(from..) {
            self.tree.nodes[node as usize].visits -= 1;
            let edge = &mut self.tree.edges[edge as usize];
            edge.visits -= 1;
            edge.sum += self.config.virtual_loss;
        }
    }

    /// Undoes all walks that wait for verdicts.
    pub(super) fn abandon(&mut self) {
        self.take_back(0);
        self.pending.clear();
    }

    /// Adds a position; moves that end the game are followed at once.
    fn expand(&mut self, position: &G, priors: &[f32], value: f32) -> u32 {
        let node = self.tree.add(position, priors);
        let Node { first, edges, .. } = self.tree.nodes[node as usize];
        for edge in first..first + edges {
            let next = position.apply(self.tree.edges[edge as usize].action).0;
            if next.is_over() {
                let child = self.tree.add(&next, &[]);
                self.tree.edges[edge as usize].child = child;
            }
        }
        self.tree.prove(node);
        let proven = self.tree.nodes[node as usize].proven;
        self.tree.nodes[node as usize].value =
            proven.map_or(value, |outcome| outcome.value() as f32);
        node
    }

    /// Enters what the end of a way is worth into everything on it, and what that proves.
    fn back_up(&mut self, way: &[(u32, u32)], end: u32) {
        let mut value = self.tree.nodes[end as usize].value;
        let mut proven = self.tree.nodes[end as usize].proven;
        for &(node, edge) in way.iter().rev() {
            if let Some(outcome) = proven {
                value = outcome.value() as f32;
            }
            let sign = self.tree.nodes[node as usize].player.sign() as f32;
            self.tree.edges[edge as usize].sum += self.config.virtual_loss + value * sign;
            if proven.is_some() {
                self.tree.prove(node);
                proven = self.tree.nodes[node as usize].proven;
            }
            // Who can draw does not go where it is worse.
            if self.tree.nodes[node as usize].drawable && value * sign < 0.0 {
                value = 0.0;
            }
        }
    }

    /// Applies the style once the root has its moves.
    fn prepare(&mut self) {
        if self.prepared || self.tree.nodes.is_empty() {
            return;
        }
        self.prepared = true;
        let Node { first, edges, .. } = self.tree.nodes[0];
        let edges = &mut self.tree.edges[first as usize..(first + edges) as usize];
        match self.style {
            Root::Plain => {}
            Root::Noisy(noise) => noise.mix(edges, &mut self.noise, &mut self.rng),
            Root::Gumbel(gumbel) => {
                let left = self.goal - self.begun.min(self.goal);
                self.halving = Some(Halving::new(gumbel, edges, left, &mut self.rng));
            }
        }
    }

    /// The edge to follow from a node.
    fn select(&self, node: u32) -> u32 {
        if let (0, Some(halving)) = (node, &self.halving) {
            return self.select_halving(halving);
        }
        let Node { first, visits, player, value, .. } = self.tree.nodes[node as usize];
        let edges = self.tree.edges_of(node);
        let tried: f32 = edges.iter().filter(|e| e.visits > 0).map(|e| e.prior).sum();
        let unknown = value * player.sign() as f32 - self.config.fpu * tried.sqrt();
        let reach = self.config.c * (visits as f32).max(1.0).sqrt();
        let (mut best, mut most) = (None, f32::NEG_INFINITY);
        for (i, edge) in edges.iter().enumerate() {
            let mean = match self.tree.proven(edge) {
                // Nothing more is to be learned there.
                Some(_) => continue,
                None if edge.visits == 0 => unknown,
                None => edge.mean(),
            };
            let worth = mean + reach * edge.prior / (1.0 + edge.visits as f32);
            if best.is_none() || worth > most {
                (best, most) = (Some(i), worth);
            }
        }
        first + best.expect("a node whose moves are all proven is proven itself") as u32
    }

    /// What the root is worth to its player: proven, or the mean of all simulations.
    pub fn value(&self) -> f32 {
        let Some(root) = self.tree.nodes.first() else { return 0.0 };
        let sign = root.player.sign() as f32;
        if let Some(outcome) = root.proven {
            return outcome.value() as f32 * sign;
        }
        let (sum, visits) = self
            .tree
            .edges_of(0)
            .iter()
            .fold((root.value * sign, 1.0), |(sum, n), e| (sum + e.sum, n + e.visits as f32));
        let mean = sum / visits;
        if root.drawable { mean.max(0.0) } else { mean }
    }

    /// Who moves at the root.
    pub(super) fn player(&self) -> Player {
        self.tree.nodes[0].player
    }
}

/// Whether the player to move has a move that wins.
fn wins_at_once<G: Duel + Deterministic>(position: &G) -> bool {
    let player = position.to_move();
    position
        .actions()
        .any(|action| position.apply(action).0.outcome() == Some(GameResult::Win(player)))
}
