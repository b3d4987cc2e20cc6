//! The web app: a server for one person, its JSON API, and the page in it.
//!
//! The page's source is in `web/`; its built form in `assets/` is part of the
//! program. `docs/web.md` tells how to use it, `/api/openapi.json` what it answers.

mod analyze;
mod assets;
mod connections;
mod contests;
mod games;
mod guard;
mod openapi;
mod people;
mod position;
mod puzzles;
mod read;
mod reply;
mod results;
mod runs;
mod server;

pub use openapi::document as openapi;
pub use server::{Options, Server};
