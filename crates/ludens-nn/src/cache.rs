//! Remembers what an evaluator said.

use ludens_core::{Evals, Evaluator, Position};

/// An evaluator with a table of the positions evaluated last. Positions are compared
/// whole, so the answers are those of the evaluator itself.
///
/// ```
/// use ludens_core::{Evals, Evaluator, Position};
/// use ludens_nn::Cached;
/// # #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)] struct Number(u64);
/// # impl Position for Number { fn key(&self) -> u64 { self.0 } }
/// struct Half;
/// impl Evaluator<Number> for Half {
///     fn evaluate(&mut self, batch: &[Number], out: &mut Evals) {
///         out.clear();
///         batch.iter().for_each(|n| out.push(Some(n.0 as f32 / 2.0), &[]));
///     }
/// }
/// let (mut cached, mut evals) = (Cached::new(Half, 8), Evals::default());
/// cached.evaluate(&[Number(6), Number(7)], &mut evals);
/// cached.evaluate(&[Number(7)], &mut evals);
/// assert_eq!(evals.value(0), Some(3.5));
/// assert_eq!((cached.hits(), cached.misses()), (1, 2));
/// ```
pub struct Cached<P, E> {
    evaluator: E,
    /// Where a position is follows from its key; the newest stays.
    table: Vec<Option<Entry<P>>>,
    hits: u64,
    misses: u64,
    unknown: Vec<P>,
    fresh: Evals,
}

struct Entry<P> {
    position: P,
    value: Option<f32>,
    priors: Box<[f32]>,
}

impl<P: Position, E: Evaluator<P>> Cached<P, E> {
    /// Remembers up to `capacity` positions, at least one.
    pub fn new(evaluator: E, capacity: usize) -> Self {
        let table = std::iter::repeat_with(|| None).take(capacity.max(1)).collect();
        Cached {
            evaluator,
            table,
            hits: 0,
            misses: 0,
            unknown: Vec::new(),
            fresh: Evals::default(),
        }
    }

    /// Positions that were found in the table.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Positions that the evaluator had to evaluate.
    pub fn misses(&self) -> u64 {
        self.misses
    }

    fn slot(&self, position: &P) -> usize {
        (position.key() % self.table.len() as u64) as usize
    }

    fn known(&self, position: &P) -> Option<&Entry<P>> {
        self.table[self.slot(position)].as_ref().filter(|entry| entry.position == *position)
    }
}

impl<P: Position, E: Evaluator<P>> Evaluator<P> for Cached<P, E> {
    fn evaluate(&mut self, batch: &[P], out: &mut Evals) {
        out.clear();
        let mut unknown = std::mem::take(&mut self.unknown);
        unknown.clear();
        unknown.extend(batch.iter().filter(|position| self.known(position).is_none()));
        self.misses += unknown.len() as u64;
        self.hits += (batch.len() - unknown.len()) as u64;
        self.evaluator.evaluate(&unknown, &mut self.fresh);
        // Answers are given before anything is stored: storing could drop what is known.
        let mut next = 0;
        for position in batch {
            match self.known(position) {
                Some(entry) => out.push(entry.value, &entry.priors),
                None => {
                    out.push(self.fresh.value(next), self.fresh.priors(next));
                    next += 1;
                }
            }
        }
        for (index, &position) in unknown.iter().enumerate() {
            let slot = self.slot(&position);
            let (value, priors) = (self.fresh.value(index), self.fresh.priors(index).into());
            self.table[slot] = Some(Entry { position, value, priors });
        }
        self.unknown = unknown;
    }
}
