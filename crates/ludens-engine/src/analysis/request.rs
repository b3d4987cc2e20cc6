//! What can be asked of a search, and what it may cost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludens_core::error::quote;
use ludens_core::{Budget, Params, ParseError};
use serde_json::{Value, json};

use super::desk::Work;
use super::fields::Fields;
use super::place::{PLACE_FIELDS, place};
use super::plain::{fits, no_files};
use crate::judge::judged_json;
use crate::{HUMAN, Opinion, Question, SolveProgress, SolveRequest, Table, json};

/// How long a search thinks when nothing is said about it.
pub const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Bytes of a solver or agent with its parameters at most.
const LONGEST_NAME: usize = 500;
/// The smallest memory worth asking for.
const LEAST_MEMORY: u64 = 1 << 20;
/// Nodes of a tree in a reply at most.
const LARGEST_TREE: u64 = 5000;
const SEARCH_FIELDS: &[&str] =
    &["solver", "prove", "agent", "time_ms", "nodes", "ru", "memory", "threads", "tree"];

/// What one request may cost at most, and what it gets when it does not say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Terms {
    /// Time; a request without a limit of its own stops there too. `None` is no limit.
    pub time: Option<Duration>,
    /// Bytes of tables.
    pub memory: usize,
    /// Threads.
    pub threads: usize,
    /// Whether solvers and agents may be given files, such as `model=DIR`.
    pub files: bool,
}

/// A search that was asked for.
pub struct Request {
    table: Box<dyn Table>,
    whom: Whom,
    /// How many nodes of an agent's tree the reply shows.
    tree: usize,
    search: SolveRequest,
}

/// Who is asked.
enum Whom {
    /// A solver of a puzzle.
    Solver,
    /// What proves values in a game with winners.
    Judge,
    /// An agent.
    Agent(String),
}

/// Who answers in a game without solvers when nobody is named: the first of these that it has;
/// not every sliding game comes with a network.
const ADVISERS: &[&str] = &[
    "perfect",
    "alphabeta",
    "ntuple",
    "expectimax",
    "minimax:pruning=on",
    "expectiminimax:pruning=on",
    "greedy",
];

impl Request {
    /// Reads a request: where ([`place`]), with what, and at what cost.
    ///
    /// # Errors
    /// When a field is wrong, unknown, or beyond the terms.
    pub fn read(mut fields: Fields, terms: &Terms) -> Result<Self, ParseError> {
        // The seed of a request is that of its position and of its search.
        let mut of_search = fields.clone();
        let seed = of_search.whole("seed", 0..=u64::MAX)?.unwrap_or(0);
        let table = place(&mut fields)?.table;
        let solver = fields.text("solver", LONGEST_NAME)?;
        let agent = fields.text("agent", LONGEST_NAME)?;
        let prove = fields.flag("prove")?;
        let budget = budget(&mut fields, prove, terms)?;
        let memory = fields.whole("memory", LEAST_MEMORY..=terms.memory as u64)?;
        let memory = memory.map_or(terms.memory, |memory| memory as usize);
        let threads = fields.whole("threads", 1..=terms.threads as u64)?;
        let tree = fields.whole("tree", 0..=LARGEST_TREE)?.unwrap_or(0) as usize;
        let known: Vec<&str> = [PLACE_FIELDS, SEARCH_FIELDS].concat();
        fields.finish(&known)?;
        // Bad names are told before anything is queued.
        if let Some(solver) = solver.as_deref().filter(|_| !terms.files) {
            check_solver(&*table, solver)?;
        }
        let whom = match (agent, &solver) {
            (Some(_), Some(_)) => {
                return Err(ParseError::new("agent", "a solver too", "one of: solver, agent"));
            }
            (Some(agent), None) => {
                check_agent(&*table, &agent, terms.files, memory)?;
                Whom::Agent(agent)
            }
            (None, _) => asked(&*table, solver.as_deref(), prove)?,
        };
        let search = SolveRequest {
            solver,
            prove,
            budget,
            seed,
            threads: threads.map_or(terms.threads, |threads| threads as usize),
            memory,
        };
        Ok(Request { table, whom, tree, search })
    }

    /// The request as work for a [`Desk`](super::Desk).
    pub fn work(self) -> Work {
        Box::new(move |stop, report| self.run(stop, report))
    }

    /// Searches; `report` hears of progress. The reply of a solver has the fields of
    /// `ludens solve --json`, that of an agent its opinion; `stopped` says that
    /// `stop` ended it.
    ///
    /// # Errors
    /// When no line was found, or there is no move to think about.
    pub fn run(
        &self,
        stop: &AtomicBool,
        report: &mut (dyn FnMut(Value) + Send),
    ) -> Result<Value, ParseError> {
        let mut reply = match &self.whom {
            Whom::Agent(agent) => self.ask(agent, stop, report)?,
            Whom::Solver => self.solve(stop, report)?,
            Whom::Judge => judged_json(&*self.table, &self.table.judge(&self.search, stop)?),
        };
        if stop.load(Ordering::Relaxed) {
            reply["stopped"] = json!(true);
        }
        Ok(reply)
    }

    fn solve(
        &self,
        stop: &AtomicBool,
        report: &mut (dyn FnMut(Value) + Send),
    ) -> Result<Value, ParseError> {
        let table = &*self.table;
        let few = json::fewest_moves(table);
        let mut sink = |progress: SolveProgress| report(json::progress(few, &progress));
        let solved = table.solve(&self.search, stop, &mut sink)?;
        let none = || ParseError::new("search", "no line", "a higher limit");
        Ok(json::solved(table, &solved.ok_or_else(none)?, self.search.seed))
    }

    fn ask(
        &self,
        agent: &str,
        stop: &AtomicBool,
        report: &mut (dyn FnMut(Value) + Send),
    ) -> Result<Value, ParseError> {
        let begin = Instant::now();
        let SolveRequest { budget, threads, memory, seed, .. } = self.search;
        let (game, position) = (self.table.spec(), self.table.position());
        let tell = |opinion: &Opinion| {
            let mut told = json!({"game": game, "position": position, "agent": agent});
            let fields = told.as_object_mut().expect("an object was just made");
            if let Value::Object(thoughts) = json::opinion(opinion) {
                fields.extend(thoughts);
            }
            fields.insert("time_ms".into(), json!(begin.elapsed().as_millis() as u64));
            fields.insert("seed".into(), json!(seed));
            told
        };
        let question = Question { budget, threads, memory, stop, tree: self.tree };
        let opinion = self.table.ask(agent, &question, &mut |opinion| report(tell(&opinion)))?;
        let over = || ParseError::new("position", "the end of the game", "one with a move to make");
        Ok(tell(&opinion.ok_or_else(over)?))
    }
}

/// Who answers when no agent is named.
fn asked(table: &dyn Table, solver: Option<&str>, prove: bool) -> Result<Whom, ParseError> {
    match table.judge_info() {
        Some(judge) if prove || solver == Some(judge.name) => return Ok(Whom::Judge),
        Some(judge) if solver.is_some() => {
            let found = quote(solver.unwrap_or_default());
            return Err(ParseError::new("solver", found, judge.name));
        }
        _ => {}
    }
    match adviser(table) {
        Some(adviser) if solver.is_none() && !prove => Ok(Whom::Agent(adviser.to_owned())),
        _ => table.solver_name(solver).map(|_| Whom::Solver),
    }
}

/// The agent that is asked about positions of this game and variant when nobody is named; `None`
/// where a solver answers.
pub fn adviser(table: &dyn Table) -> Option<&'static str> {
    let adviser = ADVISERS.iter().find(|name| table.has_agent(name));
    if table.solvers().is_empty() { adviser.copied() } else { None }
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
/// must not have any, nor a larger table than the request. Its other settings are told when it
/// is made.
fn check_agent(
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

fn budget(fields: &mut Fields, prove: bool, terms: &Terms) -> Result<Budget, ParseError> {
    let longest = terms.time.map_or(u64::MAX, |time| time.as_millis() as u64);
    let asked = fields.whole("time_ms", 1..=longest)?.map(Duration::from_millis);
    let nodes = fields.whole("nodes", 0..=u64::MAX)?;
    let units = fields.whole("ru", 0..=u64::MAX)?;
    let unlimited = asked.is_none() && nodes.is_none() && units.is_none();
    let time = if unlimited && !prove { Some(DEFAULT_TIME) } else { asked };
    let time = time.into_iter().chain(terms.time).min();
    Ok(Budget { time, nodes, units })
}
