//! The tree: nodes in one list, the edges of a node side by side in another.

use ludens_core::{Abs, GameResult, Player, Pov};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// More nodes and edges than one simulation adds.
const ADDED: usize = 1 << 10;

/// A position in the tree, or an afterstate where nature moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its first edge.
    pub(super) first: u32,
    /// How many edges it has; 0 at the end of the game.
    pub(super) edges: u32,
    /// Simulations that passed, and evaluations of the node itself.
    pub(super) visits: u32,
    /// Who moves; before a chance node, who moved.
    pub(super) player: Player,
    /// What the evaluator said of it.
    pub(super) value: Abs,
    /// How the game ends from here under best play, once that is proven.
    pub(super) proven: Option<GameResult>,
    /// Whether a move is proven to draw: the player to move need not lose.
    pub(super) drawable: bool,
    /// Whether nature moves here.
    pub(super) chance: bool,
}

/// A way on from a node: a move or an outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<W> {
    pub(super) way: W,
    /// Where it leads, [`NONE`] until a simulation has been there.
    pub(super) child: u32,
    /// Simulations that passed.
    pub(super) visits: u32,
    /// How likely the evaluator thought the move, or the probability of the outcome.
    pub(super) prior: f32,
    /// The sum of the values of the simulations, to the node's player. Long searches of large
    /// values need the digits.
    pub(super) sum: Pov<f64>,
}

impl<W> Edge<W> {
    /// The mean value to the node's player; 0 if there is none.
    #[inline]
    pub(super) fn mean(&self) -> Pov {
        if self.visits == 0 { Pov(0.0) } else { Pov((self.sum.0 / f64::from(self.visits)) as f32) }
    }
}

/// Nodes and edges; node 0 is the root. `W` labels edges. Nodes hold no positions: who needs
/// something for each, such as the hidden state of a learned model, keeps it in a list by node.
pub(super) struct Tree<W> {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge<W>>,
}

impl<W: Copy> Tree<W> {
    pub(super) fn new() -> Self {
        Tree { nodes: Vec::new(), edges: Vec::new() }
    }

    /// Forgets everything, keeping the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// The memory that nodes and edges take.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.edges.len() * size_of::<Edge<W>>()
    }

    /// Gets memory for the positions that a batch of simulations adds, at most `memory` bytes;
    /// whether there is enough.
    pub(super) fn try_reserve(&mut self, batch: usize, memory: usize) -> bool {
        let most = memory / (size_of::<Node>() + size_of::<Edge<W>>());
        let count = batch.saturating_mul(ADDED).min(most);
        self.nodes.try_reserve(count).is_ok() && self.edges.try_reserve(count).is_ok()
    }

    /// Adds an edge to the node that is added next.
    #[inline]
    pub(super) fn push_edge(&mut self, way: W, prior: f32) {
        self.edges.push(Edge { way, child: NONE, visits: 0, prior, sum: Pov(0.0) });
    }

    /// Adds a node with the edges from `first` on, evaluated once.
    pub(super) fn push_node(&mut self, first: usize, player: Player, value: Abs) -> u32 {
        self.nodes.push(Node {
            first: first as u32,
            edges: (self.edges.len() - first) as u32,
            visits: 1,
            player,
            value,
            proven: None,
            drawable: false,
            chance: false,
        });
        self.nodes.len() as u32 - 1
    }

    /// The edges of a node.
    #[inline]
    pub(super) fn edges_of(&self, node: u32) -> &[Edge<W>] {
        let Node { first, edges, .. } = self.nodes[node as usize];
        &self.edges[first as usize..(first + edges) as usize]
    }

    /// The edges of a node, to change them.
    #[inline]
    pub(super) fn edges_of_mut(&mut self, node: u32) -> &mut [Edge<W>] {
        let Node { first, edges, .. } = self.nodes[node as usize];
        &mut self.edges[first as usize..(first + edges) as usize]
    }

    /// The part of the tree below a node, which becomes the root.
    pub(super) fn below(&self, root: u32) -> Tree<W> {
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

    /// What is proven of where an edge leads.
    #[inline]
    pub(super) fn proven(&self, edge: &Edge<W>) -> Option<GameResult> {
        if edge.child == NONE { None } else { self.nodes[edge.child as usize].proven }
    }

    /// The value of an edge to the node's player: proven, or the mean.
    pub(super) fn value(&self, node: u32, edge: &Edge<W>) -> Pov {
        match self.proven(edge) {
            Some(result) => Abs::from(result).pov(self.nodes[node as usize].player),
            None => edge.mean(),
        }
    }

    /// Proves a node from its children where that is possible: a move that wins is
    /// enough; otherwise all moves must be proven. The end of a game is proven already.
    pub(super) fn prove(&mut self, node: u32) {
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
