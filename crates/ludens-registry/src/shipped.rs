//! Neural networks that come with the program, and where a network is read from.

use std::path::{Path, PathBuf};

use ludens_core::ParseError;
use ludens_learn::alphazero::folder::MODEL;
use ludens_learn::probs::folder::VALUE;
use ludens_nn::{Describe, Error, Model};

/// What a network is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A policy, a value or both: what `az`, `net` and solvers play by.
    Plays,
    /// What PROBS thinks of moves.
    Moves,
    /// What PROBS thinks of positions.
    Positions,
}

impl Role {
    /// The agent that needs it.
    pub(crate) fn agent(self) -> &'static str {
        match self {
            Role::Plays => "net",
            Role::Moves => "probs",
            Role::Positions => "probs:expand=1",
        }
    }

    /// Its file in the folder of a run.
    fn file(self) -> &'static str {
        match self {
            Role::Plays | Role::Moves => MODEL,
            Role::Positions => VALUE,
        }
    }
}

/// The networks by game and role; the cards beside the files tell how they were made.
pub(crate) const SHIPPED: &[(&str, Role, &[u8])] = &[
    ("former", Role::Plays, include_bytes!("../../../models/former.safetensors")),
    ("connect-four", Role::Plays, include_bytes!("../../../models/connect-four.safetensors")),
    ("connect-four", Role::Moves, include_bytes!("../../../models/connect-four-probs.safetensors")),
    (
        "connect-four",
        Role::Positions,
        include_bytes!("../../../models/connect-four-probs-value.safetensors"),
    ),
    ("othello", Role::Plays, include_bytes!("../../../models/othello.safetensors")),
    ("togyzkumalak", Role::Plays, include_bytes!("../../../models/togyzkumalak.safetensors")),
    ("sevn", Role::Plays, include_bytes!("../../../models/sevn.safetensors")),
];

/// What messages call a network that comes with the program.
pub(crate) fn name_of(game: &str, role: Role) -> String {
    let whose = match role {
        Role::Plays => "network",
        Role::Moves => "network of PROBS for moves",
        Role::Positions => "network of PROBS for positions",
    };
    format!("the {whose} for {game} that comes with the program")
}

/// Where a network is.
pub(crate) enum Source {
    /// In a file.
    File(PathBuf),
    /// In the program, for a game.
    Program(&'static str, Role, &'static [u8]),
}

impl Source {
    /// What `model=` names: a file, or the folder of a run. Without it, the network that comes with the
    /// program.
    ///
    /// # Errors
    /// When none is named and none comes with the program.
    pub(crate) fn of(named: Option<&str>, game: &str, role: Role) -> Result<Self, ParseError> {
        let Some(text) = named else { return Source::own(game, role) };
        let path = Path::new(text);
        Ok(Source::File(if path.is_dir() { path.join(role.file()) } else { path.to_owned() }))
    }

    /// The network that comes with the program.
    ///
    /// # Errors
    /// When there is none for the game.
    pub(crate) fn own(game: &str, role: Role) -> Result<Self, ParseError> {
        let plain = game.split(':').next().unwrap_or(game);
        match SHIPPED.iter().find(|(name, its, _)| (*name, *its) == (plain, role)) {
            Some(&(name, role, bytes)) => Ok(Source::Program(name, role, bytes)),
            None => {
                let whose = if role == Role::Plays { "" } else { " of PROBS" };
                let expected = format!(
                    "a network{whose} for {game} by model=DIR: none comes with the program"
                );
                Err(ParseError::new("network", "none", expected))
            }
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, or is of another form.
    pub(crate) fn read<S: Describe>(&self) -> Result<Model<S>, Error> {
        match self {
            Source::File(path) => Model::load(path),
            Source::Program(game, role, bytes) => Model::of_bytes(&name_of(game, *role), bytes),
        }
    }
}
