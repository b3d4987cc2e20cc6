//! What a tree search did, as the tables of Klein (2015) print it.

/// Statistics of one search, or sums over the runs of a meta-search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchStatistics {
    /// Iterations of the loop.
    pub iterations: u64,
    /// Nodes created.
    pub nodes: u64,
    /// Terminal nodes among them.
    pub terminals: u64,
    /// The sum of their depths.
    pub depths: u64,
    /// Nodes created at each depth below the first position.
    pub per_depth: Vec<u64>,
    /// Positions reached that were in the tree already.
    pub hits: u64,
    /// The sum of the depths of these.
    pub hit_depths: u64,
    /// How many of these were reached with a larger score than before.
    pub suboptimal: u64,
    /// Simulations, and the sum of the lengths of their games from the start.
    pub games: u64,
    /// See [`SearchStatistics::games`].
    pub game_lengths: u64,
    /// Positions inspected.
    pub states: u64,
    /// Resource units spent, in eighths.
    pub eighths: u64,
}

impl SearchStatistics {
    /// Notes a new node.
    pub fn created(&mut self, depth: usize) {
        self.nodes += 1;
        self.depths += depth as u64;
        if self.per_depth.len() <= depth {
            self.per_depth.resize(depth + 1, 0);
        }
        self.per_depth[depth] += 1;
    }

    /// The mean depth of a node.
    pub fn average_depth(&self) -> f64 {
        ratio(self.depths, self.nodes)
    }

    /// The depth of the deepest node.
    pub fn maximum_depth(&self) -> usize {
        self.per_depth.len().saturating_sub(1)
    }

    /// The mean depth at which a position was found again.
    pub fn hit_depth(&self) -> f64 {
        ratio(self.hit_depths, self.hits)
    }

    /// The mean length of a game.
    pub fn game_length(&self) -> f64 {
        ratio(self.game_lengths, self.games)
    }

    /// Resource units spent.
    pub fn units(&self) -> f64 {
        self.eighths as f64 / 8.0
    }

    /// Adds the statistics of another search.
    pub fn add(&mut self, other: &SearchStatistics) {
        self.iterations += other.iterations;
        self.nodes += other.nodes;
        self.depths += other.depths;
        self.terminals += other.terminals;
        self.hits += other.hits;
        self.hit_depths += other.hit_depths;
        self.suboptimal += other.suboptimal;
        self.games += other.games;
        self.game_lengths += other.game_lengths;
        self.states += other.states;
        self.eighths += other.eighths;
        if self.per_depth.len() < other.per_depth.len() {
            self.per_depth.resize(other.per_depth.len(), 0);
        }
        for (sum, n) in self.per_depth.iter_mut().zip(&other.per_depth) {
            *sum += n;
        }
    }
}

fn ratio(sum: u64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}
