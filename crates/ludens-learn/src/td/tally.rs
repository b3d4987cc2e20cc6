//! What episodes came to.

use ludens_core::Cells;
use serde_json::{Map, Value, json};

/// Sums over episodes.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    /// Episodes that began at the start of the game.
    pub episodes: u64,
    /// The sum of their scores.
    pub score: i64,
    /// The largest of their scores.
    pub best: i64,
    /// Moves of all episodes, also of those that began later.
    pub moves: u64,
    /// By number, in how many episodes it was the largest at the end.
    pub largest: [u64; 64],
}

impl Default for Tally {
    fn default() -> Self {
        Tally { episodes: 0, score: 0, best: i64::MIN, moves: 0, largest: [0; 64] }
    }
}

impl Tally {
    /// Adds another's sums.
    pub fn merge(&mut self, other: &Tally) {
        self.episodes += other.episodes;
        self.score += other.score;
        self.best = self.best.max(other.best);
        self.moves += other.moves;
        for (sum, more) in self.largest.iter_mut().zip(&other.largest) {
            *sum += more;
        }
    }

    /// Adds an episode with its last afterstate, on a board of this many cells.
    pub fn count<G: Cells>(&mut self, score: i64, last: Option<&G::After>, cells: usize) {
        self.episodes += 1;
        self.score += score;
        self.best = self.best.max(score);
        let mut numbers = [0u8; 64];
        if let Some(after) = last {
            G::write_cells(after, &mut numbers[..cells]);
        }
        let largest = numbers.iter().max().copied().unwrap_or(0);
        self.largest[usize::from(largest.min(63))] += 1;
    }

    /// The mean score; 0 without episodes.
    pub fn mean(&self) -> f64 {
        if self.episodes == 0 { 0.0 } else { self.score as f64 / self.episodes as f64 }
    }

    /// The tiles that at least one episode reached, each with the share of
    /// episodes that reached it, the largest first.
    pub fn rates<G: Cells>(&self) -> Vec<(u64, f64)> {
        let mut reached = 0;
        let mut rates = Vec::new();
        for number in (1..64u8).rev() {
            reached += self.largest[usize::from(number)];
            if reached > 0 {
                rates.push((G::tile(number), reached as f64 / self.episodes as f64));
            }
        }
        rates
    }

    /// The metrics as JSON: `mean_score`, `max_score`, and per tile its `rate`.
    pub fn to_json<G: Cells>(&self) -> Map<String, Value> {
        let mut rates = Map::new();
        for (tile, rate) in self.rates::<G>() {
            rates.insert(tile.to_string(), json!(rate));
        }
        let mut out = Map::new();
        out.insert("mean_score".to_owned(), json!(self.mean()));
        out.insert("max_score".to_owned(), json!((self.episodes > 0).then_some(self.best)));
        out.insert("rate".to_owned(), Value::Object(rates));
        out
    }
}
