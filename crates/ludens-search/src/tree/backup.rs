//! What a tree backs up.

use ludens_core::{Duel, Game, GameResult, Reward};

use super::config::{PuctConfig, TreeConfig};

/// The value of a simulation. Values are those of player one, and each node's player
/// wants as much of them as possible, as seen by that player.
pub trait Backup<G: Game>: Send + Sync + 'static {
    /// The composition of PUCT for such values.
    fn puct(config: PuctConfig) -> TreeConfig;

    /// How a game that is over ended, where it can be won; such results can be proven.
    fn result(position: &G) -> Option<GameResult>;

    /// What a reward on the way adds to the value of what follows.
    fn reward(reward: Reward) -> f32;
}

/// Who wins: 1, 0 or -1 at the end of the game, and nothing before.
#[derive(Clone, Copy, Debug)]
pub struct Results;

impl<G: Duel> Backup<G> for Results {
    fn puct(config: PuctConfig) -> TreeConfig {
        TreeConfig::puct(config)
    }

    #[inline]
    fn result(position: &G) -> Option<GameResult> {
        position.outcome()
    }

    #[inline]
    fn reward(_: Reward) -> f32 {
        0.0
    }
}

/// The sum of the rewards to come, which an end of the game adds nothing to.
#[derive(Clone, Copy, Debug)]
pub struct Returns;

impl<G: Game> Backup<G> for Returns {
    fn puct(config: PuctConfig) -> TreeConfig {
        TreeConfig::puct_of_returns(config)
    }

    #[inline]
    fn result(_: &G) -> Option<GameResult> {
        None
    }

    #[inline]
    fn reward(reward: Reward) -> f32 {
        reward as f32
    }
}
