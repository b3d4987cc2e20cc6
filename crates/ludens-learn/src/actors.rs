//! Self-play elsewhere: a learner says which games it wants, others play them.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::{Value, json};

use crate::{Error, Settings};

/// Settings of a run that no game depends on.
const OF_RUNS: [&str; 6] = ["iterations", "minutes", "threads", "engine", "keep", "rate"];

/// The settings that games of self-play depend on, with their values.
pub fn of_games(config: &impl Settings) -> Vec<(&'static str, String)> {
    config.texts().into_iter().filter(|(name, _)| !OF_RUNS.contains(name)).collect()
}

/// Games of self-play that a learner wants. Each follows from its number, the seed, the settings and
/// the network, whoever plays it.
#[derive(Clone, PartialEq, Debug)]
pub struct GamesWanted {
    /// The recipe's name.
    pub recipe: &'static str,
    /// The game with its variant.
    pub game: String,
    /// The settings that games depend on.
    pub settings: Vec<(&'static str, String)>,
    /// The run's seed.
    pub seed: u64,
    /// Iterations that the network has learned.
    pub iteration: u64,
    /// Numbers of the games.
    pub numbers: Range<u64>,
    /// The network that plays, as in its file.
    pub network: Vec<u8>,
}

/// Games that were played, in blocks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GamesPlayed {
    /// JSON lines: first `{"evaluated": positions}`, then a game each.
    pub blocks: Vec<String>,
    /// How many iterations older than the network that was wanted the one is that played each block.
    /// Empty if all are by that one.
    pub staleness: Vec<u64>,
}

/// Play games for a learner.
pub trait Actors: Send + Sync {
    /// Plays as many games as are wanted; `None` when `stop` asked for an end. Actors that wait for every
    /// game bring exactly those that are wanted. Actors that do not may bring others, by older networks,
    /// and say so.
    ///
    /// # Errors
    /// When they cannot be played.
    fn play(
        &self,
        wanted: &GamesWanted,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<GamesPlayed>, Error>;
}

/// Games of an iteration, in the order of their numbers.
pub(crate) struct Played<T> {
    pub(crate) games: Vec<T>,
    /// Positions evaluated.
    pub(crate) evaluated: u64,
    /// See [`GamesPlayed::staleness`].
    pub(crate) staleness: Vec<u64>,
}

/// A block as [`GamesPlayed`] has it.
pub(crate) fn block(evaluated: u64, games: impl Iterator<Item = Value>) -> String {
    let first = json!({"evaluated": evaluated});
    std::iter::once(first).chain(games).map(|line| format!("{line}\n")).collect()
}

/// Lets actors play; `read` reads a game and its number. `None` when it was stopped.
///
/// # Errors
/// When actors fail, bring no games, or others than as many as are wanted, each with a number of its own.
pub(crate) fn played_by<T>(
    actors: &dyn Actors,
    wanted: &GamesWanted,
    stop: &(dyn Fn() -> bool + Sync),
    read: impl Fn(&Value) -> Result<(u64, T), Error>,
) -> Result<Option<Played<T>>, Error> {
    let brought = actors.play(wanted, stop)?;
    let Some(GamesPlayed { blocks, staleness }) = brought.filter(|_| !stop()) else {
        return Ok(None);
    };
    let (mut games, mut evaluated) = (Vec::new(), 0);
    for line in blocks.iter().flat_map(|block| block.lines()) {
        let line: Value = serde_json::from_str(line)
            .map_err(|error| Error::Run(format!("a block of self-play: {error}")))?;
        match line["evaluated"].as_u64() {
            Some(count) => evaluated += count,
            None => games.push(read(&line)?),
        }
    }
    games.sort_by_key(|(number, _)| *number);
    let numbers: BTreeSet<u64> = games.iter().map(|(number, _)| *number).collect();
    let count = wanted.numbers.end - wanted.numbers.start;
    if (numbers.len() as u64, games.len() as u64) != (count, count) {
        let message = format!(
            "actors brought {} games with {} numbers, expected {count} of each",
            games.len(),
            numbers.len()
        );
        return Err(Error::Run(message));
    }
    let games = games.into_iter().map(|(_, game)| game).collect();
    Ok(Some(Played { games, evaluated, staleness }))
}

/// Tells in the metrics of an iteration how old the networks were that played, where some were.
pub(crate) fn note_staleness(staleness: &[u64], metrics: &mut Value) {
    if let Some(most) = staleness.iter().max() {
        let mean = staleness.iter().sum::<u64>() as f64 / staleness.len() as f64;
        (metrics["staleness"], metrics["max_staleness"]) = (json!(mean), json!(most));
    }
}
