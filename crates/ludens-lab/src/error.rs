//! What can go wrong, each as one line for a person.

use ludens_core::ParseError;

/// Why an experiment gave no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no experiment of that name.
    #[error(transparent)]
    Name(ParseError),

    /// The experiment needs boards that are not part of the program.
    #[error(
        "{experiment} needs {file}: name the folder of the data with --data DIR or in LUDENS_DATA"
    )]
    NoData {
        /// The experiment.
        experiment: &'static str,
        /// The file below the folder of the data.
        file: &'static str,
    },

    /// A suite, an evaluation or the store failed.
    #[error(transparent)]
    Arena(#[from] ludens_arena::Error),

    /// A network was not learned, or its games were not played.
    #[error("{0}")]
    Failed(String),

    /// It was stopped; what was measured before is in the report.
    #[error("interrupted")]
    Interrupted,
}
