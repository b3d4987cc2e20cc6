//! Bagging: networks that were trained apart vote on every move.
//!
//! L. Breiman, Bagging predictors, Machine Learning 24 (1996); for 2048 H. Guei (2023), section 4.2.1.

use ludens_core::{Agent, Batch, Choice, Context, Param, Params, ParseError};
use ludens_models::ModelStore;

use crate::sliding::{Player, Searcher, Sliding, Valuation};
use crate::tile_value::TileValue;

pub(crate) const VOTE: Param<Option<String>> = Param::path("vote", "none")
    .help("networks that vote besides, FILE+FILE+..: the move of most of them is made");

/// Players with different networks; one alone decides.
pub(crate) struct Voters<G: Sliding> {
    players: Vec<Player<G>>,
}

impl<G: Sliding> Voters<G> {
    /// Reads the parameters of `ntuple`.
    pub(crate) fn read(variant: &G::Variant, params: &mut Params) -> Result<Self, ParseError> {
        let first = Searcher::<G>::read(variant, params, true, 1)?;
        let mut searchers = vec![first];
        if let Some(files) = params.get(&VOTE)? {
            for file in files.split('+') {
                let loaded = ModelStore::shared().ntuple::<G>(Some(file), variant);
                let wrong = |found: String| {
                    ParseError::new(VOTE.name(), found, "networks of this game, FILE+FILE+..")
                };
                let loaded = loaded.map_err(|error| wrong(error.to_string()))?;
                let loaded = loaded.ok_or_else(|| wrong("none".to_owned()))?;
                params.note_weights(loaded.purpose.checksum);
                let value = Valuation::new(*variant, None, TileValue::of(Some(loaded.network)));
                searchers.push(Searcher { value, ..searchers[0].clone() });
            }
        }
        Ok(Voters { players: searchers.into_iter().map(Player::new).collect() })
    }
}

/// The choice of most; among equals, that of whoever comes first.
fn elected<A: Copy + PartialEq>(choices: Vec<Choice<A>>) -> Option<Choice<A>> {
    let votes = |action: A| choices.iter().filter(|choice| choice.action == action).count();
    let most = choices.iter().map(|choice| votes(choice.action)).max()?;
    let winner = choices.iter().position(|choice| votes(choice.action) == most)?;
    choices.into_iter().nth(winner)
}

impl<G: Sliding> Agent<G> for Voters<G> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let choices = self.players.iter_mut().map(|player| player.choose(position, context));
        elected(choices.collect()).expect("there is at least one player")
    }

    fn choose_all(&mut self, batch: &mut Batch<'_, G>, context: &mut Context<'_, G>) {
        if let [player] = &mut *self.players {
            return player.choose_all(batch, context);
        }
        ludens_core::agent::choose_each(self, batch, context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_votes_win_and_the_first_among_equals() {
        let winner = |votes: &[u8]| {
            elected(votes.iter().map(|&vote| Choice::bare(vote)).collect()).map(|c| c.action)
        };
        assert_eq!(winner(&[3, 1, 1]), Some(1));
        assert_eq!(winner(&[2, 1, 1, 2]), Some(2));
        assert_eq!(winner(&[4]), Some(4));
        assert_eq!(winner(&[]), None);
    }
}
