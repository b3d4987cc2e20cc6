//! Neural networks that come with the program, and where a network is read from.

use std::path::{Path, PathBuf};

use ludens_core::{Params, ParseError};
use ludens_nn::{Describe, Error, Model};

/// One per game, by the game's name; the cards beside the files tell how they were made.
pub(crate) const SHIPPED: &[(&str, &[u8])] = &[
    ("former", include_bytes!("../../../models/former.safetensors")),
    ("connect-four", include_bytes!("../../../models/connect-four.safetensors")),
    ("sevn", include_bytes!("../../../models/sevn.safetensors")),
];

/// What messages call the network of a game that comes with the program.
pub(crate) fn name_of(game: &str) -> String {
    format!("the network for {game} that comes with the program")
}

/// Where a network is.
pub(crate) enum Source {
    /// In a file.
    File(PathBuf),
    /// In the program, for a game.
    Program(&'static str, &'static [u8]),
}

impl Source {
    /// What `model=` names: a file, or the folder of a run, where its file is called `name`. Without
    /// it, the network that comes with the program.
    ///
    /// # Errors
    /// When none is named and none comes with the program.
    pub(crate) fn of(params: &mut Params, game: &str, name: &str) -> Result<Self, ParseError> {
        if let Some(text) = params.take("model") {
            let path = Path::new(&text);
            let file = if path.is_dir() { path.join(name) } else { path.to_owned() };
            return Ok(Source::File(file));
        }
        Source::own(game)
    }

    /// The network that comes with the program.
    ///
    /// # Errors
    /// When there is none for the game.
    pub(crate) fn own(game: &str) -> Result<Self, ParseError> {
        let plain = game.split(':').next().unwrap_or(game);
        match SHIPPED.iter().find(|(name, _)| *name == plain) {
            Some((name, bytes)) => Ok(Source::Program(name, bytes)),
            None => {
                let expected =
                    format!("a network for {game} by model=DIR: none comes with the program");
                Err(ParseError::new("network", "none", expected))
            }
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, or is of another form.
    pub(crate) fn read<S: Describe>(&self) -> Result<Model<S>, Error> {
        match self {
            Source::File(path) => Model::load(path),
            Source::Program(game, bytes) => Model::of_bytes(&name_of(game), bytes),
        }
    }
    /// The checksum of its tensors.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub(crate) fn fingerprint(&self) -> Result<String, Error> {
        match self {
            Source::File(path) => ludens_nn::fingerprint(path),
            Source::Program(game, bytes) => {
                let about = ludens_nn::about(&name_of(game), bytes)?;
                Ok(about["blake3"].as_str().unwrap_or_default().to_owned())
            }
        }
    }
}
