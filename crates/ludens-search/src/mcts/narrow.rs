//! BMCTS: the tree is narrowed to a beam, one depth after another.
//!
//! When `L` simulations have passed a depth, its `W` most visited nodes stay
//! with the way to them; all other nodes go, those below them too, and no node
//! is added above any more. The count of deeper depths begins anew. Solved nodes
//! have nothing left to find and are not counted in the beam.
//!
//! Limits: what was left out is lost, so nothing is proven once a depth is
//! closed, and a beam comes to its end. Whoever searches starts anew then, as
//! long as the budget lasts.
//!
//! References: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search*
//! (2015), section A.5; H. Baier and M. Winands, "Beam Monte-Carlo tree
//! search", 2012.

use std::cmp::Reverse;

use ludens_core::{Knowledge, Policy, Rollout, SoloPuzzle};

use super::config::{Duplicates, Narrowing};
use super::search::{Search, Step, listed_key};
use super::tree::{Fate, NONE};

impl<G: SoloPuzzle, R: Rollout<G>, K: Knowledge<G>, P: Policy<G>> Search<'_, G, R, K, P> {
    /// Counts the last iteration at every open depth it passed, and closes the
    /// first one that has had its simulations.
    pub(super) fn narrow(&mut self) {
        let Some(Narrowing { after, width }) = self.config.narrowing else { return };
        if self.passes.len() < self.path.len() {
            self.passes.resize(self.path.len(), 0);
        }
        let mut full = None;
        for depth in (self.closed + 1..self.path.len()).rev() {
            self.passes[depth] += 1;
            if self.passes[depth] >= after {
                full = Some(depth);
            }
        }
        if let Some(depth) = full {
            self.close(depth, width as usize);
            self.closed = depth;
            self.passes.clear();
        }
    }

    /// Cuts the tree at a depth.
    fn close(&mut self, depth: usize, width: usize) {
        if depth < self.fixed {
            return;
        }
        // 1. The nodes at the depth, from the fixed moves on.
        let shared = self.config.duplicates == Duplicates::Share;
        let mut layer = vec![self.path[self.fixed - 1].node];
        for _ in self.fixed..=depth {
            let children = layer.iter().flat_map(|&id| {
                self.tree.tried(id).filter_map(|e| {
                    let child = self.tree.edges[e as usize].child;
                    let leads = child != NONE
                        && (shared || self.tree.nodes[child as usize].via == e)
                        && !self.tree.nodes[child as usize].solved;
                    leads.then_some(child)
                })
            });
            layer = children.collect();
        }
        layer.sort_unstable_by_key(|&id| (Reverse(self.tree.nodes[id as usize].visits), id));
        layer.dedup();
        layer.truncate(width.max(1));
        if layer.is_empty() {
            return;
        }
        // 2. They stay, with the ways to them.
        let mut fates = vec![Fate::Goes; self.tree.nodes.len()];
        for &id in &layer {
            fates[id as usize] = Fate::Bared;
        }
        let fixed = self.path[..self.fixed].iter().map(|step| step.node);
        for id in layer.iter().map(|&id| self.tree.nodes[id as usize].parent).chain(fixed) {
            let mut id = id;
            while id != NONE && fates[id as usize] != Fate::Stays {
                fates[id as usize] = Fate::Stays;
                id = self.tree.nodes[id as usize].parent;
            }
        }
        let (config, knowledge) = (self.config, self.knowledge);
        let key = |position: &G| listed_key(config, knowledge, position).unwrap_or_default();
        let new = self.tree.cut(&fates, shared, key);
        self.path.truncate(self.fixed);
        for step in &mut self.path {
            let edge = if step.edge == NONE { NONE } else { new.edges[step.edge as usize] };
            *step = Step { node: new.nodes[step.node as usize], edge };
        }
    }
}
