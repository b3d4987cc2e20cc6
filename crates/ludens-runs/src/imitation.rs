//! What a run of `supervised` on Former learned from: the expert's games, and the positions that were
//! held out for validation.

use std::path::Path;

use ludens_games::former::Former;
use ludens_learn::supervised::{ExpertGame, GAMES, Games, SupervisedConfig, samples};
use ludens_learn::{Error, RunConfig, game_of};

/// A position of an expert's game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Position {
    /// The board.
    pub board: Former,
    /// The expert's move, by index among the legal ones.
    pub choice: usize,
    /// The moves that the expert still made.
    pub left: usize,
}

/// The games of an expert.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpertGames {
    /// The moves of each, those included that are too long to learn from.
    pub lengths: Vec<usize>,
    /// The moves of a game that is still learned from.
    pub max_moves: usize,
    /// The positions that were held out.
    pub held_out: Vec<Position>,
}

/// The games of the run in a folder.
///
/// # Errors
/// When there is no such run, or it is not of Former.
pub fn expert_games(run: &Path) -> Result<ExpertGames, Error> {
    let path = run.join("config.toml");
    let recorded = RunConfig::read(&path)?;
    let config: SupervisedConfig = recorded.all_settings(&path)?;
    let (game, seed) = (game_of(run)?, recorded.seed()?.unwrap_or_default());
    let variant = ludens_engine::variant_of::<Former>(&game)?;
    let games = Games::given(&run.join(GAMES), &game, seed)?;
    let games: Vec<ExpertGame<Former>> = games.read(&variant, config.games, config.branches + 1)?;
    let split = samples(&games, config.max_moves, config.duplicates);
    let held_out = split.validation.iter().map(|sample| Position {
        board: sample.position,
        choice: usize::from(sample.choice),
        left: sample.value.unsigned_abs() as usize,
    });
    Ok(ExpertGames {
        lengths: games.iter().map(|game| game.line.len()).collect(),
        max_moves: config.max_moves,
        held_out: held_out.collect(),
    })
}
