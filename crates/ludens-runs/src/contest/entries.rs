//! Who takes part in a contest, from texts such as `uct:1000` and `cmd:./bot --fast`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ludens_arena::contest::ContestPlayer;
use ludens_arena::fingerprint;
use ludens_core::ParseError;

use super::program::Program;
use super::words::words;
use crate::eval::short;
use ludens_engine::GameHandle;
use ludens_engine::contestant::Contestant;

/// What makes an agent a program of others.
pub const COMMAND: &str = "cmd:";

/// A player that can be made as often as it is needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name, and what tells it from others in the store.
    pub player: ContestPlayer,
    kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Agent(String),
    Program(Vec<String>),
    Given(Maker),
}

/// Makes players that a host brings along, such as objects of Python.
#[derive(Clone)]
pub struct Maker(Arc<dyn Fn() -> Box<dyn Contestant> + Send + Sync>);

impl Maker {
    /// A maker; what it makes plays on the thread that asked for it.
    pub fn new(make: impl Fn() -> Box<dyn Contestant> + Send + Sync + 'static) -> Self {
        Maker(Arc::new(make))
    }
}

impl PartialEq for Maker {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Maker {}

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Maker")
    }
}

impl Entry {
    /// The player of a text.
    ///
    /// # Errors
    /// When there is no such agent, or its program cannot be started.
    fn parse(
        game: &dyn GameHandle,
        text: &str,
        given: &BTreeMap<String, Maker>,
    ) -> Result<Self, ParseError> {
        let name = text.trim().to_owned();
        if let Some(maker) = given.get(&name) {
            let key = format!("given:{name}");
            let kind = Kind::Given(maker.clone());
            return Ok(Entry { player: ContestPlayer { name, key }, kind });
        }
        if let Some(command) = name.strip_prefix(COMMAND) {
            let command = words(command)?;
            Program::new(command.clone(), &game.spec(), Duration::ZERO).check()?;
            let key = with_files(&command);
            return Ok(Entry { player: ContestPlayer { name, key }, kind: Kind::Program(command) });
        }
        let (_, named) = game.contestant(&name)?;
        let prints = named.weights.iter().map(|sum| format!("@{}", short(sum)));
        let key = named.text + &prints.collect::<String>();
        Ok(Entry { player: ContestPlayer { name: name.clone(), key }, kind: Kind::Agent(name) })
    }

    /// The player itself; a program's moves may come later than their time by `margin`.
    ///
    /// # Errors
    /// When what it needs, such as a model, is not there any more.
    pub fn make(
        &self,
        game: &dyn GameHandle,
        margin: Duration,
    ) -> Result<Box<dyn Contestant>, ParseError> {
        match &self.kind {
            Kind::Agent(text) => Ok(game.contestant(text)?.0),
            Kind::Program(command) => {
                Ok(Box::new(Program::new(command.clone(), &game.spec(), margin)))
            }
            Kind::Given(maker) => Ok((maker.0)()),
        }
    }

    /// Whether it is a program of others.
    pub fn is_program(&self) -> bool {
        matches!(self.kind, Kind::Program(_))
    }
}

/// The players of some texts. One that comes twice plays against itself under a second
/// name, which shows how far luck goes.
///
/// # Errors
/// When there is no such agent, or a program cannot be started.
pub fn entries(game: &dyn GameHandle, texts: &[String]) -> Result<Vec<Entry>, ParseError> {
    entries_with(game, texts, &BTreeMap::new())
}

/// The same where some texts are names of players that the host brings along.
///
/// # Errors
/// When there is no such agent, or a program cannot be started.
pub fn entries_with(
    game: &dyn GameHandle,
    texts: &[String],
    given: &BTreeMap<String, Maker>,
) -> Result<Vec<Entry>, ParseError> {
    let mut all: Vec<Entry> = Vec::new();
    for text in texts {
        let mut entry = Entry::parse(game, text, given)?;
        let same = all.iter().filter(|other| other.kind == entry.kind).count();
        if same > 0 {
            entry.player.name.push_str(&format!("#{}", same + 1));
            entry.player.key.push_str(&format!("#{}", same + 1));
        }
        all.push(entry);
    }
    Ok(all)
}

/// A command with a fingerprint of every file that it names: a program that has been changed
/// is another player.
fn with_files(command: &[String]) -> String {
    let mut key = format!("{COMMAND}{}", command.join(" "));
    for path in command.iter().map(Path::new).filter(|path| path.is_file()) {
        if let Some(print) = fingerprint::of_path(path) {
            key.push_str(&format!("@{print}"));
        }
    }
    key
}
