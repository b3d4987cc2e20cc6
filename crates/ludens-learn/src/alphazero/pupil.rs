//! Networks that learn from lessons.

use std::path::Path;
use std::sync::Arc;

use ludens_core::{Evaluator, Game, Rng, Symmetric};
use ludens_nn::{
    Adam, Cached, Checkpoint, Encoder, Head, Judge, Model, Network, PolicyRoom, Spec, Trainer,
    Weights, action_loss, random_image, value_loss,
};
use serde_json::Value;

use super::game::Lesson;
use crate::Error;

/// A network that learns a policy and a value.
pub trait Pupil<G: Game>: Send {
    /// So many evaluators with the network as it is now, each remembering so many positions.
    ///
    /// # Errors
    /// When the network is for another board.
    fn evaluators(&self, count: usize, cache: usize) -> Result<Vec<Box<dyn Evaluator<G>>>, Error>;

    /// Learns from a batch once, each lesson seen from a side drawn by lot. Gives the losses of
    /// policy and value, which are not finite when nothing could be learned.
    fn learn(&mut self, lessons: &[&Lesson<G>], rate: f32, decay: f32, rng: &mut Rng) -> [f32; 2];

    /// Writes all that is needed to go on to `state` and to `network`.
    ///
    /// # Errors
    /// When they cannot be written; older ones are still there.
    fn save(&self, state: &Path, network: &Path, game: &str, notes: &Value) -> Result<(), Error>;
}

/// A network of planes, with the running mean of its weights: what learns jumps about, the mean plays.
pub struct PlanePupil<G: Game, E> {
    encoder: E,
    variant: G::Variant,
    trainer: Trainer,
    mean: Weights,
    /// How slowly the mean follows.
    inertia: f32,
    room: PolicyRoom,
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
    if E::SUMS {
        // A move is a sum over cells, and boards of other sizes shall look alike.
        let (policy, value) = (Some(Head::Cells), Some(Head::Pooled));
        return Spec { policy, actions: rows * cols, value, ..spec };
    }
    spec
}

impl<G: Game, E: Encoder<G>> PlanePupil<G, E> {
    /// Begins with fresh weights.
    pub fn new(encoder: E, variant: G::Variant, spec: Spec, inertia: f32, rng: &mut Rng) -> Self {
        Self::of(encoder, variant, Trainer::new(Weights::random(spec, rng)), None, inertia)
    }

    fn of(
        encoder: E,
        variant: G::Variant,
        trainer: Trainer,
        mean: Option<Weights>,
        inertia: f32,
    ) -> Self {
        let mean = mean.unwrap_or_else(|| trainer.weights().clone());
        PlanePupil { encoder, variant, trainer, mean, inertia, room: PolicyRoom::default() }
    }

    /// Goes on from what [`save`](Pupil::save) wrote, with the notes.
    ///
    /// # Errors
    /// When a file cannot be read or is of another game or encoder.
    pub fn load(
        encoder: E,
        variant: G::Variant,
        state: &Path,
        network: impl Fn(&Value) -> std::path::PathBuf,
        game: &str,
        inertia: f32,
    ) -> Result<(Self, Value), Error> {
        let checkpoint = Checkpoint::load(state)?;
        checkpoint.model.check(game, E::NAME)?;
        let notes = checkpoint.model.notes.clone();
        let trainer = checkpoint.trainer()?;
        E::check(&variant, trainer.weights().spec())?;
        let mean = Model::load(&network(&notes))?;
        mean.check(game, E::NAME)?;
        if mean.weights.spec() != trainer.weights().spec() {
            let told = format!("{} and its mean are different networks", state.display());
            return Err(Error::Run(told));
        }
        Ok((Self::of(encoder, variant, trainer, Some(mean.weights), inertia), notes))
    }

    /// The network that plays, for a file.
    pub fn model(&self, game: &str, notes: Value) -> Model {
        let (game, encoder) = (game.to_owned(), E::NAME.to_owned());
        Model { game, encoder, weights: self.mean.clone(), notes }
    }
}

impl<G: Symmetric, E: Encoder<G>> Pupil<G> for PlanePupil<G, E> {
    fn evaluators(&self, count: usize, cache: usize) -> Result<Vec<Box<dyn Evaluator<G>>>, Error> {
        let network = Arc::new(Network::new(&self.mean));
        let judge = Judge::new(network, self.encoder, &self.variant)?;
        let one = || Box::new(Cached::new(judge.clone(), cache)) as Box<dyn Evaluator<G>>;
        Ok(std::iter::repeat_with(one).take(count).collect())
    }

    fn learn(&mut self, lessons: &[&Lesson<G>], rate: f32, decay: f32, rng: &mut Rng) -> [f32; 2] {
        let spec = *self.trainer.weights().spec();
        let mut inputs = vec![0.0; lessons.len() * spec.inputs()];
        let mut seen = Vec::with_capacity(lessons.len());
        for (lesson, input) in lessons.iter().zip(inputs.chunks_exact_mut(spec.inputs())) {
            let mut policy = Vec::new();
            let known = if lesson.policy.is_empty() {
                vec![0.0; lesson.position.actions().len()]
            } else {
                lesson.policy.clone()
            };
            let image = random_image(&lesson.position, &known, rng, &mut policy);
            self.encoder.encode(&image, input);
            seen.push((image, policy, !lesson.policy.is_empty(), lesson.value));
        }
        let adam = Adam { rate, decay, ..Adam::default() };
        let (encoder, room) = (self.encoder, &mut self.room);
        let scale = 1.0 / lessons.len() as f32;
        let taught = seen.iter().filter(|(_, _, known, _)| *known).count().max(1);
        let mut losses = [0.0, 0.0];
        let loss = self.trainer.step(&adam, &inputs, |out, slope| {
            for (index, (image, policy, known, value)) in seen.iter().enumerate() {
                let part = index * spec.actions..(index + 1) * spec.actions;
                if *known {
                    let slope = &mut slope.policy[part.clone()];
                    let outputs = &out.policy[part];
                    losses[0] += action_loss(encoder, image, outputs, policy, scale, room, slope);
                }
                let target = encoder.target(image, *value);
                losses[1] += value_loss(out.values[index], target, scale, &mut slope.values[index]);
            }
            (losses[0] + losses[1]) * scale
        });
        if !loss.is_finite() {
            return [f32::NAN; 2];
        }
        // The first steps are followed closely.
        let steps = self.trainer.steps() as f32;
        let inertia = self.inertia.min((1.0 + steps) / (10.0 + steps));
        for slot in spec.slots() {
            let now = self.trainer.weights().get(&slot.name);
            for (mean, now) in self.mean.get_mut(&slot.name).iter_mut().zip(now) {
                *mean += (1.0 - inertia) * (now - *mean);
            }
        }
        [losses[0] / taught as f32, losses[1] * scale]
    }

    fn save(&self, state: &Path, network: &Path, game: &str, notes: &Value) -> Result<(), Error> {
        self.model(game, notes.clone()).save(network)?;
        let weights = self.trainer.weights().clone();
        let model = Model { weights, ..self.model(game, notes.clone()) };
        Ok(Checkpoint::of(&self.trainer, model).save(state)?)
    }
}
