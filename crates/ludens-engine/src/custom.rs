//! Evaluators of the caller's own, such as functions of Python, in place of networks.
//!
//! Whoever [registers](register) one gets a name, which agents and solvers take where they take a network:
//! `az:model=NAME`, `net:model=NAME`, Former's `beam:eval=NAME` and `PUCT:policy=NAME`, SameGame's
//! `beam:eval=NAME`, and the `expectimax:model=NAME` and `mcts:model=NAME` of sliding games. Positions
//! come in batches where a search has batches: `az:batch=N` and the afterstates of expectimax.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ludens_core::error::quote;
use ludens_core::{Evals, Evaluator, Heuristic, Param, Params, ParseError, Policy, Pov};

use crate::environment::Environment;

/// Positions to evaluate, as [`Environment`] shows them.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// How many.
    pub count: usize,
    /// Rows, columns and planes of an observation.
    pub shape: [usize; 3],
    /// The observations, one after another.
    pub observations: &'a [f32],
    /// Numbers of actions.
    pub actions: usize,
    /// For every position 1 at its legal actions; empty where nobody asks for a policy.
    pub masks: &'a [i8],
}

/// What an evaluator says of a batch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Predictions {
    /// For every position a weight at least 0 per number of an action; empty without a policy.
    pub policy: Vec<f32>,
    /// For every position the rewards to come, to the player to move; empty without values.
    pub values: Vec<f32>,
}

/// Evaluates batches of positions.
pub trait CustomEvaluator: Send + Sync {
    /// What it says of a batch; `None` where it fails. A search takes the positions as even then, and
    /// whoever registered the evaluator should stop it.
    fn evaluate(&self, batch: &Batch<'_>) -> Option<Predictions>;
}

type Known = BTreeMap<String, Arc<dyn CustomEvaluator>>;
static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
/// How the names begin.
const PREFIX: &str = "custom:";

fn known<T>(with: impl FnOnce(&mut Known) -> T) -> T {
    with(&mut KNOWN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Keeps an evaluator known under its name.
#[derive(Debug)]
pub struct Registration(String);

impl Registration {
    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        known(|known| known.remove(&self.0));
    }
}

/// Makes an evaluator known under a name of its own, as long as the registration is kept.
pub fn register(evaluator: Arc<dyn CustomEvaluator>) -> Registration {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let name = format!("{PREFIX}{}", NEXT.fetch_add(1, Ordering::Relaxed));
    known(|known| known.insert(name.clone(), evaluator));
    Registration(name)
}

/// The evaluator that a parameter names. `None` where it names none, but maybe a network: that is left
/// for others to read.
///
/// # Errors
/// When it names one that is not known any more.
pub(crate) fn named(
    param: &Param<Option<String>>,
    params: &mut Params,
) -> Result<Option<Custom>, ParseError> {
    let text = params.iter().find(|(key, _)| *key == param.name()).map(|(_, text)| text.to_owned());
    let Some(name) = text.filter(|text| text.starts_with(PREFIX)) else { return Ok(None) };
    params.take(param.name());
    let Some(evaluator) = known(|known| known.get(&name).cloned()) else {
        let expected = "an evaluator that is registered still";
        return Err(ParseError::new(format!("parameter {}", param.name()), quote(&name), expected));
    };
    // What it says is known to nobody else, so that no result of it can be told from others.
    params.note_weights(name);
    Ok(Some(Custom { evaluator }))
}

/// A custom evaluator in the place of a network.
#[derive(Clone)]
pub(crate) struct Custom {
    evaluator: Arc<dyn CustomEvaluator>,
}

/// Observations and masks of a batch.
#[derive(Default)]
struct Seen {
    observations: Vec<f32>,
    masks: Vec<i8>,
}

impl Custom {
    /// What it says of observations that `observe` writes, one per item.
    pub(crate) fn values<T>(
        &self,
        items: &[T],
        shape: [usize; 3],
        observe: impl Fn(&T, &mut [f32]),
    ) -> Option<Vec<f32>> {
        let size: usize = shape.iter().product();
        let mut observations = vec![0.0; items.len() * size];
        items.iter().zip(observations.chunks_exact_mut(size)).for_each(|(x, out)| observe(x, out));
        let (count, observations) = (items.len(), &observations[..]);
        let batch = Batch { count, shape, observations, actions: 0, masks: &[] };
        self.evaluator.evaluate(&batch).map(|told| told.values).filter(|told| told.len() == count)
    }

    fn ask<G: Environment>(&self, batch: &[G]) -> Predictions {
        let Some(first) = batch.first() else { return Predictions::default() };
        let variant = first.variant();
        let (shape, actions) = (G::shape(&variant), G::action_count(&variant));
        let size: usize = shape.iter().product();
        let mut seen = Seen {
            observations: vec![0.0; batch.len() * size],
            masks: vec![0; batch.len() * actions],
        };
        let places = seen.observations.chunks_exact_mut(size);
        for ((position, place), mask) in
            batch.iter().zip(places).zip(seen.masks.chunks_exact_mut(actions))
        {
            position.observe(place);
            position.mask(mask);
        }
        let (observations, masks, count) = (&seen.observations[..], &seen.masks[..], batch.len());
        let told = self.evaluator.evaluate(&Batch { count, shape, observations, actions, masks });
        let fits = |told: &Predictions| {
            [0, count].contains(&told.values.len())
                && [0, count * actions].contains(&told.policy.len())
        };
        told.filter(fits).unwrap_or_default()
    }

    /// The priors of the legal actions of position `index` of a batch, in their order: all equal
    /// where nothing is said.
    fn priors<G: Environment>(position: &G, index: usize, told: &Predictions) -> Vec<f32> {
        let actions = G::action_count(&position.variant());
        let row = told.policy.get(index * actions..(index + 1) * actions);
        let weight =
            |action| row.map_or(1.0, |row| row[position.number(action)].clamp(0.0, f32::MAX));
        let weights: Vec<f32> = position.actions().map(weight).collect();
        let total: f32 = weights.iter().sum();
        let even = 1.0 / weights.len().max(1) as f32;
        let share = |weight| if total > 0.0 && total.is_finite() { weight / total } else { even };
        weights.into_iter().map(share).collect()
    }
}

impl<G: Environment> Evaluator<G> for Custom {
    fn evaluate(&mut self, batch: &[G], out: &mut Evals) {
        out.clear();
        let told = self.ask(batch);
        for (index, position) in batch.iter().enumerate() {
            let value = told.values.get(index).copied().unwrap_or_default();
            let value = Pov(value).abs(position.to_move()).0;
            out.push(Some(value), &Self::priors(position, index, &told));
        }
    }
}

impl<G: Environment> Heuristic<G> for Custom {
    fn value(&self, position: &G) -> f32 {
        let shape = G::shape(&position.variant());
        let told = self.values(&[*position], shape, |position, out| position.observe(out));
        told.and_then(|told| told.first().copied()).unwrap_or_default()
    }
}

impl<G: Environment> Policy<G> for Custom {
    fn probabilities(&mut self, position: &G, out: &mut Vec<f32>) {
        let told = self.ask(&[*position]);
        out.extend(Self::priors(position, 0, &told));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::analysis::Request;
    use crate::game;

    /// Likes one action, and the positions of whoever is to move; or fails.
    struct Likes {
        action: Option<usize>,
        largest: AtomicU64,
    }

    impl CustomEvaluator for Likes {
        fn evaluate(&self, batch: &Batch<'_>) -> Option<Predictions> {
            let size: usize = batch.shape.iter().product();
            assert_eq!(batch.observations.len(), batch.count * size);
            assert_eq!(batch.masks.len(), batch.count * batch.actions);
            self.largest.fetch_max(batch.count as u64, Ordering::Relaxed);
            let action = self.action?;
            let row = (0..batch.actions).map(|number| if number == action { 1.0 } else { 0.01 });
            let row: Vec<f32> = row.collect();
            Some(Predictions { policy: row.repeat(batch.count), values: vec![0.5; batch.count] })
        }
    }

    fn best(spec: &str, agent: &str) -> String {
        let mut table = game(spec).unwrap().start(1);
        table.seat(ludens_core::Player::One, agent).unwrap();
        let told = table.think(&Request::default(), &AtomicBool::new(false), &mut |_| {});
        told.and_then(|told| told.best).unwrap().text
    }

    #[test]
    fn agents_take_evaluators_in_batches_until_they_are_gone() {
        let likes = Arc::new(Likes { action: Some(5), largest: AtomicU64::new(0) });
        let registered = register(likes.clone());
        let name = registered.name().to_owned();
        assert_eq!(best("connect-four", &format!("net:model={name}")), "6");
        best("connect-four", &format!("az:200,batch=16,model={name}"));
        assert!(likes.largest.load(Ordering::Relaxed) > 8);
        best("sevn:base=5", &format!("az:20,model={name}"));
        drop(registered);
        let table = game("connect-four").unwrap().start(1);
        let error = table.check_agent(&format!("net:model={name}")).unwrap_err().to_string();
        assert!(error.contains("parameter model") && error.contains(&name), "{error}");
    }

    #[test]
    fn one_that_fails_leaves_all_moves_even() {
        let fails = Arc::new(Likes { action: None, largest: AtomicU64::new(0) });
        let registered = register(fails);
        let agent = format!("az:30,model={}", registered.name());
        assert!(("1".."8").contains(&&*best("connect-four", &agent)));
    }
}
