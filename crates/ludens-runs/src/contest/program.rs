//! Programs of others as players, over lines on their standard input and output.
//!
//! Whatever such a program does (hang, flood, exit, write nonsense), its caller gets a
//! [`Forfeit`] in time; the next game begins with a new process.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::ParseError;
use ludens_core::error::quote;

use super::engine::{HELLO, READY};
use super::process::{MOVE, Process};
use ludens_engine::analysis::Callback;
use ludens_engine::contestant::{Asked, Contestant, Forfeit};

/// The time a program has to say that it is ready.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// The time for a move unless another is asked for.
const USUAL: Duration = Duration::from_secs(1);
/// How much later than its time a move may come unless another margin is set: the machine
/// may be busy.
pub const MARGIN: Duration = Duration::from_secs(2);

/// A program that plays.
pub struct Program {
    command: Vec<String>,
    game: String,
    start: String,
    moves: Vec<String>,
    margin: Duration,
    process: Option<Process>,
}

impl Program {
    /// The program of a command for a game; it is started when a game begins. Its moves may
    /// come later than their time by `margin`.
    pub fn new(command: Vec<String>, game: &str, margin: Duration) -> Self {
        let (game, start, moves) = (game.to_owned(), String::new(), Vec::new());
        Program { command, game, start, moves, margin, process: None }
    }

    /// Starts the program once, to tell early that there is none.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn check(&self) -> Result<(), ParseError> {
        match Process::start(&self.command) {
            Ok(_) => Ok(()),
            Err(error) => {
                let found = format!("{} ({error})", quote(&self.command[0]));
                Err(ParseError::new("agent cmd", found, "a program that can be started"))
            }
        }
    }

    /// A running program that has said it is ready.
    fn process(&mut self) -> Result<&mut Process, Forfeit> {
        if !self.process.as_mut().is_some_and(Process::is_alive) {
            self.process = None;
            let started = Process::start(&self.command);
            let mut process = started.map_err(|e| Forfeit(format!("could not be started: {e}")))?;
            process.send(HELLO)?;
            process.receive(READY, HANDSHAKE, &AtomicBool::new(false))?;
            self.process = Some(process);
        }
        Ok(self.process.as_mut().expect("it was just started"))
    }

    fn answer(&mut self, asked: &Asked<'_>) -> Result<String, Forfeit> {
        let mut position = format!("position {} {}", self.game, self.start);
        if !self.moves.is_empty() {
            position.push_str(" moves ");
            position.push_str(&self.moves.join(" "));
        }
        let time = asked.time.unwrap_or(USUAL);
        let mut go = format!("go time {}", time.as_millis());
        if let Some(nodes) = asked.nodes {
            go.push_str(&format!(" nodes {nodes}"));
        }
        let margin = self.margin;
        let process = self.process()?;
        process.send(&position)?;
        process.no_move_yet()?;
        process.send(&go)?;
        process.receive(MOVE, time.saturating_add(margin), asked.stop)
    }
}

impl Contestant for Program {
    fn start(&mut self, start: &str) -> Result<(), Forfeit> {
        start.clone_into(&mut self.start);
        self.moves.clear();
        let sent = self.process().and_then(|process| process.send("newgame"));
        self.end_after(sent)
    }

    fn observe(&mut self, action: &str) {
        self.moves.push(action.to_owned());
    }

    fn choose(&mut self, asked: &Asked<'_>, _: Callback<'_>) -> Result<String, Forfeit> {
        let answer = self.answer(asked);
        self.end_after(answer)
    }
}

impl Program {
    /// A process that did something wrong is not asked again.
    fn end_after<T>(&mut self, done: Result<T, Forfeit>) -> Result<T, Forfeit> {
        if done.is_err() {
            self.process = None;
        }
        done
    }
}
