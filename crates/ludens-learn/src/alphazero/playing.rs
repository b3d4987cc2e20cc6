//! Who plays the games of an iteration: threads of this program, or [`Actors`] elsewhere.

use std::ops::Range;

use ludens_core::params::spec;
use ludens_core::{Deterministic, Notation, Variant};
use serde_json::Value;

use super::AlphaZeroConfig;
use super::game::SelfPlay;
use super::learner::Learner;
use super::recipe::{AlphaZero, Setup};
use super::self_play::Games;
use super::tree::Tree;
use crate::actors::{Actors, GamesWanted, Played, block, of_games, played_by};
use crate::{Error, Settings};

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

/// What was learned while games were played, and the games; none when it was stopped.
type LearnedAndPlayed<G> = (Learned, Option<Played<SelfPlay<G>>>);

/// Plays a block of games with the network of a file's bytes, on this thread: JSON lines as
/// [`GamesPlayed`](crate::GamesPlayed) has them. `None` when `stop` asked for an end.
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
    Ok(Some(block(evaluated, played.iter().map(SelfPlay::to_json))))
}

impl<G: Deterministic + Notation, L: Learner<G>, T: Tree<G>> AlphaZero<G, L, T> {
    /// Plays on the threads of the settings; one of them learns first. No games when it was stopped.
    pub(super) fn by_threads(
        &mut self,
        numbers: Range<u64>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<LearnedAndPlayed<G>, Error> {
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
    ) -> Result<LearnedAndPlayed<G>, Error> {
        let wanted = self.wanted(numbers)?;
        let variant = self.variant;
        let read = |line: &Value| {
            let game = SelfPlay::<G>::from_json(&variant, line)?;
            Ok((game.number, game))
        };
        let (learned, played) = std::thread::scope(|scope| {
            let playing = scope.spawn(|| played_by(actors, &wanted, stop, read));
            let learned = self.learn_meanwhile(stop);
            let played = playing.join();
            (learned, played)
        });
        let lost = |_| Error::Run("the actors that play have failed".to_owned());
        Ok((learned?, played.map_err(lost)??))
    }

    /// The order for games by the network as it is.
    fn wanted(&self, numbers: Range<u64>) -> Result<GamesWanted, Error> {
        let game = spec(G::NAME, &self.variant.write());
        Ok(GamesWanted {
            recipe: AlphaZeroConfig::RECIPE,
            settings: of_games(&self.config),
            seed: self.seed,
            iteration: self.effort.iterations,
            numbers,
            network: self.learner.network(&game)?,
            game,
        })
    }
}
