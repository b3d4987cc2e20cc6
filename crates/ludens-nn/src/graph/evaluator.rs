//! Graph networks as evaluators and policies of searches.

use std::marker::PhantomData;
use std::sync::Arc;

use ludens_core::{Evals, Evaluator, Game, ParseError, Policy};

use super::{Graph, GraphNetwork, GraphScratch};
use crate::PolicyOutput;

/// Turns positions into graphs.
///
/// A change of what an encoder gives needs a new version: weights learned with another one
/// are refused.
pub trait GraphEncoder<G: Game>: Copy + Send + Sync + 'static {
    /// Its name and version, such as `sevn-graph 1`.
    const NAME: &'static str;
    /// Numbers of a node.
    const INPUTS: usize;
    /// Relations of edges.
    const RELATIONS: usize;

    /// Replaces a graph by that of a position, with one action node per legal action in the order
    /// of [`Game::actions`].
    fn encode(self, position: &G, graph: &mut Graph);

    /// What a value of -1 to 1 says of the rewards to come for player one.
    fn value(self, position: &G, output: f32) -> f32;
}

/// What files call the encoder of a network whose policy is read by hyperbolic tangents
/// ([`PolicyOutput::Tanh`]).
pub fn tanh_encoder<G: Game, E: GraphEncoder<G>>() -> String {
    format!("{}, tanh policy", E::NAME)
}

/// A graph network that evaluates positions of a game. Cheap to clone: the weights are shared.
pub struct GraphEvaluator<G, E> {
    network: Arc<GraphNetwork>,
    encoder: E,
    policy: PolicyOutput,
    scratch: GraphScratch,
    graph: Graph,
    logits: Vec<f32>,
    game: PhantomData<fn(&G)>,
}

impl<G: Game, E: GraphEncoder<G>> GraphEvaluator<G, E> {
    /// An evaluator.
    ///
    /// # Errors
    /// When the network is for other graphs.
    pub fn new(network: Arc<GraphNetwork>, encoder: E) -> Result<Self, ParseError> {
        let found = [network.spec().inputs(), network.spec().relations()];
        let expected = [E::INPUTS, E::RELATIONS];
        if found != expected {
            let text = |[inputs, relations]: [usize; 2]| {
                format!("{inputs} numbers of a node and {relations} relations")
            };
            return Err(ParseError::new("network's graphs", text(found), text(expected)));
        }
        let (policy, scratch, graph, logits) = Default::default();
        Ok(GraphEvaluator { network, encoder, policy, scratch, graph, logits, game: PhantomData })
    }

    /// The same with a policy that is read in another way.
    #[must_use]
    pub fn policy(self, policy: PolicyOutput) -> Self {
        GraphEvaluator { policy, ..self }
    }

    /// The network.
    pub fn network(&self) -> &GraphNetwork {
        &self.network
    }

    /// Puts what the network gives for the action nodes of a position into `outputs`; the rewards to
    /// come for player one.
    pub(super) fn run(&mut self, position: &G, outputs: &mut Vec<f32>) -> f32 {
        self.encoder.encode(position, &mut self.graph);
        let value = self.network.run(&mut self.scratch, &self.graph, outputs);
        self.encoder.value(position, value)
    }
}

impl<G, E: Clone> Clone for GraphEvaluator<G, E> {
    fn clone(&self) -> Self {
        let (scratch, graph, logits) = Default::default();
        let (network, encoder) = (Arc::clone(&self.network), self.encoder.clone());
        let policy = self.policy;
        GraphEvaluator { network, encoder, policy, scratch, graph, logits, game: PhantomData }
    }
}

impl<G: Game, E: GraphEncoder<G>> Evaluator<G> for GraphEvaluator<G, E> {
    fn evaluate(&mut self, batch: &[G], out: &mut Evals) {
        out.clear();
        let mut logits = std::mem::take(&mut self.logits);
        for position in batch {
            let value = self.run(position, &mut logits);
            self.policy.probabilities(&mut logits);
            out.push(Some(value), &logits);
        }
        self.logits = logits;
    }
}

impl<G: Game, E: GraphEncoder<G>> Policy<G> for GraphEvaluator<G, E> {
    fn probabilities(&mut self, position: &G, out: &mut Vec<f32>) {
        let mut evals = Evals::default();
        self.evaluate(std::slice::from_ref(position), &mut evals);
        out.extend_from_slice(evals.priors(0));
    }
}
