//! How a run starts or resumes: its settings, the games of the expert, its network.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludens_core::params::spec;
use ludens_core::{Notation, ParseError, Solo, SoloPuzzle, Solver, Symmetric, Variant};
use ludens_nn::{Encoder, NetValue, Network};
use serde_json::json;

use super::{
    Expert, ExpertGame, Experts, GAMES, Games, Plan, Supervised, SupervisedConfig, generate,
    samples,
};
use crate::{Error, Opened, Progress, Report, RunRequest};

/// The experts of a game: one that plays, or one that plays by the values of a network.
pub struct GameExperts<'a, G: Solo, E> {
    /// Makes an expert by the settings.
    pub player: &'a (dyn Fn(&SupervisedConfig) -> Box<dyn Solver<G>> + Sync),
    /// Makes an expert by a network's values, for `expert=network`.
    pub by_value: &'a (dyn Fn(NetValue<G, E>) -> Box<dyn Solver<G>> + Sync),
    /// Makes a solver that proves optimal lines.
    pub exact: &'a (dyn Fn() -> Box<dyn Solver<G>> + Sync),
}

/// Starts or resumes a run; a new one has the `defaults` where nothing else is asked for. The expert's
/// games that are missing are played first; `None` when `stop` asked for an end meanwhile.
///
/// # Errors
/// When a setting or the network to start with is wrong, or the folder cannot be used as asked.
pub fn open<G, E>(
    request: &RunRequest,
    encoder: E,
    variant: G::Variant,
    defaults: SupervisedConfig,
    experts: &GameExperts<'_, G, E>,
    stop: &AtomicBool,
    report: Report<'_>,
) -> Result<Option<Opened<Supervised<G, E>>>, Error>
where
    G: SoloPuzzle + Symmetric + Notation,
    E: Encoder<G>,
{
    let game = spec(G::NAME, &variant.write());
    let run = request.open_network::<G, E, SupervisedConfig>(&game, defaults, |config, spec| {
        match (spec, config.expert) {
            (Some(spec), Expert::Network) => spec.require(false, true)?,
            (None, Expert::Network) => {
                let expected = "--from DIR with the network that plays";
                return Err(ParseError::new("setting expert", "network", expected));
            }
            (_, Expert::Beam) => {}
        }
        spec.map_or(Ok(()), |spec| Supervised::<G, E>::check(config, &variant, spec))
    })?;
    let (config, seed) = (run.config, run.seed);
    let own = match (config.expert, &run.start) {
        (Expert::Beam, _) => None,
        (Expert::Network, Some(model)) => {
            Some(NetValue::new(Arc::new(Network::new(&model.weights)), encoder, &variant)?)
        }
        (Expert::Network, None) => {
            let folder = run.dir.path().display();
            return Err(Error::Run(format!("{folder} has lost the network that plays")));
        }
    };
    let player = || own.clone().map_or_else(|| (experts.player)(&config), experts.by_value);
    let experts = Experts { player: &player, exact: experts.exact };
    let games = played(run.dir.path(), &variant, &config, seed, &experts, stop, report)?;
    let Some(games) = games else { return Ok(None) };
    let split = samples(&games, config.max_moves);
    let supervised = match (run.checkpoint, run.weights) {
        (Some(checkpoint), _) => {
            Supervised::resume(config, encoder, variant, seed, split, checkpoint)?
        }
        (None, weights) => Supervised::new(config, encoder, variant, seed, split, weights)?,
    };
    Ok(Some((supervised, Some(run.dir))))
}

/// The games of the experts in a folder, those that are missing played; `None` when it was stopped.
///
/// # Errors
/// When the file cannot be used.
pub fn played<G: SoloPuzzle + Notation>(
    folder: &Path,
    variant: &G::Variant,
    config: &SupervisedConfig,
    seed: u64,
    experts: &Experts<'_, G>,
    stop: &AtomicBool,
    report: Report<'_>,
) -> Result<Option<Vec<ExpertGame<G>>>, Error> {
    let game = spec(G::NAME, &variant.write());
    let mut games = Games::open(&folder.join(GAMES), &game, seed)?;
    let (count, lines) = (config.games, config.branches + 1);
    let share = |done: u64| done as f64 / count as f64;
    let (start, before) = (Instant::now(), share(games.numbers()?.len() as u64 / lines));
    let (branches, threads) = (config.branches, config.threads);
    let plan = Plan { seed, count, branches, ends: config.exact, threads };
    generate(&mut games, variant, &plan, experts, stop, &mut |done| {
        let json = json!({"stage": "games", "games": done, "of": count});
        let line = format!("{done} of {count} games");
        report(&Progress::new(line, json, start, before, share(done)));
    })?;
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    Ok(Some(games.read(variant, count, lines)?))
}
