//! Games of self-play by a network.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use ludens_arena::worker_pool;
use ludens_core::error::quote;
use ludens_core::{ParseError, file};
use ludens_learn::alphazero::{AlphaZeroConfig, games_played};
use ludens_learn::probs::ProbsConfig;
use ludens_learn::{GamesWanted, MODEL, RunConfig, RunRequest, Settings, of_games};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Execution, Units, Work, WorkError};
use crate::recipes;

/// Games of a block, where nobody says otherwise.
const BLOCK: u64 = 32;
/// No network is larger.
const LARGEST: u64 = 1 << 30;

/// Everything that games depend on. A unit is a block of games.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfPlayWork {
    /// The recipe.
    pub recipe: String,
    /// The game with its variant.
    pub game: String,
    /// The settings that games depend on.
    pub settings: BTreeMap<String, String>,
    /// The run's seed.
    pub seed: u64,
    /// The checksum of the network's tensors, as its file has it.
    pub network: String,
    /// Iterations that the network has learned.
    pub iteration: u64,
    /// The number of the first game.
    pub first: u64,
    /// How many games.
    pub games: u64,
    /// Games of a block.
    pub block: u64,
}

/// All games, in the order of their numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlayDone {
    /// What was wanted.
    pub work: SelfPlayWork,
    /// The blocks, as [`ludens_learn::GamesPlayed`] has them.
    pub blocks: Vec<String>,
}

impl SelfPlayWork {
    /// The work that an order of a learner is, in blocks of some games.
    ///
    /// # Errors
    /// When the order has no network.
    pub fn of(wanted: &GamesWanted, block: Option<u64>) -> Result<Self, WorkError> {
        let settings =
            wanted.settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        Ok(SelfPlayWork {
            recipe: wanted.recipe.to_owned(),
            game: wanted.game.clone(),
            settings: settings.collect(),
            seed: wanted.seed,
            network: checksum(&wanted.network)?,
            iteration: wanted.iteration,
            first: wanted.numbers.start,
            games: wanted.numbers.end - wanted.numbers.start,
            block: block.unwrap_or(BLOCK).max(1),
        })
    }

    /// What the next iteration of a run wants, and the network that plays, from the run's folder.
    ///
    /// # Errors
    /// When there is no run, it is of a recipe without games that others could play, or a file is damaged.
    pub fn of_run(folder: &Path, block: Option<u64>) -> Result<(Self, Vec<u8>), WorkError> {
        let config = RunConfig::read(&folder.join("config.toml"))?;
        let path = folder.join(MODEL);
        let read = || {
            let network = file::read(&path, LARGEST)
                .map_err(|error| WorkError::Shards(format!("{}: {error}", path.display())))?;
            let about = ludens_nn::about(MODEL, &network).map_err(ludens_learn::Error::from)?;
            Ok::<_, WorkError>((network, about["notes"].clone()))
        };
        let recipe = config.recipe.clone().unwrap_or_default();
        let (recipe, settings, first, games, (network, notes)) = match &*recipe {
            AlphaZeroConfig::RECIPE => {
                let (settings, network) = (settings_of::<AlphaZeroConfig>(&config)?, read()?);
                let first = games_played(&network.1, &settings);
                (AlphaZeroConfig::RECIPE, of_games(&settings), first, settings.games, network)
            }
            ProbsConfig::RECIPE => {
                let (settings, network) = (settings_of::<ProbsConfig>(&config)?, read()?);
                let first = iterations(&network.1) * settings.games;
                (ProbsConfig::RECIPE, of_games(&settings), first, settings.games, network)
            }
            other => {
                let expected = "one of alphazero or probs, whose games others can play";
                return Err(ParseError::new("run", quote(other), expected).into());
            }
        };
        let wanted = GamesWanted {
            recipe,
            game: config.game.clone().unwrap_or_default(),
            settings,
            seed: config.seed()?.unwrap_or_default(),
            iteration: iterations(&notes),
            numbers: first..first + games,
            network,
        };
        Ok((Self::of(&wanted, block)?, wanted.network))
    }

    /// How many blocks.
    pub fn units(&self) -> usize {
        self.games.div_ceil(self.block.max(1)) as usize
    }

    /// Refuses a network that is not the one of this work.
    ///
    /// # Errors
    /// When it is another, or none.
    pub fn check(&self, network: &[u8]) -> Result<(), WorkError> {
        let found = checksum(network)?;
        if found == self.network {
            return Ok(());
        }
        let expected = format!("{}, which this self-play is by", self.network);
        Err(ParseError::new("network", found, expected).into())
    }

    /// Plays a block with its network, which must have been [checked](Self::check): JSON lines. `None`
    /// when it was stopped.
    ///
    /// # Errors
    /// When the settings or the network are wrong.
    pub fn unit(
        &self,
        unit: usize,
        network: &[u8],
        stop: &AtomicBool,
    ) -> Result<Option<String>, WorkError> {
        let (first, end) = (self.first + unit as u64 * self.block, self.first + self.games);
        let numbers = first..(first + self.block).min(end);
        let settings = self.settings.clone().into_iter().collect();
        let request = RunRequest { settings, seed: self.seed, ..RunRequest::default() };
        let stop = || stop.load(Ordering::Relaxed);
        let (recipe, game) = (&self.recipe, &self.game);
        Ok(recipes::play_block(recipe, game, &request, network, numbers, &stop)?)
    }

    /// Plays the blocks of a shard that are not in the store yet. Whether none is missing is returned.
    ///
    /// # Errors
    /// When the settings or the network are wrong, or the store fails.
    pub fn run(
        &self,
        execution: &mut Execution<'_>,
        progress: &mut dyn FnMut(Units),
    ) -> Result<bool, WorkError> {
        self.check(execution.network)?;
        let work = Work::SelfPlay(self.clone()).text();
        let there = execution.store.blocks(&work, execution.program)?;
        let (shard, total) = (execution.shard, execution.shard.units(self.units()));
        let todo: Vec<usize> = (0..self.units())
            .filter(|unit| shard.has(*unit) && !there.contains_key(unit))
            .collect();
        let (mut done, mut failed) = (total - todo.len(), None);
        progress(Units { done, total });
        let (stop, network) = (execution.stop, execution.network);
        let play = || |at: usize, halt: &AtomicBool| self.unit(todo[at], network, halt);
        worker_pool::run(todo.len(), execution.workers, stop, play, |at, block| {
            let kept = match block {
                Some(Ok(Some(games))) => execution
                    .store
                    .insert_block(&work, execution.program, todo[at], &games)
                    .map_err(WorkError::from),
                Some(Ok(None)) => return false,
                Some(Err(error)) => Err(error),
                None => Err(WorkError::Shards(format!("block {} crashed", todo[at]))),
            };
            match kept {
                Ok(()) => {
                    done += 1;
                    progress(Units { done, total });
                    true
                }
                Err(error) => {
                    failed.get_or_insert(error);
                    false
                }
            }
        });
        failed.map_or(Ok(done == total), Err)
    }

    /// All blocks, from a store.
    ///
    /// # Errors
    /// When one is missing.
    pub fn stored(&self, execution: &Execution<'_>) -> Result<SelfPlayDone, WorkError> {
        let work = Work::SelfPlay(self.clone()).text();
        let blocks = execution.store.blocks(&work, execution.program)?;
        if !blocks.keys().copied().eq(0..self.units()) {
            let message = format!("{} of {} blocks are there", blocks.len(), self.units());
            return Err(WorkError::Shards(message));
        }
        Ok(SelfPlayDone { work: self.clone(), blocks: blocks.into_values().collect() })
    }
}

impl SelfPlayDone {
    /// What the games came to, with stable field names; `hash` is that of all games.
    pub fn json(&self) -> Value {
        let mut all = String::new();
        let (mut games, mut moves, mut evaluated, mut wins, mut draws) = (0u64, 0, 0, 0u64, 0u64);
        for line in self.blocks.iter().flat_map(|block| block.lines()) {
            let game: Value = serde_json::from_str(line).unwrap_or_default();
            if let Some(count) = game["evaluated"].as_u64() {
                evaluated += count;
                continue;
            }
            all.push_str(line);
            all.push('\n');
            games += 1;
            moves += game["turns"].as_array().map_or(0, Vec::len);
            wins += u64::from(game["result"].as_i64() == Some(1));
            draws += u64::from(game["result"].as_i64() == Some(0));
        }
        let share = |count: u64| count as f64 / games.max(1) as f64;
        json!({
            "game": self.work.game,
            "recipe": self.work.recipe,
            "network": self.work.network,
            "iteration": self.work.iteration,
            "seed": self.work.seed,
            "first": self.work.first,
            "games": games,
            "positions": moves,
            "mean_length": moves as f64 / games.max(1) as f64,
            "first_wins": share(wins),
            "draws": share(draws),
            "evaluated": evaluated,
            "hash": ludens_arena::fingerprint::of_bytes(all.as_bytes()),
        })
    }
}

/// The settings of a run's folder.
fn settings_of<S: Settings>(config: &RunConfig) -> Result<S, ParseError> {
    let mut settings = S::default();
    for (name, value) in config.settings() {
        settings.set(&name, &value)?;
    }
    Ok(settings)
}

/// Iterations that a network has learned, by its notes.
fn iterations(notes: &Value) -> u64 {
    notes["iterations"].as_u64().unwrap_or_default()
}

/// The checksum of a network's tensors, as its file has it.
fn checksum(network: &[u8]) -> Result<String, WorkError> {
    let about = ludens_nn::about("the network that plays", network);
    let about = about.map_err(ludens_learn::Error::from)?;
    Ok(about["blake3"].as_str().unwrap_or_default().to_owned())
}
