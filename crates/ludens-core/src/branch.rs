//! The tree of a search, for people to look at.

use crate::Game;

/// What leads to a node of a search tree.
#[derive(Clone, Copy, Debug)]
pub enum Way<G: Game> {
    /// A player's move.
    Action(G::Action),
    /// An outcome of nature's choice after a move.
    Chance(G::Chance),
}

/// A node of a search tree as the search reports it.
pub type Branch<G> = TreeNode<Way<G>>;

/// A node of a search tree, with the ways on from it; `W` says what leads to a node.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeNode<W> {
    /// What leads here.
    pub way: W,
    /// How often the search came by.
    pub visits: u64,
    /// Its value to whoever chose the way, or to the player before where nature did, on the
    /// scale of [`Choice::value`](crate::Choice::value).
    pub value: f64,
    /// How likely a policy thought the move, or how likely nature's outcome is.
    pub prior: Option<f32>,
    /// What the selection rule makes of the way now, where it is a player's: the largest is tried
    /// next. `None` where it is not finite or nature chooses.
    pub score: Option<f32>,
    /// What the evaluator said of the position there, by itself; seen as `value` is.
    pub evaluation: Option<f32>,
    /// The part of the visits of the node above that went this way: how likely the way is to be
    /// chosen in proportion to visits.
    pub share: Option<f32>,
    /// Whether the value is proven.
    pub proven: bool,
    /// The ways on from here that were tried, the most visited first.
    pub children: Vec<TreeNode<W>>,
}
