//! Hyper-parameters: which settings make a recipe learn best.
//!
//! A [`Tune`] makes trials of a [`Tunable`] recipe, a [`Study`] keeps them, settings with the loss they came to, in a SQLite file. [`suggest`] says
//! which settings to try next by a tree-structured Parzen estimator; [`importance`] says
//! afterwards which settings mattered, by a random forest.
//!
//! References: J. Bergstra et al., Algorithms for hyper-parameter optimization, NeurIPS 2011; L.
//! Breiman, Random forests, Machine Learning 45 (2001); Urheim (2025), 3.2.4 and 5.3.3.

mod forest;
mod parzen;
mod recipe;
mod space;
mod study;

pub use forest::importance;
pub use parzen::suggest;
pub use recipe::{Objective, OpenStudy, Tunable, Tune};
pub use space::{Dimension, Domain};
pub use study::{Study, Trial};
