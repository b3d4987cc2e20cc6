mod puct;
mod returns;
mod stochastic;
mod uct;

use std::sync::atomic::AtomicBool;

use ludens_core::{Agent, Budget, Choice, Context, Deterministic, Duel, Game, Pov, Rng};

use super::*;

/// What an agent chooses without limits on one thread.
fn think<G: Game>(agent: &mut dyn Agent<G>, position: &G, seed: u64) -> Choice<G::Action> {
    let (stop, mut silent) = (AtomicBool::new(false), |_: &Choice<G::Action>| {});
    let mut context = Context::for_agent(Budget::default(), Rng::new(seed), 1, &stop, &mut silent);
    agent.choose(position, &mut context)
}

/// The result of a position for player one under best play.
fn solved<G: Duel + Deterministic>(position: &G) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.value();
    }
    let player = position.to_move();
    let value = |action| ludens_core::Abs(solved(&position.apply(action).0)).pov(player).0;
    Pov(position.actions().map(value).max().unwrap()).abs(player).0
}
