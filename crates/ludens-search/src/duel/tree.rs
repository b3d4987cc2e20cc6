//! The tree: nodes in one arena, the edges of a node side by side in another.

use ludens_core::{Branch, Duel, Game, GameResult, Player};

use crate::outline::outline;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Its first edge.
    pub(crate) first: u32,
    /// How many edges it has; 0 at the end of the game.
    pub(crate) edges: u32,
    /// Samples that passed.
    pub(crate) visits: u32,
    /// Who moves.
    pub(crate) player: Player,
    /// What the evaluator said of it, to player one, where that is kept.
    pub(crate) value: f32,
    /// How the game ends from here under best play, once that is proven.
    pub(crate) proven: Option<GameResult>,
    /// Whether a move is proven to draw: the player to move need not lose.
    pub(crate) drawable: bool,
}

/// A move of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<A> {
    pub(crate) action: A,
    /// Where it leads, [`NONE`] until a sample has been there.
    pub(crate) child: u32,
    /// Samples that passed.
    pub(crate) visits: u32,
    /// The sum of their values to the mover: results between -1 and 1, or rewards of one player.
    pub(crate) sum: f32,
    /// How likely the evaluator thought it.
    pub(crate) prior: f32,
}

impl<A> Edge<A> {
    /// The mean value to the mover; 0 if there is none.
    #[inline]
    pub(crate) fn mean(&self) -> f32 {
        if self.visits == 0 { 0.0 } else { self.sum / self.visits as f32 }
    }
}

/// Nodes and edges; node 0 is the root.
pub(crate) struct Tree<G: Game> {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge<G::Action>>,
}

impl<G: Game> Tree<G> {
    pub(crate) fn new() -> Self {
        Tree { nodes: Vec::new(), edges: Vec::new() }
    }

    /// Forgets everything, keeping the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// The memory that nodes and edges take.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.edges.len() * size_of::<Edge<G::Action>>()
    }

    /// Adds a position with its moves; `priors` are in the order of the moves, or none.
    pub(crate) fn grow(&mut self, position: &G, priors: &[f32]) -> u32 {
        let actions = position.actions();
        let count = actions.len();
        let node = Node {
            first: self.edges.len() as u32,
            edges: count as u32,
            visits: 0,
            player: position.to_move(),
            value: 0.0,
            proven: None,
            drawable: false,
        };
        let even = 1.0 / count.max(1) as f32;
        for (i, action) in actions.enumerate() {
            let prior = priors.get(i).copied().unwrap_or(even);
            self.edges.push(Edge { action, child: NONE, visits: 0, sum: 0.0, prior });
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// The edges of a node.
    #[inline]
    pub(crate) fn edges_of(&self, node: u32) -> &[Edge<G::Action>] {
        let Node { first, edges, .. } = self.nodes[node as usize];
        &self.edges[first as usize..(first + edges) as usize]
    }

    /// The part of the tree below a node, which becomes the root.
    pub(crate) fn below(&self, root: u32) -> Tree<G> {
        let mut part = Tree::new();
        // Nodes of the part by number, with the same nodes of the whole.
        let mut sources = vec![root];
        let mut next = 0;
        while let Some(&source) = sources.get(next) {
            let node = self.nodes[source as usize];
            part.nodes.push(Node { first: part.edges.len() as u32, ..node });
            for edge in self.edges_of(source) {
                let mut edge = *edge;
                if edge.child != NONE {
                    sources.push(edge.child);
                    edge.child = sources.len() as u32 - 1;
                }
                part.edges.push(edge);
            }
            next += 1;
        }
        part
    }
}

impl<G: Duel> Tree<G> {
    /// The `most` most visited nodes: the ways on from the root.
    pub(crate) fn outline(&self, most: usize) -> Vec<Branch<G>> {
        if self.nodes.is_empty() { Vec::new() } else { outline(self, 0, most) }
    }

    /// Adds a position with its moves as [`grow`](Tree::grow) does; the end of a game is proven.
    pub(crate) fn add(&mut self, position: &G, priors: &[f32]) -> u32 {
        let node = self.grow(position, priors);
        if self.nodes[node as usize].edges == 0 {
            self.nodes[node as usize].proven = position.outcome();
        }
        node
    }

    /// What is proven of where an edge leads.
    #[inline]
    pub(crate) fn proven(&self, edge: &Edge<G::Action>) -> Option<GameResult> {
        if edge.child == NONE { None } else { self.nodes[edge.child as usize].proven }
    }

    /// What a move is worth to the mover: proven, or the mean.
    pub(crate) fn value(&self, node: u32, edge: &Edge<G::Action>) -> f32 {
        match self.proven(edge) {
            Some(outcome) => (outcome.value() * self.nodes[node as usize].player.sign()) as f32,
            None => edge.mean(),
        }
    }

    /// Proves a node from its children where that is possible: a move that wins is
    /// enough; otherwise all moves must be proven. The end of a game is proven already.
    pub(crate) fn prove(&mut self, node: u32) {
        let player = self.nodes[node as usize].player;
        let mut drawable = false;
        let mut best = Some(GameResult::Win(player.opponent()));
        for edge in self.edges_of(node) {
            match self.proven(edge) {
                Some(GameResult::Win(winner)) if winner == player => {
                    best = Some(GameResult::Win(winner));
                    break;
                }
                Some(GameResult::Draw) => {
                    drawable = true;
                    best = best.map(|_| GameResult::Draw);
                }
                Some(_) => {}
                None => best = None,
            }
        }
        self.nodes[node as usize].proven = best;
        self.nodes[node as usize].drawable = drawable;
    }
}
