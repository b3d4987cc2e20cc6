//! The most visited part of a search tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ludens_core::{Branch, Game};

/// A tree that can be outlined: nodes by number.
pub(crate) trait Outline<G: Game> {
    /// Appends the ways on from a node, without their own children, each with the number of
    /// the node it leads to; `None` where nothing lies beyond.
    fn ways_on(&self, node: u32, out: &mut Vec<(Branch<G>, Option<u32>)>);
}

/// The ways on from `root`, and from there on, until there are `most` nodes: always next
/// the children of the most visited node. Ways that were never tried are left out.
pub(crate) fn outline<G: Game>(tree: &impl Outline<G>, root: u32, most: usize) -> Vec<Branch<G>> {
    /// The parent of those that follow the root itself.
    const ROOT: usize = usize::MAX;
    let mut grown: Vec<(usize, Branch<G>)> = Vec::new();
    let mut waiting = BinaryHeap::from([(u64::MAX, Reverse(ROOT), root)]);
    let mut ways = Vec::new();
    while let Some((_, Reverse(parent), node)) = waiting.pop() {
        ways.clear();
        tree.ways_on(node, &mut ways);
        ways.retain(|(branch, _)| branch.visits > 0);
        ways.sort_by_key(|(branch, _)| Reverse(branch.visits));
        ways.truncate(most.saturating_sub(grown.len()));
        for (branch, to) in ways.drain(..) {
            if let Some(to) = to {
                waiting.push((branch.visits, Reverse(grown.len()), to));
            }
            grown.push((parent, branch));
        }
    }
    // Children come after their parents, so from the back every node is whole when it moves
    // into its parent.
    let mut first = Vec::new();
    while let Some((parent, mut branch)) = grown.pop() {
        branch.children.reverse();
        match parent {
            ROOT => first.push(branch),
            _ => grown[parent].1.children.push(branch),
        }
    }
    first.reverse();
    first
}
