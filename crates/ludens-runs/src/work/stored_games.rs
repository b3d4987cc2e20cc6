//! Games of self-play that shards have played, for the learner.

use std::path::PathBuf;

use ludens_arena::Store;
use ludens_learn::{Actors, Error, GamesPlayed, GamesWanted};

use super::{Done, SelfPlayWork, Work, WorkError, merge};

/// The stores of all shards of the games of one iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredGames(pub Vec<PathBuf>);

impl StoredGames {
    fn find(&self, wanted: &GamesWanted) -> Result<Vec<String>, WorkError> {
        let mut store = Store::in_memory()?;
        let merged = merge(&self.0, &mut store)?;
        let Done::SelfPlay(done) = merged.done(&mut store)? else {
            return Err(WorkError::Shards("these shards are of no self-play".to_owned()));
        };
        let expected = SelfPlayWork::of(wanted, Some(done.work.block))?;
        if done.work != expected {
            let [found, expected] = [done.work, expected].map(|work| Work::SelfPlay(work).text());
            let message = format!("the shards are of {found}, the run wants {expected}");
            return Err(WorkError::Shards(message));
        }
        Ok(done.blocks)
    }
}

impl Actors for StoredGames {
    fn play(
        &self,
        wanted: &GamesWanted,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<GamesPlayed>, Error> {
        let blocks = self.find(wanted).map_err(|error| Error::Run(error.to_string()))?;
        Ok(Some(GamesPlayed { blocks, staleness: Vec::new() }))
    }
}
