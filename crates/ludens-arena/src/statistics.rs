//! Figures about runs: summaries with intervals, boards over repeated runs,
//! best-so-far curves, rates, paired comparisons.

mod boards;
mod chi_square;
mod curve;
mod paired;
mod rate;
mod student;
mod summary;

pub use boards::{AgainstBestKnown, SuiteSummary};
pub use chi_square::chi_square_tail;
pub use curve::{Axis, CurveMean, grid, mean_curve, reached_curve, value_at};
pub use paired::Paired;
pub use rate::Rate;
pub(crate) use rate::wilson;
pub(crate) use student::NORMAL_95;
pub use student::student_95;
pub use summary::{Summary, quantile};
