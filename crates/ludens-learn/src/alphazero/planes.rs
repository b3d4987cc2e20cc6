//! Networks that see positions as planes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens_core::{Deterministic, Evaluator, Game, Rng, Symmetric};
use ludens_nn::{
    Adam, Encoder, Engine, Head, Model, NetEvaluator, Network, PolicyScratch, Range, Spec, Weights,
    action_loss, random_symmetry, value_loss,
};
use serde_json::Value;

use super::game::Lesson;
use super::pupil::{Pupil, Tally, remembering};
use crate::Error;
use crate::averaged::Averaged;

/// Random games that tell what values are about.
const RANDOM_GAMES: usize = 8;

/// A network of planes. It sees each lesson from a side drawn by lot.
pub struct PlanePupil<G: Game, E> {
    encoder: E,
    variant: G::Variant,
    weights: Averaged<Spec>,
    scratch: PolicyScratch,
}

/// How the settings describe a network for a variant.
pub fn residual<G: Game, E: Encoder<G>>(
    variant: &G::Variant,
    width: usize,
    blocks: usize,
    kernel: usize,
) -> Spec {
    let [rows, cols, planes] = E::shape(variant);
    let spec = Spec::residual(rows, cols, planes, width, blocks, E::actions(variant));
    let spec = Spec { kernel, ..spec };
    let (policy, value) = (Some(Head::Cells), Some(Head::Pooled));
    match G::PLAYERS {
        // One player's sums have no bounds.
        1 if spec.actions == spec.cells() => Spec { policy, value, range: Range::Linear, ..spec },
        1 => Spec { value, range: Range::Linear, ..spec },
        // A move is a sum over cells, and boards of other sizes shall look alike.
        _ if E::SUMS => Spec { policy, actions: spec.cells(), value, ..spec },
        _ => spec,
    }
}

/// The mean of what a value should say of the positions of a few random games.
fn random_target<G: Deterministic, E: Encoder<G>>(
    encoder: E,
    variant: &G::Variant,
    rng: &mut Rng,
) -> f32 {
    let (mut total, mut count) = (0.0, 0u32);
    for _ in 0..RANDOM_GAMES {
        let mut here = G::start(variant, rng);
        while let Some((_, next, _)) = here.step(rng) {
            let to_come = here.playout(rng).total;
            total += encoder.target(&here, to_come as f32);
            (here, count) = (next, count + 1);
        }
    }
    total / count.max(1) as f32
}

impl<G: Deterministic, E: Encoder<G>> PlanePupil<G, E> {
    /// Begins with fresh weights.
    pub fn new(encoder: E, variant: G::Variant, spec: Spec, inertia: f32, rng: &mut Rng) -> Self {
        let mut weights = Weights::random(spec, rng);
        if spec.range == Range::Linear && spec.value == Some(Head::Pooled) {
            // Sums of rewards may be far from 0; what random games come to is a better first guess.
            let mean = random_target(encoder, &variant, rng);
            weights.get_mut("value.linear.bias").fill(mean);
        }
        let weights = Averaged::new(weights, inertia);
        PlanePupil { encoder, variant, weights, scratch: PolicyScratch::default() }
    }

    /// Goes on from what [`save`](Pupil::save) wrote, with the notes; `network` says by them where the
    /// network that plays is.
    ///
    /// # Errors
    /// When a file cannot be read or is of another game or encoder.
    pub fn load(
        encoder: E,
        variant: G::Variant,
        state: &Path,
        network: impl Fn(&Value) -> PathBuf,
        game: &str,
        inertia: f32,
    ) -> Result<(Self, Value), Error> {
        let (weights, notes) = Averaged::<Spec>::load(state, network, game, E::NAME, inertia)?;
        E::check(&variant, weights.mean.spec())?;
        Ok((PlanePupil { encoder, variant, weights, scratch: PolicyScratch::default() }, notes))
    }

    /// The same with another engine.
    ///
    /// # Errors
    /// When there is no such engine.
    pub fn engine(self, engine: Engine) -> Result<Self, Error> {
        Ok(Self { weights: self.weights.engine(engine)?, ..self })
    }

    /// The network that plays, for a file.
    pub fn model(&self, game: &str, notes: &Value) -> Model {
        self.weights.model(game, E::NAME, notes)
    }
}

impl<G: Symmetric + Deterministic, E: Encoder<G>> Pupil<G> for PlanePupil<G, E> {
    fn evaluators(&self, count: usize, cache: usize) -> Result<Vec<Box<dyn Evaluator<G>>>, Error> {
        let network = Arc::new(Network::new(&self.weights.mean));
        let judge = NetEvaluator::new(network, self.encoder, &self.variant)?;
        Ok(remembering(&judge, count, cache))
    }

    fn learn(&mut self, lessons: &[&Lesson<G>], rate: f32, decay: f32, rng: &mut Rng) -> [f32; 2] {
        let spec = *self.weights.mean.spec();
        let mut inputs = vec![0.0; lessons.len() * spec.inputs()];
        let mut seen = Vec::with_capacity(lessons.len());
        for (lesson, input) in lessons.iter().zip(inputs.chunks_exact_mut(spec.inputs())) {
            let mut policy = Vec::new();
            let known = if lesson.policy.is_empty() {
                vec![0.0; lesson.position.actions().len()]
            } else {
                lesson.policy.clone()
            };
            let image = random_symmetry(&lesson.position, &known, rng, &mut policy);
            self.encoder.encode(&image, input);
            seen.push((image, policy, !lesson.policy.is_empty(), lesson.value));
        }
        let adam = Adam { rate, decay, ..Adam::default() };
        let (encoder, scratch) = (self.encoder, &mut self.scratch);
        let mut tally = Tally::of(lessons);
        let scale = tally.scale;
        let loss = self.weights.trainer.step(&adam, &inputs, |out, slope| {
            for (index, (image, policy, known, value)) in seen.iter().enumerate() {
                let part = index * spec.actions..(index + 1) * spec.actions;
                if *known {
                    let slope = &mut slope.policy[part.clone()];
                    let outputs = &out.policy[part];
                    tally.policy +=
                        action_loss(encoder, image, outputs, policy, scale, scratch, slope);
                }
                let target = encoder.target(image, *value);
                tally.value +=
                    value_loss(out.values[index], target, scale, &mut slope.values[index]);
            }
            tally.loss()
        });
        self.weights.finish(loss, &tally)
    }

    fn save(&self, state: &Path, network: &Path, game: &str, notes: &Value) -> Result<(), Error> {
        self.weights.save(state, network, game, E::NAME, notes)
    }
}
