//! The tree of a search as others may see it.

use ludens_core::{Branch, Duel, Way};

use super::tree::{NONE, Tree};
use crate::outline::Outline;

impl<G: Duel> Outline<G> for Tree<G> {
    fn ways_on(&self, node: u32, out: &mut Vec<(Branch<G>, Option<u32>)>) {
        for edge in self.edges_of(node) {
            let branch = Branch {
                way: Way::Action(edge.action),
                visits: u64::from(edge.visits),
                value: f64::from(self.value(node, edge)),
                prior: Some(edge.prior),
                proven: self.proven(edge).is_some(),
                children: Vec::new(),
            };
            out.push((branch, (edge.child != NONE).then_some(edge.child)));
        }
    }
}
