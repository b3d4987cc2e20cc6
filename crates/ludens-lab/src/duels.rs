//! The experiments of the Sevn text and of the PROBS text.
//!
//! References: *Sevn by AlphaZero* (dissertation, 2021), chapter 4; *PROBS: Predict results of
//! beam search* (2024), section 4.

mod forgetting;
mod ladders;
mod larger_boards;
mod probs;
mod shares;
mod significance;

use crate::Experiment;

pub(crate) fn experiments() -> Vec<Experiment> {
    let mut all = ladders::experiments();
    all.extend(significance::experiments());
    all.extend(larger_boards::experiments());
    all.extend(probs::experiments());
    all.extend(forgetting::experiments());
    all
}
