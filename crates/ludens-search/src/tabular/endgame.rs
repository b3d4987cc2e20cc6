//! A table of exact values as the evaluation of a search.

use std::sync::Arc;

use ludens_core::{AfterValue, Symmetric};

use super::ExactTable;

/// Exact values where the table has them, another evaluation elsewhere. A search need not
/// look beyond an afterstate whose value is exact.
#[derive(Clone)]
pub struct Endgame<G: Symmetric, V> {
    variant: G::Variant,
    table: Option<Arc<ExactTable>>,
    rest: V,
}

impl<G: Symmetric, V> Endgame<G, V> {
    /// The evaluation by a table, and by `rest` for what it does not have, which without
    /// a table is everything.
    pub fn new(variant: G::Variant, table: Option<Arc<ExactTable>>, rest: V) -> Self {
        Endgame { variant, table, rest }
    }
}

impl<G: Symmetric, V: AfterValue<G>> AfterValue<G> for Endgame<G, V> {
    #[inline]
    fn value(&mut self, after: &G::After) -> f32 {
        match self.known(after) {
            Some(value) => value,
            None => self.rest.value(after),
        }
    }

    #[inline]
    fn values(&mut self, afters: &[G::After], out: &mut Vec<f32>) {
        match self.table {
            Some(_) => out.extend(afters.iter().map(|after| self.value(after))),
            None => self.rest.values(afters, out),
        }
    }

    #[inline]
    fn known(&mut self, after: &G::After) -> Option<f32> {
        let value = self.table.as_ref().and_then(|t| t.after::<G>(&self.variant, after));
        value.map(|value| value.expected as f32).or_else(|| self.rest.known(after))
    }
}
