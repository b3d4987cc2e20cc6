//! Solvers by name, and what they find, whatever the game.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::error::quote;
use ludens_core::{
    Budget, Context, Game, Notation, Parameter, Params, ParseError, Progress, SearchStatistics,
    Solo, Solution, Solver,
};

use crate::{Legal, Named};

/// What to solve with and what it may cost.
#[derive(Clone, PartialEq, Debug)]
pub struct SolveRequest {
    /// `name` or `name:key=value,..`; the game's default without.
    pub solver: Option<String>,
    /// Whether only a proof will do.
    pub prove: bool,
    /// Time, nodes or resource units.
    pub budget: Budget,
    /// The seed of the search's randomness.
    pub seed: u64,
    /// Threads, at least 1.
    pub threads: usize,
    /// Bytes for tables.
    pub memory: usize,
}

/// A line of play, while the search goes on or at its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The solver with its parameters.
    pub solver: String,
    /// The moves.
    pub moves: Vec<Legal>,
    /// The sum of their rewards.
    pub value: i64,
    /// No line is worth more, if known.
    pub bound: Option<i64>,
    /// Whether it is known that no line is better.
    pub proven: bool,
    /// Whether the line leads to the end of the game.
    pub finished: bool,
    /// Whether nothing is left on the board at its end.
    pub cleared: bool,
    /// Positions generated.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Figures of the search, once it is over, if it keeps them.
    pub statistics: Option<SearchStatistics>,
}

/// News from a running search.
#[derive(Clone, PartialEq, Debug)]
pub struct SolveProgress {
    /// The best line so far, when it is new.
    pub improved: Option<Solved>,
    /// No line can be worth more, as far as is known.
    pub bound: Option<i64>,
    /// Positions generated so far.
    pub nodes: u64,
    /// What the search is doing.
    pub stage: String,
    /// Time since the search began.
    pub time: Duration,
}

/// A solver of one game, by name.
pub struct SolverEntry<G: Solo> {
    /// Its name in `--solver NAME[:k=v,..]`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
    /// Makes it; takes its parameters out of the text's.
    pub make: Maker<G>,
}

impl<G: Solo> SolverEntry<G> {
    /// A solver with parameters.
    pub fn new<S: Solver<G> + 'static>(
        name: &'static str,
        about: &'static str,
        parameters: &'static [Parameter],
        make: impl Fn(&mut Params) -> Result<S, ParseError> + 'static,
    ) -> Self {
        Self::sized(name, about, parameters, move |_, params| Ok(Box::new(make(params)?)))
    }

    /// A solver that is made for one variant, such as one with a network.
    pub fn sized(
        name: &'static str,
        about: &'static str,
        parameters: &'static [Parameter],
        make: impl Fn(&G::Variant, &mut Params) -> Made<G> + 'static,
    ) -> Self {
        SolverEntry { name, about, parameters, make: Box::new(make) }
    }
}

/// Makes a solver for a variant from its parameters.
pub type Maker<G> = Box<dyn Fn(&<G as Game>::Variant, &mut Params) -> Made<G>>;

/// A solver, or why its parameters are wrong.
pub type Made<G> = Result<Box<dyn Solver<G>>, ParseError>;

/// A solver as `ludens games` lists it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
}

/// Who hears of the progress of a search.
pub type SolveSink<'a> = &'a mut (dyn FnMut(SolveProgress) + Send);

/// The solvers of a game as its form holds them, whether or not the type is known to be solo.
pub(crate) struct SolverSet<G: Game> {
    pub(crate) infos: fn() -> Vec<SolverInfo>,
    pub(crate) solve: SolveFn<G>,
    pub(crate) name: fn(&G::Variant, Option<&str>) -> Result<Named, ParseError>,
}

type SolveFn<G> =
    fn(&G, &SolveRequest, &AtomicBool, SolveSink<'_>) -> Result<Option<Solved>, ParseError>;

/// A game with solvers.
pub trait Solvable: Solo + Notation {
    /// The one that proves, if there is one.
    const PROVER: Option<&'static str>;

    /// All its solvers, the default first.
    fn solvers() -> Vec<SolverEntry<Self>>;

    /// The name of the default.
    const DEFAULT: &'static str;
}

impl<G: Solvable> SolverSet<G> {
    pub(crate) const fn new() -> Self {
        SolverSet { infos: infos::<G>, solve: solve::<G>, name: checked_name::<G> }
    }
}

fn infos<G: Solvable>() -> Vec<SolverInfo> {
    let info = |entry: SolverEntry<G>| SolverInfo {
        name: entry.name,
        about: entry.about,
        parameters: entry.parameters,
    };
    G::solvers().into_iter().map(info).collect()
}

/// The name of a solver with parameters that are right, or of the default one.
fn checked_name<G: Solvable>(
    variant: &G::Variant,
    text: Option<&str>,
) -> Result<Named, ParseError> {
    make::<G>(variant, text.unwrap_or(G::DEFAULT)).map(|(_, named)| named)
}

fn solve<G: Solvable>(
    position: &G,
    request: &SolveRequest,
    stop: &AtomicBool,
    sink: SolveSink<'_>,
) -> Result<Option<Solved>, ParseError> {
    let text = match (&request.solver, request.prove) {
        (Some(text), _) => text.as_str(),
        (None, false) => G::DEFAULT,
        (None, true) => G::PROVER.ok_or_else(|| {
            ParseError::new("solver", "--prove", format!("a game with proofs, not {}", G::NAME))
        })?,
    };
    let (mut solver, Named { text: name, .. }) = make::<G>(&position.variant(), text)?;
    let begin = Instant::now();
    let mut best = None;
    let mut forward = |progress: &Progress<'_, G>| {
        let improved =
            progress.best.filter(|solution| best.is_none_or(|value| solution.value > value));
        best = improved.map(|solution| solution.value).or(best);
        sink(SolveProgress {
            improved: improved.map(|solution| told(position, &name, solution, begin)),
            bound: progress.bound,
            nodes: progress.nodes,
            stage: progress.stage.to_owned(),
            time: begin.elapsed(),
        });
    };
    let SolveRequest { budget, seed, threads, memory, .. } = *request;
    let mut context = Context::new(budget, seed, threads, memory, stop, &mut forward);
    let solution = solver.solve(position, &mut context);
    let statistics = context.statistics.take();
    let solved = solution.map(|solution| told(position, &name, &solution, begin));
    Ok(solved.map(|solved| Solved { statistics, ..solved }))
}

/// The solver of a text, and the text with the name as it is registered: small
/// and capital letters are the same to whoever types.
fn make<G: Solvable>(
    variant: &G::Variant,
    text: &str,
) -> Result<(Box<dyn Solver<G>>, Named), ParseError> {
    let (name, params) = Params::split(text)?;
    let solvers = G::solvers();
    let Some(entry) = solvers.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)) else {
        let known: Vec<&str> = solvers.iter().map(|entry| entry.name).collect();
        return Err(ParseError::new(
            "solver",
            quote(name),
            format!("one of: {}", known.join(", ")),
        ));
    };
    let mut params = params.declared(entry.parameters)?;
    let text = params.spec(entry.name);
    let solver = (entry.make)(variant, &mut params)?;
    let weights = params.weights().to_vec();
    params.all_read()?;
    Ok((solver, Named { text, weights }))
}

/// A solution with its moves as text, each in the position it is played in. Its
/// value is what the rules pay, whatever the solver claims, and it ends before a
/// move that is not legal.
fn told<G: Notation>(start: &G, solver: &str, solution: &Solution<G>, begin: Instant) -> Solved {
    let (mut here, mut value) = (*start, 0);
    let mut moves = Vec::with_capacity(solution.line.len());
    for &action in &solution.line {
        if !here.is_legal(action) {
            break;
        }
        moves.push(Legal::of(&here, action));
        let (after, reward) = here.apply(action);
        // Solvers give lines of deterministic games, whose one outcome this is.
        let mut next = None;
        let _ = G::outcomes(&after, |chance, _| {
            next = Some(G::apply_outcome(&after, chance));
            std::ops::ControlFlow::Break(())
        });
        let (settled, bonus) = next.expect("every afterstate has an outcome");
        value += i64::from(reward) + i64::from(bonus);
        here = settled;
    }
    let finished = here.is_over();
    Solved {
        solver: solver.to_owned(),
        moves,
        value,
        bound: solution.bound,
        proven: finished && solution.bound == Some(value),
        finished,
        cleared: here.view().cells.iter().all(|cell| cell.text.is_empty()),
        nodes: solution.nodes,
        time: begin.elapsed(),
        statistics: None,
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Game;
    use ludens_games::Former;

    use super::*;

    /// Values come from the replay, and a line that is illegal or does not end
    /// the game is not finished.
    #[test]
    fn claims_are_checked() {
        let board = Former::parse(&Default::default(), &"0".repeat(63)).unwrap();
        let first = board.actions().next().unwrap();
        let tell = |line: Vec<_>| {
            let claim = Solution { line, value: -7, bound: Some(-7), nodes: 5 };
            let solved = told(&board, "liar", &claim, Instant::now());
            (solved.value, solved.moves.len(), solved.finished, solved.proven)
        };
        assert_eq!(tell(vec![first]), (-1, 1, true, false));
        assert_eq!(tell(vec![]), (0, 0, false, false));
        assert_eq!(tell(vec![first, first]), (-1, 1, true, false));
        let honest = Solution { line: vec![first], value: -1, bound: Some(-1), nodes: 5 };
        assert!(told(&board, "honest", &honest, Instant::now()).proven);
    }
}
