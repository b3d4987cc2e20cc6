//! Agents by name.

use std::time::Duration;

use ludens_core::error::quote;
use ludens_core::params::Kind;
use ludens_core::platform::available_memory;
use ludens_core::{Agent, Game, GreedyAgent, Param, Parameter, Params, ParseError, RandomAgent};

/// The name of a person.
pub const HUMAN: &str = "human";

/// An agent as `ludens games` lists it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentInfo {
    /// Its name in `--first NAME[:k=v,..]`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
    /// The setting with which it thinks until it is stopped, such as `ply=20`; `None` where
    /// it does so anyway, or more time does not help it.
    pub until_stopped: Option<&'static str>,
    /// A name that it had before, with the parameter that the name stood for.
    pub(crate) alias: Option<(&'static str, (&'static str, &'static str))>,
}

impl AgentInfo {
    /// Whether a name is this agent's, today's or an older one.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.alias.is_some_and(|(alias, _)| alias == name)
    }

    /// The parameters of a text such as `uct:1000,c=2` that names it. A value without a name is
    /// that of the first parameter.
    ///
    /// # Errors
    /// When a parameter is malformed or not declared.
    pub(crate) fn params(&self, text: &str) -> Result<Params, ParseError> {
        let (name, mut params) = Params::split(&named(text, self.parameters))
            .map(|(name, params)| (name.to_owned(), params))?;
        if let Some((_, (key, value))) = self.alias.filter(|(alias, _)| *alias == name) {
            params.put(key, value.to_owned());
        }
        params.declared(self.parameters)
    }
}

/// The name of the parameter of agents with a table: its size in MiB.
pub(crate) const MEMORY: &str = "memory";

/// The bytes of an agent's table.
///
/// # Errors
/// When it is no number of MiB of the range, or more than the machine has left.
pub(crate) fn table_bytes(params: &mut Params, size: &Param<usize>) -> Result<usize, ParseError> {
    let megabytes = params.get(size)?;
    let bytes = megabytes << 20;
    match available_memory() {
        Some(left) if bytes as u64 > left && megabytes > size.default() => {
            let expected = format!("at most {}: the machine has no more left", left >> 20);
            Err(ParseError::new(format!("parameter {MEMORY}"), megabytes.to_string(), expected))
        }
        _ => Ok(bytes),
    }
}

/// The number of simulations per move: what is given, or the default unless there is a time.
pub(crate) fn per_move<T>(
    params: &mut Params,
    count: &Param<T>,
    time: Option<Duration>,
) -> Result<Option<T>, ParseError> {
    let given = params.given(count)?;
    Ok(given.or_else(|| time.is_none().then(|| count.default())))
}

/// Makes the table of an agent that has one no larger than `bytes`.
fn cap_table(params: &mut Params, parameters: &[Parameter], most: usize) {
    let Some(parameter) = parameters.iter().find(|parameter| parameter.name == MEMORY) else {
        return;
    };
    let asked = params.take(MEMORY).unwrap_or_else(|| parameter.default_text());
    let capped = match (asked.parse::<usize>(), parameter.kind) {
        (Ok(megabytes), Kind::Int { max, .. }) if megabytes as u64 <= max => {
            megabytes.min(most >> 20).to_string()
        }
        // What is no number, or out of range, is told by whoever reads it.
        _ => asked,
    };
    params.put(MEMORY, capped);
}

/// A person, who is asked for moves instead of making them up.
const PERSON: AgentInfo = AgentInfo {
    name: HUMAN,
    about: "a person at the keyboard",
    parameters: &[],
    until_stopped: None,
    alias: None,
};

/// An agent of one game, by name.
pub struct AgentEntry<G: Game> {
    /// How it is listed.
    pub info: AgentInfo,
    /// Makes it; takes its parameters out of the text's.
    make: AgentMaker<G>,
}

/// Makes an agent for games of a variant from its parameters.
pub type AgentMaker<G> =
    Box<dyn Fn(&<G as Game>::Variant, &mut Params) -> Result<Box<dyn Agent<G>>, ParseError>>;

/// Lists agents of a game.
pub type AgentList<G> = fn() -> Vec<AgentEntry<G>>;

impl<G: Game> AgentEntry<G> {
    /// An agent with parameters.
    pub fn new<A: Agent<G> + 'static>(
        name: &'static str,
        about: &'static str,
        parameters: &'static [Parameter],
        make: impl Fn(&G::Variant, &mut Params) -> Result<A, ParseError> + 'static,
    ) -> Self {
        let make = Box::new(move |variant: &G::Variant, params: &mut Params| {
            Ok(Box::new(make(variant, params)?) as Box<dyn Agent<G>>)
        });
        let info = AgentInfo { name, about, parameters, until_stopped: None, alias: None };
        AgentEntry { info, make }
    }

    /// The same agent with the setting by which it uses all the time it is given.
    #[must_use]
    pub(crate) fn until_stopped(mut self, setting: &'static str) -> Self {
        self.info.until_stopped = Some(setting);
        self
    }

    /// The same agent, known by another name for it with a parameter.
    #[must_use]
    pub(crate) fn alias(
        mut self,
        name: &'static str,
        (key, value): (&'static str, &'static str),
    ) -> Self {
        self.info.alias = Some((name, (key, value)));
        self
    }
}

/// The agents that every game has, without the person.
pub(crate) fn common<G: Game>() -> Vec<AgentEntry<G>> {
    vec![
        AgentEntry::new("random", "every legal move equally likely", &[], |_, _| Ok(RandomAgent)),
        AgentEntry::new("greedy", "the move that pays most at once", &[], |_, _| Ok(GreedyAgent)),
    ]
}

/// The agents that every game has as they are listed, the person first.
pub fn common_agents() -> Vec<AgentInfo> {
    // Which game makes no difference to the list.
    infos::<ludens_games::Former>(Vec::new)
}

/// All agents of a game as they are listed, the person first.
pub(crate) fn infos<G: Game>(agents: AgentList<G>) -> Vec<AgentInfo> {
    std::iter::once(PERSON).chain(all(agents).into_iter().map(|entry| entry.info)).collect()
}

/// Those that every game has and the game's own.
fn all<G: Game>(agents: AgentList<G>) -> Vec<AgentEntry<G>> {
    common().into_iter().chain(agents()).collect()
}

/// An agent or a solver as results are kept under.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its text in full.
    pub text: String,
    /// The checksums of the networks and tables it was made with, those that come with the
    /// program included.
    pub weights: Vec<String>,
}

/// Who sits at a table.
pub struct Seat<G: Game> {
    /// The name, as records show it.
    pub name: String,
    /// `None` for a person.
    pub agent: Option<Box<dyn Agent<G>>>,
    /// The checksums of the networks and tables it was made with.
    pub weights: Vec<String>,
}

impl<G: Game> Seat<G> {
    /// A person.
    pub(crate) fn human() -> Self {
        Seat { name: HUMAN.to_owned(), agent: None, weights: Vec::new() }
    }

    /// The agent of a text such as `random` or `uct:samples=1000`. A value without a
    /// name, as in `uct:1000`, is that of the agent's first parameter.
    ///
    /// # Errors
    /// When there is no such agent or a parameter is wrong.
    pub fn parse(
        text: &str,
        variant: &G::Variant,
        agents: AgentList<G>,
    ) -> Result<Self, ParseError> {
        Seat::within(text, variant, agents, usize::MAX)
    }

    /// The same with a table of at most `bytes`.
    pub(crate) fn within(
        text: &str,
        variant: &G::Variant,
        agents: AgentList<G>,
        memory: usize,
    ) -> Result<Self, ParseError> {
        let name = text.split(':').next().unwrap_or_default();
        if name == HUMAN {
            Params::split(text)?.1.finish(&[])?;
            return Ok(Seat::human());
        }
        let all = all(agents);
        let Some(entry) = all.iter().find(|entry| entry.info.is_called(name)) else {
            let known: Vec<&str> =
                std::iter::once(HUMAN).chain(all.iter().map(|entry| entry.info.name)).collect();
            return Err(ParseError::new("agent", quote(name), known.join(" | ")));
        };
        let info = &entry.info;
        let place = |error: ParseError| error.within(&format!("agent {}", info.name));
        let mut params = info.params(text).map_err(place)?;
        let name = params.spec(info.name);
        if memory < usize::MAX {
            cap_table(&mut params, info.parameters, memory);
        }
        let agent = (entry.make)(variant, &mut params).map_err(place)?;
        let weights = params.weights().to_vec();
        params.all_read().map_err(place)?;
        Ok(Seat { name, agent: Some(agent), weights })
    }
}

/// The text with the name of the first parameter before a value that has none.
fn named(text: &str, parameters: &[Parameter]) -> String {
    match (text.split_once(':'), parameters.first()) {
        (Some((name, rest)), Some(first)) => {
            let value = rest.split(',').next().unwrap_or_default();
            match value.contains('=') || value.is_empty() {
                true => text.to_owned(),
                false => format!("{name}:{}={rest}", first.name),
            }
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_value_needs_no_name() {
        const SAMPLES: Parameter = Param::<u64>::int("samples", 1..=u64::MAX, 1).parameter;
        assert_eq!(named("uct:500", &[SAMPLES]), "uct:samples=500");
        assert_eq!(named("uct:500,c=2", &[SAMPLES]), "uct:samples=500,c=2");
        assert_eq!(named("uct:c=2", &[SAMPLES]), "uct:c=2");
        assert_eq!(named("uct", &[SAMPLES]), "uct");
        assert_eq!(named("random:5", &[]), "random:5");
    }
}
