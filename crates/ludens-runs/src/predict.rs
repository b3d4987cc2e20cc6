//! The recipe `probs`: self-play that predicts beam searches.

use std::sync::atomic::{AtomicBool, Ordering};

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{Deterministic, Duel, Notation, ParseError, Variant};
use ludens_games::{ConnectFour, Othello, Togyzkumalak};
use ludens_learn::probs::{self, Probs, ProbsConfig};
use ludens_nn::{ConnectFourCells, Encoder, OthelloCells, TogyzkumalakPits};

use crate::self_play::{Tell, left, name_of, open};
use crate::train::{TrainError, TrainProgress, TrainRequest, variant};

/// Learns the game that the request names by PROBS.
pub(crate) fn probs(
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: Tell<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    match name_of(request)? {
        ConnectFour::NAME => probs_of::<ConnectFour, ConnectFourCells>(request, stop, tell),
        Othello::NAME => probs_of::<Othello, OthelloCells>(request, stop, tell),
        Togyzkumalak::NAME => probs_of::<Togyzkumalak, TogyzkumalakPits>(request, stop, tell),
        other => {
            let expected = "connect-four, othello or togyzkumalak";
            Err(ParseError::new("game", quote(other), expected).into())
        }
    }
}

fn probs_of<G, E>(
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: Tell<'_>,
) -> Result<Option<TrainProgress>, TrainError>
where
    G: Duel + Deterministic + Notation,
    E: Encoder<G> + Default,
{
    let variant = variant::<G>(request.game.as_deref())?;
    let game = spec(G::NAME, &variant.write());
    let (mut run, seed, config) = open(request, &game, ProbsConfig::for_game(G::NAME), |_| Ok(()))?;
    let mut state = Probs::<G, E>::new(config, E::default(), variant, seed)?;
    if request.resume && run.is_saved(probs::folder::STATE)? {
        state = probs::folder::load(&run, &game, state, E::default(), &variant)?;
        probs::folder::publish(&run, &state)?;
        run.rewind("iteration", state.iterations())?;
    } else {
        probs::folder::save(&run, &game, seed, &state, None)?;
    }
    let asked = || stop.load(Ordering::Relaxed);
    let mut last = None;
    while !state.is_done() && !asked() {
        let Some(iteration) = state.iterate(&asked)? else { break };
        let figures = iteration.figures(state.seconds() / 60.0);
        let [value, action] = iteration.losses;
        let scalars = [("loss/value", value), ("loss/action", action)];
        // Figures first: those that no save counts are forgotten when the run is resumed.
        run.note(iteration.number, &figures, &scalars)?;
        probs::folder::save(&run, &game, seed, &state, Some(&figures))?;
        let line = format!(
            "iteration {} of {} | losses {value:.3} and {action:.3} | {} positions/s",
            iteration.number, config.iterations, figures["positions_per_s"]
        );
        let left = left(config.minutes, config.iterations, state.iterations(), state.seconds());
        let progress = TrainProgress { line, left, json: figures };
        tell(&progress);
        last = Some(progress);
    }
    Ok(last)
}
