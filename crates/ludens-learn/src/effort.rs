//! How far a run has come that ends after so many iterations or minutes.

use serde_json::{Value, json};

/// Iterations and time spent, all parts of a run together.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Effort {
    /// Whole iterations.
    pub(crate) iterations: u64,
    /// Seconds in them.
    pub(crate) seconds: f64,
}

impl Effort {
    /// What [`note`](Effort::note) wrote; nothing where there is none.
    pub(crate) fn read(notes: &Value) -> Self {
        let iterations = notes["iterations"].as_u64().unwrap_or_default();
        Effort { iterations, seconds: notes["seconds"].as_f64().unwrap_or_default() }
    }

    /// Writes it into the notes of a checkpoint.
    pub(crate) fn note(self, notes: &mut Value) {
        notes["iterations"] = json!(self.iterations);
        notes["seconds"] = json!(self.seconds);
    }

    /// Minutes spent.
    pub(crate) fn minutes(self) -> f64 {
        self.seconds / 60.0
    }

    /// Seconds that are left of `minutes`.
    pub(crate) fn left(self, minutes: f64) -> f64 {
        60.0 * minutes - self.seconds
    }

    /// The part that is done of a run that ends with the first of two limits.
    pub(crate) fn completed(self, iterations: u64, minutes: f64) -> f64 {
        let time = if self.left(minutes) <= 0.0 { 1.0 } else { self.seconds / (60.0 * minutes) };
        time.max(self.iterations as f64 / iterations as f64).min(1.0)
    }
}
