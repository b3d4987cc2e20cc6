//! What is known of a position after the move that leads there.

use ludens_core::{Deterministic, Duel};

use super::search::Puct;
use crate::duel::tree::NONE;

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
                self.tree = self.tree.below(child);
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
