//! The experiments of Guei (2023).
//!
//! Reference: H. Guei, *On reinforcement learning for the game of 2048* (2023). Guei's
//! networks learned from 100 million episodes and more; ours learn from a fraction that is
//! printed with every table, so that only results as good as Guei's are compared.

mod courses;
mod ensembles;
mod learning;
mod negative;
mod play;
mod regret;
mod small;
mod table16;
mod tables;
mod targets;
mod trained;

use crate::Experiment;

pub(crate) fn experiments() -> Vec<Experiment> {
    let mut all: Vec<Experiment> = tables::LEARNING.iter().map(learning::experiment).collect();
    all.extend(play::experiments());
    all.extend(ensembles::experiments());
    all.extend(targets::experiments());
    all.extend(negative::experiments());
    all.extend(courses::experiments());
    all.extend(small::experiments());
    all.extend(regret::experiments());
    all
}
