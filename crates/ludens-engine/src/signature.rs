//! Signatures of searches: what each solver and agent finds in a fixed position with a
//! fixed seed and budget. A change that alters one has changed how it searches.
//!
//! With one thread and a node budget a search repeats exactly, on one kind of
//! machine. Logarithms and powers may differ in their last digit between
//! mathematics libraries, and sums of networks between instruction sets, which may
//! turn a close choice.

use std::sync::atomic::AtomicBool;

use ludens_core::bits::mix;
use ludens_core::{Budget, ParseError};

use crate::analysis::{Analysis, AnalysisError, Method, Request};
use crate::{HUMAN, Table};

/// The seed of boards and searches unless another one is asked for.
pub const SEED: u64 = 1;
/// The positions each solver may generate.
pub const NODES: u64 = 10_000;
/// The memory it may use.
const MEMORY: usize = 1 << 26;

/// Random moves before the position that agents are asked about: the first moves of a game tell
/// little of a search.
pub const AGENT_PLIES: usize = 8;
/// Compositions of agents besides each one's default, so that every part of a search is in some
/// signature. A game takes those of its own agents.
const COMPOSITIONS: &[&str] = &[
    "lookahead:steps=3",
    "uct:rule=clark2021",
    "uct:rule=etazero",
    "uct:rule=puct",
    "alphabeta:eval=none",
    "alphabeta:depth=3,memory=0",
    "az:gumbel=4",
    "az:batch=8",
    "az:noise=0.25",
    "az:fpu=0,c=3",
    "probs:expand=50",
    "net:by=policy",
    "net:symmetries=8",
    "minimax:pruning=on",
    "expectiminimax:pruning=on",
    "expectimax:ply=2",
    "expectimax:ply=2,rectified=on",
    "expectimax:ply=2,memory=0",
    "expectimax:ply=2,model=none",
    "mcts:simulations=200,c=0",
    "mcts:simulations=200,c=0.1",
    "mcts:simulations=200,norm=1000",
    "mcts:simulations=200,z=1",
    "mcts:simulations=200,outcomes=random",
];

/// What a solver found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The solver's name.
    pub solver: &'static str,
    /// Positions generated.
    pub nodes: u64,
    /// The sum of the line's rewards.
    pub value: i64,
    /// Its number of moves.
    pub length: usize,
    /// A hash of its moves as text.
    pub line: u64,
}

/// The signature of every solver of a position, in the order they are listed;
/// fewer when `stop` is set in between.
///
/// # Errors
/// When a solver refuses its own defaults, which is a mistake in the registry.
pub fn signatures(
    table: &dyn Table,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Vec<Signature>, ParseError> {
    let mut all = Vec::new();
    for info in table.solvers() {
        let request = Request {
            method: Method::solver(info.name),
            budget: Budget::nodes(NODES),
            seed,
            memory: MEMORY,
            ..Request::default()
        };
        let found = match table.analyze(&request, stop, &mut |_| {}) {
            Err(AnalysisError::Request(error)) => return Err(error),
            found => found.ok(),
        };
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            break;
        }
        all.extend(found.as_ref().and_then(Analysis::solved).map(|solved| {
            let text = solved.moves.iter().flat_map(|step| step.text.bytes().chain([b' ']));
            let line = hash_of(0, text);
            let (nodes, value, length) = (solved.nodes, solved.value, solved.moves.len());
            Signature { solver: info.name, nodes, value, length, line }
        }));
    }
    Ok(all)
}

/// What an agent thought of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentSignature {
    /// The agent with its parameters.
    pub agent: String,
    /// The move that it chose.
    pub action: String,
    /// Positions looked at.
    pub nodes: u64,
    /// What it gives the position, to four digits; `-` where it gives none.
    pub value: String,
    /// A hash of all moves with their visits, and of the expected play.
    pub moves: u64,
}

impl AgentSignature {
    fn of(agent: &str, analysis: &Analysis) -> Self {
        let visited = analysis
            .moves
            .iter()
            .map(|one| format!("{}*{} ", one.action.text, one.visits.unwrap_or_default()));
        let expected = analysis.line.iter().map(|step| format!("{} ", step.action));
        AgentSignature {
            agent: agent.to_owned(),
            action: analysis.best.as_ref().map_or_else(String::new, |best| best.text.clone()),
            nodes: analysis.nodes,
            value: analysis.value.map_or("-".to_owned(), |value| format!("{value:.3e}")),
            moves: visited.chain(expected).fold(0, |hash, text| hash_of(hash, text.bytes())),
        }
    }
}

/// The signature of every agent that can be made here, each by its defaults and then in further
/// compositions; fewer when `stop` is set in between, none when the game is over.
///
/// # Errors
/// When an agent refuses its own defaults, which is a mistake in the registry.
pub fn agent_signatures(
    table: &dyn Table,
    stop: &AtomicBool,
) -> Result<Vec<AgentSignature>, ParseError> {
    let mut all = Vec::new();
    for info in table.agents().iter().filter(|info| info.name != HUMAN) {
        let further = COMPOSITIONS.iter().filter(|text| text.split(':').next() == Some(info.name));
        for agent in std::iter::once(&info.name).chain(further) {
            if !table.has_agent(agent) {
                continue;
            }
            let request = Request {
                method: Method::agent(agent),
                budget: Budget::nodes(NODES),
                ..Request::default()
            };
            let analysis = match table.analyze(&request, stop, &mut |_| {}) {
                Err(AnalysisError::Request(_)) if table.action_count() == 0 => return Ok(all),
                Err(AnalysisError::Request(error)) => return Err(error),
                found => found.ok(),
            };
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                return Ok(all);
            }
            all.extend(analysis.map(|analysis| AgentSignature::of(agent, &analysis)));
        }
    }
    Ok(all)
}

fn hash_of(start: u64, bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(start, |hash, byte| mix(hash ^ u64::from(byte)))
}
