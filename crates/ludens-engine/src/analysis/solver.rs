//! Solvers by name, and what they find, whatever the game.

use ludens_core::error::quote;
use ludens_core::{
    Context, Game, Notation, Parameter, Params, ParseError, Progress as Searched, Solo, Solution,
    Solver,
};

use super::report::{Analysis, Details, Progress, Report, Solved};
use super::request::{AnalysisError, Analyzer, Search};
use crate::{Legal, Named};
use ludens_core::platform::Instant;

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

/// Makes a solver for a variant from its parameters.
pub type Maker<G> =
    Box<dyn Fn(&<G as Game>::Variant, &mut Params) -> Result<Box<dyn Analyzer<G>>, ParseError>>;

/// A solver of lines, or why its parameters are wrong.
pub type Made<G> = Result<Box<dyn Solver<G>>, ParseError>;

/// A solver of one game, by name.
pub struct SolverEntry<G: Game> {
    /// How it is listed.
    pub info: SolverInfo,
    make: Maker<G>,
}

impl<G: Game> SolverEntry<G> {
    /// Any way to analyse positions.
    pub fn analyzer<A: Analyzer<G> + 'static>(
        info: SolverInfo,
        make: impl Fn(&G::Variant, &mut Params) -> Result<A, ParseError> + 'static,
    ) -> Self {
        let make = move |variant: &G::Variant, params: &mut Params| {
            Ok(Box::new(make(variant, params)?) as Box<dyn Analyzer<G>>)
        };
        SolverEntry { info, make: Box::new(make) }
    }
}

impl<G: Solo + Notation> SolverEntry<G> {
    /// A solver of lines with parameters.
    pub fn new<S: Solver<G> + 'static>(
        name: &'static str,
        about: &'static str,
        parameters: &'static [Parameter],
        make: impl Fn(&mut Params) -> Result<S, ParseError> + 'static,
    ) -> Self {
        Self::sized(name, about, parameters, move |_, params| Ok(Box::new(make(params)?)))
    }

    /// A solver of lines that is made for one variant, such as one with a network.
    pub fn sized(
        name: &'static str,
        about: &'static str,
        parameters: &'static [Parameter],
        make: impl Fn(&G::Variant, &mut Params) -> Made<G> + 'static,
    ) -> Self {
        let info = SolverInfo { name, about, parameters };
        Self::analyzer(info, move |variant, params| Ok(LineSolver(make(variant, params)?)))
    }
}

/// A game with solvers of lines.
pub trait Solvable: Solo + Notation {
    /// The one that proves, if there is one.
    const PROVER: Option<&'static str>;

    /// All its solvers, the default first.
    fn solvers() -> Vec<SolverEntry<Self>>;

    /// The name of the default.
    const DEFAULT: &'static str;
}

/// The solvers of a game.
pub(crate) struct SolverSet<G: Game> {
    /// All of them.
    pub(crate) solvers: fn() -> Vec<SolverEntry<G>>,
    /// Those that are asked when none is named, the first that can be made in a variant.
    pub(crate) defaults: &'static [&'static str],
    /// The one that proves.
    pub(crate) prover: Option<&'static str>,
    /// Whether they find lines of play: then a solver answers when nobody is named, not an agent.
    pub(crate) finds_lines: bool,
}

impl<G: Game> Clone for SolverSet<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for SolverSet<G> {}

impl<G: Game> SolverSet<G> {
    /// A game without solvers.
    pub(crate) const fn none() -> Self {
        SolverSet { solvers: Vec::new, defaults: &[], prover: None, finds_lines: false }
    }

    /// How they are listed.
    pub(crate) fn infos(&self) -> Vec<SolverInfo> {
        (self.solvers)().into_iter().map(|entry| entry.info).collect()
    }

    /// The solver of a text, and what its results are kept under.
    ///
    /// # Errors
    /// When there is no such solver or a parameter is wrong.
    pub(crate) fn make(
        &self,
        game: &str,
        variant: &G::Variant,
        text: Option<&str>,
        prove: bool,
    ) -> Result<(Box<dyn Analyzer<G>>, Named), ParseError> {
        let solvers = (self.solvers)();
        if solvers.is_empty() {
            let expected = "one with solvers, such as former";
            return Err(ParseError::new("game", quote(game), expected));
        }
        match (text, prove) {
            (Some(text), _) => make(&solvers, variant, text),
            (None, true) => {
                let missing = || {
                    let expected = format!("a game with proofs, not {game}");
                    ParseError::new("solver", "--prove", expected)
                };
                make(&solvers, variant, self.prover.ok_or_else(missing)?)
            }
            (None, false) => {
                let mut made = self.defaults.iter().map(|text| make(&solvers, variant, text));
                let first = made.next().expect("a game with solvers has a default");
                first.or_else(|error| made.find(Result::is_ok).unwrap_or(Err(error)))
            }
        }
    }
}

/// The solver of a text, and the text with the name as it is registered: small and capital
/// letters are the same to whoever types.
fn make<G: Game>(
    solvers: &[SolverEntry<G>],
    variant: &G::Variant,
    text: &str,
) -> Result<(Box<dyn Analyzer<G>>, Named), ParseError> {
    let (name, params) = Params::split(text)?;
    let Some(entry) = solvers.iter().find(|entry| entry.info.name.eq_ignore_ascii_case(name))
    else {
        let known: Vec<&str> = solvers.iter().map(|entry| entry.info.name).collect();
        return Err(ParseError::new(
            "solver",
            quote(name),
            format!("one of: {}", known.join(", ")),
        ));
    };
    let mut params = params.declared(entry.info.parameters)?;
    let text = params.spec(entry.info.name);
    let solver = (entry.make)(variant, &mut params)?;
    let weights = params.weights().to_vec();
    params.all_read()?;
    Ok((solver, Named { text, weights }))
}

/// A solver of lines as an analyser.
struct LineSolver<G: Solo>(Box<dyn Solver<G>>);

impl<G: Solo + Notation> Analyzer<G> for LineSolver<G> {
    fn analyze(
        &mut self,
        position: &G,
        search: &mut Search<'_>,
    ) -> Result<Analysis, AnalysisError> {
        let (request, name, start) = (search.request, search.method, search.start);
        let mut best = None;
        let mut forward = |progress: &Searched<'_, G>| {
            let improved =
                progress.best.filter(|solution| best.is_none_or(|value| solution.value > value));
            best = improved.map(|solution| solution.value).or(best);
            (search.callback)(Report::Progress(Progress {
                improved: improved.map(|solution| checked(position, name, solution, start)),
                bound: progress.bound,
                nodes: progress.nodes,
                stage: progress.stage.to_owned(),
                time: start.elapsed(),
            }));
        };
        let (threads, memory) = (request.threads, request.memory);
        let mut context =
            Context::new(request.budget, request.seed, threads, memory, search.stop, &mut forward);
        let solution = self.0.solve(position, &mut context);
        let statistics = context.statistics.take();
        let none = || AnalysisError::Limit("no line was found within the limits".to_owned());
        let solved = checked(position, name, &solution.ok_or_else(none)?, start);
        let solved = Solved { statistics, ..solved };
        Ok(Analysis {
            method: name.to_owned(),
            best: solved.moves.first().cloned(),
            value: Some(solved.value as f64),
            proven: solved.proven,
            nodes: solved.nodes,
            time: solved.time,
            details: Details::Line(solved),
            ..Analysis::default()
        })
    }
}

/// A solution with its moves as text, each in the position it is played in. Its
/// value is what the rules pay, whatever the solver claims, and it ends before a
/// move that is not legal.
fn checked<G: Notation>(start: &G, solver: &str, solution: &Solution<G>, since: Instant) -> Solved {
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
        let (reached, bonus) = next.expect("every afterstate has an outcome");
        value += i64::from(reward) + i64::from(bonus);
        here = reached;
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
        time: since.elapsed(),
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
        let replay = |line: Vec<_>| {
            let claim = Solution { line, value: -7, bound: Some(-7), nodes: 5 };
            let solved = checked(&board, "liar", &claim, Instant::now());
            (solved.value, solved.moves.len(), solved.finished, solved.proven)
        };
        assert_eq!(replay(vec![first]), (-1, 1, true, false));
        assert_eq!(replay(vec![]), (0, 0, false, false));
        assert_eq!(replay(vec![first, first]), (-1, 1, true, false));
        let honest = Solution { line: vec![first], value: -1, bound: Some(-1), nodes: 5 };
        assert!(checked(&board, "honest", &honest, Instant::now()).proven);
    }
}
