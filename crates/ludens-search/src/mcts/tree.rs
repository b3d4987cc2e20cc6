//! The tree: nodes in one arena, the edges of a node side by side in another.
//!
//! Nodes hold scores still to come, so they mean the same whichever way leads
//! to them; the score of the way is the search's business.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use ludens_core::{Game, SoloPuzzle};

/// No node or edge.
pub(super) const NONE: u32 = u32::MAX;

/// What is known about a position in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The node's first edge, [`NONE`] until its moves are listed.
    pub(super) first: u32,
    /// The number of its edges.
    pub(super) edges: u16,
    /// How many of them, from the first on, have been tried.
    pub(super) tried: u16,
    /// The owner and the edge from it.
    pub(super) parent: u32,
    /// The edge by which the owner leads here. Other edges to the node are cut.
    pub(super) via: u32,
    /// Iterations that passed.
    pub(super) visits: u32,
    /// The explorative factor, where nodes have their own.
    pub(super) c: f32,
    /// The sum of the scores from here on.
    pub(super) sum: i64,
    /// The sum of their squares.
    pub(super) squares: i64,
    /// The largest of them, as the game counts it.
    pub(super) top: i32,
    /// The largest of them, as the search counts it.
    pub(super) guide: i32,
    /// No more than this can be had from here.
    pub(super) bound: i32,
    /// UCT3's average: made anew from the children whenever an iteration passes.
    pub(super) refreshed: f64,
    /// Everything below has been tried.
    pub(super) solved: bool,
    /// There is or was a terminal node below.
    pub(super) reached_end: bool,
}

impl Node {
    /// The mean score from here on.
    #[inline]
    pub(super) fn average(&self) -> f64 {
        self.sum as f64 / f64::from(self.visits.max(1))
    }

    /// The variance of the scores.
    #[inline]
    pub(super) fn variance(&self) -> f64 {
        let average = self.average();
        (self.squares as f64 / f64::from(self.visits.max(1)) - average * average).max(0.0)
    }
}

/// A move of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<A> {
    pub(super) action: A,
    /// What the move pays, known once tried.
    pub(super) reward: i32,
    /// Where it leads, [`NONE`] until tried.
    pub(super) child: u32,
}

/// What some rules keep per edge besides.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extra {
    /// Passages, and the sum of the scores from the child on.
    pub(super) visits: u32,
    pub(super) sum: i64,
    /// The simulation that started at the edge's end, if one did.
    pub(super) own: Option<i32>,
    /// The policy's probability.
    pub(super) prior: f32,
    /// The move's code; iterations that played it now or later, and their scores.
    pub(super) code: u64,
    pub(super) later: u32,
    pub(super) later_sum: i64,
}

/// Keys are well mixed already.
#[derive(Clone, Copy, Default)]
pub(super) struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// What becomes of a node when the tree is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It goes, with everything below it that does not stay.
    Goes,
    /// It stays, with the edges to nodes that stay.
    Stays,
    /// It stays without edges, as if its moves had not been listed.
    Bared,
}

/// The new numbers of what stayed, [`NONE`] for the rest.
pub(super) struct Renumbered {
    pub(super) nodes: Vec<u32>,
    pub(super) edges: Vec<u32>,
}

pub(super) struct Tree<G: Game> {
    pub(super) nodes: Vec<Node>,
    pub(super) positions: Vec<G>,
    pub(super) edges: Vec<Edge<G::Action>>,
    /// As long as `edges`, or empty where no rule needs it.
    pub(super) extras: Vec<Extra>,
    /// Nodes by key, where duplicates matter.
    table: HashMap<u64, u32, BuildHasherDefault<Same>>,
}

impl<G: SoloPuzzle> Tree<G> {
    pub(super) fn new() -> Self {
        Tree {
            nodes: Vec::new(),
            positions: Vec::new(),
            edges: Vec::new(),
            extras: Vec::new(),
            table: HashMap::default(),
        }
    }

    /// Forgets everything but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.positions.clear();
        self.edges.clear();
        self.extras.clear();
        self.table.clear();
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + size_of::<G>())
            + self.edges.len() * size_of::<Edge<G::Action>>()
            + self.extras.len() * size_of::<Extra>()
            + self.table.len() * 2 * size_of::<(u64, u32)>()
    }

    /// Adds a node, entering it for [`Tree::find`] under a key if there is one.
    pub(super) fn add(&mut self, position: G, owner: (u32, u32), c: f32, key: Option<u64>) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node {
            first: NONE,
            edges: 0,
            tried: 0,
            parent: owner.0,
            via: owner.1,
            visits: 0,
            c,
            sum: 0,
            squares: 0,
            top: i32::MIN,
            guide: i32::MIN,
            bound: i32::MAX,
            refreshed: 0.0,
            solved: false,
            reached_end: false,
        });
        self.positions.push(position);
        if let Some(key) = key {
            self.table.insert(key, id);
        }
        id
    }

    /// The node that was entered last under a key.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.table.get(&key).copied()
    }

    /// Lists the moves of a node.
    pub(super) fn open(&mut self, id: u32, extras: bool) {
        let first = self.edges.len();
        let actions = self.positions[id as usize].actions();
        self.edges.extend(actions.map(|action| Edge { action, reward: 0, child: NONE }));
        if extras {
            self.extras.resize(self.edges.len(), Extra::default());
        }
        let node = &mut self.nodes[id as usize];
        node.first = first as u32;
        node.edges = (self.edges.len() - first) as u16;
    }

    /// Makes the next edge to try the one at `offset` among those not yet tried.
    /// Returns its number.
    pub(super) fn take(&mut self, id: u32, offset: u32) -> u32 {
        let node = &mut self.nodes[id as usize];
        let edge = node.first + u32::from(node.tried);
        node.tried += 1;
        self.edges.swap(edge as usize, (edge + offset) as usize);
        if !self.extras.is_empty() {
            self.extras.swap(edge as usize, (edge + offset) as usize);
        }
        edge
    }

    /// The numbers of a node's tried edges.
    #[inline]
    pub(super) fn tried(&self, id: u32) -> std::ops::Range<u32> {
        let node = &self.nodes[id as usize];
        if node.first == NONE { 0..0 } else { node.first..node.first + u32::from(node.tried) }
    }

    /// Cuts the tree down to the nodes that stay; the way by which each is owned
    /// must stay as a whole. Edges that do not own their end stay if `shared`. `key` gives what
    /// nodes were entered under.
    pub(super) fn cut(
        &mut self,
        fates: &[Fate],
        shared: bool,
        key: impl Fn(&G) -> u64,
    ) -> Renumbered {
        let mut new =
            Renumbered { nodes: vec![NONE; self.nodes.len()], edges: vec![NONE; self.edges.len()] };
        let stay = |&id: &usize| fates[id] != Fate::Goes;
        for (count, id) in (0..self.nodes.len()).filter(stay).enumerate() {
            new.nodes[id] = count as u32;
        }
        let (mut nodes, mut positions) = (Vec::new(), Vec::new());
        let (mut edges, mut extras) = (Vec::new(), Vec::new());
        for id in (0..self.nodes.len()).filter(stay) {
            let mut node = self.nodes[id];
            let first = edges.len();
            if fates[id] == Fate::Stays {
                for e in self.tried(id as u32) {
                    let mut edge = self.edges[e as usize];
                    let owned = edge.child != NONE && self.nodes[edge.child as usize].via == e;
                    if edge.child == NONE
                        || new.nodes[edge.child as usize] == NONE
                        || !(owned || shared)
                    {
                        continue;
                    }
                    new.edges[e as usize] = edges.len() as u32;
                    edge.child = new.nodes[edge.child as usize];
                    edges.push(edge);
                    extras.extend(self.extras.get(e as usize).copied());
                }
            }
            node.edges = (edges.len() - first) as u16;
            node.tried = node.edges;
            node.first = if fates[id] == Fate::Stays { first as u32 } else { NONE };
            if node.parent != NONE {
                node.parent = new.nodes[node.parent as usize];
            }
            nodes.push(node);
            positions.push(self.positions[id]);
        }
        for node in &mut nodes {
            if node.via != NONE {
                node.via = new.edges[node.via as usize];
            }
        }
        (self.nodes, self.positions, self.edges, self.extras) = (nodes, positions, edges, extras);
        if !self.table.is_empty() {
            self.table.clear();
            let listed = self.positions.iter().enumerate();
            self.table.extend(listed.map(|(id, position)| (key(position), id as u32)));
        }
        new
    }
}
