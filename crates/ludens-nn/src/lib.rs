//! Neural networks for boards and graphs: descriptions, encoders, weight files, an evaluator for the
//! processor, and a trainer.
//!
//! ```
//! use std::sync::Arc;
//! use ludens_core::{Evals, Evaluator, Game, Rng};
//! use ludens_games::Former;
//! use ludens_nn::{FormerCells, NetEvaluator, Network, Spec, Weights};
//!
//! let mut rng = Rng::new(1);
//! let board = Former::start(&Default::default(), &mut rng);
//! let weights = Weights::random(Spec::policy(9, 7, 5, 16, 2), &mut rng);
//! let network = Arc::new(Network::new(&weights));
//! let mut evaluator = NetEvaluator::new(network, FormerCells, &board.variant()).unwrap();
//! let mut evals = Evals::default();
//! evaluator.evaluate(&[board], &mut evals);
//! assert_eq!(evals.priors(0).len(), board.actions().len());
//! ```

mod action_values;
mod agent;
mod augment;
mod buffer;
mod cache;
mod connect_four;
#[cfg(feature = "files")]
mod disk;
#[cfg(test)]
mod duel_tests;
mod encoder;
mod error;
mod evaluator;
mod file;
mod former;
mod graph;
mod kernels;
mod network;
mod othello;
mod padded;
mod policy;
#[cfg(test)]
mod reference;
mod sevn;
mod sevn_cells;
mod simd;
mod spec;
mod symmetry_average;
mod tiles;
mod togyzkumalak;
mod train;
mod valid;
mod valid_network;
mod weights;
mod widen;

pub use action_values::{QvNetworks, action_encoder};
pub use agent::{By, NetAgent};
pub use augment::random_symmetry;
pub use cache::Cached;
pub use connect_four::ConnectFourCells;
#[cfg(feature = "files")]
pub use disk::about_file;
pub use encoder::{Encoder, NOBODY, priors_of};
pub use error::Error;
pub use evaluator::{NetEvaluator, NetValue};
pub use file::{Model, about};
pub use former::FormerCells;
pub use graph::{
    Graph, GraphEncoder, GraphEvaluator, GraphNetwork, GraphScratch, GraphSpec, WinEvaluator,
    tanh_encoder, win_encoder, win_loss,
};
pub use network::{Network, Outputs, Scratch};
pub use othello::{OthelloCells, OthelloProbs};
pub use policy::{PolicyScratch, action_loss, action_priors, action_sums, softmax};
pub use sevn::{SevnGraph, SevnLooplessGraph};
pub use sevn_cells::SevnCells;
pub use spec::{Head, Range, Spec, Tower};
pub use symmetry_average::SymmetryAverage;
pub use tiles::TileCells;
pub use togyzkumalak::TogyzkumalakPits;
#[cfg(feature = "files")]
pub use train::Checkpoint;
pub use train::{
    Adam, Clipped, Engine, Optimizer, PolicyOutput, Sgd, Taken, Trainer, clipped_loss, policy_loss,
    squared_policy_loss, value_loss,
};
pub use valid::Valid;
pub use weights::{Describe, EPSILON, Role, TensorSpec, Weights};
