//! Statistics of runs: summaries with intervals, boards over repeated runs,
//! best-so-far curves, rates, paired comparisons.

mod boards;
mod curve;
mod distributions;
mod paired;
mod rate;
mod summary;

pub use boards::{AgainstBestKnown, SuiteSummary};
pub use curve::{Axis, CurveMean, grid, mean_curve, reached_curve, value_at};
pub(crate) use distributions::NORMAL_95;
pub use distributions::{binomial_tail, chi_square_tail, student_95};
pub use paired::Paired;
pub use rate::Rate;
pub(crate) use rate::wilson;
pub use summary::{Summary, quantile};
