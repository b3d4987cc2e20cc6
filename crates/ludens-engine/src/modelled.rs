//! Searches of Former by one of its models or a network. A model that looks ahead may take seconds
//! for one board, and a network as long for the boards between two looks at the clock, so that
//! they are given the limits of the search that asks them.

use ludens_core::{Context, Heuristic, Limits, Rng, Solution, Solver};
use ludens_games::former::{Former, Model};
use ludens_search::mcts::Config;
use ludens_search::{Beam, BestChild, ByBound, Greedy, Rounds};

use crate::mcts::by_policy;
use crate::nets::BoardValue;

/// A model that takes no more time once the search is over: what it says then does not matter.
#[derive(Clone)]
struct Within<'a, M> {
    model: M,
    limits: Limits<'a>,
}

impl Heuristic<Former> for Within<'_, Model> {
    fn value(&self, position: &Former) -> f32 {
        self.model.value_unless(position, &|| self.limits.interrupted())
    }

    fn varied(&self, round: u64, rng: &mut Rng) -> Self {
        Within { model: self.model.varied(round, rng), limits: self.limits }
    }
}

impl Heuristic<Former> for Within<'_, BoardValue> {
    fn value(&self, position: &Former) -> f32 {
        if self.limits.interrupted() { 0.0 } else { self.model.value(position) }
    }
}

/// A search and the model it goes by.
#[derive(Clone)]
pub(crate) struct Modelled<S, M = Model> {
    pub(crate) search: S,
    pub(crate) model: M,
}

/// Greedy play.
#[derive(Clone)]
pub(crate) struct ByGreed;

impl Solver<Former> for Modelled<ByGreed> {
    fn solve(
        &mut self,
        position: &Former,
        context: &mut Context<'_, Former>,
    ) -> Option<Solution<Former>> {
        Greedy(Within { model: self.model, limits: context.limits }).solve(position, context)
    }
}

impl<M: Clone> Solver<Former> for Modelled<Rounds, M>
where
    for<'a> Within<'a, M>: Heuristic<Former>,
    Self: Send,
{
    fn solve(
        &mut self,
        position: &Former,
        context: &mut Context<'_, Former>,
    ) -> Option<Solution<Former>> {
        let heuristic = Within { model: self.model.clone(), limits: context.limits };
        Beam { heuristic, ceiling: ByBound, rounds: self.search }.solve(position, context)
    }
}

impl Solver<Former> for Modelled<Config> {
    fn solve(
        &mut self,
        position: &Former,
        context: &mut Context<'_, Former>,
    ) -> Option<Solution<Former>> {
        // What Urheim (2025) calls random play is a uniform policy.
        let policy = (!matches!(self.model, Model::Random(_)))
            .then_some(BestChild(Within { model: self.model, limits: context.limits }));
        by_policy(self.search, policy).solve(position, context)
    }
}
