//! Checks that every game of Ludens must pass, and an exhaustive enumerator.
//!
//! [`conform`] is the one line a game's tests need:
//!
//! ```ignore
//! ludens_testkit::conform::<ConnectFour>(&Default::default());
//! ```
//!
//! All checks are seeded, so a failure repeats.

mod chance;
mod counting;
mod data;
mod enumerate;
mod motion;
mod peak;
mod rules;
mod sample;
mod statistics;
mod symmetry;
mod text;

pub use counting::CountingAllocator;
pub use data::{data, data_folder, skipped};
pub use enumerate::{Reachable, best_total, enumerate};
pub use peak::PeakAllocator;
pub use rules::{check_duel, check_fixed_actions, check_starts};
pub use sample::Sample;
pub use statistics::{chi_square_fits, enough_draws, means_agree};
pub use text::mutations;

use ludens_core::{Notation, Symmetric};

/// Checks a game's rules, chance, text, drawing, movements and symmetries on positions
/// from random games of one variant.
///
/// # Panics
/// When the game breaks a contract; the message names the position.
pub fn conform<G: Notation + Symmetric>(variant: &G::Variant) {
    let sample = Sample::<G>::draw(variant, 24, 0xC0FFEE);
    rules::check(&sample);
    chance::check(&sample);
    text::check(&sample);
    motion::check(&sample);
    symmetry::check(&sample);
}
