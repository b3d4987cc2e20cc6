//! Networks, bundled and of runs: whether they can be used, and means of their weights.

use std::path::{Path, PathBuf};

use ludens_core::{AfterNotation, Cells, ParseError, Player};
use ludens_engine::{game, variant_of};
use ludens_games::{Game2048, Game2584, Threes};
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
    let name = spec.split(':').next().unwrap_or_default();
    match name {
        "2048" => average_of::<Game2048>(&spec, files, out),
        "2584" => average_of::<Game2584>(&spec, files, out),
        "threes" => average_of::<Threes>(&spec, files, out),
        _ => Err(AverageError::Game(first.clone(), spec)),
    }
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
