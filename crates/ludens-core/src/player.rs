//! Who moves, and who won.

use std::cmp::Ordering;
use std::fmt;

use crate::{Abs, Pov};

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

    /// `+1` for player one, `-1` for player two, for the rules of games. Values change sides
    /// through [`Abs`] and [`Pov`].
    #[inline]
    pub const fn sign(self) -> i32 {
        match self {
            Player::One => 1,
            Player::Two => -1,
        }
    }

    /// A pair of the player to move, who is `self`, and the opponent turned into
    /// one of player one and player two, and back.
    ///
    /// ```
    /// use ludens_core::Player;
    /// assert_eq!(Player::Two.by_player(["mover", "opponent"]), ["opponent", "mover"]);
    /// ```
    #[inline]
    pub fn by_player<T>(self, [own, opponent]: [T; 2]) -> [T; 2] {
        match self {
            Player::One => [own, opponent],
            Player::Two => [opponent, own],
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
pub enum GameResult {
    /// That player won.
    Win(Player),
    /// Nobody won.
    Draw,
}

impl GameResult {
    /// The outcome where the larger count wins.
    ///
    /// ```
    /// use ludens_core::{GameResult, Player};
    /// assert_eq!(GameResult::of_counts([30, 34]), GameResult::Win(Player::Two));
    /// assert_eq!(GameResult::of_counts([32, 32]), GameResult::Draw);
    /// ```
    pub fn of_counts([one, two]: [u32; 2]) -> GameResult {
        match one.cmp(&two) {
            Ordering::Greater => GameResult::Win(Player::One),
            Ordering::Equal => GameResult::Draw,
            Ordering::Less => GameResult::Win(Player::Two),
        }
    }

    /// The outcome as player one's reward: 1, 0 or -1.
    ///
    /// ```
    /// use ludens_core::{GameResult, Player};
    /// assert_eq!(GameResult::Win(Player::Two).value(), -1);
    /// assert_eq!(GameResult::Draw.value(), 0);
    /// ```
    #[inline]
    pub const fn value(self) -> i32 {
        match self {
            GameResult::Win(p) => p.sign(),
            GameResult::Draw => 0,
        }
    }

    /// The outcome as a player's value: 1 won, 0 drawn, -1 lost.
    ///
    /// ```
    /// use ludens_core::{GameResult, Player, Pov};
    /// assert_eq!(GameResult::Win(Player::Two).pov(Player::Two), Pov(1));
    /// ```
    #[inline]
    pub fn pov(self, player: Player) -> Pov<i32> {
        Abs(self.value()).pov(player)
    }
}

impl From<GameResult> for Abs {
    #[inline]
    fn from(result: GameResult) -> Abs {
        Abs(result.value() as f32)
    }
}
