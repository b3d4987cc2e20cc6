//! Trained networks by name. One [`ModelStore`] reads them from the program itself, from files
//! and run folders, or from bytes that a host gave it; it keeps what was read for whoever asks
//! next. N-tuple networks, networks of planes and graph networks all come from here.
//!
//! ```
//! use ludens_games::Game2048;
//! use ludens_models::{ModelStore, Role};
//!
//! let store = ModelStore::new(1 << 30);
//! let model = store.ntuple::<Game2048>(None, &Default::default()).unwrap();
//! assert_eq!(model.is_some(), cfg!(feature = "bundled"));
//! # let _ = Role::PolicyValue;
//! ```

mod book;
mod bundled;
#[cfg(feature = "files")]
mod info;
mod role;
mod source;
mod store;

pub use book::{BOOKS, BundledBook};
pub use bundled::{BUNDLED, Bundled};
#[cfg(feature = "files")]
pub use info::{ModelInfo, file_in, models_in};
pub use role::{NEURAL_FILE, NTUPLE_FILE, Role, VALUE_FILE};
pub use source::Source;
pub use store::{Loaded, ModelStore, Purpose};

/// Why a network cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An n-tuple network's file.
    #[error(transparent)]
    NTuple(#[from] ludens_ntuple::Error),
    /// A neural network's file.
    #[error(transparent)]
    Neural(#[from] ludens_nn::Error),
    /// A network of another game.
    #[error("a network for {found}, expected one for {expected}")]
    OtherGame {
        /// The game it is for.
        found: String,
        /// The game it should be for.
        expected: String,
    },
    /// A network whose inputs are other ones.
    #[error("a network for encoder '{found}', expected '{expected}'")]
    OtherEncoder {
        /// Its encoder.
        found: String,
        /// The encoder it should have.
        expected: String,
    },
    /// The host gave no network of that name, and there are no files.
    #[error("no network was given under the name {name}")]
    NotGiven {
        /// The name.
        name: String,
    },
    /// None is bundled for the game, and none was named.
    #[error("a network{whose} for {game} by model=DIR: none is bundled")]
    NotBundled {
        /// The game with its variant.
        game: String,
        /// What it would be for, with a blank before it, or nothing.
        whose: &'static str,
    },
}
