//! What a developer of Ludens runs, behind `cargo dev`.

pub mod checks;
pub mod corpus;
pub mod fuzz;
pub mod goldens;
pub mod page;
pub mod picture;
pub mod python;
pub mod sanitize;
