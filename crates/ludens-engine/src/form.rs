//! One registered form of a game: how it is listed, and what it declares.

use ludens_core::params::spec;
use ludens_core::{
    Deterministic, Game, GameResult, Notation, Parameter, Params, ParseError, StaticEval,
    Symmetric, Variant,
};

use crate::agents::AgentList;
use crate::analysis::prover::{self, Prover};
use crate::analysis::solver::{Solvable, SolverEntry, SolverSet};
use crate::duels;
use crate::environment::Environment;
use crate::levels;
use crate::objective::Objective;
use crate::puzzle::PuzzleMaker;

/// What a game must have to be registered.
pub trait Registered: Notation + Symmetric + Environment {}

impl<G: Environment> Registered for G {}

/// How a game is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The name in commands.
    pub name: &'static str,
    /// `key=value` that chooses this form of the game, such as `adversary=cell`.
    pub selector: Option<(&'static str, &'static str)>,
    /// Its name for people.
    pub title: &'static str,
    /// What one does in it.
    pub about: &'static str,
    /// One or two.
    pub players: usize,
    /// What it is played for.
    pub objective: Objective,
    /// The variant's parameters.
    pub parameters: &'static [Parameter],
    /// Parameter texts of variants worth testing and recording; the first is
    /// empty, the default.
    pub samples: &'static [&'static str],
}

impl GameInfo {
    /// The name with its selector, which chooses this form with default parameters.
    pub fn spec(&self) -> String {
        let selector = self.selector.map(|(key, value)| (key, value.to_owned()));
        spec(self.name, selector.as_slice())
    }

    /// The spec of this form with further parameters, such as one of its samples.
    pub fn spec_with(&self, params: &str) -> String {
        match (params, self.selector) {
            ("", _) => self.spec(),
            (_, None) => format!("{}:{params}", self.name),
            (_, Some(_)) => format!("{},{params}", self.spec()),
        }
    }
}

/// A form of a game as its concrete type.
pub struct Form<G: Game> {
    pub(crate) info: GameInfo,
    pub(crate) outcome: fn(&G) -> Option<GameResult>,
    /// Whether `start` always gives the same position.
    pub(crate) fixed_start: bool,
    pub(crate) solvers: SolverSet<G>,
    /// Its agents besides those that every game has.
    pub(crate) agents: AgentList<G>,
    /// Agents that are asked about positions when nobody is named: the first that can be made in
    /// a variant.
    pub(crate) advisers: &'static [&'static str],
    /// Agents that play against a person who has chosen nobody, likewise.
    pub(crate) opponents: &'static [&'static str],
    /// Generators of the game's own positions.
    pub(crate) generators: &'static [Generator<G>],
    /// Whether agent `perfect` plays perfectly from the start.
    pub(crate) perfect_play: bool,
    /// How puzzles of the day are made, where there are any.
    pub(crate) puzzle: Option<PuzzleMaker<G>>,
}

/// A generator of positions of a game's default variant, such as the board of a day.
pub struct Generator<G> {
    /// Its name: a flag on the command line, a field in JSON.
    pub name: &'static str,
    /// What its value means.
    pub help: &'static str,
    /// The value for today, where every day has one.
    pub today: Option<fn() -> String>,
    /// The position of a value.
    pub make: fn(&str) -> Result<G, ParseError>,
}

impl<G: Game> Clone for Form<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Form<G> {}

impl<G: Registered> Form<G> {
    /// A form without winners: a puzzle, or a game for points.
    pub const fn new(
        title: &'static str,
        about: &'static str,
        samples: &'static [&'static str],
    ) -> Self {
        Form {
            info: GameInfo {
                name: G::NAME,
                selector: None,
                title,
                about,
                players: G::PLAYERS,
                objective: Objective::MostPoints,
                parameters: <G::Variant as Variant>::PARAMETERS,
                samples,
            },
            outcome: |_| None,
            fixed_start: false,
            solvers: SolverSet::none(),
            agents: Vec::new,
            advisers: &["greedy"],
            opponents: &["greedy"],
            generators: &[],
            perfect_play: false,
            puzzle: None,
        }
    }

    /// The form that `name:key=value` chooses.
    #[must_use]
    pub const fn selected_by(mut self, key: &'static str, value: &'static str) -> Self {
        self.info.selector = Some((key, value));
        self
    }

    /// A form whose start is always the same.
    #[must_use]
    pub const fn with_fixed_start(mut self) -> Self {
        self.fixed_start = true;
        self
    }

    /// The form with what it is played for, where that is not points.
    #[must_use]
    pub const fn with_objective(mut self, objective: Objective) -> Self {
        self.info.objective = objective;
        self
    }

    /// The form with a solver that proves values.
    #[must_use]
    pub(crate) const fn with_prover(
        mut self,
        name: &'static [&'static str; 1],
        solvers: fn() -> Vec<SolverEntry<G>>,
    ) -> Self {
        self.solvers =
            SolverSet { solvers, defaults: name, prover: Some(name[0]), finds_lines: false };
        self
    }

    /// The form with solvers that value moves.
    #[must_use]
    pub(crate) const fn with_solver_set(mut self, solvers: SolverSet<G>) -> Self {
        self.solvers = solvers;
        self
    }

    /// The form with those who are asked when nobody is named: about positions, and to play
    /// against.
    #[must_use]
    pub const fn with_usual(
        mut self,
        advisers: &'static [&'static str],
        opponents: &'static [&'static str],
    ) -> Self {
        (self.advisers, self.opponents) = (advisers, opponents);
        self
    }

    /// The form with generators of its own positions.
    #[must_use]
    pub const fn with_generators(mut self, generators: &'static [Generator<G>]) -> Self {
        self.generators = generators;
        self
    }

    /// The form of a game whose agent `perfect` is perfect from the start.
    #[must_use]
    pub(crate) const fn with_perfect_play(mut self) -> Self {
        self.perfect_play = true;
        self
    }

    /// The form with puzzles of the day in its default variant.
    #[must_use]
    pub(crate) const fn with_puzzle(mut self, puzzle: PuzzleMaker<G>) -> Self {
        self.puzzle = Some(puzzle);
        self
    }

    /// The form with agents of its own, besides those that every game has.
    #[must_use]
    pub const fn with_agents(mut self, agents: AgentList<G>) -> Self {
        self.agents = agents;
        self
    }

    /// How it is listed.
    pub const fn info(&self) -> &GameInfo {
        &self.info
    }

    /// The name with the parameters that differ from the default.
    pub fn spec_of(&self, variant: &G::Variant) -> String {
        let selector = self.info.selector.map(|(key, value)| (key, value.to_owned()));
        let params: Vec<_> = selector.into_iter().chain(variant.write()).collect();
        spec(self.info.name, &params)
    }

    /// Reads a variant; the selector has been taken out already.
    ///
    /// # Errors
    /// When a parameter is wrong or unknown.
    pub fn variant(&self, mut params: Params) -> Result<G::Variant, ParseError> {
        let variant = G::Variant::read(&mut params)?;
        let mut known: Vec<&str> = self.info.parameters.iter().map(|p| p.name).collect();
        known.extend(self.info.selector.map(|(key, _)| key));
        params.finish(&known)?;
        Ok(variant)
    }
}

impl<G: Registered + Solvable> Form<G> {
    /// The form with its solvers.
    #[must_use]
    pub const fn with_solvers(mut self) -> Self {
        self.solvers = SolverSet {
            solvers: G::solvers,
            defaults: &[G::DEFAULT],
            prover: G::PROVER,
            finds_lines: true,
        };
        self
    }
}

impl<G: Registered + StaticEval + Deterministic> Form<G> {
    /// A two-player game with winners.
    pub const fn duel(
        title: &'static str,
        about: &'static str,
        samples: &'static [&'static str],
    ) -> Self {
        let mut form = Form::new(title, about, samples)
            .with_objective(Objective::Win)
            .with_prover(&["outcomes"], || prover::entries(outcomes()))
            .with_usual(&["perfect", "alphabeta"], &["az", "uct"]);
        form.outcome = G::outcome;
        form.agents = || duels::agents::<G>(&levels::CONNECT_FOUR, outcomes());
        form
    }
}

/// What proves the ends of a game that has nothing of its own for it.
const fn outcomes<G: StaticEval + Deterministic>() -> &'static Prover<G> {
    const { &Prover::outcomes(|_| true) }
}
