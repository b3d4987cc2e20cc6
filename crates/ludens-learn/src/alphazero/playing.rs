//! Who plays the games of an iteration: threads of this program, or [`Actors`] elsewhere.

use std::collections::BTreeSet;
use std::ops::Range;

use ludens_core::params::spec;
use ludens_core::{Deterministic, Notation, Variant};
use serde_json::{Value, json};

use super::AlphaZeroConfig;
use super::game::SelfPlay;
use super::learner::Learner;
use super::recipe::{AlphaZero, Setup};
use super::self_play::Games;
use super::tree::Tree;
use crate::actors::{Actors, GamesPlayed, GamesWanted};
use crate::{Error, Settings};

/// Settings of a run that no game depends on.
const OF_RUNS: [&str; 6] = ["iterations", "minutes", "threads", "engine", "keep", "rate"];

/// Games of an iteration, in the order of their numbers.
pub(super) struct Played<G> {
    pub(super) games: Vec<SelfPlay<G>>,
    /// Positions evaluated.
    pub(super) evaluated: u64,
    /// See [`GamesPlayed::staleness`].
    pub(super) staleness: Vec<u64>,
}

/// What learning came to beside the games.
#[derive(Default)]
pub(super) struct Learned {
    /// The mean losses of policy and value.
    pub(super) losses: Option<[f32; 2]>,
    /// Those of games that nothing was learned from.
    pub(super) validation: Option<[f32; 2]>,
    /// Steps.
    pub(super) steps: u64,
}

/// Plays a block of games with the network of a file's bytes, on this thread: JSON lines as
/// [`GamesPlayed`] has them. `None` when `stop` asked for an end.
///
/// # Errors
/// When the network is of another game or encoder.
pub fn play_block<G: Deterministic + Notation, L: Learner<G>, T: Tree<G>>(
    config: &AlphaZeroConfig,
    variant: G::Variant,
    seed: u64,
    setup: &Setup<G, L, T>,
    network: &[u8],
    numbers: Range<u64>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<String>, Error> {
    let game = spec(G::NAME, &variant.write());
    let learner = L::of_network(&variant, config, network, &game)?;
    let games = Games::new(variant, config, seed, setup.tree, numbers, stop)
        .of_variants(&setup.variants)
        .refereed(setup.referee);
    let Some(mut evaluator) = learner.evaluators(1, config.cache)?.pop() else { return Ok(None) };
    let (mut played, evaluated) = games.play(&mut *evaluator);
    if games.is_stopped() {
        return Ok(None);
    }
    played.sort_by_key(|game| game.number);
    let mut lines = format!("{}\n", json!({"evaluated": evaluated}));
    played.iter().for_each(|game| lines.push_str(&format!("{}\n", game.to_json())));
    Ok(Some(lines))
}

impl<G: Deterministic + Notation, L: Learner<G>, T: Tree<G>> AlphaZero<G, L, T> {
    /// Plays on the threads of the settings; one of them learns first. No games when it was stopped.
    pub(super) fn by_threads(
        &mut self,
        numbers: Range<u64>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Learned, Option<Played<G>>), Error> {
        let config = self.config;
        let evaluators = self.learner.evaluators(config.threads.max(1), config.cache)?;
        let variants = self.variants.clone();
        let games = Games::new(self.variant, &config, self.seed, self.tree, numbers, stop)
            .of_variants(&variants)
            .refereed(self.referee);
        let (learned, played, evaluated) =
            games.play_beside(evaluators, || self.learn_meanwhile(stop))?;
        let played = Played { games: played, evaluated, staleness: Vec::new() };
        Ok((learned, (!games.is_stopped()).then_some(played)))
    }

    /// Lets others play, and learns meanwhile. No games when it was stopped.
    pub(super) fn by_actors(
        &mut self,
        actors: &dyn Actors,
        numbers: Range<u64>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Learned, Option<Played<G>>), Error> {
        let wanted = self.wanted(numbers)?;
        let (learned, brought) = std::thread::scope(|scope| {
            let playing = scope.spawn(|| actors.play(&wanted, stop));
            let learned = self.learn_meanwhile(stop);
            let brought = playing.join();
            (learned, brought)
        });
        let lost = |_| Error::Run("the actors that play have failed".to_owned());
        let (learned, brought) = (learned?, brought.map_err(lost)??);
        let Some(brought) = brought.filter(|_| !stop()) else { return Ok((learned, None)) };
        let count = wanted.numbers.end - wanted.numbers.start;
        let played = self.read(brought)?;
        let numbers: BTreeSet<u64> = played.games.iter().map(|game| game.number).collect();
        if (numbers.len() as u64, played.games.len() as u64) != (count, count) {
            let message = format!(
                "actors brought {} games with {} numbers, expected {count} of each",
                played.games.len(),
                numbers.len()
            );
            return Err(Error::Run(message));
        }
        Ok((learned, Some(played)))
    }

    /// The order for games by the network as it is.
    fn wanted(&self, numbers: Range<u64>) -> Result<GamesWanted, Error> {
        let game = spec(G::NAME, &self.variant.write());
        Ok(GamesWanted {
            recipe: AlphaZeroConfig::RECIPE,
            settings: self.config.of_games(),
            seed: self.seed,
            iteration: self.effort.iterations,
            numbers,
            network: self.learner.network(&game)?,
            game,
        })
    }

    fn read(&self, brought: GamesPlayed) -> Result<Played<G>, Error> {
        let (mut games, mut evaluated) = (Vec::new(), 0);
        for block in &brought.blocks {
            for line in block.lines() {
                let line: Value = serde_json::from_str(line)
                    .map_err(|error| Error::Run(format!("a block of self-play: {error}")))?;
                match line["evaluated"].as_u64() {
                    Some(count) => evaluated += count,
                    None => games.push(SelfPlay::from_json(&self.variant, &line)?),
                }
            }
        }
        games.sort_by_key(|game| game.number);
        Ok(Played { games, evaluated, staleness: brought.staleness })
    }
}

impl AlphaZeroConfig {
    /// The settings that games depend on, with their values.
    pub fn of_games(&self) -> Vec<(&'static str, String)> {
        self.texts().into_iter().filter(|(name, _)| !OF_RUNS.contains(name)).collect()
    }
}
