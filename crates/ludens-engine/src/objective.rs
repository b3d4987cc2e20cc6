//! What a game is played for.

/// What a game is played for. It tells how values are counted and shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// The end in as few moves as possible: every move pays -1.
    FewestMoves,
    /// As many points as possible.
    MostPoints,
    /// To win.
    Win,
}

impl Objective {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Objective::FewestMoves => "fewest-moves",
            Objective::MostPoints => "most-points",
            Objective::Win => "win",
        }
    }

    /// Whether few moves are the aim.
    pub fn is_fewest_moves(self) -> bool {
        self == Objective::FewestMoves
    }
}
