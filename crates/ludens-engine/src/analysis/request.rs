//! What is asked about a position.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::{Budget, ParseError};

use super::report::Report;
use ludens_core::platform::Instant;

/// How long a search takes when nothing is said about it.
pub const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// What is asked about a position.
///
/// ```
/// use ludens_engine::analysis::{Method, Request};
/// let table = ludens_engine::game("connect-four").unwrap().parse("112233").unwrap();
/// let request = Request { method: Method::agent("lookahead:1"), ..Request::default() };
/// let analysis = table.analyze(&request, Request::never(), &mut |_| {}).unwrap();
/// assert_eq!(analysis.best.unwrap().text, "4");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// Who analyses.
    pub method: Method,
    /// Whether only a proof will do.
    pub prove: bool,
    /// An afterstate to analyse in place of the position, by tables of exact values.
    pub afterstate: Option<String>,
    /// The one move whose cost is wanted of a solver of costs; of all without.
    pub cost_of: Option<String>,
    /// What the search may spend.
    pub budget: Budget,
    /// The seed of a solver's randomness; agents draw from that of the game.
    pub seed: u64,
    /// Threads, at least 1.
    pub threads: usize,
    /// Bytes for tables and trees.
    pub memory: usize,
    /// How many nodes of an agent's tree are wanted.
    pub tree: usize,
}

/// Who analyses a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Method {
    /// A solver, `name` or `name:key=value,..`; the game's default without.
    Solver(Option<String>),
    /// An agent; the game's adviser without.
    Agent(Option<String>),
}

impl Method {
    /// A named solver.
    pub fn solver(text: &str) -> Self {
        Method::Solver(Some(text.to_owned()))
    }

    /// A named agent.
    pub fn agent(text: &str) -> Self {
        Method::Agent(Some(text.to_owned()))
    }
}

impl Default for Request {
    /// The default solver without limits, on one thread.
    fn default() -> Self {
        Request {
            method: Method::Solver(None),
            prove: false,
            afterstate: None,
            cost_of: None,
            budget: Budget::default(),
            seed: 0,
            threads: 1,
            memory: usize::MAX,
            tree: 0,
        }
    }
}

impl Request {
    /// A flag that nobody sets, for searches that nobody stops.
    pub fn never() -> &'static AtomicBool {
        static NEVER: AtomicBool = AtomicBool::new(false);
        &NEVER
    }

    /// Whether nothing limits the search.
    pub(crate) fn is_unlimited(&self) -> bool {
        self.budget == Budget::default()
    }
}

/// Why there is no analysis.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The request is wrong.
    #[error(transparent)]
    Request(#[from] ParseError),
    /// A limit came before anything was found.
    #[error("{0}")]
    Limit(String),
    /// A file could not be written.
    #[error("{0}")]
    Failed(String),
}

/// Receives news from a running search.
pub type Callback<'a> = &'a mut (dyn FnMut(Report) + Send);

/// A request under way.
pub struct Search<'a> {
    /// What was asked.
    pub request: &'a Request,
    /// The method with its parameters, as reports name it.
    pub method: &'a str,
    /// Cancels it.
    pub stop: &'a AtomicBool,
    /// When it started.
    pub start: Instant,
    /// Gets the reports.
    pub callback: Callback<'a>,
}

/// Analyses positions of one game: a solver, a prover, a table.
pub trait Analyzer<G>: Send {
    /// What is found out about a position within the limits of the request.
    ///
    /// # Errors
    /// When the request does not fit the method, or nothing was found within the limits.
    fn analyze(
        &mut self,
        position: &G,
        search: &mut Search<'_>,
    ) -> Result<super::report::Analysis, AnalysisError>;
}
