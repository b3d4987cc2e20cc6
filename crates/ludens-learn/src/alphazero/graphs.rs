//! Networks that see positions as graphs.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens_core::{Deterministic, Duel, Evaluator, Game, Rng};
use ludens_nn::{
    Adam, Engine, Graph, GraphEncoder, GraphEvaluator, GraphNetwork, GraphSpec, Model, Weights,
    WinEvaluator, policy_loss, value_loss, win_encoder, win_loss,
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
    /// Whether it is a value-win network ([`WinEvaluator`]) instead of one with a policy.
    wins: bool,
    game: PhantomData<fn(&G)>,
}

/// What files call the encoder.
fn name<G: Game, E: GraphEncoder<G>>(wins: bool) -> String {
    if wins { win_encoder::<G, E>() } else { E::NAME.to_owned() }
}

impl<G: Game, E: GraphEncoder<G>> GraphPupil<G, E> {
    /// Begins with fresh weights: a value-win network if `wins` says so.
    pub fn new(encoder: E, spec: GraphSpec, wins: bool, inertia: f32, rng: &mut Rng) -> Self {
        let weights = Averaged::new(Weights::random(spec, rng), inertia);
        GraphPupil { encoder, weights, wins, game: PhantomData }
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
        wins: bool,
        inertia: f32,
    ) -> Result<(Self, Value), Error> {
        let name = name::<G, E>(wins);
        let (weights, notes) = Averaged::load(state, network, game, &name, inertia)?;
        Ok((GraphPupil { encoder, weights, wins, game: PhantomData }, notes))
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
        self.weights.model(game, &name::<G, E>(self.wins), notes)
    }
}

impl<G: Duel + Deterministic, E: GraphEncoder<G>> Pupil<G> for GraphPupil<G, E> {
    fn evaluators(&self, count: usize, cache: usize) -> Result<Vec<Box<dyn Evaluator<G>>>, Error> {
        let network = Arc::new(GraphNetwork::new(&self.weights.mean));
        let judge = GraphEvaluator::new(network, self.encoder)?;
        Ok(if self.wins {
            remembering(&WinEvaluator::from(judge), count, cache)
        } else {
            remembering(&judge, count, cache)
        })
    }

    fn learn(&mut self, lessons: &[&Lesson<G>], rate: f32, decay: f32, _: &mut Rng) -> [f32; 2] {
        let mut graphs = vec![Graph::default(); lessons.len()];
        for (lesson, graph) in lessons.iter().zip(&mut graphs) {
            self.encoder.encode(&lesson.position, graph);
        }
        let adam = Adam { rate, decay, ..Adam::default() };
        let mut tally = Tally::of(lessons);
        let scale = tally.scale;
        let (encoder, wins) = (self.encoder, self.wins);
        if wins {
            tally.taught = lessons.len();
        }
        let loss = self.weights.trainer.step_graphs(&adam, &graphs, |out, slope| {
            let mut first = 0;
            for (index, (lesson, graph)) in lessons.iter().zip(&graphs).enumerate() {
                let part = first..first + graph.actions();
                first = part.end;
                if wins {
                    // To the player who has just moved.
                    let searched = -encoder.value(&lesson.position, lesson.searched);
                    let wanted = 0.5 + 0.5 * searched.clamp(-1.0, 1.0);
                    let (outputs, slope) = (&out.policy[part.clone()], &mut slope.policy[part]);
                    tally.policy += win_loss(outputs, wanted, scale, slope);
                } else if !lesson.policy.is_empty() {
                    // Every output is an action's own.
                    let owners: Vec<u16> = (0..graph.actions() as u16).collect();
                    let (outputs, slope) = (&out.policy[part.clone()], &mut slope.policy[part]);
                    tally.policy += policy_loss(outputs, &owners, &lesson.policy, scale, slope);
                }
                // The player to move sees what it is worth to him, turned back it is the same again.
                let target = encoder.value(&lesson.position, lesson.value);
                tally.value +=
                    value_loss(out.values[index], target, scale, &mut slope.values[index]);
            }
            tally.loss()
        });
        self.weights.finish(loss, &tally)
    }

    fn save(&self, state: &Path, network: &Path, game: &str, notes: &Value) -> Result<(), Error> {
        self.weights.save(state, network, game, &name::<G, E>(self.wins), notes)
    }
}
