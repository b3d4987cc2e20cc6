//! Long work by name: training, tuning, evaluation, contests, and the store that keeps results.

pub mod contest;
pub mod curves;
pub mod eval;
pub mod home;
mod imitate;
pub mod models;
pub mod playing;
mod predict;
mod referees;
mod reinforce;
mod self_play;
pub mod speed;
mod stages;
pub mod store_check;
pub mod train;
pub mod tune;

pub use ludens_arena as arena;
