//! A game in progress, whatever the game.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::{GameResult, Movement, Notation, ParseError, Player, Record, Throughput, View};

use crate::agents::{AgentInfo, Named};
use crate::analysis::solver::SolverInfo;
use crate::analysis::{Analysis, AnalysisError, Callback, Request};
use crate::levels::Level;
use crate::objective::Objective;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// That player is to move.
    Move(Player),
    /// The game is over.
    Over,
}

/// A legal move, for menus and pointers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Legal {
    /// Its text.
    pub text: String,
    /// The cells of the view it touches.
    pub cells: Vec<usize>,
    /// Column and row, in games whose JSON moves are `[c,r]`.
    pub pair: Option<[u8; 2]>,
    /// What it pays before nature acts.
    pub reward: i64,
}

impl Legal {
    /// A legal move of a position.
    pub(crate) fn of<G: Notation>(position: &G, action: G::Action) -> Self {
        Legal {
            text: position.action_text(action),
            cells: position.action_cells(action),
            pair: position.action_pair(action),
            reward: i64::from(position.apply(action).1),
        }
    }
}

/// What a move came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// Who moved.
    pub player: Player,
    /// The action.
    pub action: Legal,
    /// What nature did, where it had a choice.
    pub chance: Option<String>,
    /// What the turn paid.
    pub reward: i64,
}

/// A game in progress with its history, randomness and players.
///
/// The object is crossed once per move, never inside a search.
pub trait Table: Send {
    /// The game with its variant, such as `sevn:base=5`.
    fn spec(&self) -> String;
    /// One or two.
    fn players(&self) -> usize;
    /// What it is played for.
    fn objective(&self) -> Objective;
    /// The position as text.
    fn position(&self) -> String;
    /// What it looks like.
    fn view(&self) -> View;
    /// The cells of the view that decided the game, such as a winning four.
    fn winning_cells(&self) -> Vec<usize>;
    /// How the pieces moved in a move of the history, from its view to the next.
    fn motion(&self, ply: usize) -> Vec<Movement>;
    /// Whose turn it is.
    fn turn(&self) -> Turn;
    /// Who won, in a finished game with winners.
    fn outcome(&self) -> Option<GameResult>;
    /// The legal moves.
    fn actions(&self) -> Vec<Legal>;
    /// How many legal moves there are.
    fn action_count(&self) -> usize;
    /// The sum of the rewards since the start of this table.
    fn total(&self) -> i64;
    /// The moves since the start of this table.
    fn history(&self) -> &[Played];

    /// Plays a move; nature acts by the table's own generator.
    ///
    /// # Errors
    /// When the text is no legal move; the table stays as it was.
    fn play(&mut self, action: &str) -> Result<&Played, ParseError>;

    /// Plays a recorded move with its recorded outcome.
    ///
    /// # Errors
    /// When the move or the outcome is impossible; the table stays as it was.
    fn replay(&mut self, action: &str, chance: Option<&str>) -> Result<&Played, ParseError>;

    /// Takes the last move back. The same move played again meets the same luck.
    /// `false` at the start.
    fn undo(&mut self) -> bool;

    /// Draws what is still to come from another seed: a position that was given
    /// as text has none of its own.
    fn reseed(&mut self, seed: u64);

    /// Notes how long the last move took, for the record.
    fn note_time(&mut self, time: Duration);

    /// Puts an agent on a seat.
    ///
    /// # Errors
    /// When there is no such agent or the game has no such seat.
    fn seat(&mut self, player: Player, agent: &str) -> Result<(), ParseError>;

    /// The name of who sits there.
    fn seated(&self, player: Player) -> &str;

    /// The checksums of the networks and tables that who sits there was made with.
    fn weights(&self, player: Player) -> &[String];

    /// The agents of this game, the person first.
    fn agents(&self) -> Vec<AgentInfo>;

    /// Tries to make an agent with these parameters.
    ///
    /// # Errors
    /// When there is no such agent, a parameter is wrong, or it has no network for this variant.
    fn check_agent(&self, agent: &str) -> Result<(), ParseError>;

    /// Whether an agent with these parameters can be made here.
    fn has_agent(&self, agent: &str) -> bool {
        self.check_agent(agent).is_ok()
    }

    /// The agent that is asked about positions of this game and variant when nobody is named;
    /// `None` where a solver answers.
    fn adviser(&self) -> Option<&'static str>;

    /// Who plays against a person who has chosen nobody; `None` in games of one player.
    fn opponent(&self) -> Option<&'static str>;

    /// The levels of play of this game, the weakest first; none where it has no agent `level`.
    fn levels(&self) -> Vec<Level>;

    /// The agent that plays this game perfectly from the start, where there is one.
    fn perfect(&self) -> Option<&'static str>;

    /// Lets the agent to move choose; `None` when that is a person, or the game is over. The
    /// method of the request does not count.
    fn think(
        &mut self,
        request: &Request,
        stop: &AtomicBool,
        callback: Callback<'_>,
    ) -> Option<Analysis>;

    /// Lets the agent to move choose and plays its move; `None` when that is a person, or the game
    /// is over.
    ///
    /// # Errors
    /// When the agent's move is not legal.
    fn play_agent(
        &mut self,
        request: &Request,
        stop: &AtomicBool,
    ) -> Result<Option<Played>, ParseError> {
        let best = self.think(request, stop, &mut |_| {}).and_then(|analysis| analysis.best);
        best.map(|best| self.play(&best.text).cloned()).transpose()
    }

    /// Analyses this position by a solver or an agent, without taking a seat.
    ///
    /// # Errors
    /// When there is no such solver or agent, the game is over, or nothing was found.
    fn analyze(
        &self,
        request: &Request,
        stop: &AtomicBool,
        callback: Callback<'_>,
    ) -> Result<Analysis, AnalysisError>;

    /// The whole game so far.
    fn record(&self) -> Record;

    /// The solvers of this game, the default first.
    fn solvers(&self) -> Vec<SolverInfo>;

    /// A solver whose parameters are right, as results are kept under; without a text the default
    /// one, or the one that proves.
    ///
    /// # Errors
    /// When the game has no such solver.
    fn solver_name(&self, solver: Option<&str>, prove: bool) -> Result<Named, ParseError>;

    /// Node counts from here, see [`ludens_core::perft()`].
    ///
    /// # Errors
    /// Gives back the complete counts when `stop` ended it.
    fn perft(&self, depth: usize, stop: &dyn Fn() -> bool) -> Result<Vec<u64>, Vec<u64>>;

    /// Plays random games from here for about `span`.
    fn throughput(&self, span: Duration, seed: u64, threads: u16) -> Throughput;

    /// Lists and hashes the children of positions of random games from here for
    /// about `span`, on this thread; gives children per second.
    fn expansion(&self, span: Duration, seed: u64) -> f64;

    /// A fingerprint of `games` seeded random games from here: it changes when
    /// the rules, the random generator or the keys of positions do.
    fn signature(&self, games: u64, seed: u64) -> u64;
}
