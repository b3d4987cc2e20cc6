//! One registered form of a game, and a variant of it behind a trait object.

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{
    Deterministic, Game, GameResult, Notation, Parameter, Params, ParseError, Record, Rng,
    StaticEval, Symmetric, Variant,
};

use crate::agents::AgentList;
use crate::contestant::{Contestant, Seated};
use crate::duels;
use crate::judge::Judge;
use crate::solve::{Solvable, SolverSet};
use crate::{Named, Session, Table};

/// What a game must have to be registered.
pub trait Registered: Notation + Symmetric {}

impl<G: Notation + Symmetric> Registered for G {}

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
    /// Whether games end with a winner or a draw, without luck.
    pub(crate) has_winners: bool,
    /// Whether `start` always gives the same position.
    pub(crate) fixed_start: bool,
    pub(crate) solvers: Option<&'static SolverSet<G>>,
    /// What proves values, in games with winners.
    pub(crate) judge: Option<&'static Judge<G>>,
    /// Its agents besides those that every game has.
    pub(crate) agents: AgentList<G>,
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
                parameters: <G::Variant as Variant>::PARAMETERS,
                samples,
            },
            outcome: |_| None,
            has_winners: false,
            fixed_start: false,
            solvers: None,
            judge: None,
            agents: Vec::new,
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

    /// The form with a solver of its own that proves values.
    #[must_use]
    pub(crate) const fn with_judge(mut self, judge: &'static Judge<G>) -> Self {
        self.judge = Some(judge);
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
        self.solvers = Some(&const { SolverSet::new() });
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
        let mut form = Form::new(title, about, samples);
        form.outcome = G::outcome;
        form.has_winners = true;
        form.judge = Some(&const { Judge::outcomes() });
        form.agents = duels::agents::<G>;
        form
    }
}

/// A game with its variant, ready to begin.
pub trait GameHandle: Send + Sync {
    /// How the game is listed.
    fn info(&self) -> &GameInfo;

    /// The game with its variant, such as `sevn:base=5`.
    fn spec(&self) -> String;

    /// A seeded start.
    fn start(&self, seed: u64) -> Box<dyn Table>;

    /// Whether `start` gives the same position for every seed.
    fn fixed_start(&self) -> bool;

    /// Whether games end with a winner or a draw, without luck: what agents are rated in.
    fn has_winners(&self) -> bool;

    /// A seeded start followed by `plies` random moves (fewer if it ends before).
    fn random(&self, seed: u64, plies: usize) -> Box<dyn Table>;

    /// A table at a position.
    ///
    /// # Errors
    /// When the text is no position of this variant.
    fn parse(&self, text: &str) -> Result<Box<dyn Table>, ParseError>;

    /// A table with a whole recorded game played on it.
    ///
    /// # Errors
    /// When a move, outcome or reward of the record is not by the rules, or not
    /// written as [`Table::record`] would write it.
    fn replay(&self, record: &Record) -> Result<Box<dyn Table>, ParseError>;

    /// The agent of a text as a player of whole games, and what its games are kept under.
    ///
    /// # Errors
    /// When there is no such agent, or it is a person.
    fn contestant(&self, agent: &str) -> Result<(Box<dyn Contestant>, Named), ParseError>;
}

/// The one implementation of [`GameHandle`].
pub(crate) struct Handle<G: Registered> {
    pub(crate) form: Form<G>,
    pub(crate) variant: G::Variant,
}

impl<G: Registered> Handle<G> {
    fn open(&self, start: G, seed: Option<u64>) -> Box<dyn Table> {
        Box::new(Session::new(self.form, start, seed))
    }
}

impl<G: Registered> GameHandle for Handle<G> {
    fn info(&self) -> &GameInfo {
        &self.form.info
    }

    fn spec(&self) -> String {
        self.form.spec_of(&self.variant)
    }

    fn start(&self, seed: u64) -> Box<dyn Table> {
        self.random(seed, 0)
    }

    fn fixed_start(&self) -> bool {
        self.form.fixed_start
    }

    fn has_winners(&self) -> bool {
        self.form.has_winners
    }

    fn random(&self, seed: u64, plies: usize) -> Box<dyn Table> {
        let mut rng = Rng::stream(seed, 0);
        let mut position = G::start(&self.variant, &mut rng);
        for _ in 0..plies {
            let Some((_, after, _)) = position.step(&mut rng) else { break };
            let chance = G::sample(&after, &mut rng);
            position = G::apply_outcome(&after, chance).0;
        }
        self.open(position, Some(seed))
    }

    fn parse(&self, text: &str) -> Result<Box<dyn Table>, ParseError> {
        Ok(self.open(G::parse(&self.variant, text)?, None))
    }

    fn replay(&self, record: &Record) -> Result<Box<dyn Table>, ParseError> {
        let start = G::parse(&self.variant, &record.start).map_err(|e| e.within("start"))?;
        // Of the position: the default variant of Sevn reads those of every base.
        exactly("game", &record.game, &self.form.spec_of(&start.variant()))?;
        exactly("start", &record.start, &start.text())?;
        if record.two.is_some() != (G::PLAYERS == 2) {
            let found = record.two.as_deref().map_or("none".to_owned(), quote);
            let expected = if G::PLAYERS == 2 { "a name" } else { "none: one player only" };
            return Err(ParseError::new("second player", found, expected));
        }
        let mut session = Session::new(self.form, start, record.seed);
        for (i, recorded) in record.moves.iter().enumerate() {
            let place = format!("move {}", i + 1);
            let played = session
                .replay(&recorded.action, recorded.chance.as_deref())
                .map_err(|e| e.within(&place))?;
            exactly(&place, &recorded.action, &played.action.text)?;
            if let (Some(found), Some(expected)) = (&recorded.chance, &played.chance) {
                exactly(&format!("{place}, outcome"), found, expected)?;
            }
            if played.reward != recorded.reward {
                let expected = format!("{} by the rules", played.reward);
                return Err(ParseError::new(
                    place,
                    format!("reward {}", recorded.reward),
                    expected,
                ));
            }
            session.note_time(std::time::Duration::from_millis(recorded.millis));
        }
        session.name_seats(&record.one, record.two.as_deref());
        Ok(Box::new(session))
    }

    fn contestant(&self, agent: &str) -> Result<(Box<dyn Contestant>, Named), ParseError> {
        let (seated, name) = Seated::parse(agent, &self.variant, self.form.agents)?;
        Ok((Box::new(seated), name))
    }
}

/// Refuses a text that reads, but is not as it would be written.
fn exactly(place: &str, found: &str, expected: &str) -> Result<(), ParseError> {
    if found == expected {
        return Ok(());
    }
    Err(ParseError::new(place, quote(found), format!("it written as {}", quote(expected))))
}
