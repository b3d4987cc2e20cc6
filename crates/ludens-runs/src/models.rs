//! Networks, bundled and of runs: whether they can be used, and means of their weights.

use std::path::{Path, PathBuf};

use ludens_core::{AfterNotation, Cells, ParseError, Player};
use ludens_engine::sliding::Sliding;
use ludens_engine::{TileVisitor, game, variant_of, visit_tiles};
use ludens_games::framework::FrameworkGame;
use ludens_ntuple::{Error, Network, file};
use serde_json::json;

pub use ludens_models::{ModelInfo, file_in, models_in};

/// What is wrong with a network.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Its file is damaged.
    #[error(transparent)]
    File(#[from] ludens_models::Error),
    /// No agent can be made with it.
    #[error(transparent)]
    Use(#[from] ParseError),
}

/// Reads a whole network, compares all its checksums, and makes the agent that would use it: what
/// is sound here can be played with.
///
/// # Errors
/// When it is damaged, or nothing can play with it.
pub fn verify(model: &ModelInfo) -> Result<(), ModelError> {
    model.verify_file()?;
    let mut table = game(&model.game)?.start(0);
    let mut tried = model.agents.iter().map(|agent| table.seat(Player::One, agent));
    let first = tried.next().unwrap_or(Ok(()));
    // What the first says of it is told: the others are for networks of other kinds.
    match first {
        Err(error) if !tried.any(|made| made.is_ok()) => Err(error.into()),
        _ => Ok(()),
    }
}

/// The mean of the weights of networks: snapshots of one run (stochastic weight averaging), or
/// separate runs. Written to `out`.
///
/// # Errors
/// When a file cannot be read, they are not of one form, or `out` cannot be written.
pub fn average(files: &[PathBuf], out: &Path) -> Result<(), AverageError> {
    let first = files.first().ok_or(AverageError::None)?;
    let spec = file::header(first)?["game"].as_str().unwrap_or_default().to_owned();
    struct Average<'a>(&'a str, &'a [PathBuf], &'a Path);
    impl TileVisitor for Average<'_> {
        type Output = Result<(), AverageError>;
        fn visit<G: Sliding + FrameworkGame>(self) -> Self::Output {
            average_of::<G>(self.0, self.1, self.2)
        }
    }
    let other = |_| AverageError::Game(first.clone(), spec.clone());
    visit_tiles(&spec, Average(&spec, files, out)).map_err(other)?
}

fn average_of<G: Cells + AfterNotation>(
    spec: &str,
    files: &[PathBuf],
    out: &Path,
) -> Result<(), AverageError> {
    let variant = variant_of::<G>(spec).map_err(Error::from)?;
    let load = |path| file::load::<G>(path, spec, &variant, false).map(|loaded| loaded.network);
    let mean: Network = load(&files[0])?;
    for (i, path) in files.iter().enumerate() {
        let next = if i == 0 { None } else { Some(load(path)?) };
        let next = next.as_ref().unwrap_or(&mean);
        if next.is_compact() || *next.form() != *mean.form() {
            return Err(AverageError::Form(path.clone()));
        }
        mean.blend(next, 1.0 / (i + 1) as f32);
    }
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    file::save(out, spec, &mean, None, &json!({"average": names}))?;
    Ok(())
}

/// Why networks could not be averaged.
#[derive(Debug, thiserror::Error)]
pub enum AverageError {
    /// There are none.
    #[error("no networks to average")]
    None,
    /// A network has other tables.
    #[error("{}: other tables than the first network's, or a packed network", .0.display())]
    Form(PathBuf),
    /// A network is for a game that has no recipe.
    #[error("{}: a network for '{}', expected 2048, 2584 or threes", .0.display(), .1)]
    Game(PathBuf, String),
    /// A file is damaged or cannot be written.
    #[error(transparent)]
    File(#[from] Error),
}
