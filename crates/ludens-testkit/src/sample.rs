//! Positions from random games, for the checks to look at.

use ludens_core::{Game, Rng};

/// A position of a random game and what happened there.
#[derive(Clone, Copy, Debug)]
pub struct Visited<G: Game> {
    /// The position.
    pub position: G,
    /// The action chosen there and its afterstate; `None` at the end of a game.
    pub choice: Option<(G::Action, G::After)>,
}

/// Positions of random games of one variant, their ends included.
#[derive(Clone, Debug)]
pub struct Sample<G: Game> {
    /// The variant.
    pub variant: G::Variant,
    /// The positions in the order they came up.
    pub visited: Vec<Visited<G>>,
}

impl<G: Game> Sample<G> {
    /// Plays `games` random games and keeps at most about 60 positions of each.
    ///
    /// # Panics
    /// When a game takes more than a million moves.
    pub fn draw(variant: &G::Variant, games: u64, seed: u64) -> Self {
        let mut visited = Vec::new();
        for game in 0..games {
            let mut rng = Rng::stream(seed, game);
            let mut line = Vec::new();
            let mut position = G::start(variant, &mut rng);
            while let Some((action, after, _)) = position.step(&mut rng) {
                line.push(Visited { position, choice: Some((action, after)) });
                let chance = G::sample(&after, &mut rng);
                position = G::apply_outcome(&after, chance).0;
                assert!(line.len() < 1_000_000, "a random game does not end: {position:?}");
            }
            line.push(Visited { position, choice: None });
            let stride = line.len() / 60 + 1;
            let last = line.len() - 1;
            visited.extend(
                line.into_iter()
                    .enumerate()
                    .filter(|(i, _)| i % stride == 0 || *i == last)
                    .map(|(_, v)| v),
            );
        }
        Sample { variant: *variant, visited }
    }

    /// The positions.
    pub fn positions(&self) -> impl Iterator<Item = G> + '_ {
        self.visited.iter().map(|v| v.position)
    }

    /// The afterstates that came up.
    pub fn afterstates(&self) -> impl Iterator<Item = G::After> + '_ {
        self.visited.iter().filter_map(|v| v.choice.map(|(_, after)| after))
    }
}
