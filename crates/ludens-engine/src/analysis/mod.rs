//! One contract for searches that are asked for in JSON: `ludens analyze` and the
//! web app speak it alike. `docs/analysis.md` describes it.
//!
//! A [`Request`] is read from [`Fields`] within [`Terms`]; a [`Desk`] runs it and
//! tells of reports and of exactly one reply. [`Lines`] is the form with one JSON
//! document per line.

mod desk;
mod fields;
mod lines;
mod place;
mod plain;
mod request;

pub use desk::{Busy, Desk, Event, Listener, Ticket, Work};
pub use fields::Fields;
pub use lines::Lines;
pub use place::{PLACE_FIELDS, Place, place, random_plies};
pub use request::{DEFAULT_TIME, Request, Terms, adviser};
