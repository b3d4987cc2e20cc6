//! Positions to learn from.

use std::collections::HashSet;

use ludens_core::{Rng, SoloPuzzle, Sym, Symmetric};

use super::ExpertGame;

/// One of these games is for validation.
const VALIDATION: u64 = 10;

/// A position with what the expert made of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample<G> {
    /// The position.
    pub position: G,
    /// The expert's move, by index among the legal ones.
    pub choice: u16,
    /// The rewards that were still to come.
    pub value: i32,
}

impl<G: Symmetric> Sample<G> {
    /// The same through a random symmetry.
    pub fn augmented(&self, rng: &mut Rng) -> Self {
        let sym = Sym(rng.below(G::symmetries(&self.position.variant())));
        let action = self.position.actions().nth(self.choice.into());
        let action = action.expect("a sample's move is one of its position");
        let mapped = self.position.map_action(action, sym);
        let position = self.position.map(sym);
        let choice = position.actions().position(|legal| legal == mapped);
        let choice = choice.expect("a symmetry maps legal actions to legal ones") as u16;
        Sample { position, choice, value: self.value }
    }
}

/// Samples to learn from and samples to measure by, from different games.
pub struct Split<G> {
    /// To learn from.
    pub training: Vec<Sample<G>>,
    /// To measure by; no position of these is among the others.
    pub validation: Vec<Sample<G>>,
}

/// The positions of games of at most `max_moves` moves, each once.
pub fn samples<G: SoloPuzzle>(games: &[ExpertGame<G>], max_moves: usize) -> Split<G> {
    let mut split = Split { training: Vec::new(), validation: Vec::new() };
    let mut seen = HashSet::new();
    let usable = || games.iter().filter(|game| game.line.len() <= max_moves);
    let (validation, training): (Vec<_>, Vec<_>) =
        usable().partition(|game| game.game % VALIDATION == VALIDATION - 1);
    for (games, out) in [(training, &mut split.training), (validation, &mut split.validation)] {
        for game in games {
            let (mut here, mut left) = (game.start, game.value);
            for &action in &game.line {
                let choice = here.actions().position(|legal| legal == action);
                let choice = choice.expect("a game's moves are legal") as u16;
                if seen.insert(here) {
                    out.push(Sample { position: here, choice, value: left as i32 });
                }
                let (after, reward) = here.apply(action);
                (here, left) = (after, left - i64::from(reward));
            }
        }
    }
    split
}
