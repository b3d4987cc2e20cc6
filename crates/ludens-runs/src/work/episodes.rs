//! Whole games by an agent.

use ludens_arena::store::KeptEpisode;
use ludens_engine::episodes::Episode;
use serde::{Deserialize, Serialize};

use super::{Execution, Work, WorkError};
use crate::playing::{Games, GamesProgress, Played, play_episodes, summarize};

/// Everything that games depend on.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EpisodesWork {
    /// The game with its variant.
    pub game: String,
    /// Who plays.
    pub agent: String,
    /// How many games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
}

impl EpisodesWork {
    fn asked<'a>(&'a self, execution: &Execution<'_>) -> Games<'a> {
        Games {
            game: &self.game,
            agent: &self.agent,
            count: self.games,
            seed: self.seed,
            threads: execution.workers,
            shard: execution.shard,
        }
    }

    /// Plays the games of a shard and keeps them. Whether none is missing is returned.
    ///
    /// # Errors
    /// When the game, the agent or its network is wrong, or the store fails.
    pub fn run(
        &self,
        execution: &mut Execution<'_>,
        progress: &mut dyn FnMut(&GamesProgress),
    ) -> Result<bool, WorkError> {
        let episodes = play_episodes(&self.asked(execution), execution.stop, progress)?.episodes;
        let work = Work::Episodes(self.clone()).text();
        for &Episode { number, score, largest, moves } in &episodes {
            let kept = KeptEpisode { number, score, largest, moves };
            execution.store.insert_episode(&work, execution.program, &kept)?;
        }
        Ok(episodes.len() == execution.shard.units(self.games as usize))
    }

    /// Sums up the games that the store has, played in some seconds of clocks and processors.
    ///
    /// # Errors
    /// When games are missing or the store cannot be read.
    pub fn stored(
        &self,
        execution: &Execution<'_>,
        seconds: f64,
        cpu_seconds: f64,
    ) -> Result<Option<Played>, WorkError> {
        let work = Work::Episodes(self.clone()).text();
        let kept = execution.store.episodes(&work, execution.program)?;
        let numbers = kept.iter().map(|episode| episode.number);
        if !numbers.eq(0..self.games) {
            let message = format!("{} of {} games are there", kept.len(), self.games);
            return Err(WorkError::Shards(message));
        }
        let episode = |kept: KeptEpisode| {
            let KeptEpisode { number, score, largest, moves } = kept;
            Episode { number, score, largest, moves }
        };
        let episodes: Vec<Episode> = kept.into_iter().map(episode).collect();
        Ok(summarize(&self.asked(execution), &episodes, seconds, cpu_seconds)?)
    }
}
