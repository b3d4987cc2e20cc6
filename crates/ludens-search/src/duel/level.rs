//! A player of limited skill, who errs as people do.
//!
//! It looks few moves ahead, now and then overlooks what follows on a move, and takes any of the
//! moves that look about as good. It always takes a win at once, and never prefers a move whose
//! refutation it has seen. Limited by positions, it repeats for a seed.
//!
//! Limits: games with winners, without chance; one thread.

use ludens_core::{
    Abs, Agent, Budget, Choice, Considered, Context, Deterministic, Duel, Pov, StaticEvaluator,
};

use super::alphabeta::{AlphaBeta, win_in};
use super::alphabeta_agent::win_rate;

/// How well a player plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// Moves of both sides that it looks ahead, at least 1.
    pub depth: u32,
    /// Positions that it looks at per move, at most.
    pub nodes: u64,
    /// How likely it overlooks what follows on a move: then it looks only `glance` moves ahead.
    pub oversight: f64,
    /// Moves that it looks ahead in any case: 1 sees a win at once, 2 the reply that loses too.
    pub glance: u32,
    /// How much worse a move may look, in the unit of static evaluations, to be taken nearly as
    /// often as the best: the temperature of a softmax; 0 takes the best.
    pub temperature: f64,
}

impl Skill {
    /// Plain alpha-beta to a depth within a number of positions.
    pub const fn sober(depth: u32, nodes: u64) -> Self {
        Skill { depth, nodes, oversight: 0.0, glance: depth, temperature: 0.0 }
    }

    /// Whether it never errs on purpose.
    fn is_sober(&self) -> bool {
        self.oversight <= 0.0 && self.temperature <= 0.0
    }
}

/// A player of limited skill.
pub struct LevelAgent<G: Duel, V> {
    skill: Skill,
    evaluator: V,
    search: AlphaBeta<G, V>,
}

impl<G: Duel + Deterministic, V: StaticEvaluator<G> + Clone> LevelAgent<G, V> {
    /// A player whose table has at most `memory` bytes.
    pub fn new(skill: Skill, evaluator: V, memory: usize) -> Self {
        let mut search = AlphaBeta::new(evaluator.clone(), memory);
        (search.depth, search.budget) = (Some(skill.depth), Budget::nodes(skill.nodes));
        LevelAgent { skill, evaluator, search }
    }

    /// What a move looks like to the mover, as a static evaluation, by a search of `depth` moves.
    fn value(
        &mut self,
        position: &G,
        action: G::Action,
        depth: u32,
        nodes: u64,
        context: &Context<'_, G>,
    ) -> i32 {
        let (next, reward) = position.apply(action);
        let mover = position.to_move();
        if reward != 0 {
            return Abs(reward).pov(mover).0.signum() * win_in(1);
        }
        if next.is_over() {
            return 0;
        }
        let seen = if depth <= 1 {
            self.evaluator.static_eval(&next)
        } else {
            self.search.depth = Some(depth - 1);
            let limits = context.within(Budget::nodes(nodes));
            self.search.search(&next, &limits, |_, _| {}).value
        };
        Pov(seen).seen_by(next.to_move(), mover).0
    }

    /// The moves with what they look like, the best first and equals in the game's order, and the
    /// positions looked at.
    fn glance(
        &mut self,
        position: &G,
        context: &mut Context<'_, G>,
    ) -> (Vec<(G::Action, i32)>, u64) {
        let Skill { depth, nodes, oversight, glance, .. } = self.skill;
        let share = nodes / position.actions().count().max(1) as u64;
        let (mut all, mut looked_at) = (Vec::new(), 0);
        for action in position.actions() {
            let overlooked = context.rng.unit() < oversight;
            let depth = if overlooked { glance } else { depth };
            let left =
                context.limits.budget().positions().map(|most| most.saturating_sub(looked_at));
            let nodes = left.into_iter().chain([share]).min().unwrap_or(share);
            let value = self.value(position, action, depth, nodes, context);
            looked_at += if depth > 1 { self.search.nodes().max(1) } else { 1 };
            all.push((action, value));
        }
        all.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        (all, looked_at)
    }

    /// One of the moves by a softmax over what they look like.
    fn draw(&self, all: &[(G::Action, i32)], unit: f64) -> (G::Action, i32) {
        let best = all[0];
        if self.skill.temperature <= 0.0 || best.1 >= win_in(1) {
            return best;
        }
        let weight = |value: i32| (f64::from(value - best.1) / self.skill.temperature).exp();
        let mut left = unit * all.iter().map(|&(_, value)| weight(value)).sum::<f64>();
        let drawn = all.iter().find(|&&(_, value)| {
            left -= weight(value);
            left < 0.0
        });
        drawn.copied().unwrap_or(best)
    }
}

impl<G: Duel + Deterministic, V: StaticEvaluator<G> + Clone> Agent<G> for LevelAgent<G, V> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        if self.skill.is_sober() {
            return self.search.choose(position, context);
        }
        let (all, nodes) = self.glance(position, context);
        let unit = context.rng.unit();
        let (action, value) = self.draw(&all, unit);
        let considered = |&(action, value): &(G::Action, i32)| Considered {
            value: Some(win_rate(value)),
            ..Considered::bare(action)
        };
        Choice {
            value: Some(win_rate(value)),
            moves: all.iter().map(considered).collect(),
            line: vec![action],
            nodes,
            depth: self.skill.depth,
            ..Choice::bare(action)
        }
    }

    fn reset(&mut self) {
        self.search.reset();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use ludens_core::{GameStaticEval, Notation, Rng};
    use ludens_games::ConnectFour;

    use super::*;

    const BLIND: Skill =
        Skill { depth: 3, nodes: 1000, oversight: 1.0, glance: 1, temperature: 800.0 };

    fn choose(skill: Skill, moves: &str, seed: u64) -> String {
        let position = ConnectFour::parse(&Default::default(), moves).unwrap();
        let stop = AtomicBool::new(false);
        let mut sink = |_: &Choice<_>| {};
        let budget = Budget::default();
        let mut context = Context::for_agent(budget, Rng::new(seed), 1, &stop, &mut sink);
        let mut agent = LevelAgent::new(skill, GameStaticEval, 1 << 16);
        position.action_text(agent.choose(&position, &mut context).action)
    }

    fn chosen(skill: Skill, moves: &str) -> Vec<String> {
        (0..50).map(|seed| choose(skill, moves, seed)).collect()
    }

    #[test]
    fn a_win_at_once_is_always_taken() {
        assert!(chosen(BLIND, "112233").iter().all(|column| column == "4"));
    }

    /// Whoever looks two moves ahead stops a loss; who overlooks replies does so now and then.
    #[test]
    fn a_loss_at_once_is_stopped_by_who_sees_it() {
        let sees = Skill { glance: 2, ..BLIND };
        assert!(chosen(sees, "11223").iter().all(|column| column == "4"));
        let stopped = chosen(BLIND, "11223").iter().filter(|column| *column == "4").count();
        assert!((1..50).contains(&stopped), "{stopped}");
    }

    #[test]
    fn near_equals_are_all_taken_and_a_seed_repeats() {
        let warm = Skill { oversight: 0.1, temperature: 100.0, ..BLIND };
        let mut drawn = chosen(warm, "4444");
        assert_eq!(drawn, chosen(warm, "4444"));
        drawn.sort();
        drawn.dedup();
        assert!(drawn.len() > 1);
        let mut sober = chosen(Skill::sober(3, 3000), "4444");
        sober.dedup();
        assert_eq!(sober.len(), 1);
    }

    #[test]
    fn positions_are_limited() {
        let position = ConnectFour::default();
        let (stop, mut sink) = (AtomicBool::new(false), |_: &Choice<_>| {});
        for most in [1, 50, 5000] {
            let budget = Budget::nodes(most);
            let mut context = Context::for_agent(budget, Rng::new(1), 1, &stop, &mut sink);
            let skill = Skill { depth: 9, nodes: 2000, oversight: 0.1, ..BLIND };
            let mut agent = LevelAgent::new(skill, GameStaticEval, 1 << 16);
            let choice = agent.choose(&position, &mut context);
            assert!(choice.nodes <= most.min(2000) + 7, "{} of {most}", choice.nodes);
        }
    }
}
