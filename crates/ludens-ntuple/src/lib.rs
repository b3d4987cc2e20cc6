//! N-tuple networks: a position's value is a sum of table entries, each chosen by
//! the numbers in a few cells.
//!
//! A [`Layout`] says which cells, an [`Indexer`] turns a position into a
//! [`Probe`] (the indices of its entries), a [`Network`] holds the entries, a
//! [`Coherence`] the adaptive learning rates of temporal coherence learning, and
//! [`mod@file`] keeps them on disk. Positions come through
//! [`Cells`](ludens_core::Cells); nothing here knows a game.
//!
//! All entries are atomics that are read and written without ordering, so many
//! threads may learn at once; an update may be lost when two collide.
//!
//! ```
//! use ludens_core::{Cells, Game, Rng};
//! use ludens_games::Game2048;
//! use ludens_ntuple::{Network, Probe, Spec};
//!
//! let variant = Default::default();
//! let network = Network::new::<Game2048>(&variant, &Spec::new("boxes"))?;
//! let start = Game2048::start(&variant, &mut Rng::new(1));
//! let (after, _) = start.apply(start.actions().next().unwrap());
//! let mut probe = Probe::default();
//! network.probe::<Game2048>(&after, &mut probe);
//! assert_eq!(network.value(&probe), 0.0);
//! assert_eq!(network.add(&probe, 0.5), 0.5 * network.lookups() as f32);
//! # Ok::<(), ludens_ntuple::Error>(())
//! ```

mod buffer;
mod coherence;
mod error;
mod evaluator;
mod features;
pub mod file;
mod index;
mod layout;
mod network;
mod prefetch;
mod simd;
mod stages;
mod tables;

pub use coherence::Coherence;
pub use error::Error;
pub use evaluator::NTupleEvaluator;
pub use features::Feature;
pub use file::pack;
pub use index::{Indexer, Probe};
pub use layout::{Layout, Tuple};
pub use network::{Form, Network, Spec, Subject};
pub use stages::Stages;
