//! Simulations whose moves are not equally likely: by the colour (the roulette wheel of MC-RWS),
//! and by what they pay (HGSTS).
//!
//! References: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search* (2015), sections A.2
//! and A.6.

use ludens_core::{Game, Reward, Rng, Rollout};

use super::plane::{Bits, count};
use super::variant::MAX_COLOURS;
use super::{Group, SameGame, Tabu, VsSameGame, board};

/// Draws a colour first, the rarer the likelier, then a group of it uniformly.
///
/// With `f` blocks of a colour, its weight is `1 - (f - theta)^a / sum`, where
/// `a = 1 + beta * blocks / cells` falls as the board empties and the sum goes
/// over all colours. Colours without a group are left out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Roulette {
    /// How much a full board favours rare colours; 4 in Klein (2015).
    pub beta: f64,
    /// Taken off every count, which counts as 0 below it.
    pub theta: f64,
}

impl Default for Roulette {
    fn default() -> Self {
        Roulette { beta: 4.0, theta: 0.0 }
    }
}

impl Roulette {
    /// Draws colours until `play` can play one, by its code; `None` when none can be played.
    fn draw<T>(
        &self,
        position: &SameGame,
        rng: &mut Rng,
        mut play: impl FnMut(u8, &mut Rng) -> Option<T>,
    ) -> Option<T> {
        let counts = position.colour_counts();
        let blocks: u32 = counts.iter().sum();
        let variant = position.variant();
        let cells = f64::from(variant.rows()) * f64::from(variant.cols());
        let power = 1.0 + self.beta * f64::from(blocks) / cells;
        let powers = counts.map(|f| (f64::from(f) - self.theta).max(0.0).powf(power));
        let sum: f64 = powers.iter().sum();
        // A lone colour has the weight 0 by the rule; the small number lets it be drawn.
        let mut weights: [f64; MAX_COLOURS as usize] = std::array::from_fn(|i| {
            let share = if sum > 0.0 { powers[i] / sum } else { 0.0 };
            if counts[i] < 2 { 0.0 } else { (1.0 - share).max(1e-9) }
        });
        loop {
            let total: f64 = weights.iter().sum();
            if total <= 0.0 {
                return None;
            }
            let mut left = rng.unit() * total;
            let drawn = weights.iter().position(|&weight| {
                left -= weight;
                left < 0.0
            });
            // Rounding may leave nothing drawn: take the last colour that can be.
            let colour = drawn.or_else(|| weights.iter().rposition(|&weight| weight > 0.0))?;
            if let Some(moved) = play(colour as u8 + 1, rng) {
                return Some(moved);
            }
            weights[colour] = 0.0;
        }
    }
}

impl Rollout<SameGame> for Roulette {
    fn pick(&mut self, position: &SameGame, rng: &mut Rng) -> Option<(Group, SameGame, Reward)> {
        self.draw(position, rng, |code, rng| {
            board::step_among(position, &position.of_code(code), rng, |_, _| true)
        })
    }
}

impl Rollout<VsSameGame> for Roulette {
    fn pick(
        &mut self,
        position: &VsSameGame,
        rng: &mut Rng,
    ) -> Option<(Group, VsSameGame, Reward)> {
        let board = position.board();
        self.draw(board, rng, |code, rng| {
            let of_code = || position.actions().filter(|group| board.code(group.0) == code);
            let chosen = match of_code().count() as u32 {
                0 => return None,
                n => of_code().nth(rng.below(n) as usize)?,
            };
            let (next, reward) = position.apply(chosen);
            Some((chosen, next, reward))
        })
    }
}

/// How the moves that are not tabu are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sampling {
    /// Uniformly.
    #[default]
    Uniform,
    /// In proportion to what they pay, plus one so that pairs are drawn too.
    Reward,
}

/// The simulations of HGSTS: a tabu colour, moves drawn by what they pay, and at every n-th
/// move a look ahead, which takes the largest group that is not tabu.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Guided {
    /// Which colour is spared.
    pub tabu: Tabu,
    /// How the other moves are drawn.
    pub sampling: Sampling,
    /// Every which move looks ahead; 0 for none.
    pub every: u32,
    moves: u32,
}

impl Guided {
    /// Simulations with a tabu.
    pub fn new(tabu: Tabu, sampling: Sampling, every: u32) -> Self {
        Guided { tabu, sampling, every, moves: 0 }
    }

    /// A group that is not of a colour code, unless there is no other: the largest one with
    /// `greedy`, otherwise drawn by what it pays.
    fn group(position: &SameGame, hidden: u8, greedy: bool, rng: &mut Rng) -> Option<Group> {
        let scoring = position.variant.scoring();
        let (mut total, mut kept, mut most) = (0.0, None, 0);
        // One pass over the groups: each replaces the one kept so far with the probability of
        // its share of the weight seen, or when it is larger.
        board::groups_but(position, hidden, |cell, cells: &Bits| {
            let size = count(cells);
            let weight = f64::from(scoring.group(size).max(0)) + 1.0;
            total += weight;
            let takes = if greedy { size > most } else { rng.unit() * total < weight };
            if takes {
                (kept, most) = (Some(Group(cell)), size);
            }
        });
        match kept {
            None if hidden != 0 => Guided::group(position, 0, greedy, rng),
            kept => kept,
        }
    }
}

impl Rollout<SameGame> for Guided {
    fn start(&mut self, position: &SameGame, rng: &mut Rng) {
        self.moves = 0;
        Rollout::start(&mut self.tabu, position, rng);
    }

    fn pick(&mut self, position: &SameGame, rng: &mut Rng) -> Option<(Group, SameGame, Reward)> {
        self.moves += 1;
        let greedy = self.every > 0 && self.moves.is_multiple_of(self.every);
        if !greedy && self.sampling == Sampling::Uniform {
            return self.tabu.pick(position, rng);
        }
        let chosen = Guided::group(position, self.tabu.hidden(position), greedy, rng)?;
        let (next, reward) = position.apply(chosen);
        Some((chosen, next, reward))
    }

    fn play(
        &mut self,
        position: &SameGame,
        line: &mut Vec<Group>,
        rng: &mut Rng,
    ) -> (SameGame, i64) {
        if self.every == 0 && self.sampling == Sampling::Uniform {
            return self.tabu.play(position, line, rng);
        }
        self.start(position, rng);
        self.finish(position, line, rng)
    }

    fn learn(&mut self, value: i64) {
        Rollout::<SameGame>::learn(&mut self.tabu, value);
    }
}
