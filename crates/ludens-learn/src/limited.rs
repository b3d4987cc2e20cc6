//! A recipe that ends after some steps, to go on another time.

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use crate::{Error, Recipe, RunDir, Step};

/// A recipe that ends after `steps` steps with metrics, if that is not `None`. What it has learned is
/// saved as always, so the run can be resumed.
pub struct Limited<R> {
    /// What learns.
    pub recipe: R,
    /// Steps that are left.
    pub steps: Option<u64>,
}

impl<R: Recipe> Recipe for Limited<R> {
    const COUNTER: &'static str = R::COUNTER;

    fn step(&mut self, stop: &AtomicBool) -> Result<Step, Error> {
        let step = self.recipe.step(stop)?;
        if matches!(step, Step::Done(_)) {
            self.steps = self.steps.map(|steps| steps.saturating_sub(1));
        }
        Ok(step)
    }

    fn save(&self, dir: &RunDir) -> Result<(), Error> {
        self.recipe.save(dir)
    }

    fn keep(&self, dir: &RunDir, metrics: &Value) -> Result<(), Error> {
        self.recipe.keep(dir, metrics)
    }

    fn count(&self) -> u64 {
        self.recipe.count()
    }

    fn is_done(&self) -> bool {
        self.steps == Some(0) || self.recipe.is_done()
    }

    fn completed(&self) -> f64 {
        self.recipe.completed()
    }

    fn save_interval(&self) -> f64 {
        self.recipe.save_interval()
    }

    fn line(&self, metrics: &Value) -> String {
        self.recipe.line(metrics)
    }
}
