//! Algorithm 2, lines 6 to 17: self-play by Q with noise.

use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::{Abs, ActionValues, Deterministic, Duel, Rng};
use ludens_nn::softmax;

use super::ProbsConfig;

/// A game: its states but the last, each with the result for the player to move there, and the last
/// where the game has ended in it.
pub(super) struct Episode<G> {
    pub(super) number: u64,
    pub(super) states: Vec<(G, f32)>,
    pub(super) end: Option<(G, f32)>,
    /// The moves' indices among the legal ones.
    pub(super) choices: Vec<u16>,
    pub(super) result: i32,
}

struct OpenGame<G> {
    moves: Moves<G>,
    rng: Rng,
}

/// A game so far.
pub(super) struct Moves<G> {
    number: u64,
    here: G,
    states: Vec<G>,
    choices: Vec<u16>,
}

impl<G: Duel + Deterministic> Moves<G> {
    pub(super) fn new(number: u64, start: G) -> Self {
        Moves { number, here: start, states: Vec::new(), choices: Vec::new() }
    }

    /// Makes a move, by its index among the legal ones. Whether there is such a move.
    pub(super) fn play(&mut self, index: usize) -> bool {
        let Some(action) = self.here.actions().nth(index) else { return false };
        self.states.push(self.here);
        self.choices.push(index as u16);
        self.here = self.here.apply(action).0;
        true
    }

    /// Whether it is over, or cut off after so many moves.
    pub(super) fn has_ended(&self, max_moves: usize) -> bool {
        self.here.is_over() || self.states.len() >= max_moves
    }

    /// Line 16: every state with the result for its player. A game that is cut off has none: 0.
    pub(super) fn finish(self) -> Episode<G> {
        let result = self.here.outcome().map_or(0, |outcome| outcome.value());
        let valued = |state: G| (state, Abs(result).pov(state.to_move()).0 as f32);
        let end = Some(self.here).filter(|end| end.is_over()).map(valued);
        let states = self.states.into_iter().map(valued).collect();
        Episode { number: self.number, states, end, choices: self.choices, result }
    }
}

/// Plays the games whose numbers it takes from `next`, to `end`. A game follows from its number, the
/// seed and the network alone.
pub(super) fn play<G: Duel + Deterministic>(
    variant: &G::Variant,
    config: &ProbsConfig,
    seed: u64,
    next: &AtomicU64,
    end: u64,
    estimates: &mut dyn ActionValues<G>,
    stop: &dyn Fn() -> bool,
) -> Vec<Episode<G>> {
    let mut done = Vec::new();
    let mut games: Vec<OpenGame<G>> = Vec::new();
    let (mut batch, mut values) = (Vec::new(), Vec::new());
    let (mut chances, mut noise) = (Vec::new(), Vec::new());
    while !stop() {
        while games.len() < config.parallel_games {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end {
                break;
            }
            let mut rng = Rng::stream(seed, number);
            let moves = Moves::new(number, G::start(variant, &mut rng));
            games.push(OpenGame { moves, rng });
        }
        if games.is_empty() {
            break;
        }
        batch.clear();
        batch.extend(games.iter().map(|game| game.moves.here));
        estimates.action_values(&batch, &mut values);
        for (game, values) in games.iter_mut().zip(&mut values) {
            values.iter_mut().for_each(|value| *value /= config.temperature);
            chances.resize(values.len(), 0.0);
            noise.resize(values.len(), 0.0);
            softmax(values, &mut chances);
            game.rng.dirichlet(config.alpha, &mut noise);
            for (chance, noise) in chances.iter_mut().zip(&noise) {
                *chance += config.epsilon * (noise - *chance);
            }
            let index = game.rng.weighted(&chances);
            assert!(game.moves.play(index), "there is a value for every move");
        }
        let mut index = 0;
        while index < games.len() {
            if games[index].moves.has_ended(config.max_moves) {
                done.push(games.swap_remove(index).moves.finish());
            } else {
                index += 1;
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use ludens_core::Game;
    use ludens_games::ConnectFour;

    use super::*;

    /// Values the first column most, by little.
    struct LeftFirst;

    impl ActionValues<ConnectFour> for LeftFirst {
        fn action_values(&mut self, states: &[ConnectFour], out: &mut Vec<Vec<f32>>) {
            let one = |state: &ConnectFour| {
                (0..state.actions().len()).map(|index| -0.1 * index as f32).collect()
            };
            *out = states.iter().map(one).collect();
        }

        fn values(&mut self, states: &[ConnectFour], out: &mut Vec<f32>) {
            *out = vec![0.0; states.len()];
        }
    }

    /// The share of games that begin in the first column.
    fn left(temperature: f32) -> f64 {
        let config = ProbsConfig { temperature, epsilon: 0.0, ..ProbsConfig::default() };
        let (next, never) = (AtomicU64::new(0), || false);
        let games = play(&Default::default(), &config, 1, &next, 400, &mut LeftFirst, &never);
        let first = ConnectFour::default();
        let left = first.apply(first.actions().next().expect("the board is empty")).0;
        let started = games.iter().filter(|game| game.states[1].0 == left).count();
        started as f64 / games.len() as f64
    }

    #[test]
    fn lower_temperatures_draw_better_moves() {
        // The softmax of 0, -0.1, .. -0.6 and of ten times that.
        assert!((left(1.0) - 0.189).abs() < 0.06, "{}", left(1.0));
        assert!((left(0.1) - 0.633).abs() < 0.08, "{}", left(0.1));
        assert_eq!(left(0.001), 1.0);
    }
}
