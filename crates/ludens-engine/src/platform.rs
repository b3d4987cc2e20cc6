//! The clock, as far as the engine needs the system.

pub(crate) use std::time::Instant;
