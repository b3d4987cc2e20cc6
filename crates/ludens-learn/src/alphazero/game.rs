//! Games of self-play, on disk and as samples.

use ludens_core::params::spec;
use ludens_core::{Deterministic, Notation, Params, ParseError, Pov, Variant};
use serde_json::{Value, json};

/// One move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchedMove {
    /// The move's index among the legal ones.
    pub choice: u16,
    /// The value that the search gave the position, to its player, in units of 1/10000.
    pub value: i32,
    /// What the search thought of every move, in units of 1/65535 of the likeliest one; empty where
    /// the search was a fast one.
    pub policy: Vec<u16>,
    /// Whether both are those of best play, which a [`Referee`] found.
    pub exact: bool,
}

/// One game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlay<G> {
    /// Its number, from which its randomness follows.
    pub number: u64,
    /// Where it started, random moves included.
    pub start: G,
    /// Its moves.
    pub moves: Vec<SearchedMove>,
    /// The sum of all rewards: 1, 0 or -1 to player one in a game of two.
    pub result: i32,
}

/// Tells the results (-1, 0, 1) of all moves of a position to its player under best play, in the order of
/// its actions; `None` for moves where that takes too long. For games of two players.
pub type Referee<G> = Box<dyn FnMut(&G) -> Vec<Option<i8>>>;

/// A position to learn from.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample<G> {
    /// The position.
    pub position: G,
    /// The probabilities that its moves should have; empty if nothing is known of them.
    pub policy: Vec<f32>,
    /// Its value to player one: the rewards to come.
    pub value: f32,
    /// The value that a search gave it, to player one.
    pub searched: f32,
}

impl SearchedMove {
    /// What a search found, rounded so that a game read from disk is the same.
    pub(super) fn of(choice: usize, value: f32, policy: &[f32]) -> SearchedMove {
        let most = policy.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(*x));
        SearchedMove {
            choice: choice as u16,
            value: (value * 10_000.0).round() as i32,
            policy: policy.iter().map(|x| (x / most * 65_535.0).round() as u16).collect(),
            exact: false,
        }
    }

    /// Puts the results of moves in place of what the search found, if they tell the best: the best
    /// moves keep the weights that it gave them, or get equal ones if it gave none. Tells whether they do.
    fn apply_outcome(&mut self, results: &[Option<i8>]) -> bool {
        let best = results.iter().flatten().max().copied();
        // No move is better than one that wins.
        let Some(best) = best.filter(|best| *best == 1 || results.iter().all(Option::is_some))
        else {
            return false;
        };
        let is_best = |index: &usize| results[*index] == Some(best);
        let weight = |index: usize| self.policy.get(index).copied().unwrap_or(0);
        let known = (0..results.len()).filter(is_best).any(|index| weight(index) > 0);
        let policy = (0..results.len()).map(|index| match is_best(&index) {
            true if known => weight(index),
            true => u16::MAX,
            false => 0,
        });
        self.policy = policy.collect();
        self.value = i32::from(best) * 10_000;
        self.exact = true;
        true
    }
}

impl<G: Deterministic + Notation> SelfPlay<G> {
    /// Asks the referee about the game's positions from the last one back, up to the first that it cannot
    /// tell: earlier ones are harder.
    pub(super) fn apply_outcome(&mut self, referee: &mut Referee<G>) {
        let positions: Vec<G> = self.positions().map(|(position, _)| position).collect();
        for (position, made) in positions.iter().zip(&mut self.moves).rev() {
            if !made.apply_outcome(&referee(position)) {
                break;
            }
        }
    }

    /// The positions in which moves were made, each with the rewards to come.
    fn positions(&self) -> impl Iterator<Item = (G, i32)> + '_ {
        let (mut here, mut to_come) = (self.start, self.result);
        self.moves.iter().map(move |made| {
            let now = (here, to_come);
            let action = here.actions().nth(usize::from(made.choice));
            let (next, reward) = here.apply(action.expect("a game's moves are legal"));
            (here, to_come) = (next, to_come - reward);
            now
        })
    }

    /// The positions to learn from; `blend` is the share of the search's value in that of a
    /// position. The rest is the game's result, or that of best play from the first later position
    /// on where it is known.
    pub fn samples(&self, blend: f32) -> Vec<Sample<G>> {
        let mut solved = None;
        let positions: Vec<(G, i32)> = self.positions().collect();
        let samples =
            positions.into_iter().zip(&self.moves).rev().map(|((position, to_come), made)| {
                let searched = Pov(made.value as f32 / 10_000.0).abs(position.to_move()).0;
                if made.exact {
                    solved = Some(searched);
                }
                let value = match made.exact {
                    true => searched,
                    false => (1.0 - blend) * solved.unwrap_or(to_come as f32) + blend * searched,
                };
                let total: f32 = made.policy.iter().map(|x| f32::from(*x)).sum();
                let policy = made.policy.iter().map(|x| f32::from(*x) / total).collect();
                Sample { position, policy, value, searched }
            });
        let mut samples: Vec<Sample<G>> = samples.collect();
        samples.reverse();
        samples
    }

    /// A line of a file.
    pub fn to_json(&self) -> Value {
        let made = |made: &SearchedMove| json!([made.choice, made.value, made.policy, made.exact]);
        let moves: Vec<Value> = self.moves.iter().map(made).collect();
        let (game, start) = (spec(G::NAME, &self.start.variant().write()), self.start.text());
        let (number, result) = (self.number, self.result);
        json!({"number": number, "game": game, "start": start, "result": result, "turns": moves})
    }

    /// The game of a line, of the variant where it does not tell.
    ///
    /// # Errors
    /// When it is no game.
    pub fn from_json(variant: &G::Variant, line: &Value) -> Result<Self, ParseError> {
        let wrong =
            |what: &str| ParseError::new("game of self-play", what, "one as it was written");
        // Games of earlier versions do not tell, they have the run's variant.
        let variant = match line["game"].as_str().map(Params::split).transpose()? {
            Some((_, mut params)) => G::Variant::read(&mut params)?,
            None => *variant,
        };
        let start = G::parse(&variant, line["start"].as_str().unwrap_or_default())?;
        let Some(number) = line["number"].as_u64() else { return Err(wrong("no number")) };
        let mut moves = Vec::new();
        let (mut here, mut result) = (start, 0);
        for made in line["turns"].as_array().ok_or_else(|| wrong("no moves"))? {
            let small = |value: &Value| value.as_u64().and_then(|x| u16::try_from(x).ok());
            let policy = made[2].as_array().ok_or_else(|| wrong("no policy"))?;
            let policy: Option<Vec<u16>> = policy.iter().map(small).collect();
            let value = made[1].as_i64().and_then(|x| i32::try_from(x).ok());
            let (Some(choice), Some(value), Some(policy)) = (small(&made[0]), value, policy) else {
                return Err(wrong("a move that is none"));
            };
            let count = here.actions().len();
            let Some(action) = here.actions().nth(usize::from(choice)) else {
                return Err(wrong("an illegal move"));
            };
            if !policy.is_empty() && (policy.len() != count || policy.iter().all(|x| *x == 0)) {
                return Err(wrong("a policy of other moves"));
            }
            // Games of earlier versions do not tell.
            let exact = made[3].as_bool().unwrap_or(false);
            moves.push(SearchedMove { choice, value, policy, exact });
            let (next, reward) = here.apply(action);
            (here, result) = (next, result + reward);
        }
        if line["result"].as_i64() != Some(i64::from(result)) {
            return Err(wrong("another result than that of its moves"));
        }
        Ok(SelfPlay { number, start, moves, result })
    }
}
