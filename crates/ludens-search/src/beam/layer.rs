//! The candidates for one layer of a beam: the best so many different ones of
//! all that are offered.

use ludens_core::Position;

use crate::places::Places;

/// How a position of a layer came about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<A> {
    /// Its place in the layer before.
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

/// The best `width` different positions of those offered.
///
/// Candidates are collected up to twice the width and then cut back to the
/// better half, which costs a constant per candidate. The worst survivor's score
/// becomes the bar for all that follow, so most of them cost one comparison.
#[derive(Debug)]
pub(crate) struct Layer<G, A> {
    width: usize,
    positions: Vec<G>,
    values: Vec<i64>,
    scores: Vec<f32>,
    links: Vec<Link<A>>,
    keys: Vec<u64>,
    places: Places,
    scratch: Vec<f32>,
    /// Candidates have to be better than this.
    bar: f32,
    /// Whether a candidate was ever turned away for want of room.
    cut: bool,
}

impl<G: Position, A: Copy> Layer<G, A> {
    /// The bytes a layer takes per unit of width.
    pub(crate) const BYTES: usize =
        2 * (size_of::<G>() + size_of::<Link<A>>() + 8 + 4 + 8 + 4 + Places::BYTES);

    pub(crate) fn new() -> Self {
        Layer {
            width: 0,
            positions: Vec::new(),
            values: Vec::new(),
            scores: Vec::new(),
            links: Vec::new(),
            keys: Vec::new(),
            places: Places::default(),
            scratch: Vec::new(),
            bar: f32::NEG_INFINITY,
            cut: false,
        }
    }

    /// Empties the layer and makes room for a width of at least 1.
    pub(crate) fn reset(&mut self, width: usize) {
        self.clear();
        if self.width != width {
            self.width = width;
            let scratch = 2 * width;
            self.positions.reserve(scratch);
            self.values.reserve(scratch);
            self.scores.reserve(scratch);
            self.links.reserve(scratch);
            self.keys.reserve(scratch);
            self.scratch.reserve(scratch);
            self.places.resize(scratch);
        }
        self.cut = false;
    }

    /// Empties the layer for the next one of the same width.
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.values.clear();
        self.scores.clear();
        self.links.clear();
        self.keys.clear();
        self.places.clear();
        self.bar = f32::NEG_INFINITY;
    }

    /// Whether a candidate was turned away for want of room since `reset`.
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

    /// The place of the best candidate.
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
        let key = candidate.position.key();
        // The key settles nearly all; the position makes it exact.
        let same =
            |place: usize| self.keys[place] == key && self.positions[place] == candidate.position;
        let slot = match self.places.find(key, same) {
            Ok(place) => {
                // The value first: of two ways to one position the richer one counts.
                let (value, score) = (self.values[place], self.scores[place]);
                if (candidate.value, candidate.score) > (value, score) {
                    self.values[place] = candidate.value;
                    self.scores[place] = candidate.score;
                    self.links[place] = candidate.link;
                }
                return;
            }
            Err(slot) => slot,
        };
        self.positions.push(candidate.position);
        self.values.push(candidate.value);
        self.scores.push(candidate.score);
        self.links.push(candidate.link);
        self.places.put(slot, self.keys.len());
        self.keys.push(key);
        if self.keys.len() == 2 * self.width {
            self.shrink();
            self.places.clear();
            self.places.fill(&self.keys);
        }
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
