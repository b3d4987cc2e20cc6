//! Who plays the games of an iteration: threads of this program, or [`Actors`] elsewhere.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ludens_core::params::spec;
use ludens_core::{Deterministic, Duel, Notation, ParseError, Variant};
use ludens_nn::{Encoder, Network, QvNetworks};
use serde_json::{Value, json};

use super::ProbsConfig;
use super::networks::NetworkLearner;
use super::recipe::Probs;
use super::self_play::{Episode, Moves, play};
use crate::actors::{Actors, GamesWanted, Played, block, of_games, played_by};
use crate::{Error, Settings};

/// Plays a block of games with the network Q of a file's bytes, on this thread: JSON lines as
/// [`GamesPlayed`](crate::GamesPlayed) has them. `None` when `stop` asked for an end.
///
/// # Errors
/// When the network is of another game or encoder.
pub fn play_block<G: Duel + Deterministic + Notation, E: Encoder<G> + Default>(
    config: &ProbsConfig,
    variant: G::Variant,
    seed: u64,
    network: &[u8],
    numbers: Range<u64>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<String>, Error> {
    let game = spec(G::NAME, &variant.write());
    let encoder = E::default();
    let q = NetworkLearner::of_network::<G>(encoder, &variant, network, &game, config)?;
    let q = Arc::new(Network::new(&q.weights.mean));
    let mut player = QvNetworks::new(encoder, q, None);
    let next = AtomicU64::new(numbers.start);
    let mut played = play::<G>(&variant, config, seed, &next, numbers.end, &mut player, stop);
    if stop() {
        return Ok(None);
    }
    played.sort_by_key(|game| game.number);
    let moves = played.iter().map(|game| game.choices.len() as u64).sum();
    Ok(Some(block(moves, played.iter().map(Episode::to_json))))
}

impl<G: Duel + Deterministic + Notation, E: Encoder<G>> Probs<G, E> {
    /// Plays on the threads of the settings. No games when it was stopped.
    pub(super) fn by_threads(
        &self,
        numbers: Range<u64>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Played<Episode<G>>> {
        let (config, variant, seed) = (self.config, self.variant, self.seed);
        let (next, players) = (&AtomicU64::new(numbers.start), self.players());
        let mut games = Vec::new();
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..config.threads.max(1))
                .map(|_| {
                    let mut players = players.clone();
                    let config = &config;
                    let end = numbers.end;
                    let play = move || play(&variant, config, seed, next, end, &mut players, stop);
                    scope.spawn(play)
                })
                .collect();
            for worker in workers {
                games.extend(worker.join().expect("self-play does not panic"));
            }
        });
        games.sort_by_key(|game: &Episode<G>| game.number);
        let evaluated = games.iter().map(|game| game.choices.len() as u64).sum();
        (!stop()).then_some(Played { games, evaluated, staleness: Vec::new() })
    }

    /// Lets others play. No games when it was stopped.
    pub(super) fn by_actors(
        &self,
        actors: &dyn Actors,
        numbers: Range<u64>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Played<Episode<G>>>, Error> {
        let game = spec(G::NAME, &self.variant.write());
        let wanted = GamesWanted {
            recipe: ProbsConfig::RECIPE,
            settings: of_games(&self.config),
            seed: self.seed,
            iteration: self.iterations(),
            numbers,
            network: self.actions.network::<G>(&game)?,
            game,
        };
        played_by(actors, &wanted, stop, |line| {
            let game = Episode::from_json(&self.variant, line, self.config.max_moves)?;
            Ok((game.number, game))
        })
    }
}

impl<G: Duel + Deterministic + Notation> Episode<G> {
    /// A line of a block.
    fn to_json(&self) -> Value {
        let start = self.states.first().map(|(start, _)| start.text());
        json!({"number": self.number, "start": start, "result": self.result, "turns": self.choices})
    }

    /// The game of a line.
    fn from_json(variant: &G::Variant, line: &Value, max_moves: usize) -> Result<Self, ParseError> {
        let wrong =
            |what: &str| ParseError::new("game of self-play", what, "one as it was written");
        let start = G::parse(variant, line["start"].as_str().unwrap_or_default())?;
        let number = line["number"].as_u64().ok_or_else(|| wrong("no number"))?;
        let mut moves = Moves::new(number, start);
        for index in line["turns"].as_array().ok_or_else(|| wrong("no moves"))? {
            let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
            if moves.has_ended(max_moves) || !index.is_some_and(|index| moves.play(index)) {
                return Err(wrong("an illegal move"));
            }
        }
        if !moves.has_ended(max_moves) {
            return Err(wrong("a game without its end"));
        }
        let game = moves.finish();
        if line["result"].as_i64() != Some(i64::from(game.result)) {
            return Err(wrong("another result than that of its moves"));
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;
    use ludens_games::ConnectFour;
    use ludens_nn::ConnectFourCells;

    use super::*;

    #[test]
    fn blocks_are_the_games_of_threads_and_damaged_ones_are_refused() {
        let config = ProbsConfig { channels: 4, layers: 1, hidden: 8, ..ProbsConfig::default() };
        let probs =
            Probs::<ConnectFour, _>::new(config, ConnectFourCells, Default::default(), 7).unwrap();
        let never = || false;
        let played = probs.by_threads(3..9, &never).unwrap();
        let network = probs.actions.network::<ConnectFour>("connect-four").unwrap();
        let lines = play_block::<ConnectFour, ConnectFourCells>(
            &config,
            Default::default(),
            7,
            &network,
            3..9,
            &never,
        );
        let lines = lines.unwrap().unwrap();
        let mut all: Vec<Value> = lines.lines().map(|x| serde_json::from_str(x).unwrap()).collect();
        assert_eq!(all.remove(0)["evaluated"], json!(played.evaluated));
        let read = |line: &Value| Episode::<ConnectFour>::from_json(&Default::default(), line, 100);
        for (line, game) in all.iter().zip(&played.games) {
            assert_eq!(*line, game.to_json());
            assert_eq!(read(line).unwrap().states, game.states);
        }
        let mut rng = Rng::new(1);
        for field in ["number", "start", "result", "turns"] {
            let mut damaged = all[rng.below(6) as usize].clone();
            damaged[field] = json!("x");
            assert!(read(&damaged).is_err(), "{field}");
        }
        let mut short = all[0].clone();
        short["turns"].as_array_mut().unwrap().pop();
        assert!(read(&short).is_err());
    }
}
