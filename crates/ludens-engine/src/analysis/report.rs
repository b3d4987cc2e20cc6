//! What is found out about a position, whatever the game and the method.

use std::time::Duration;

use ludens_core::{SearchStatistics, TreeNode};

use crate::Legal;

/// What a solver or an agent found out about a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Analysis {
    /// The solver or agent with its parameters.
    pub method: String,
    /// Whether the method is an agent.
    pub by_agent: bool,
    /// The best move; `None` when the game is over or nothing was found.
    pub best: Option<Legal>,
    /// The value of the position for the player to move: between -1 (lost) and 1 (won) by agents
    /// in games with winners, in the prover's unit by proofs, the points still to come elsewhere.
    pub value: Option<f64>,
    /// Whether the value is that of best play.
    pub proven: bool,
    /// What is known of the moves; agents put the best first.
    pub moves: Vec<MoveAnalysis>,
    /// The play that is expected.
    pub line: Vec<Step>,
    /// Positions looked at.
    pub nodes: u64,
    /// How many moves were looked ahead; 0 where that means nothing.
    pub depth: u32,
    /// The time it took.
    pub time: Duration,
    /// The most visited part of an agent's tree, where it was asked for.
    pub tree: Vec<TreeNode<NamedWay>>,
    /// What only some methods find out.
    pub details: Details,
}

/// What only some methods find out.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Details {
    /// Nothing else.
    #[default]
    None,
    /// The best line of a puzzle.
    Line(Solved),
    /// Bounds of the moves' values by proof; a positive value wins.
    Bounds {
        /// What a value counts: `score`, `discs` or `result`.
        unit: &'static str,
    },
    /// What moves cost in a game of as few moves as possible, as their bounds.
    Costs {
        /// Between which numbers the fewest moves from here lie.
        optimum: (u32, u32),
    },
    /// Games played on from the position.
    Episodes {
        /// What each still scored.
        scores: Vec<f64>,
        /// Tiles with how many of the games reached them.
        reached: Vec<(u64, usize)>,
    },
    /// A table of exact values of a whole game.
    Table(TableFacts),
}

/// What a table of exact values says of the game and of one position or afterstate.
#[derive(Clone, PartialEq, Debug)]
pub struct TableFacts {
    /// The position or afterstate as it is written.
    pub text: String,
    /// Whether it is an afterstate.
    pub afterstate: bool,
    /// The least and the largest score still to come, whatever nature does; `None` where no play
    /// from a start leads to it.
    pub range: Option<(i32, i32)>,
    /// Reachable positions.
    pub positions: u64,
    /// Reachable afterstates.
    pub afterstates: u64,
    /// The expected score of a whole game.
    pub start: f64,
    /// Sweeps over all positions, for iterations.
    pub sweeps: Option<usize>,
}

/// A move of an expected line, with what chance is expected to do after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The move.
    pub action: String,
    /// The likeliest outcome where there is chance.
    pub chance: Option<String>,
}

/// What is known of one move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveAnalysis {
    /// The move.
    pub action: Legal,
    /// Its value for the mover, on the scale of [`Analysis::value`].
    pub value: Option<f64>,
    /// Between which values the true one lies, by proof.
    pub bounds: Option<(i32, i32)>,
    /// How often a tree search tried it.
    pub visits: Option<u64>,
    /// How likely a policy rated it.
    pub prior: Option<f32>,
}

impl MoveAnalysis {
    /// Whether its value is proven.
    pub fn is_proven(&self) -> bool {
        self.bounds.is_some_and(|(low, high)| low == high)
    }
}

/// What leads to a node of an agent's tree, as text.
#[derive(Clone, PartialEq, Debug)]
pub enum NamedWay {
    /// A move.
    Action(Legal),
    /// What chance chose.
    Chance(String),
}

/// A line of play, while the search goes on or at its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The solver with its parameters.
    pub solver: String,
    /// The moves.
    pub moves: Vec<Legal>,
    /// The sum of their rewards.
    pub value: i64,
    /// No line has a larger value, if known.
    pub bound: Option<i64>,
    /// Whether it is known that no line is better.
    pub proven: bool,
    /// Whether the line leads to the end of the game.
    pub finished: bool,
    /// Whether nothing is left on the board at its end.
    pub cleared: bool,
    /// Positions generated.
    pub nodes: u64,
    /// Time since the search started.
    pub time: Duration,
    /// Statistics of the search, once it is over, if it keeps them.
    pub statistics: Option<SearchStatistics>,
}

/// News from a running search.
#[derive(Clone, PartialEq, Debug)]
pub enum Report {
    /// How far a solver has come.
    Progress(Progress),
    /// What an agent would choose now.
    Choice(Analysis),
}

/// How far a solver has come.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// The best line so far, when it is new.
    pub improved: Option<Solved>,
    /// No line can have a larger value, as far as is known.
    pub bound: Option<i64>,
    /// Positions generated so far.
    pub nodes: u64,
    /// What the search is doing.
    pub stage: String,
    /// Time since the search started.
    pub time: Duration,
}

impl Analysis {
    /// The best line of a puzzle, where that is what was found.
    pub fn solved(&self) -> Option<&Solved> {
        match &self.details {
            Details::Line(solved) => Some(solved),
            _ => None,
        }
    }

    /// Whether the value of one of its moves is proven. Where the whole is proven without bounds,
    /// as by a table, moves have proven values or none.
    pub fn proves(&self, one: &MoveAnalysis) -> bool {
        one.is_proven() || self.proven && one.bounds.is_none() && one.value.is_some()
    }

    /// Between which values that of the position lies, by proof; `None` when it is over.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        let bounds = || self.moves.iter().filter_map(|one| one.bounds);
        Some((bounds().map(|(low, _)| low).max()?, bounds().map(|(_, high)| high).max()?))
    }

    /// The moves that keep the value of the position, if that is proven; otherwise those that may
    /// be the best.
    pub fn best_moves(&self) -> impl Iterator<Item = &MoveAnalysis> {
        let low = self.bounds().map_or(i32::MAX, |(low, _)| low);
        let may_be_best = move |(least, most): (i32, i32)| {
            if self.proven { least == low } else { most >= low }
        };
        self.moves.iter().filter(move |one| one.bounds.is_some_and(may_be_best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_moves_keep_the_value() {
        let one = |text: &str, bounds| MoveAnalysis {
            action: Legal { text: text.to_owned(), cells: Vec::new(), pair: None, reward: 0 },
            value: None,
            bounds: Some(bounds),
            visits: None,
            prior: None,
        };
        let moves = vec![one("a", (1, 1)), one("b", (-3, 4)), one("c", (-2, -2))];
        let open = Analysis { moves, ..Analysis::default() };
        let best = |analysis: &Analysis| -> Vec<String> {
            analysis.best_moves().map(|one| one.action.text.clone()).collect()
        };
        assert_eq!(open.bounds(), Some((1, 4)));
        assert_eq!(best(&open), ["a", "b"]);
        let mut proven = Analysis { proven: true, ..open };
        proven.moves[1].bounds = Some((0, 0));
        assert_eq!(best(&proven), ["a"]);
        assert_eq!(Analysis::default().bounds(), None);
    }
}
