//! Stops a search in its midst.

use ludens_core::Limits;

/// Nodes, or calls, between looks at the clock.
const PATIENCE: u64 = 1 << 12;

/// Says when a search is out of time or nodes, without asking the clock too often.
pub(crate) struct Watch<'a, 'b> {
    limits: Option<&'a Limits<'b>>,
    /// Nodes at the next look.
    next: u64,
    /// Calls until then: some searches continue without new nodes.
    patience: u64,
}

impl<'a, 'b> Watch<'a, 'b> {
    /// Nothing stops the search.
    pub(crate) fn none() -> Self {
        Watch { limits: None, next: 0, patience: 0 }
    }

    /// These limits stop it.
    pub(crate) fn new(limits: &'a Limits<'b>) -> Self {
        Watch { limits: Some(limits), next: 0, patience: 0 }
    }

    /// Whether the search must stop after that many nodes.
    pub(crate) fn is_over(&mut self, nodes: u64) -> bool {
        let Some(limits) = self.limits else { return false };
        if limits.spent(nodes) {
            return true;
        }
        if nodes < self.next && self.patience > 0 {
            self.patience -= 1;
            return false;
        }
        (self.next, self.patience) = (nodes + PATIENCE, PATIENCE);
        limits.interrupted()
    }
}
