//! The networks inside the program, each with its card. `models/README.md` has the commands that
//! made them and their strength with intervals.

use crate::Role;

/// A network inside the program.
#[derive(PartialEq, Eq, Debug)]
pub struct Bundled {
    /// The game it plays.
    pub game: &'static str,
    /// What it estimates.
    pub role: Role,
    /// What it is, in a few words.
    pub network: &'static str,
    /// What it learned from.
    pub data: &'static str,
    /// How strong it is.
    pub strength: &'static str,
    /// Its file.
    pub bytes: &'static [u8],
}

impl Bundled {
    /// The one of a game and a role. A variant of the game other than the default has an n-tuple
    /// network of its own or none; neural networks say themselves what they are for.
    pub(crate) fn find(game: &str, role: Role) -> Option<&'static Bundled> {
        let name = match role {
            Role::Afterstates => game,
            _ => game.split(':').next().unwrap_or(game),
        };
        BUNDLED.iter().find(|bundled| (bundled.game, bundled.role) == (name, role))
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        let whose = match self.role {
            Role::Afterstates | Role::PolicyValue => "network",
            Role::ActionValues => "network of PROBS for moves",
            Role::PositionValues => "network of PROBS for positions",
        };
        format!("the bundled {whose} for {}", self.game)
    }
}

/// The file of a bundled network.
#[cfg(feature = "bundled")]
macro_rules! card {
    ($file:literal, $game:literal, $role:ident, $network:literal, $data:literal, $strength:literal) => {
        Bundled {
            game: $game,
            role: Role::$role,
            network: $network,
            data: $data,
            strength: $strength,
            bytes: include_bytes!(concat!("../models/", $file)),
        }
    };
}

/// All networks inside the program.
#[cfg(feature = "bundled")]
pub static BUNDLED: &[Bundled] = &[
    card!(
        "2048.packed",
        "2048",
        Afterstates,
        "n-tuple network 4x6, TC, packed",
        "783,000 episodes, seed 1",
        "mean 215,481 of 4,000 games at 1 ply"
    ),
    card!(
        "2584.packed",
        "2584",
        Afterstates,
        "n-tuple network 4x6, 20 values, TC, packed",
        "4,000 episodes, seed 42",
        "mean 111,126 of 400 games at 1 ply"
    ),
    card!(
        "threes.packed",
        "threes",
        Afterstates,
        "n-tuple network 4x6 per hint, TC, packed",
        "150,000 episodes, seed 42",
        "mean 9,669 of 1,000 games at 1 ply"
    ),
    card!(
        "former.safetensors",
        "former",
        PolicyValue,
        "32 channels, 5 convolutions, policy and value",
        "imitation of beams, PPO, then its own games",
        "15.26 moves greedily by value on the thesis' 1,000 boards"
    ),
    card!(
        "connect-four.safetensors",
        "connect-four",
        PolicyValue,
        "residual, 32 channels, 4 blocks",
        "893 iterations of AlphaZero, 114,304 games",
        "az:100 85.0 % against uct:1000"
    ),
    card!(
        "connect-four-probs.safetensors",
        "connect-four",
        ActionValues,
        "residual, 32 channels, 2 blocks",
        "71 iterations of PROBS, 71,000 games",
        "94.2 % against lookahead:3"
    ),
    card!(
        "connect-four-probs-value.safetensors",
        "connect-four",
        PositionValues,
        "residual, 32 channels, 2 blocks",
        "71 iterations of PROBS, 71,000 games",
        "95.6 % against lookahead:3 with expand=57,depth=2"
    ),
    card!(
        "othello.safetensors",
        "othello",
        PolicyValue,
        "residual, 32 channels, 4 blocks",
        "27 iterations of AlphaZero, 3,456 games",
        "az:100 97.5 % against uct:1000"
    ),
    card!(
        "togyzkumalak.safetensors",
        "togyzkumalak",
        PolicyValue,
        "residual, 32 channels, 4 blocks, stem 5x5",
        "49 iterations of AlphaZero, 6,272 games",
        "az:100 93.8 % against uct:1000"
    ),
    card!(
        "sevn.safetensors",
        "sevn",
        PolicyValue,
        "graph network, plays every base",
        "274 iterations of AlphaZero, 35,072 games of base 7",
        "az:240 64.8 % against uct:10000 at equal time"
    ),
];

/// None: the program was built without.
#[cfg(not(feature = "bundled"))]
pub static BUNDLED: &[Bundled] = &[];
