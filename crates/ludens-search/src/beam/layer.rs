//! The candidates for one layer of a beam: the best ones of all that are offered, different ones
//! unless copies are to be kept.

use std::collections::TryReserveError;

use ludens_core::Position;

use crate::position_index::PositionIndex;

/// How a position of a layer came about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<A> {
    /// Its index in the layer before.
    pub(crate) parent: u32,
    /// The action that led from there to here.
    pub(crate) action: A,
}

/// A position that is offered to a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<G, A> {
    pub(crate) position: G,
    /// The rewards from the root to here.
    pub(crate) value: i64,
    /// How promising it is; larger is better.
    pub(crate) score: f32,
    pub(crate) link: Link<A>,
}

/// The best `width` positions of those offered, of equal ones only one if they are `distinct`.
///
/// Candidates are collected up to twice the width and then cut back to the
/// better half, which costs a constant per candidate. The worst survivor's score
/// becomes the bar for all that follow, so most of them cost one comparison.
#[derive(Debug)]
pub(crate) struct Layer<G, A> {
    distinct: bool,
    width: usize,
    positions: Vec<G>,
    values: Vec<i64>,
    scores: Vec<f32>,
    links: Vec<Link<A>>,
    keys: Vec<u64>,
    index: PositionIndex,
    scratch: Vec<f32>,
    /// Candidates have to be better than this.
    bar: f32,
    /// Whether a candidate was ever turned away because the layer was full.
    cut: bool,
}

impl<G: Position, A: Copy> Layer<G, A> {
    /// The bytes a layer takes per unit of width.
    pub(crate) const BYTES: usize =
        2 * (size_of::<G>() + size_of::<Link<A>>() + 8 + 4 + 8 + 4 + PositionIndex::BYTES);

    pub(crate) fn new(distinct: bool) -> Self {
        Layer {
            distinct,
            width: 0,
            positions: Vec::new(),
            values: Vec::new(),
            scores: Vec::new(),
            links: Vec::new(),
            keys: Vec::new(),
            index: PositionIndex::default(),
            scratch: Vec::new(),
            bar: f32::NEG_INFINITY,
            cut: false,
        }
    }

    /// Empties the layer and gets ready for a width of at least 1.
    ///
    /// # Errors
    /// Where memory is short; then the layer has given back all it had.
    pub(crate) fn reset(&mut self, width: usize) -> Result<(), TryReserveError> {
        self.clear();
        if self.width != width {
            let ready = self.reserve(2 * width);
            if ready.is_err() {
                *self = Layer::new(self.distinct);
                return ready;
            }
            self.width = width;
        }
        self.cut = false;
        Ok(())
    }

    fn reserve(&mut self, count: usize) -> Result<(), TryReserveError> {
        self.positions.try_reserve(count)?;
        self.values.try_reserve(count)?;
        self.scores.try_reserve(count)?;
        self.links.try_reserve(count)?;
        self.keys.try_reserve(count)?;
        self.scratch.try_reserve(count)?;
        self.index.resize(count)
    }

    /// Empties the layer for the next one of the same width.
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.values.clear();
        self.scores.clear();
        self.links.clear();
        self.keys.clear();
        self.index.clear();
        self.bar = f32::NEG_INFINITY;
    }

    /// Whether a candidate was turned away because the layer was full since `reset`.
    pub(crate) fn was_cut(&self) -> bool {
        self.cut
    }

    pub(crate) fn positions(&self) -> &[G] {
        &self.positions
    }

    pub(crate) fn values(&self) -> &[i64] {
        &self.values
    }

    pub(crate) fn links(&self) -> &[Link<A>] {
        &self.links
    }

    /// The index of the best candidate.
    pub(crate) fn best(&self) -> Option<usize> {
        (0..self.scores.len()).max_by(|&i, &j| self.scores[i].total_cmp(&self.scores[j]))
    }

    /// Takes a candidate that is above the bar and new, or better than its equal.
    #[inline]
    pub(crate) fn offer(&mut self, candidate: Candidate<G, A>) {
        if candidate.score <= self.bar {
            self.cut = true;
            return;
        }
        if !self.distinct {
            self.push(candidate, 0);
            if self.keys.len() == 2 * self.width {
                self.shrink();
            }
            return;
        }
        let key = candidate.position.key();
        // The key decides nearly all; the position makes it exact.
        let same = |at: usize| self.keys[at] == key && self.positions[at] == candidate.position;
        let slot = match self.index.find(key, same) {
            Ok(at) => {
                // The value first: of two ways to one position the richer one counts.
                let (value, score) = (self.values[at], self.scores[at]);
                if (candidate.value, candidate.score) > (value, score) {
                    self.values[at] = candidate.value;
                    self.scores[at] = candidate.score;
                    self.links[at] = candidate.link;
                }
                return;
            }
            Err(slot) => slot,
        };
        self.index.put(slot, self.keys.len());
        self.push(candidate, key);
        if self.keys.len() == 2 * self.width {
            self.shrink();
            self.index.clear();
            self.index.fill(&self.keys);
        }
    }

    #[inline]
    fn push(&mut self, candidate: Candidate<G, A>, key: u64) {
        self.positions.push(candidate.position);
        self.values.push(candidate.value);
        self.scores.push(candidate.score);
        self.links.push(candidate.link);
        self.keys.push(key);
    }

    /// Cuts the layer back to its width once all candidates were offered.
    pub(crate) fn finish(&mut self) {
        if self.keys.len() > self.width {
            self.shrink();
        }
    }

    /// Keeps the `width` candidates with the best scores, the first of equals, in
    /// their order.
    fn shrink(&mut self) {
        self.cut = true;
        self.scratch.clone_from(&self.scores);
        let (_, &mut bar, _) =
            self.scratch.select_nth_unstable_by(self.width - 1, |a, b| b.total_cmp(a));
        let above = self.scores.iter().filter(|&&score| score > bar).count();
        let mut equal = self.width - above;
        let mut kept = 0;
        for i in 0..self.scores.len() {
            let score = self.scores[i];
            if score > bar || (score == bar && equal > 0) {
                equal -= usize::from(score == bar);
                self.positions[kept] = self.positions[i];
                self.values[kept] = self.values[i];
                self.scores[kept] = score;
                self.links[kept] = self.links[i];
                self.keys[kept] = self.keys[i];
                kept += 1;
            }
        }
        self.positions.truncate(kept);
        self.values.truncate(kept);
        self.scores.truncate(kept);
        self.links.truncate(kept);
        self.keys.truncate(kept);
        self.bar = bar;
    }
}
