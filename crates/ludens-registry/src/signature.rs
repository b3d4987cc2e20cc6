//! Signatures of solvers: what each finds on a fixed board with a fixed seed and
//! budget. A change that alters one has changed how the solver searches.
//!
//! With one thread and a node budget a solver repeats exactly, on one kind of
//! machine. Logarithms and powers may differ in their last digit between
//! mathematics libraries, which may turn a close choice.

use std::sync::atomic::AtomicBool;

use ludens_core::bits::mix;
use ludens_core::{Budget, ParseError};

use crate::{SolveRequest, Table};

/// The seed of boards and searches unless another one is asked for.
pub const SEED: u64 = 1;
/// The positions each solver may generate.
pub const NODES: u64 = 10_000;
/// The memory it may use.
const MEMORY: usize = 1 << 26;

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
        let request = SolveRequest {
            solver: Some(info.name.to_owned()),
            prove: false,
            budget: Budget::nodes(NODES),
            seed,
            threads: 1,
            memory: MEMORY,
        };
        let solved = table.solve(&request, stop, &mut |_| {})?;
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            break;
        }
        all.extend(solved.map(|solved| {
            let text = solved.moves.iter().flat_map(|step| step.text.bytes().chain([b' ']));
            let line = text.fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
            let (nodes, value, length) = (solved.nodes, solved.value, solved.moves.len());
            Signature { solver: info.name, nodes, value, length, line }
        }));
    }
    Ok(all)
}
