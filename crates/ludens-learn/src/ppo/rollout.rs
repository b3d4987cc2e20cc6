//! Games side by side, and what their moves turned out to be.

use ludens_core::{Evals, Evaluator, Rng, Solo};

/// One move of one game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transition<G> {
    /// Where it was made.
    pub position: G,
    /// What was chosen, by index among what the policy chooses between.
    pub action: u16,
    /// Its chance.
    pub chance: f32,
    /// What the network expected of the rewards to come.
    pub value: f32,
    /// What the move brought.
    pub reward: f32,
    /// Whether the game ended with it.
    pub last: bool,
}

/// Moves of all games.
pub struct Rollouts<G> {
    /// Game after game, each in order.
    pub steps: Vec<Vec<Transition<G>>>,
    /// What the network expects of the rewards to come where each game stands now.
    pub expected: Vec<f32>,
    /// The sums of rewards, and the moves, of games that ended.
    pub ended: Vec<(f64, u32)>,
}

/// Plays games side by side.
pub struct ParallelGames<G: Solo> {
    variant: G::Variant,
    games: Vec<OpenGame<G>>,
}

/// A game under way, with what it has brought so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OpenGame<G> {
    /// Where it stands.
    pub position: G,
    /// The sum of its rewards.
    pub reward: f64,
    /// Its moves.
    pub moves: u32,
}

impl<G> OpenGame<G> {
    fn new(position: G) -> Self {
        OpenGame { position, reward: 0.0, moves: 0 }
    }
}

impl<G: Solo> ParallelGames<G> {
    /// Starts `count` games, by a stream of the seed each.
    pub fn new(variant: G::Variant, count: usize, seed: u64) -> Self {
        let start = |game| G::start(&variant, &mut Rng::stream(seed, game as u64));
        let games = (0..count).map(|game| OpenGame::new(start(game))).collect();
        Self::with(variant, games)
    }

    /// Continues games.
    pub fn with(variant: G::Variant, games: Vec<OpenGame<G>>) -> Self {
        ParallelGames { variant, games }
    }

    /// The games under way.
    pub fn games(&self) -> &[OpenGame<G>] {
        &self.games
    }

    /// Makes `horizon` moves in every game, drawn from the evaluator's policy; `action_of` says which
    /// legal action a choice stands for. A game that ends is followed by another one. The randomness
    /// of a game is a stream of `seed`.
    pub fn play(
        &mut self,
        evaluator: &mut impl Evaluator<G>,
        action_of: impl Fn(&G, usize) -> usize,
        horizon: usize,
        seed: u64,
    ) -> Rollouts<G> {
        let count = self.games.len();
        let mut rngs: Vec<Rng> = (0..count as u64).map(|game| Rng::stream(seed, game)).collect();
        let mut played = Rollouts {
            steps: vec![Vec::with_capacity(horizon); count],
            expected: Vec::new(),
            ended: Vec::new(),
        };
        let mut evals = Evals::default();
        let mut positions = Vec::with_capacity(count);
        for moves in 0..=horizon {
            positions.clear();
            positions.extend(self.games.iter().map(|game| game.position));
            evaluator.evaluate(&positions, &mut evals);
            if moves == horizon {
                break;
            }
            for (index, (game, rng)) in self.games.iter_mut().zip(&mut rngs).enumerate() {
                let (action, chance) = draw(evals.priors(index), rng);
                let legal = game.position.actions().nth(action_of(&game.position, action));
                let legal = legal.expect("choices are of actions");
                let (after, reward) = game.position.apply(legal);
                let (next, bonus) = G::apply_outcome(&after, G::sample(&after, rng));
                let reward = (reward + bonus) as f32;
                let last = next.is_over();
                let value = evals.value(index).unwrap_or_default();
                let position = game.position;
                played.steps[index].push(Transition {
                    position,
                    action: action as u16,
                    chance,
                    value,
                    reward,
                    last,
                });
                game.position = next;
                game.reward += f64::from(reward);
                game.moves += 1;
                if last {
                    played.ended.push((game.reward, game.moves));
                    *game = OpenGame::new(G::start(&self.variant, rng));
                }
            }
        }
        played.expected = (0..count).map(|game| evals.value(game).unwrap_or_default()).collect();
        played
    }
}

/// An action drawn by its chance, with that.
fn draw(chances: &[f32], rng: &mut Rng) -> (usize, f32) {
    let mut left = rng.unit() as f32 * chances.iter().sum::<f32>();
    let last = chances.iter().rposition(|chance| *chance > 0.0).unwrap_or(0);
    for (action, &chance) in chances.iter().enumerate().take(last) {
        if left < chance {
            return (action, chance);
        }
        left -= chance;
    }
    (last, chances[last])
}

/// The advantages of the moves of one game, and what the values of its positions turned out to be;
/// `expected` is what is expected after the last one.
///
/// ```
/// use ludens_learn::ppo::{Transition, advantages};
/// let step = |value, last| Transition { position: (), action: 0, chance: 1.0, value, reward: -1.0, last };
/// let (found, values) = advantages(&[step(-3.0, false), step(-1.0, true)], 7.0, 1.0, 1.0);
/// assert_eq!((found, values), (vec![1.0, 0.0], vec![-2.0, -1.0]));
/// ```
pub fn advantages<G>(
    steps: &[Transition<G>],
    expected: f32,
    gamma: f32,
    lambda: f32,
) -> (Vec<f32>, Vec<f32>) {
    let mut found = vec![0.0; steps.len()];
    let (mut next_value, mut next) = (expected, 0.0);
    for (step, found) in steps.iter().zip(&mut found).rev() {
        let goes_on = if step.last { 0.0 } else { gamma };
        let surprise = step.reward + goes_on * next_value - step.value;
        *found = surprise + goes_on * lambda * next;
        (next_value, next) = (step.value, *found);
    }
    let values = steps.iter().zip(&found).map(|(step, found)| step.value + found).collect();
    (found, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: sums of discounted surprises.
    #[test]
    fn advantages_are_sums_of_surprises() {
        let mut rng = Rng::new(4);
        let (gamma, lambda) = (0.9f32, 0.8f32);
        for _ in 0..50 {
            let steps: Vec<Transition<()>> = (0..12)
                .map(|_| Transition {
                    position: (),
                    action: 0,
                    chance: 1.0,
                    value: rng.unit() as f32,
                    reward: rng.unit() as f32,
                    last: rng.below(4) == 0,
                })
                .collect();
            let expected = rng.unit() as f32;
            let (found, values) = advantages(&steps, expected, gamma, lambda);
            for from in 0..steps.len() {
                let (mut sum, mut factor) = (0.0, 1.0);
                for at in from..steps.len() {
                    let after = steps.get(at + 1).map_or(expected, |next| next.value);
                    let after = if steps[at].last { 0.0 } else { after };
                    sum += factor * (steps[at].reward + gamma * after - steps[at].value);
                    factor *= gamma * lambda;
                    if steps[at].last {
                        break;
                    }
                }
                assert!((found[from] - sum).abs() < 1e-4, "{} {sum}", found[from]);
                assert!((values[from] - sum - steps[from].value).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn actions_are_drawn_by_their_chances() {
        let (mut rng, mut counts) = (Rng::new(1), [0u32; 4]);
        for _ in 0..40_000 {
            let (action, chance) = draw(&[0.1, 0.0, 0.6, 0.3], &mut rng);
            assert!(chance > 0.0);
            counts[action] += 1;
        }
        for (count, share) in counts.into_iter().zip([0.1, 0.0, 0.6, 0.3]) {
            assert!((f64::from(count) / 40_000.0 - share).abs() < 0.01, "{counts:?}");
        }
    }
}
