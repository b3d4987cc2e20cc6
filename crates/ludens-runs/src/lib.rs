//! Long work by name: training, tuning, evaluation, contests, and the store that keeps results.

pub mod ablate;
pub mod contest;
pub mod curves;
pub mod data;
pub mod defaults;
pub mod eval;
pub mod home;
pub mod imitation;
pub mod models;
pub mod people;
pub mod playing;
pub mod presets;
pub mod program;
mod recipes;
mod referees;
pub mod regret;
pub mod speed;
pub mod store_check;
pub mod train;
pub mod tune;
pub mod tune_search;
pub mod work;

pub use ludens_arena as arena;
