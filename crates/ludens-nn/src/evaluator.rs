//! Networks as evaluators, policies and heuristics of searches.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;

use ludens_core::platform::thread;
use ludens_core::{Evals, Evaluator, Game, Heuristic, ParseError, Policy};

use crate::encoder::Encoder;
use crate::policy::{PolicyScratch, action_priors};
use crate::{Network, Outputs, Scratch};

/// Fewer positions than this per thread do not pay for a thread.
const LEAST: usize = 16;

/// A network that evaluates positions of a game. Cheap to clone: the weights are shared.
pub struct NetEvaluator<G, E> {
    network: Arc<Network>,
    encoder: E,
    threads: usize,
    scratches: Vec<Scratch>,
    inputs: Vec<f32>,
    outputs: Outputs,
    scratch: PolicyScratch,
    priors: Vec<f32>,
    game: PhantomData<fn(&G)>,
}

impl<G: Game, E: Encoder<G>> NetEvaluator<G, E> {
    /// An evaluator of a variant's positions on one thread.
    ///
    /// # Errors
    /// When the network is for boards of another size.
    pub fn new(
        network: Arc<Network>,
        encoder: E,
        variant: &G::Variant,
    ) -> Result<Self, ParseError> {
        E::check(variant, network.spec())?;
        Ok(NetEvaluator::of(network, encoder, 1))
    }

    /// The same on `threads` threads, at least 1, where batches are large enough.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self.scratches.resize(self.threads, Scratch::default());
        self
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Runs the network on a batch; the outputs stay here.
    fn run(&mut self, batch: &[G]) {
        let spec = *self.network.spec();
        let size = spec.inputs();
        self.inputs.clear();
        self.inputs.resize(batch.len() * size, 0.0);
        for (position, input) in batch.iter().zip(self.inputs.chunks_exact_mut(size)) {
            self.encoder.encode(position, input);
        }
        let values = if spec.value.is_some() { batch.len() } else { 0 };
        self.outputs.policy.resize(batch.len() * spec.actions, 0.0);
        self.outputs.values.resize(values, 0.0);
        let threads = self.threads.min(batch.len() / LEAST).max(1);
        let share = batch.len().div_ceil(threads);
        let (network, inputs) = (&self.network, &self.inputs);
        let mut policy = self.outputs.policy.as_mut_slice();
        let mut values = self.outputs.values.as_mut_slice();
        thread::scope(|scope| {
            let mut scratches = self.scratches.iter_mut();
            let mut parts = inputs.chunks(share * size).peekable();
            while let (Some(part), Some(scratch)) = (parts.next(), scratches.next()) {
                let count = part.len() / size;
                let (mine, rest) = policy.split_at_mut(count * spec.actions);
                policy = rest;
                let (my_values, rest) = values.split_at_mut(count.min(values.len()));
                values = rest;
                // The last part is this thread's own.
                if parts.peek().is_some() {
                    scope.spawn(move || network.run_into(scratch, part, mine, my_values));
                } else {
                    network.run_into(scratch, part, mine, my_values);
                }
            }
        });
    }
}

impl<G, E> NetEvaluator<G, E> {
    fn of(network: Arc<Network>, encoder: E, threads: usize) -> Self {
        NetEvaluator {
            network,
            encoder,
            threads,
            scratches: vec![Scratch::default(); threads],
            inputs: Vec::new(),
            outputs: Outputs::default(),
            scratch: PolicyScratch::default(),
            priors: Vec::new(),
            game: PhantomData,
        }
    }
}

impl<G, E: Clone> Clone for NetEvaluator<G, E> {
    fn clone(&self) -> Self {
        NetEvaluator::of(Arc::clone(&self.network), self.encoder.clone(), self.threads)
    }
}

impl<G: Game, E: Encoder<G>> Evaluator<G> for NetEvaluator<G, E> {
    fn evaluate(&mut self, batch: &[G], out: &mut Evals) {
        out.clear();
        if batch.is_empty() {
            return;
        }
        self.run(batch);
        let actions = self.network.spec().actions;
        for (index, position) in batch.iter().enumerate() {
            self.priors.clear();
            if actions > 0 {
                self.priors.resize(self.encoder.choices(position), 0.0);
                let logits = &self.outputs.policy[index * actions..(index + 1) * actions];
                let (scratch, priors) = (&mut self.scratch, &mut self.priors);
                action_priors(self.encoder, position, logits, scratch, priors);
            }
            let value = self.outputs.values.get(index);
            let value = value.map(|&output| self.encoder.value(position, output));
            out.push(value, &self.priors);
        }
    }
}

/// A network's policy, or equal chances if it has none.
impl<G: Game, E: Encoder<G>> Policy<G> for NetEvaluator<G, E> {
    fn probabilities(&mut self, position: &G, out: &mut Vec<f32>) {
        if self.network.spec().policy.is_none() {
            return ().probabilities(position, out);
        }
        let mut evals = Evals::default();
        self.evaluate(std::slice::from_ref(position), &mut evals);
        out.extend_from_slice(evals.priors(0));
    }
}

/// A network's value as a heuristic: 0 at the end of a game, where nothing is to come.
#[derive(Clone)]
pub struct NetValue<G, E> {
    network: Arc<Network>,
    encoder: E,
    game: PhantomData<fn(&G)>,
}

impl<G: Game, E: Encoder<G>> NetValue<G, E> {
    /// The heuristic of a network with a value.
    ///
    /// # Errors
    /// When the network is for boards of another size or has no value.
    pub fn new(
        network: Arc<Network>,
        encoder: E,
        variant: &G::Variant,
    ) -> Result<Self, ParseError> {
        E::check(variant, network.spec())?;
        network.spec().require(false, true)?;
        Ok(NetValue { network, encoder, game: PhantomData })
    }
}

thread_local! {
    /// Heuristics are shared by threads; each has a scratch buffer.
    static SCRATCH: RefCell<(Scratch, Vec<f32>, Outputs)> = RefCell::default();
}

impl<G: Game, E: Encoder<G>> Heuristic<G> for NetValue<G, E> {
    fn value(&self, position: &G) -> f32 {
        if position.is_over() {
            return 0.0;
        }
        SCRATCH.with_borrow_mut(|(scratch, inputs, outputs)| {
            inputs.clear();
            inputs.resize(self.network.spec().inputs(), 0.0);
            self.encoder.encode(position, inputs);
            self.network.run(scratch, inputs, outputs);
            self.encoder.value(position, outputs.values[0])
        })
    }
}
