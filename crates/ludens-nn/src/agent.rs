//! Agents that play what a network says, without any search.

use ludens_core::{
    Abs, Agent, Choice, Considered, Context, Deterministic, Evals, Evaluator, Game, Limits,
    ParseError, Reward, Symmetric,
};

use crate::{Encoder, NetEvaluator, SymmetryAverage};

/// Which head of a network an agent plays by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// The likeliest move.
    Policy,
    /// The move to the position of the largest value together with the reward on the way.
    Value,
}

/// Plays what one head of a network says.
pub struct NetAgent<G: Game, E> {
    evaluator: SymmetryAverage<G, NetEvaluator<G, E>>,
    by: By,
    evals: Evals,
    part: Evals,
    children: Vec<G>,
    moves: Vec<(G::Action, Reward)>,
}

impl<G: Deterministic + Symmetric, E: Encoder<G>> NetAgent<G, E> {
    /// An agent that plays by the value where the network has one, which sees a move further,
    /// else by the policy. It averages over `symmetries` symmetries of every position.
    pub fn new(evaluator: NetEvaluator<G, E>, symmetries: u32) -> Self {
        let by = if evaluator.network().spec().value.is_some() { By::Value } else { By::Policy };
        let (evals, part, children, moves) = Default::default();
        let evaluator = SymmetryAverage::new(evaluator, symmetries);
        NetAgent { evaluator, by, evals, part, children, moves }
    }

    /// The same agent playing by a head.
    ///
    /// # Errors
    /// When the network has none of this kind.
    pub fn by(self, by: By) -> Result<Self, ParseError> {
        let spec = self.evaluator.inner().network().spec();
        let (has, expected) = match by {
            By::Policy => (spec.policy.is_some(), "one that gives a policy"),
            By::Value => (spec.value.is_some(), "one that gives a value"),
        };
        if has {
            Ok(NetAgent { by, ..self })
        } else {
            Err(ParseError::new("network", format!("'{spec}'"), expected))
        }
    }

    fn by_policy(&mut self, position: &G) -> Vec<Considered<G::Action>> {
        self.evaluator.evaluate(std::slice::from_ref(position), &mut self.evals);
        Considered::by_priors(position, self.evals.priors(0))
    }

    /// Evaluates the children; symmetries that limits leave no time for are left out.
    fn evaluate_children(&mut self, limits: &Limits<'_>) {
        if self.evaluator.count() == 1 {
            return self.evaluator.evaluate(&self.children, &mut self.evals);
        }
        self.evals.clear();
        for child in &self.children {
            let child = std::slice::from_ref(child);
            match limits.interrupted() {
                false => self.evaluator.evaluate(child, &mut self.part),
                true => self.evaluator.inner_mut().evaluate(child, &mut self.part),
            }
            self.evals.append(&self.part);
        }
    }

    fn by_value(&mut self, position: &G, limits: &Limits<'_>) -> Vec<Considered<G::Action>> {
        self.children.clear();
        self.moves.clear();
        position.children(|action, child, reward| {
            self.children.push(child);
            self.moves.push((action, reward));
        });
        self.evaluate_children(limits);
        let player = position.to_move();
        let children = self.moves.iter().zip(&self.children).enumerate();
        let mut moves: Vec<_> = children
            .map(|(index, (&(action, reward), child))| {
                // Nothing is to come after the end, whatever a network thinks.
                let later = if child.is_over() { None } else { self.evals.value(index) };
                let value = Abs(f64::from(reward) + f64::from(later.unwrap_or(0.0))).pov(player);
                Considered { value: Some(value.0), ..Considered::bare(action) }
            })
            .collect();
        moves.sort_by(|a, b| b.value.unwrap_or(0.0).total_cmp(&a.value.unwrap_or(0.0)));
        moves
    }
}

impl<G: Deterministic + Symmetric, E: Encoder<G>> Agent<G> for NetAgent<G, E> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let (moves, nodes) = match self.by {
            By::Policy => (self.by_policy(position), 1),
            By::Value => (self.by_value(position, &context.limits), self.moves.len() as u64),
        };
        let best = moves.first().expect("an agent is asked only before the game is over");
        let (action, value) = (best.action, best.value);
        Choice { value, moves, nodes, depth: 1, ..Choice::bare(action) }
    }
}
