//! Agents by name.

use ludens_core::error::quote;
use ludens_core::{Agent, Game, Params, ParseError, RandomAgent};

const HUMAN: &str = "human";

/// An agent as `ludens games` lists it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentInfo {
    /// Its name in `--first NAME[:k=v,..]`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
}

/// All agents, for every game.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo { name: HUMAN, about: "a person at the keyboard" },
    AgentInfo { name: "random", about: "every legal move equally likely" },
];

/// Who sits at a table.
pub(crate) struct Seat<G: Game> {
    /// The name, as records show it.
    pub(crate) name: String,
    /// `None` for a person.
    pub(crate) agent: Option<Box<dyn Agent<G>>>,
}

impl<G: Game> Seat<G> {
    /// A person.
    pub(crate) fn human() -> Self {
        Seat { name: HUMAN.to_owned(), agent: None }
    }

    /// The agent of a name such as `random`.
    pub(crate) fn parse(text: &str) -> Result<Self, ParseError> {
        let (name, params) = Params::split(text)?;
        let agent: Option<Box<dyn Agent<G>>> = match name {
            HUMAN => None,
            "random" => Some(Box::new(RandomAgent)),
            _ => {
                let known: Vec<&str> = AGENTS.iter().map(|agent| agent.name).collect();
                return Err(ParseError::new("agent", quote(name), known.join(" | ")));
            }
        };
        params.finish(&[])?;
        Ok(Seat { name: name.to_owned(), agent })
    }
}
