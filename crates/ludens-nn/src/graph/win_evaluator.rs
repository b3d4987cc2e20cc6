//! Value-win networks: moves are evaluated by where they lead.
//!
//! The same networks, read in another way: the mean of what the action nodes give is the logit of
//! the chance that the player who has just moved wins. The chances of all positions that a
//! position's moves lead to, divided by their sum, are the policy. It takes as many runs of the
//! network as there are moves.
//!
//! Reference: M. Clark, *Mastering Sevn using Reinforcement Learning* (2021), 3.3.2.

use std::sync::Arc;

use ludens_core::{Deterministic, Duel, Evals, Evaluator, Game, ParseError};

use super::{GraphEncoder, GraphEvaluator, GraphNetwork};

/// What files call the encoder of a value-win network.
pub fn win_encoder<G: Game, E: GraphEncoder<G>>() -> String {
    format!("{}, value and win", E::NAME)
}

/// The chance that the player who has just moved wins, by the outputs of the action nodes.
fn chance(outputs: &[f32]) -> f32 {
    let logit = outputs.iter().sum::<f32>() / outputs.len().max(1) as f32;
    1.0 / (1.0 + (-logit).exp())
}

/// The cross-entropy of the chance that the outputs of a graph's action nodes give and of what it
/// should be, with its slope times `scale`.
pub fn win_loss(outputs: &[f32], wanted: f32, scale: f32, slope: &mut [f32]) -> f32 {
    let chance = chance(outputs).clamp(1e-6, 1.0 - 1e-6);
    let share = scale * (chance - wanted) / outputs.len().max(1) as f32;
    slope.fill(share);
    -(wanted * chance.ln() + (1.0 - wanted) * (1.0 - chance).ln())
}

/// A value-win network that evaluates positions of a game. Cheap to clone: the weights are shared.
pub struct WinEvaluator<G, E> {
    evaluator: GraphEvaluator<G, E>,
    outputs: Vec<f32>,
    priors: Vec<f32>,
}

impl<G: Game, E: GraphEncoder<G>> WinEvaluator<G, E> {
    /// An evaluator.
    ///
    /// # Errors
    /// When the network is for other graphs.
    pub fn new(network: Arc<GraphNetwork>, encoder: E) -> Result<Self, ParseError> {
        Ok(GraphEvaluator::new(network, encoder)?.into())
    }
}

impl<G, E> From<GraphEvaluator<G, E>> for WinEvaluator<G, E> {
    fn from(evaluator: GraphEvaluator<G, E>) -> Self {
        WinEvaluator { evaluator, outputs: Vec::new(), priors: Vec::new() }
    }
}

impl<G, E: Clone> Clone for WinEvaluator<G, E> {
    fn clone(&self) -> Self {
        self.evaluator.clone().into()
    }
}

impl<G: Duel + Deterministic, E: GraphEncoder<G>> Evaluator<G> for WinEvaluator<G, E> {
    fn evaluate(&mut self, batch: &[G], out: &mut Evals) {
        out.clear();
        for position in batch {
            self.priors.clear();
            for action in position.actions() {
                let child = position.apply(action).0;
                let chance = match child.outcome() {
                    Some(outcome) => 0.5 + 0.5 * outcome.pov(position.to_move()).0 as f32,
                    None => {
                        self.evaluator.run(&child, &mut self.outputs);
                        chance(&self.outputs)
                    }
                };
                self.priors.push(chance);
            }
            let total: f32 = self.priors.iter().sum();
            let even = 1.0 / self.priors.len().max(1) as f32;
            // All moves may lose at once.
            let share = |chance: f32| if total > 0.0 { chance / total } else { even };
            self.priors.iter_mut().for_each(|chance| *chance = share(*chance));
            let value = self.evaluator.run(position, &mut self.outputs);
            out.push(Some(value), &self.priors);
        }
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;
    use ludens_games::Sevn;

    use super::*;
    use crate::{Graph, GraphSpec, SevnGraph, Weights};

    fn evaluator() -> WinEvaluator<Sevn, SevnGraph> {
        let weights = Weights::random(GraphSpec::sevn(), &mut Rng::new(3));
        WinEvaluator::new(Arc::new(GraphNetwork::new(&weights)), SevnGraph).unwrap()
    }

    /// The chances of positions one move on, by the graphs themselves.
    #[test]
    fn moves_are_evaluated_by_where_they_lead() {
        let position = Sevn::start(&Default::default(), &mut Rng::new(1));
        let mut evaluator = evaluator();
        let (mut evals, mut graph) = (Evals::default(), Graph::default());
        evaluator.evaluate(&[position, position], &mut evals);
        let network = evaluator.evaluator.network();
        let mut chances = Vec::new();
        for action in position.actions() {
            SevnGraph.encode(&position.apply(action).0, &mut graph);
            let mut logits = Vec::new();
            network.run(&mut Default::default(), &graph, &mut logits);
            let mean = logits.iter().sum::<f32>() / logits.len() as f32;
            chances.push(1.0 / (1.0 + (-mean).exp()));
        }
        let total: f32 = chances.iter().sum();
        for (prior, chance) in evals.priors(1).iter().zip(&chances) {
            assert!((prior - chance / total).abs() < 1e-6);
        }
        assert_eq!(evals.priors(0), evals.priors(1));
        assert_eq!(evals.priors(0).len(), chances.len());
    }

    /// A move that ends the game counts by its result.
    #[test]
    fn ends_are_known() {
        let mut evals = Evals::default();
        // Random play up to a position with a move that ends the game.
        let mut rng = Rng::new(5);
        let mut position = Sevn::start(&Default::default(), &mut rng);
        while !position.actions().any(|action| position.apply(action).0.is_over()) {
            position = position.step(&mut rng).unwrap().1;
        }
        evaluator().evaluate(&[position], &mut evals);
        let known: Vec<(usize, f32)> = position
            .actions()
            .enumerate()
            .filter_map(|(index, action)| {
                let outcome = position.apply(action).0.outcome()?;
                Some((index, outcome.pov(position.to_move()).0 as f32))
            })
            .collect();
        assert!(!known.is_empty());
        let most = evals.priors(0).iter().fold(0.0f32, |most, x| most.max(*x));
        for (index, result) in known {
            let wanted = if result > 0.0 { most } else { 0.0 };
            assert_eq!(evals.priors(0)[index], wanted);
        }
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let outputs = [0.3f32, -0.8, 1.1];
        let (mut slope, mut scratch) = ([0.0; 3], [0.0; 3]);
        for wanted in [0.0, 0.35, 1.0] {
            win_loss(&outputs, wanted, 2.0, &mut slope);
            for index in 0..3 {
                let moved = |by: f32, scratch: &mut [f32; 3]| {
                    let mut outputs = outputs;
                    outputs[index] += by;
                    2.0 * win_loss(&outputs, wanted, 2.0, scratch)
                };
                let found = (moved(1e-2, &mut scratch) - moved(-1e-2, &mut scratch)) / 2e-2;
                assert!((found - slope[index]).abs() < 1e-3, "{found} {}", slope[index]);
            }
        }
    }
}
