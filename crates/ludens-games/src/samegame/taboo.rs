//! Simulations that leave one colour alone so that its groups grow.
//!
//! The taboo colour is chosen before a simulation and not played while another
//! move exists. With at most `below` blocks left play is uniform again, which
//! helps to clear the board.
//!
//! References: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search*
//! (2015), sections 3.7.1 (Random, TabuRandom, TabuColorRandom of Schadd et
//! al.), 7.0.6 (the switch to uniform play) and A.3 (Baier's bandit).

use ludens_core::{Game, Reward, Rng, Rollout};

use super::variant::MAX_COLOURS;
use super::{Group, SameGame, VsSameGame, segments};

/// How the taboo colour is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Taboo {
    /// There is none: uniform play.
    #[default]
    None,
    /// A random colour of those on the board (TabuRandom).
    Random,
    /// The most frequent colour, the first of equals (TabuColorRandom).
    Frequent,
    /// A colour that did well so far, by a UCB1-TUNED bandit over all
    /// simulations, their values divided by 5000.
    Bandit,
}

/// Plays games with a taboo colour.
#[derive(Clone, Debug, Default)]
pub struct TabooRollout {
    taboo: Taboo,
    below: u32,
    /// The colour code of this simulation, 0 for none.
    code: u8,
    arms: [Arm; MAX_COLOURS as usize],
}

/// What simulations with one taboo colour came to.
#[derive(Clone, Copy, Debug, Default)]
struct Arm {
    plays: f64,
    sum: f64,
    squares: f64,
}

/// What the bandit divides values by.
const SCALE: f64 = 5000.0;

impl TabooRollout {
    /// Rollouts with a taboo colour while more than `below` blocks are left.
    pub fn new(taboo: Taboo, below: u32) -> Self {
        TabooRollout { taboo, below, ..TabooRollout::default() }
    }

    fn choose(&self, position: &SameGame, rng: &mut Rng) -> u8 {
        let counts = position.colour_counts();
        let present = counts.iter().filter(|&&n| n > 0).count() as u32;
        if present == 0 {
            return 0;
        }
        let colour = match self.taboo {
            Taboo::None => return 0,
            Taboo::Random => {
                let mut left = rng.below(present);
                counts.iter().position(|&n| {
                    let hit = n > 0 && left == 0;
                    left -= u32::from(n > 0 && left > 0);
                    hit
                })
            }
            Taboo::Frequent => {
                let most = counts.iter().max().copied();
                counts.iter().position(|&n| Some(n) == most)
            }
            Taboo::Bandit => self.pull(&counts),
        };
        colour.map_or(0, |colour| colour as u8 + 1)
    }

    /// The arm with the largest UCB1-TUNED value among the colours present;
    /// one not yet played comes first.
    fn pull(&self, counts: &[u32]) -> Option<usize> {
        let plays: f64 = self.arms.iter().map(|arm| arm.plays).sum();
        let value = |arm: &Arm| {
            if arm.plays == 0.0 {
                return f64::INFINITY;
            }
            let ratio = plays.ln() / arm.plays;
            let mean = arm.sum / arm.plays;
            let variance = arm.squares / arm.plays - mean * mean + (2.0 * ratio).sqrt();
            mean + (ratio * variance.min(0.25)).sqrt()
        };
        let arms = self.arms.iter().enumerate().filter(|&(colour, _)| counts[colour] > 0);
        arms.max_by(|a, b| value(a.1).total_cmp(&value(b.1)).then(b.0.cmp(&a.0))).map(|(i, _)| i)
    }

    fn hear(&mut self, value: i64) {
        if self.taboo == Taboo::Bandit && self.code != 0 {
            let arm = &mut self.arms[usize::from(self.code) - 1];
            let value = value as f64 / SCALE;
            arm.plays += 1.0;
            arm.sum += value;
            arm.squares += value * value;
        }
    }

    fn active(&self, position: &SameGame) -> u8 {
        if self.code != 0 && position.blocks() > self.below { self.code } else { 0 }
    }
}

impl Rollout<SameGame> for TabooRollout {
    fn begin(&mut self, position: &SameGame, rng: &mut Rng) {
        self.code = self.choose(position, rng);
    }

    fn pick(&mut self, position: &SameGame, rng: &mut Rng) -> Option<(Group, SameGame, Reward)> {
        match self.active(position) {
            0 => position.step(rng),
            code => segments::draw(position, false, code, rng),
        }
    }

    fn play(
        &mut self,
        position: &SameGame,
        line: &mut Vec<Group>,
        rng: &mut Rng,
    ) -> (SameGame, i64) {
        self.code = self.choose(position, rng);
        segments::play(position, false, self.code, self.below, line, rng)
    }

    fn learn(&mut self, value: i64) {
        self.hear(value);
    }
}

impl Rollout<VsSameGame> for TabooRollout {
    fn begin(&mut self, position: &VsSameGame, rng: &mut Rng) {
        self.code = self.choose(position.board(), rng);
    }

    fn pick(
        &mut self,
        position: &VsSameGame,
        rng: &mut Rng,
    ) -> Option<(Group, VsSameGame, Reward)> {
        let code = self.active(position.board());
        let (group, next, reward) = segments::draw(position.board(), true, code, rng)?;
        Some((group, VsSameGame::new(next), reward))
    }

    fn play(
        &mut self,
        position: &VsSameGame,
        line: &mut Vec<Group>,
        rng: &mut Rng,
    ) -> (VsSameGame, i64) {
        self.code = self.choose(position.board(), rng);
        let (end, total) = segments::play(position.board(), true, self.code, self.below, line, rng);
        (VsSameGame::new(end), total)
    }

    fn learn(&mut self, value: i64) {
        self.hear(value);
    }
}
