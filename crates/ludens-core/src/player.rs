//! Who moves, and who won.

use std::fmt;

/// One of the two sides. A solo game is always [`Player::One`]'s.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Player {
    /// The first player, whose rewards [`crate::Reward`]s are.
    #[default]
    One,
    /// The second player, who wants [`Player::One`]'s rewards to be small.
    Two,
}

impl Player {
    /// The other side.
    ///
    /// ```
    /// use ludens_core::Player;
    /// assert_eq!(Player::One.opponent(), Player::Two);
    /// ```
    #[inline]
    pub const fn opponent(self) -> Self {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }

    /// `+1` for player one, `-1` for player two: turns a value seen by the
    /// mover into one seen by player one, and back.
    #[inline]
    pub const fn sign(self) -> i32 {
        match self {
            Player::One => 1,
            Player::Two => -1,
        }
    }

    /// 0 or 1, for arrays indexed by player.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::One => "1",
            Player::Two => "2",
        })
    }
}

/// How a finished two-player game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// That player won.
    Win(Player),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The outcome as player one's reward: 1, 0 or -1.
    ///
    /// ```
    /// use ludens_core::{Outcome, Player};
    /// assert_eq!(Outcome::Win(Player::Two).value(), -1);
    /// assert_eq!(Outcome::Draw.value(), 0);
    /// ```
    #[inline]
    pub const fn value(self) -> i32 {
        match self {
            Outcome::Win(p) => p.sign(),
            Outcome::Draw => 0,
        }
    }
}
