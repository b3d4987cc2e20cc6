//! Nested Monte Carlo search: a search of level n plays each move that a search
//! of level n-1 from every child finds best; level 0 is a simulation.
//!
//! 1. At each position of the game at hand, search every child one level lower.
//! 2. If one of those lines beats the best line known for this game, remember it.
//! 3. Play the next move of the remembered line, whoever found it.
//!
//! Step 3 is what makes it work: a later, unlucky search of a lower level cannot
//! lose what an earlier one found.
//!
//! Limits: the time grows by a factor of moves times branching per level, a few
//! hundred in SameGame; level 3 takes minutes there.
//!
//! References: Klein 2015, section A.3; T. Cazenave, "Nested
//! Monte-Carlo search", 2009.

use ludens_core::{Context, Reward, Rng, Rollout, SoloPuzzle, Solution, Solver};

use super::frame::{Pass, Run, list_children, repeat, simulate};

/// Nested Monte Carlo search of some level.
#[derive(Clone, Copy, Debug)]
pub struct Nmcs<R> {
    /// How simulations are played.
    pub rollout: R,
    /// 0 is a single simulation.
    pub level: u32,
}

/// What one level keeps between moves and uses.
struct Frame<G: SoloPuzzle> {
    children: Vec<(G::Action, G, Reward)>,
    /// The best line known from where this level started.
    best: Vec<G::Action>,
}

impl<R> Nmcs<R> {
    /// The value of the line that a search of a level from `root` leaves in
    /// `frames[level].best`. Before it lie the moves `prefix`, of value `before`.
    #[expect(clippy::too_many_arguments, reason = "one recursion, nothing to group")]
    fn search<G>(
        &mut self,
        root: &G,
        level: usize,
        frames: &mut [Frame<G>],
        prefix: &mut Vec<G::Action>,
        before: i64,
        rng: &mut Rng,
        run: &mut Run<'_, '_, G>,
    ) -> i64
    where
        G: SoloPuzzle,
        R: Rollout<G>,
    {
        if level == 0 {
            let line = &mut frames[0].best;
            line.clear();
            let value = simulate(&mut self.rollout, root, rng, line);
            run.offer(before + value, [prefix, line]);
            run.spend(line.len() as u64);
            return value;
        }
        let (mut here, mut total) = (*root, 0);
        let mut most = None;
        let depth = prefix.len();
        frames[level].best.clear();
        loop {
            let mut children = std::mem::take(&mut frames[level].children);
            list_children(&here, &mut children);
            let played = prefix.len() - depth;
            for (action, child, reward) in &children {
                if run.stopped() {
                    break;
                }
                let paid = total + i64::from(*reward);
                prefix.push(*action);
                let rest = self.search(child, level - 1, frames, prefix, before + paid, rng, run);
                if most.is_none_or(|most| paid + rest > most) {
                    most = Some(paid + rest);
                    let (lower, upper) = frames.split_at_mut(level);
                    let best = &mut upper[0].best;
                    best.clear();
                    best.extend_from_slice(&prefix[depth..]);
                    best.extend_from_slice(&lower[level - 1].best);
                }
                prefix.pop();
            }
            let next = frames[level].best.get(played).copied();
            let over = children.is_empty();
            let step = children.iter().find(|(action, ..)| Some(*action) == next).copied();
            frames[level].children = children;
            let (false, Some((action, child, reward))) = (over || run.stopped(), step) else {
                break;
            };
            prefix.push(action);
            total += i64::from(reward);
            here = child;
        }
        prefix.truncate(depth);
        most.unwrap_or(0)
    }
}

impl<G: SoloPuzzle, R: Rollout<G>> Pass<G> for Nmcs<R> {
    fn pass(&mut self, root: &G, rng: &mut Rng, run: &mut Run<'_, '_, G>) {
        let level = self.level as usize;
        let frame = || Frame { children: Vec::new(), best: Vec::new() };
        let mut frames: Vec<Frame<G>> = (0..=level).map(|_| frame()).collect();
        self.search(root, level, &mut frames, &mut Vec::new(), 0, rng, run);
        if root.is_over() {
            run.offer(0, [&[], &[]]);
        }
    }
}

impl<G: SoloPuzzle, R: Rollout<G> + Clone> Solver<G> for Nmcs<R> {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        repeat(self, position, context, "nested Monte Carlo")
    }
}
