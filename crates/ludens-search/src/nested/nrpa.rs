//! Nested rollout policy adaptation: nested levels learn a playout policy that
//! leads ever more surely to the best line found.
//!
//! 1. Level 0 plays one game: each move with a probability proportional to
//!    `prior * e^weight`, the weight belonging to the move's code.
//! 2. Level n starts with the policy of the level above and runs level n-1
//!    `iterations` times. Whenever the result is at least as good as the best,
//!    it becomes the best (ties replace, which helps to explore).
//! 3. After each of them the policy of level n is moved towards its best line:
//!    `alpha` more for each move of the line, `alpha` times its probability less
//!    for each move that was there to choose.
//! 4. The best line goes up, the policy is forgotten.
//!
//! A level that finds its best line again and again has learned it; it may end then
//! (`repetitions`).
//!
//! Where candidates can be restricted in several ways, a run of level n-1 per way
//! comes first and the way that did best is taken.
//!
//! Games keep the codes they chose from, so that step 3 plays nothing again, and
//! a level that ends hands its line up by swapping buffers.
//!
//! Limits: a run of level n is `iterations^n` games; a run that the budget cuts
//! short has seen only the first steps of its highest level.
//!
//! References: Klein 2015, section A.4 (the sign of the
//! normalising term in its Adapt is a slip: it is subtracted); C. Rosin, "Nested
//! rollout policy adaptation for Monte Carlo tree search", 2011; T. Cazenave,
//! "Generalized nested rollout policy adaptation", 2020 (priors), and "Generalized
//! nested rollout policy adaptation with limited repetitions", 2024.

use ludens_core::{Candidate, Candidates, Context, MoveCode, Rng, SoloPuzzle, Solution, Solver};

use super::frame::{Pass, Run, repeat};
use super::policy::{Choice, Policy, Sequence};

/// Every legal move is a candidate, all equally likely at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct All;

impl<G: MoveCode> Candidates<G> for All {
    fn start(&mut self, _: &G, _: u32) {}

    fn list(&mut self, position: &G, _: usize, out: &mut Vec<Candidate<G::Action>>) {
        position.coded(|action, code| out.push(Candidate { action, code, prior: 1.0 }));
    }
}

/// Nested rollout policy adaptation.
#[derive(Clone, Copy, Debug)]
pub struct Nrpa<C> {
    /// Which moves games choose from.
    pub candidates: C,
    /// The depth of nesting; 0 is a single game.
    pub level: u32,
    /// How often each level runs the one below.
    pub iterations: u32,
    /// Games per iteration of level 1, at least 1: the policy is moved once for
    /// all of them.
    pub games: u32,
    /// The length of a learning step.
    pub alpha: f32,
    /// How often a level may find its best line again before it ends, at least 1: from
    /// then on its policy is frozen, and the level above does more with the time.
    pub repetitions: u32,
}

impl<C> Nrpa<C> {
    /// The published settings: 100 iterations, steps of 1, any number of repetitions.
    pub fn new(candidates: C, level: u32) -> Self {
        let (iterations, repetitions) = (100, u32::MAX);
        Nrpa { candidates, level, iterations, games: 1, alpha: 1.0, repetitions }
    }
}

/// Everything a pass keeps, allocated once.
struct Levels<G: MoveCode> {
    /// `policies[n]` is that of level n; the last one is the empty policy.
    policies: Vec<Policy>,
    /// `best[n]` is the best of level n; `best[0]` the last game.
    best: Vec<Sequence<G::Action>>,
    list: Vec<Candidate<G::Action>>,
    weights: Vec<f32>,
}

impl<C> Nrpa<C> {
    /// Step 1: a game into `best[0]`.
    fn game<G>(&mut self, root: &G, levels: &mut Levels<G>, rng: &mut Rng)
    where
        G: SoloPuzzle + MoveCode,
        C: Candidates<G>,
    {
        let Levels { policies, best, list, weights } = levels;
        let (policy, sequence) = (&policies[1], &mut best[0]);
        sequence.clear();
        let (mut here, mut total) = (*root, 0);
        loop {
            list.clear();
            self.candidates.list(&here, sequence.line.len(), list);
            if list.is_empty() {
                break;
            }
            weights.clear();
            let mut sum = 0.0;
            for &Candidate { code, prior, .. } in list.iter() {
                sum += prior * policy.exp(code);
                weights.push(sum);
                sequence.choices.push(Choice { code, prior });
            }
            let drawn = rng.unit() as f32 * sum;
            // Rounding may put the draw onto the sum itself.
            let taken = weights.iter().position(|&w| drawn < w).unwrap_or(list.len() - 1);
            let (next, reward) = here.apply(list[taken].action);
            sequence.line.push(list[taken].action);
            sequence.steps.push((sequence.choices.len() as u32, taken as u32));
            total += i64::from(reward);
            here = next;
        }
        sequence.value = total;
    }

    /// Steps 2 to 4: the best line of a level into `best[level]`.
    fn run<G>(
        &mut self,
        root: &G,
        level: usize,
        levels: &mut Levels<G>,
        rng: &mut Rng,
        run: &mut Run<'_, '_, G>,
    ) where
        G: SoloPuzzle + MoveCode,
        C: Candidates<G>,
    {
        if level == 0 {
            self.game(root, levels, rng);
            let game = &levels.best[0];
            run.offer(game.value, [&game.line, &[]]);
            run.spend(game.line.len() as u64);
            return;
        }
        let (lower, upper) = levels.policies.split_at_mut(level + 1);
        lower[level].clone_from(&upper[0]);
        levels.best[level].clear();
        let repeats = if level == 1 { self.games.max(1) } else { 1 };
        let mut repetitions = 0;
        for _ in 0..self.iterations.max(1) {
            for _ in 0..repeats {
                self.run(root, level - 1, levels, rng, run);
                let (lower, upper) = levels.best.split_at_mut(level);
                let (found, best) = (&mut lower[level - 1], &mut upper[0]);
                if found.value > best.value {
                    repetitions = 0;
                } else if found.value == best.value && found.line == best.line {
                    repetitions += 1;
                }
                if found.value >= best.value {
                    std::mem::swap(found, best);
                }
                if run.stopped() {
                    return;
                }
            }
            if repetitions >= self.repetitions.max(1) {
                return;
            }
            levels.policies[level].adapt(&levels.best[level], self.alpha);
        }
    }
}

impl<G: SoloPuzzle + MoveCode, C: Candidates<G>> Pass<G> for Nrpa<C> {
    fn pass(&mut self, root: &G, rng: &mut Rng, run: &mut Run<'_, '_, G>) {
        let level = self.level as usize;
        let mut levels = Levels {
            policies: vec![Policy::default(); level + 2],
            best: vec![Sequence::default(); level + 1],
            list: Vec::new(),
            weights: Vec::new(),
        };
        let ways = self.candidates.ways(root);
        let mut best: Option<(i64, u32)> = None;
        // 0. A level lower takes a small part of the time and shows which way to go.
        if level >= 2 && ways > 1 {
            for way in 0..ways {
                self.candidates.start(root, way);
                self.run(root, level - 1, &mut levels, rng, run);
                let value = levels.best[level - 1].value;
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, way));
                }
                if run.stopped() {
                    return;
                }
            }
        }
        self.candidates.start(root, best.map_or(0, |(_, way)| way));
        self.run(root, level, &mut levels, rng, run);
    }
}

impl<G: SoloPuzzle + MoveCode, C: Candidates<G>> Solver<G> for Nrpa<C> {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        repeat(self, position, context, "nested rollout policy adaptation")
    }
}
