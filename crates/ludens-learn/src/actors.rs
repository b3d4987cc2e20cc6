//! Self-play elsewhere: a learner says which games it wants, others play them.

use std::ops::Range;

use crate::Error;

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
