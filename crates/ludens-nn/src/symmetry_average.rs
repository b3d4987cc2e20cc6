//! Evaluations averaged over symmetries.

use ludens_core::{Evals, Evaluator, Sym, Symmetric};

/// Evaluates symmetric positions of every position and gives the mean: what a network has not learned
/// to see alike evens out.
///
/// ```
/// use ludens_core::{Evals, Evaluator, NoVariant, Notation};
/// use ludens_games::ConnectFour;
/// use ludens_nn::SymmetryAverage;
///
/// /// Likes the first column.
/// struct First;
/// impl Evaluator<ConnectFour> for First {
///     fn evaluate(&mut self, batch: &[ConnectFour], out: &mut Evals) {
///         out.clear();
///         batch.iter().for_each(|_| out.push(Some(0.5), &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
///     }
/// }
///
/// let position = ConnectFour::parse(&NoVariant, "4").unwrap();
/// let mut evals = Evals::default();
/// SymmetryAverage::new(First, 2).evaluate(&[position], &mut evals);
/// assert_eq!(evals.priors(0), [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
/// assert_eq!(evals.value(0), Some(0.5));
/// ```
pub struct SymmetryAverage<G, V> {
    inner: V,
    count: u32,
    mapped: Vec<G>,
    evals: Evals,
    priors: Vec<f32>,
}

impl<G: Symmetric, V: Evaluator<G>> SymmetryAverage<G, V> {
    /// Averages over `count` symmetries, the identity among them; all where there are fewer.
    pub fn new(inner: V, count: u32) -> Self {
        let (mapped, evals, priors) = Default::default();
        SymmetryAverage { inner, count: count.max(1), mapped, evals, priors }
    }

    /// What evaluates.
    pub fn inner(&self) -> &V {
        &self.inner
    }

    /// What evaluates, for one symmetry alone.
    pub fn inner_mut(&mut self) -> &mut V {
        &mut self.inner
    }

    /// Symmetries of a position at most.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The symmetries for a position, evenly among all.
    fn symmetries(&self, position: &G) -> impl Iterator<Item = Sym> + use<G, V> {
        let all = G::symmetries(&position.variant());
        let count = self.count.min(all);
        (0..count).map(move |i| Sym((u64::from(i) * u64::from(all) / u64::from(count)) as u32))
    }
}

impl<G: Symmetric, V: Evaluator<G>> Evaluator<G> for SymmetryAverage<G, V> {
    fn evaluate(&mut self, batch: &[G], out: &mut Evals) {
        if self.count == 1 {
            return self.inner.evaluate(batch, out);
        }
        self.mapped.clear();
        for position in batch {
            let mapped = self.symmetries(position).map(|sym| position.map(sym));
            self.mapped.extend(mapped);
        }
        self.inner.evaluate(&self.mapped, &mut self.evals);
        out.clear();
        let mut first = 0;
        for position in batch {
            let symmetries: Vec<Sym> = self.symmetries(position).collect();
            let share = 1.0 / symmetries.len() as f32;
            let mut value = Some(0.0);
            self.priors.clear();
            for (i, &sym) in symmetries.iter().enumerate() {
                let found = self.evals.value(first + i);
                value = value.zip(found).map(|(sum, found)| sum + share * found);
                let priors = self.evals.priors(first + i);
                if priors.is_empty() {
                    continue;
                }
                let seen = &self.mapped[first + i];
                self.priors.resize(priors.len(), 0.0);
                for (prior, action) in self.priors.iter_mut().zip(position.actions()) {
                    let mapped = position.map_action(action, sym);
                    let index = seen.actions().position(|legal| legal == mapped);
                    *prior +=
                        share * priors[index.expect("a symmetry maps legal actions to legal ones")];
                }
            }
            out.push(value, &self.priors);
            first += symmetries.len();
        }
    }
}
