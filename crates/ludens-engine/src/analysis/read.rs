//! Requests in JSON: which position, by what method, at what cost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludens_core::error::quote;
use ludens_core::{Budget, Params, ParseError};
use serde_json::{Value, json};

use super::costs;
use super::fields::Fields;
use super::plain::{fits, no_files};
use super::position::{POSITION_FIELDS, one_move, read_position};
use super::queue::Job;
use super::report::Report;
use super::request::{AnalysisError, DEFAULT_TIME, Method, Request};
use crate::{HUMAN, Table, json};

/// Bytes of a solver or agent with its parameters at most.
const LONGEST_NAME: usize = 500;
/// The smallest memory worth asking for.
const LEAST_MEMORY: u64 = 1 << 20;
/// Nodes of a tree in a reply at most.
const LARGEST_TREE: u64 = 5000;
const SEARCH_FIELDS: &[&str] = &[
    "solver", "prove", "agent", "costs", "cost_of", "time_ms", "nodes", "ru", "memory", "threads",
    "tree",
];

/// What one request may cost at most, and what it gets when it does not say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Time; a request without a limit of its own stops there too. `None` is no limit.
    pub time: Option<Duration>,
    /// Bytes of tables.
    pub memory: usize,
    /// Threads.
    pub threads: usize,
    /// Whether solvers and agents may be given files, such as `model=DIR`.
    pub files: bool,
}

/// A request with its position.
pub struct Task {
    table: Box<dyn Table>,
    request: Request,
}

impl Task {
    /// Reads a request: the position ([`read_position`]), the method, and the cost.
    ///
    /// # Errors
    /// When a field is wrong, unknown, or beyond the limits.
    pub fn read(mut fields: Fields, limits: &Limits) -> Result<Self, ParseError> {
        // The seed of a request is that of its position and of its search.
        let mut of_search = fields.clone();
        let seed = of_search.whole("seed", 0..=u64::MAX)?.unwrap_or(0);
        let table = read_position(&mut fields)?.table;
        let solver = fields.text("solver", LONGEST_NAME)?;
        let agent = fields.text("agent", LONGEST_NAME)?;
        let prove = fields.flag("prove")?;
        let (all_costs, cost_of) = (fields.flag("costs")?, one_move(&mut fields, "cost_of")?);
        let budget = budget(&mut fields, prove, limits)?;
        let memory = fields.whole("memory", LEAST_MEMORY..=limits.memory as u64)?;
        let memory = memory.map_or(limits.memory, |memory| memory as usize);
        let threads = fields.whole("threads", 1..=limits.threads as u64)?;
        let threads = threads.map_or(limits.threads, |threads| threads as usize);
        let tree = fields.whole("tree", 0..=LARGEST_TREE)?.unwrap_or(0) as usize;
        let known: Vec<&str> = [POSITION_FIELDS, SEARCH_FIELDS].concat();
        fields.finish(&known)?;
        let method = match (all_costs || cost_of.is_some(), &solver, &agent) {
            (false, ..) => method(&*table, solver, agent, prove)?,
            (true, None, None) => Method::solver(costs::NAME),
            (true, ..) => {
                let expected = "one of: costs or cost_of, solver, agent";
                return Err(ParseError::new("costs", "a solver or an agent too", expected));
            }
        };
        // Bad names are refused before anything is queued.
        match &method {
            Method::Solver(text) => {
                if let Some(text) = text.as_deref().filter(|_| !limits.files) {
                    check_solver(&*table, text)?;
                }
                table.solver_name(text.as_deref(), prove)?;
            }
            Method::Agent(Some(text)) => check_agent(&*table, text, limits.files, memory)?,
            Method::Agent(None) => {}
        }
        let request = Request {
            method,
            prove,
            cost_of,
            budget,
            seed,
            threads,
            memory,
            tree,
            ..Request::default()
        };
        Ok(Task { table, request })
    }

    /// The task as a job for a [`JobQueue`](super::JobQueue).
    pub fn job(self) -> Job {
        Box::new(move |stop, report| self.run(stop, report))
    }

    /// Analyses; `report` gets the progress. `stopped` in the reply says that `stop` ended it.
    ///
    /// # Errors
    /// When nothing was found, or there is no move to choose.
    pub fn run(
        &self,
        stop: &AtomicBool,
        report: &mut (dyn FnMut(Value) + Send),
    ) -> Result<Value, AnalysisError> {
        let (table, seed) = (&*self.table, self.request.seed);
        let objective = table.objective();
        let (game, position) = (table.spec(), table.position());
        let mut callback = |news: Report| {
            report(match news {
                Report::Progress(progress) => json::progress(objective, &progress),
                Report::Choice(choice) => {
                    json::analysis(&game, &position, objective, seed, &choice)
                }
            });
        };
        let analysis = table.analyze(&self.request, stop, &mut callback)?;
        let mut reply = json::analysis(&game, &position, objective, seed, &analysis);
        if stop.load(Ordering::Relaxed) {
            reply["stopped"] = json!(true);
        }
        Ok(reply)
    }
}

/// Who answers: whoever is named, a solver where it finds lines or proofs are wanted, else the
/// game's adviser.
fn method(
    table: &dyn Table,
    solver: Option<String>,
    agent: Option<String>,
    prove: bool,
) -> Result<Method, ParseError> {
    match (agent, solver) {
        (Some(_), Some(_)) => {
            Err(ParseError::new("agent", "a solver too", "one of: solver, agent"))
        }
        (Some(agent), None) => Ok(Method::Agent(Some(agent))),
        (None, None) if !prove && table.adviser().is_some() => Ok(Method::Agent(None)),
        (None, solver) => Ok(Method::Solver(solver)),
    }
}

/// Whether a solver of the game's own, if it is one, is given nothing that may be a file.
fn check_solver(table: &dyn Table, text: &str) -> Result<(), ParseError> {
    let name = text.split(':').next().unwrap_or_default();
    let solvers = table.solvers();
    match solvers.iter().find(|solver| solver.name.eq_ignore_ascii_case(name)) {
        Some(solver) => Params::split(text)
            .and_then(|(_, params)| params.declared(solver.parameters))
            .and_then(|params| no_files(&params, solver.parameters))
            .map_err(|error| error.within(&format!("solver {name}"))),
        None => Ok(()),
    }
}

/// Whether an agent is one of the game's own, and is given nothing that may be a file where it
/// must not have any, nor a larger table than the request. Its other settings are checked when it
/// is made.
///
/// # Errors
/// When it is none of them, or is given what it must not have.
pub fn check_agent(
    table: &dyn Table,
    text: &str,
    files: bool,
    memory: usize,
) -> Result<(), ParseError> {
    let name = text.split(':').next().unwrap_or_default();
    let agents = table.agents();
    let Some(agent) = agents.iter().find(|agent| agent.is_called(name) && name != HUMAN) else {
        let known: Vec<&str> = agents.iter().map(|agent| agent.name).skip(1).collect();
        return Err(ParseError::new("agent", quote(name), format!("one of: {}", known.join(", "))));
    };
    let checked = agent.params(text).and_then(|params| {
        if !files {
            no_files(&params, agent.parameters)?;
        }
        fits(&params, memory)
    });
    checked.map_err(|error| error.within(&format!("agent {}", agent.name)))
}

fn budget(fields: &mut Fields, prove: bool, limits: &Limits) -> Result<Budget, ParseError> {
    let longest = limits.time.map_or(u64::MAX, |time| time.as_millis() as u64);
    let time = fields.whole("time_ms", 1..=longest)?.map(Duration::from_millis);
    let nodes = fields.whole("nodes", 0..=u64::MAX)?;
    let units = fields.whole("ru", 0..=u64::MAX)?;
    let unlimited = time.is_none() && nodes.is_none() && units.is_none();
    let time = if unlimited && !prove { Some(DEFAULT_TIME) } else { time };
    let time = time.into_iter().chain(limits.time).min();
    Ok(Budget { time, nodes, units })
}
