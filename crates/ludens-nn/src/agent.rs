//! Agents that play what a network says, without any search.

use ludens_core::{
    Agent, Choice, Considered, Deterministic, Evals, Evaluator, Game, Reward, Thinking,
};

use crate::{Encoder, Judge};

/// Plays the likeliest move of a network's policy; without a policy, the move to the position
/// that is worth most together with the reward on the way.
pub struct NetAgent<G: Game, E> {
    judge: Judge<G, E>,
    evals: Evals,
    children: Vec<G>,
    moves: Vec<(G::Action, Reward)>,
}

impl<G: Deterministic, E: Encoder<G>> NetAgent<G, E> {
    /// An agent.
    pub fn new(judge: Judge<G, E>) -> Self {
        let (evals, children, moves) = Default::default();
        NetAgent { judge, evals, children, moves }
    }

    fn by_policy(&mut self, position: &G) -> Vec<Considered<G::Action>> {
        self.judge.evaluate(std::slice::from_ref(position), &mut self.evals);
        let priors = position.actions().zip(self.evals.priors(0));
        let considered = |(action, prior): (G::Action, &f32)| Considered {
            action,
            value: None,
            visits: None,
            prior: Some(*prior),
        };
        let mut moves: Vec<_> = priors.map(considered).collect();
        // Stable: of equals the first move stays first.
        moves.sort_by(|a, b| b.prior.unwrap_or(0.0).total_cmp(&a.prior.unwrap_or(0.0)));
        moves
    }

    fn by_value(&mut self, position: &G) -> Vec<Considered<G::Action>> {
        self.children.clear();
        self.moves.clear();
        position.children(|action, child, reward| {
            self.children.push(child);
            self.moves.push((action, reward));
        });
        self.judge.evaluate(&self.children, &mut self.evals);
        let sign = f64::from(position.to_move().sign());
        let children = self.moves.iter().zip(&self.children).enumerate();
        let mut moves: Vec<_> = children
            .map(|(index, (&(action, reward), child))| {
                // Nothing is to come after the end, whatever a network thinks.
                let later = if child.is_over() { None } else { self.evals.value(index) };
                let value = f64::from(reward) + f64::from(later.unwrap_or(0.0));
                Considered { action, value: Some(sign * value), visits: None, prior: None }
            })
            .collect();
        moves.sort_by(|a, b| b.value.unwrap_or(0.0).total_cmp(&a.value.unwrap_or(0.0)));
        moves
    }
}

impl<G: Deterministic, E: Encoder<G>> Agent<G> for NetAgent<G, E> {
    fn choose(&mut self, position: &G, _: &mut Thinking<'_, G>) -> Choice<G::Action> {
        let policy = self.judge.network().spec().policy.is_some();
        let moves = if policy { self.by_policy(position) } else { self.by_value(position) };
        let best = moves.first().expect("an agent is asked only while the game goes on");
        let nodes = if policy { 1 } else { moves.len() as u64 };
        let (action, value) = (best.action, best.value);
        Choice { action, value, moves, line: Vec::new(), nodes, depth: 1 }
    }
}
