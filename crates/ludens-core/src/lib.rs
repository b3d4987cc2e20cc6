//! The small crate where games, searches and learners of Ludens meet.
//!
//! A game implements [`Game`] (rules) and [`Notation`] (text and drawing), and
//! says which capabilities it has ([`Deterministic`], [`Solo`], [`Duel`],
//! [`Symmetric`], [`Starts`], [`FixedActions`]). Algorithms ask for the
//! capabilities they need as trait bounds, so that a wrong pairing is a compile
//! error. Nothing here knows a concrete game. [`Adversarial`] and
//! [`CellAdversary`] make two-player games of games with chance.
//!
//! Randomness is always an explicit [`Rng`] argument; rewards are integers and
//! are always those of [`Player::One`].

pub mod adversarial;
pub mod agent;
pub mod bits;
mod branch;
pub mod cells;
mod draws;
pub mod error;
pub mod evaluator;
mod file_error;
pub mod game;
pub mod memory;
pub mod motion;
pub mod notation;
pub mod orders;
pub mod params;
pub mod perft;
pub mod platform;
pub mod player;
pub mod record;
pub mod rng;
pub mod search;
pub mod search_statistics;
pub mod static_eval;
pub mod symmetry;
pub mod throughput;
pub mod units;
pub mod value;
pub mod view;

pub use adversarial::{Adversarial, CellAdversary};
pub use agent::{Agent, Batch, Choice, Considered, GreedyAgent, RandomAgent};
pub use branch::{Branch, TreeNode, Way};
pub use cells::{CellShape, Cells, Downgrade};
pub use error::ParseError;
pub use evaluator::{ActionValues, Evals, Evaluator};
pub use file_error::FileError;
pub use game::{
    Deterministic, Duel, FixedActions, Game, Playout, Position, Reward, Solo, SoloPuzzle, Starts,
    ZeroSum,
};
pub use motion::{Movement, MovementKind, Place};
pub use notation::{AfterNotation, Notation, Spawns};
pub use orders::{End, Orders};
pub use params::{NoVariant, Param, Parameter, Params, Variant};
pub use perft::perft;
#[cfg(feature = "files")]
pub use platform::file;
pub use player::{GameResult, Player};
pub use record::{Record, RecordedMove};
pub use rng::Rng;
pub use search::{
    Adviser, Bounded, Budget, Candidate, Candidates, Context, Descent, Heuristic, Knowledge,
    Limits, MoveCode, Policy, Progress, Rollout, Solution, Solver, Staged, Symmetries,
};
pub use search_statistics::SearchStatistics;
pub use static_eval::{GameStaticEval, MAX_STATIC_EVAL, StaticEval, StaticEvaluator};
pub use symmetry::{Sym, Symmetric};
pub use throughput::{Throughput, children_per_second};
pub use value::{Abs, AfterValue, Pov};
pub use view::{Cell, Control, Fact, Ink, View};

/// Re-exported because action lists of games are often stack buffers.
pub use arrayvec::ArrayVec;
