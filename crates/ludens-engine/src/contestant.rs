//! Players of whole games, whatever they are.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::{Agent, Budget, Game, Notation, ParseError, Rng};

use crate::agents::{AgentList, Seat};
use crate::analysis::{Callback, Report, Request, Search, agent as by_agent};
use crate::{HUMAN, Named};
use ludens_core::platform::Instant;

/// Why a player lost otherwise than by the rules. One line, for tables and the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit(pub String);

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a player is asked with.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Time for the move, besides the player's own limits.
    pub time: Option<Duration>,
    /// Positions to look at, besides its own limits.
    pub nodes: Option<u64>,
    /// The seed of its randomness.
    pub seed: u64,
    /// How many threads it may use.
    pub threads: usize,
    /// Cancels it.
    pub stop: &'a AtomicBool,
}

/// A player of whole games. Positions and moves are texts that the caller has checked.
pub trait Contestant {
    /// A game starts at a position.
    ///
    /// # Errors
    /// When the player is unable to play it.
    fn start(&mut self, start: &str) -> Result<(), Forfeit>;

    /// A move was played, its own or the opponent's.
    fn observe(&mut self, action: &str);

    /// Chooses a move; it need not be legal. `callback` gets what the player reports.
    ///
    /// # Errors
    /// When there is none.
    fn choose(&mut self, asked: &Asked<'_>, callback: Callback<'_>) -> Result<String, Forfeit>;
}

/// An agent of the program itself.
pub(crate) struct Seated<G: Game> {
    agent: Box<dyn Agent<G>>,
    name: String,
    variant: G::Variant,
    position: Option<G>,
}

impl<G: Notation> Seated<G> {
    /// The agent of a text, and what its games are kept under.
    pub(crate) fn parse(
        text: &str,
        variant: &G::Variant,
        agents: AgentList<G>,
    ) -> Result<(Self, Named), ParseError> {
        let seat = Seat::parse(text, variant, agents)?;
        let Some(agent) = seat.agent else {
            return Err(ParseError::new("agent", format!("'{HUMAN}'"), "one that plays by itself"));
        };
        let named = Named { text: seat.name.clone(), weights: seat.weights };
        Ok((Seated { agent, name: seat.name, variant: *variant, position: None }, named))
    }
}

impl<G: Notation> Contestant for Seated<G> {
    fn start(&mut self, start: &str) -> Result<(), Forfeit> {
        self.agent.reset();
        let position = G::parse(&self.variant, start);
        self.position = Some(position.map_err(|error| Forfeit(error.to_string()))?);
        Ok(())
    }

    fn observe(&mut self, action: &str) {
        let before = self.position.expect("a game has started");
        let action = before.parse_action(action).expect("the move was checked");
        let after = before.apply(action).0;
        // Games of two have no chance here, so any generator draws the one outcome.
        let chance = G::sample(&after, &mut Rng::new(0));
        let next = G::apply_outcome(&after, chance).0;
        self.agent.observe(&before, action, &next);
        self.position = Some(next);
    }

    fn choose(&mut self, asked: &Asked<'_>, callback: Callback<'_>) -> Result<String, Forfeit> {
        let position = self.position.expect("a game has started");
        let request = Request {
            budget: Budget { time: asked.time, nodes: asked.nodes, units: None },
            threads: asked.threads,
            ..Request::default()
        };
        let mut search = Search {
            request: &request,
            method: &self.name,
            stop: asked.stop,
            start: Instant::now(),
            callback,
        };
        let rng = Rng::new(asked.seed);
        let analysis = by_agent::analyze(self.agent.as_mut(), &position, rng, &mut search);
        let text = analysis.best.as_ref().map_or_else(String::new, |best| best.text.clone());
        (search.callback)(Report::Choice(analysis));
        Ok(text)
    }
}
