//! What a checkpoint notes besides the network.

use ludens_core::error::quote;
use ludens_core::{Notation, ParseError, Solo};
use serde_json::{Value, json};

use super::OpenGame;
use crate::Error;
use crate::error::noted;
use crate::run_dir::CHECKPOINT;

/// What notes mean. 1 had no number, and the positions of games without what they had brought.
const VERSION: u64 = 2;

/// How far a run has come.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct State<G> {
    pub(super) iterations: u64,
    /// The best mean reward of an iteration.
    pub(super) best: Option<f64>,
    pub(super) games: Vec<OpenGame<G>>,
}

impl<G: Solo + Notation> State<G> {
    pub(super) fn to_json(&self) -> Value {
        let games: Vec<Value> = self.games.iter().map(noted_game).collect();
        let State { iterations, best, .. } = self;
        json!({"version": VERSION, "iterations": iterations, "best": best, "games": games})
    }

    /// # Errors
    /// When the notes are of another version, or damaged.
    pub(super) fn read(variant: &G::Variant, notes: &Value) -> Result<Self, Error> {
        let version = notes["version"].as_u64().unwrap_or(1);
        if version != VERSION {
            return Err(Error::Run(format!(
                "{CHECKPOINT}: found version {version}, expected {VERSION}, which this program reads: finish the run with the program that started it, or start another one from its network with --from"
            )));
        }
        let games = notes["games"].as_array().map_or(&[][..], Vec::as_slice);
        let games: Result<Vec<_>, ParseError> =
            games.iter().map(|game| open_game(variant, game)).collect();
        let games = games.map_err(|error| Error::Run(format!("{CHECKPOINT}, {error}")))?;
        let (iterations, best) = (noted(notes, "iterations")?, notes["best"].as_f64());
        Ok(State { iterations, best, games })
    }
}

fn noted_game<G: Notation>(game: &OpenGame<G>) -> Value {
    json!({"position": game.position.text(), "reward": game.reward, "moves": game.moves})
}

fn open_game<G: Solo + Notation>(
    variant: &G::Variant,
    game: &Value,
) -> Result<OpenGame<G>, ParseError> {
    let wrong = |what: &str| ParseError::new("game", quote(&game.to_string()), what);
    let text = game["position"].as_str().ok_or_else(|| wrong("a position"))?;
    let position = G::parse(variant, text).map_err(|error| error.within("game"))?;
    let moves = game["moves"].as_u64().and_then(|moves| u32::try_from(moves).ok());
    match (game["reward"].as_f64(), moves) {
        (Some(reward), Some(moves)) if !position.is_over() => {
            Ok(OpenGame { position, reward, moves })
        }
        _ => Err(wrong("a game under way with its reward and moves")),
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Game;
    use ludens_games::Game2048;

    use super::*;

    #[test]
    fn games_under_way_keep_what_they_brought() {
        let mut rng = ludens_core::Rng::new(1);
        let mut game = |reward| OpenGame {
            position: Game2048::start(&Default::default(), &mut rng),
            reward,
            moves: 7,
        };
        let games = vec![game(0.1 + 0.2), game(-1e300)];
        let state = State { iterations: 3, best: Some(1.0 / 3.0), games };
        let notes: Value = serde_json::from_str(&state.to_json().to_string()).unwrap();
        assert_eq!(State::<Game2048>::read(&Default::default(), &notes).unwrap(), state);
        let refused = |change: &dyn Fn(&mut Value)| {
            let mut other = notes.clone();
            change(&mut other);
            State::<Game2048>::read(&Default::default(), &other).unwrap_err().to_string()
        };
        // Positions alone, as they were noted before.
        let old = refused(&|notes| *notes = json!({"iterations": 3, "positions": [], "best": 1.0}));
        assert!(old.contains("found version 1, expected 2") && old.contains("--from"), "{old}");
        let lost = refused(&|notes| notes["games"][1]["reward"] = Value::Null);
        assert!(lost.contains("a game under way with its reward"), "{lost}");
        assert!(refused(&|notes| notes["iterations"] = Value::Null).contains("iterations"));
    }
}
