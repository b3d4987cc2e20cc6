//! Networks that see positions as graphs.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens_core::{Evaluator, Game, Rng};
use ludens_nn::{
    Adam, Engine, Graph, GraphEncoder, GraphJudge, GraphNetwork, GraphSpec, Model, Weights,
    policy_loss, value_loss,
};
use serde_json::Value;

use super::game::Lesson;
use super::pupil::{Pupil, Tally, remembering};
use crate::Error;
use crate::averaged::Averaged;

/// A network of graphs. Graphs of a position's images are the same, so there is nothing to turn.
pub struct GraphPupil<G, E> {
    encoder: E,
    weights: Averaged<GraphSpec>,
    game: PhantomData<fn(&G)>,
}

impl<G: Game, E: GraphEncoder<G>> GraphPupil<G, E> {
    /// Begins with fresh weights.
    pub fn new(encoder: E, spec: GraphSpec, inertia: f32, rng: &mut Rng) -> Self {
        let weights = Averaged::new(Weights::random(spec, rng), inertia);
        GraphPupil { encoder, weights, game: PhantomData }
    }

    /// Goes on from what [`save`](Pupil::save) wrote, with the notes; `network` says by them where the
    /// network that plays is.
    ///
    /// # Errors
    /// When a file cannot be read or is of another game or encoder.
    pub fn load(
        encoder: E,
        state: &Path,
        network: impl Fn(&Value) -> PathBuf,
        game: &str,
        inertia: f32,
    ) -> Result<(Self, Value), Error> {
        let (weights, notes) = Averaged::load(state, network, game, E::NAME, inertia)?;
        Ok((GraphPupil { encoder, weights, game: PhantomData }, notes))
    }

    /// The same with another engine.
    ///
    /// # Errors
    /// When there is no such engine.
    pub fn engine(self, engine: Engine) -> Result<Self, Error> {
        Ok(Self { weights: self.weights.engine(engine)?, ..self })
    }

    /// The network that plays, for a file.
    pub fn model(&self, game: &str, notes: &Value) -> Model<GraphSpec> {
        self.weights.model(game, E::NAME, notes)
    }
}

impl<G: Game, E: GraphEncoder<G>> Pupil<G> for GraphPupil<G, E> {
    fn evaluators(&self, count: usize, cache: usize) -> Result<Vec<Box<dyn Evaluator<G>>>, Error> {
        let network = Arc::new(GraphNetwork::new(&self.weights.mean));
        let judge = GraphJudge::new(network, self.encoder)?;
        Ok(remembering(&judge, count, cache))
    }

    fn learn(&mut self, lessons: &[&Lesson<G>], rate: f32, decay: f32, _: &mut Rng) -> [f32; 2] {
        let mut graphs = vec![Graph::default(); lessons.len()];
        for (lesson, graph) in lessons.iter().zip(&mut graphs) {
            self.encoder.encode(&lesson.position, graph);
        }
        let adam = Adam { rate, decay, ..Adam::default() };
        let mut tally = Tally::of(lessons);
        let scale = tally.scale;
        let encoder = self.encoder;
        let loss = self.weights.trainer.step_graphs(&adam, &graphs, |out, slope| {
            let mut first = 0;
            for (index, (lesson, graph)) in lessons.iter().zip(&graphs).enumerate() {
                let part = first..first + graph.actions();
                first = part.end;
                if !lesson.policy.is_empty() {
                    // Every output is an action's own.
                    let owners: Vec<u16> = (0..graph.actions() as u16).collect();
                    let (outputs, slope) = (&out.policy[part.clone()], &mut slope.policy[part]);
                    tally.policy += policy_loss(outputs, &owners, &lesson.policy, scale, slope);
                }
                // The player to move sees what it is worth to him, turned back it is the same again.
                let target = encoder.worth(&lesson.position, lesson.value);
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
