//! A trainer on disk.

use std::collections::BTreeMap;
use std::path::Path;

use ludens_core::FileError;
use serde_json::json;

use super::Trainer;
use crate::disk::{read_tensors, write_tensors};
use crate::file::Tensors;
use crate::{Describe, Error, Model, Spec};

/// A network with what is needed to resume its training.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint<S = Spec> {
    /// The network.
    pub model: Model<S>,
    state: BTreeMap<String, Vec<f32>>,
    steps: u64,
}

/// What the names of a trainer's own tensors begin with.
const STATE: &str = "adam.";

impl<S: Describe> Checkpoint<S> {
    /// What a trainer needs, with the network's file.
    pub fn of(trainer: &Trainer<S>, model: Model<S>) -> Self {
        Checkpoint { model, state: trainer.state(), steps: trainer.steps() }
    }

    /// The trainer.
    ///
    /// # Errors
    /// When tensors are missing.
    pub fn trainer(self) -> Result<Trainer<S>, Error> {
        Trainer::resume(self.model.weights, self.state, self.steps)
    }

    /// Writes it.
    ///
    /// # Errors
    /// When the file cannot be written; an older one of the same name is still there.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let mut tensors: Tensors = self.model.tensors();
        for (name, numbers) in &self.state {
            tensors.insert(format!("{STATE}{name}"), (vec![numbers.len()], numbers.clone()));
        }
        let mut about = self.model.about();
        about["trainer"] = json!({ "steps": self.steps });
        write_tensors(path, about, &tensors)
    }

    /// Reads it.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is something else.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let (about, mut tensors) = read_tensors(path)?;
        let wrong = |what: String| Error::from(FileError::content(path, what));
        let Some(steps) = about["trainer"]["steps"].as_u64() else {
            return Err(wrong("a network without its trainer, expected a checkpoint".to_owned()));
        };
        let own = tensors.split_off(STATE);
        // Names after the prefix's range belong to the network.
        let (state, rest): (Tensors, Tensors) =
            own.into_iter().partition(|(name, _)| name.starts_with(STATE));
        tensors.extend(rest);
        let strip = |(name, (_, numbers)): (String, (Vec<usize>, Vec<f32>))| {
            (name[STATE.len()..].to_owned(), numbers)
        };
        let model = Model::assemble(&about, tensors).map_err(wrong)?;
        Ok(Checkpoint { model, state: state.into_iter().map(strip).collect(), steps })
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use serde_json::Value;

    use super::*;
    use crate::{Adam, Spec, Weights};

    #[test]
    fn checkpoints_round_trip_and_are_models() {
        let spec = Spec::value(3, 3, 2, 8, 2);
        let mut trainer = Trainer::new(Weights::random(spec, &mut Rng::new(1)));
        trainer.step(&Adam::default(), &vec![1.0; 2 * spec.inputs()], |_, slope| {
            slope.values.fill(1.0);
            0.0
        });
        let (game, encoder) = ("former".to_owned(), "test 1".to_owned());
        let weights = trainer.weights().clone();
        let model = Model { game, encoder, weights, notes: Value::Null };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.safetensors");
        let checkpoint = Checkpoint::of(&trainer, model.clone());
        checkpoint.save(&path).unwrap();
        assert_eq!(Checkpoint::load(&path).unwrap(), checkpoint);
        model.save(&path).unwrap();
        let error = Checkpoint::<Spec>::load(&path).unwrap_err().to_string();
        assert!(error.ends_with("expected a checkpoint"), "{error}");
    }
}
