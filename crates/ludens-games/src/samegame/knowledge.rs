//! What searches may know about SameGame: Klein's (2015) over-estimator with its
//! bonus-available test, the bonus of a cleared board, codes of moves.
//!
//! Reference: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search*
//! (2015), sections 2.3 and 6.4.

use ludens_core::bits::mix;
use ludens_core::{Bounded, Knowledge, Symmetric};

use super::variant::Scoring;
use super::{Group, SameGame, VsSameGame, board};

/// The knowledge of SameGame, for the whole game and for the pruned one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SameGameKnowledge;

impl SameGame {
    /// Whether clearing the board is not ruled out: no colour has exactly one
    /// block. A single block of a colour can never be removed.
    pub fn bonus_available(&self) -> bool {
        self.colour_counts().iter().all(|&count| count != 1)
    }

    /// The over-estimator: all blocks of each colour in one move, and the bonus
    /// for clearing the board if it is available.
    ///
    /// No line has a larger value. A colour's moves remove `n_1 + .. + n_k <= n`
    /// blocks with every `n_i >= 2`, and for such numbers `(a-2)^2 + (b-2)^2 <=
    /// (a+b-2)^2` as well as `a(a-1) + b(b-1) <= (a+b)(a+b-1)`; what blocks left
    /// cost only lowers the sum.
    pub fn over_estimate(&self) -> i64 {
        let counts = self.colour_counts();
        let scoring = self.variant.scoring();
        let groups: i64 =
            counts.iter().filter(|&&n| n >= 2).map(|&n| i64::from(scoring.group(n))).sum();
        let bonus = match scoring {
            Scoring::SameGame(_) if counts.iter().any(|&n| n > 0) && self.bonus_available() => {
                i64::from(scoring.end([0; 7]))
            }
            _ => 0,
        };
        groups + bonus
    }

    /// What the move to this position paid for clearing the board.
    fn cleared_bonus(&self) -> i64 {
        if self.blocks() == 0 { i64::from(self.variant.scoring().end([0; 7])) } else { 0 }
    }

    /// A code of the colour and the cells a move removes.
    fn move_code(&self, group: Group) -> u64 {
        let start = u64::from(self.code(group.0));
        board::group_at(self, group.0).iter().fold(start, |code, &word| mix(code ^ word))
    }
}

impl Bounded for SameGame {
    fn upper_bound(&self) -> i64 {
        self.over_estimate()
    }
}

impl Knowledge<SameGame> for SameGameKnowledge {
    fn upper_bound(&self, position: &SameGame) -> Option<i64> {
        Some(position.over_estimate())
    }

    fn end_bonus(&self, position: &SameGame) -> i64 {
        position.cleared_bonus()
    }

    fn code(&self, position: &SameGame, action: Group) -> u64 {
        position.move_code(action)
    }

    fn canonical(&self, position: &SameGame) -> SameGame {
        position.canonical()
    }
}

impl Knowledge<VsSameGame> for SameGameKnowledge {
    fn upper_bound(&self, position: &VsSameGame) -> Option<i64> {
        Some(position.board().over_estimate())
    }

    fn end_bonus(&self, position: &VsSameGame) -> i64 {
        position.board().cleared_bonus()
    }

    fn code(&self, position: &VsSameGame, action: Group) -> u64 {
        position.board().move_code(action)
    }

    fn canonical(&self, position: &VsSameGame) -> VsSameGame {
        VsSameGame::new(position.board().canonical())
    }
}
