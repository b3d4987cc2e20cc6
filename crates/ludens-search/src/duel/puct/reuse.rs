//! What is known of a position after the move that leads there.

use ludens_core::{Deterministic, Duel};

use super::search::Puct;
use crate::duel::tree::{NONE, Node, Tree};

impl<G: Duel + Deterministic> Puct<G> {
    /// Keeps what is known of the position after a move; everything if nothing is.
    pub fn advance(&mut self, action: G::Action) {
        self.abandon();
        let Some(root) = self.root else { return };
        let known = self.tree.nodes.first().and_then(|_| {
            let edge = self.tree.edges_of(0).iter().find(|edge| edge.action == action)?;
            (edge.child != NONE).then_some(edge.child)
        });
        let next = root.apply(action).0;
        match known {
            Some(child) if !next.is_over() => {
                self.tree = subtree(&self.tree, child);
                self.root = Some(next);
                self.halving = None;
            }
            _ => self.forget(),
        }
    }

    /// Positions in the tree.
    pub fn size(&self) -> usize {
        self.tree.nodes.len()
    }
}

/// The part of a tree below a node, which becomes the root.
fn subtree<G: Duel>(tree: &Tree<G>, root: u32) -> Tree<G> {
    let mut part = Tree::new();
    // Nodes of the part by number, with the same nodes of the whole.
    let mut sources = vec![root];
    let mut next = 0;
    while let Some(&source) = sources.get(next) {
        let node = tree.nodes[source as usize];
        part.nodes.push(Node { first: part.edges.len() as u32, ..node });
        for edge in tree.edges_of(source) {
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
