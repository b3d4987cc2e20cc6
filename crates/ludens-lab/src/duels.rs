//! The experiments of Clark (2021) and of Pastukhov (2024).
//!
//! References: M. Clark, *Mastering Sevn using Reinforcement Learning* (2021), chapter 4; S. Pastukhov, *Playing Board
//! Games with the Predict Results of Beam Search Algorithm* (2024), section 4.

mod forgetting;
mod ladders;
mod larger_boards;
mod probs;
mod sevn_2021;
mod sevn_ratings;
mod shares;
mod significance;
mod value_win;

use crate::Experiment;

pub(crate) fn experiments() -> Vec<Experiment> {
    let mut all = ladders::experiments();
    all.extend(value_win::experiments());
    all.extend(sevn_ratings::experiments());
    all.extend(significance::experiments());
    all.extend(larger_boards::experiments());
    all.extend(probs::experiments());
    all.extend(forgetting::experiments());
    all
}
