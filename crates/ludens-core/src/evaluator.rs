//! Judges of positions that work on batches: networks, tables, rollouts.

use crate::Position;

/// What an [`Evaluator`] says of a batch, position by position.
///
/// ```
/// use ludens_core::Evals;
/// let mut evals = Evals::default();
/// evals.push(Some(-3.0), &[0.25, 0.75]);
/// evals.push(None, &[1.0]);
/// assert_eq!(evals.len(), 2);
/// assert_eq!((evals.value(0), evals.priors(0)), (Some(-3.0), &[0.25, 0.75][..]));
/// assert_eq!((evals.value(1), evals.priors(1)), (None, &[1.0][..]));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evals {
    values: Vec<Option<f32>>,
    priors: Vec<f32>,
    /// Where each position's priors end.
    ends: Vec<usize>,
}

impl Evals {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.priors.clear();
        self.ends.clear();
    }

    /// Positions evaluated.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds what is said of the next position.
    pub fn push(&mut self, value: Option<f32>, priors: &[f32]) {
        self.values.push(value);
        self.priors.extend_from_slice(priors);
        self.ends.push(self.priors.len());
    }

    /// Adds all that is said of further positions.
    pub fn append(&mut self, more: &Evals) {
        for index in 0..more.len() {
            self.push(more.value(index), more.priors(index));
        }
    }

    /// The rewards still to come that a position is expected to bring player one, if the
    /// evaluator knows.
    pub fn value(&self, index: usize) -> Option<f32> {
        self.values[index]
    }

    /// One probability per legal action, in the order of [`crate::Game::actions`]; empty
    /// if the evaluator knows none.
    pub fn priors(&self, index: usize) -> &[f32] {
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.priors[from..self.ends[index]]
    }
}

/// Judges positions, or afterstates, in batches.
pub trait Evaluator<P: Position>: Send {
    /// Gives for every position of the batch its value and which moves are likely;
    /// what `out` held before is forgotten.
    fn evaluate(&mut self, batch: &[P], out: &mut Evals);
}

impl<P: Position> Evaluator<P> for Box<dyn Evaluator<P>> {
    fn evaluate(&mut self, batch: &[P], out: &mut Evals) {
        (**self).evaluate(batch, out);
    }
}

/// Estimates action values, Q, and position values, V, in batches: all from the view of the
/// player to move.
pub trait ActionValues<G> {
    /// Puts the values of the actions of each state into `out`, in the order of
    /// [`crate::Game::actions`].
    fn action_values(&mut self, states: &[G], out: &mut Vec<Vec<f32>>);

    /// Puts the value of each state into `out`.
    fn values(&mut self, states: &[G], out: &mut Vec<f32>);
}
