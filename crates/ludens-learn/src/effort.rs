//! How far a run has come that ends after a number of iterations or minutes.

use serde_json::{Value, json};

/// Iterations and time spent, all parts of a run together.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Effort {
    /// Whole iterations.
    pub(crate) iterations: u64,
    /// Seconds in them.
    pub(crate) seconds: f64,
}

/// Whether a game is one of the share that nothing is learned from. It follows from the game's
/// number alone, and the games held out are spread evenly.
pub(crate) fn is_held_out(number: u64, share: f32) -> bool {
    let due = |count: u64| (count as f64 * f64::from(share)) as u64;
    due(number + 1) > due(number)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_games_is_held_out() {
        let count = |share: f32| (0..1000).filter(|number| is_held_out(*number, share)).count();
        assert_eq!((count(0.0), count(0.5)), (0, 500));
        assert!((49..=50).contains(&count(0.05)), "{}", count(0.05));
        assert!((0..40).any(|number| is_held_out(number, 0.05)));
    }
}
