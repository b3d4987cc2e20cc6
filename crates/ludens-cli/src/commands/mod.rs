//! One file per command.

pub(crate) mod ablate;
pub(crate) mod analyze;
pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod data;
pub(crate) mod engine;
pub(crate) mod episodes;
pub(crate) mod eval;
pub(crate) mod games;
pub(crate) mod manual;
pub(crate) mod merge;
pub(crate) mod models;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod print;
pub(crate) mod read;
pub(crate) mod record;
pub(crate) mod reproduce;
pub(crate) mod selfplay;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod store;
pub(crate) mod train;
pub(crate) mod tune;
pub(crate) mod watch;
