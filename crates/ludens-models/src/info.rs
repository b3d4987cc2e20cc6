//! What networks say of themselves.

use std::path::{Path, PathBuf};

use ludens_ntuple::{file, pack};
use serde_json::{Value, json};

use crate::{BUNDLED, Bundled, Error, NEURAL_FILE, NTUPLE_FILE, Role};

/// A network as `ludens models` lists it.
#[derive(Debug)]
pub struct ModelInfo {
    /// The game it is for, as far as its header can be read.
    pub game: String,
    /// Its file; `None` for a bundled one.
    pub path: Option<PathBuf>,
    /// Its card, if it is bundled.
    pub card: Option<&'static Bundled>,
    /// Its size in bytes.
    pub bytes: u64,
    /// What its header says, or what is wrong with it.
    pub header: Result<Value, Error>,
    /// The agents that may use it; it is for the first of them that accepts it.
    pub agents: Vec<String>,
}

impl ModelInfo {
    /// A bundled network.
    fn of_bundled(card: &'static Bundled) -> Self {
        let header = match card.role {
            Role::Afterstates => pack::about(&card.name(), card.bytes).map_err(Error::from),
            _ => neural_header(ludens_nn::about(&card.name(), card.bytes)),
        };
        ModelInfo {
            game: card.game.to_owned(),
            path: None,
            card: Some(card),
            bytes: card.bytes.len() as u64,
            header,
            agents: vec![card.role.agent().to_owned()],
        }
    }

    /// A network in a file.
    pub fn of_file(path: PathBuf) -> Self {
        let header = if is_neural(&path) {
            neural_header(ludens_nn::about_file(&path))
        } else {
            file::header(&path).map_err(Error::from)
        };
        let game = header.as_ref().ok().and_then(|header| header["game"].as_str());
        let agents: &[&str] = if is_neural(&path) { &["net", "probs"] } else { &["ntuple"] };
        let named = |agent: &&str| format!("{agent}:model={}", path.display());
        ModelInfo {
            game: game.unwrap_or("?").to_owned(),
            bytes: path.metadata().map_or(0, |data| data.len()),
            agents: agents.iter().map(named).collect(),
            path: Some(path),
            card: None,
            header,
        }
    }

    /// Compares the checksums of parts that no agent reads, such as learning rates.
    ///
    /// # Errors
    /// When one differs.
    pub fn verify_file(&self) -> Result<(), Error> {
        match self.path.as_ref().filter(|path| !is_neural(path)) {
            Some(path) => Ok(file::verify(path)?),
            None => Ok(()),
        }
    }
}

/// All networks: the bundled ones, then those in the folders `models` and `runs` of `home`.
pub fn models_in(home: Option<&Path>) -> Vec<ModelInfo> {
    let mut models: Vec<ModelInfo> = BUNDLED.iter().map(ModelInfo::of_bundled).collect();
    let mut found = Vec::new();
    for folder in ["models", "runs"] {
        let entries = home.and_then(|home| std::fs::read_dir(home.join(folder)).ok());
        for path in entries.into_iter().flatten().flatten().map(|entry| entry.path()) {
            let path = file_in(&path);
            if path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    models.extend(found.into_iter().map(ModelInfo::of_file));
    models
}

/// The file of a network that may be named by its run folder.
pub fn file_in(path: &Path) -> PathBuf {
    let neural = path.join(NEURAL_FILE);
    match path.is_dir() {
        true if neural.exists() => neural,
        true => path.join(NTUPLE_FILE),
        false => path.to_owned(),
    }
}

/// Whether a file is that of a neural network, by its name.
fn is_neural(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "safetensors")
}

/// The header of a neural network, its form as its `layout`.
fn neural_header(about: Result<Value, ludens_nn::Error>) -> Result<Value, Error> {
    let about = about?;
    Ok(json!({"game": about["game"], "layout": about["network"], "notes": about["notes"]}))
}
