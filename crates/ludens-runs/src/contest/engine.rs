//! The other side of the line protocol: Ludens as a program that plays.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::ParseError;
use ludens_core::error::quote;

use ludens_engine::analysis::{Analysis, Report};
use ludens_engine::contestant::{Asked, Contestant, Forfeit};
use ludens_engine::{GameHandle, Table, game};

/// How a conversation begins.
pub const HELLO: &str = "ludens 1";
/// The word that answers [`HELLO`].
pub const READY: &str = "ready";

/// A game under way, as the other side has told it.
struct Under {
    spec: String,
    handle: Box<dyn GameHandle>,
    player: Box<dyn Contestant>,
    start: String,
    moves: Vec<String>,
    table: Box<dyn Table>,
}

/// Answers the messages of the line protocol, one line at a time.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use ludens_runs::contest::Engine;
/// let mut engine = Engine::new("lookahead:1", 7, 1);
/// let (mut out, stop) = (Vec::new(), AtomicBool::new(false));
/// for line in ["ludens 1", "position connect-four 112233", "go"] {
///     assert!(engine.take(line, &stop, &mut out).unwrap());
/// }
/// assert!(String::from_utf8(out).unwrap().ends_with("bestmove 4\n"));
/// ```
pub struct Engine {
    agent: String,
    seed: u64,
    threads: usize,
    under: Option<Under>,
}

impl Engine {
    /// A program that plays as an agent does.
    pub fn new(agent: &str, seed: u64, threads: usize) -> Self {
        Engine { agent: agent.to_owned(), seed, threads, under: None }
    }

    /// Answers a line. `stop` cancels a search under way. `false` once it is over.
    ///
    /// # Errors
    /// When nothing can be written any more.
    pub fn take(
        &mut self,
        line: &str,
        stop: &AtomicBool,
        out: &mut dyn Write,
    ) -> std::io::Result<bool> {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let done = match word {
            "" | "stop" => Ok(()),
            "quit" => return Ok(false),
            "ludens" if rest.trim() == "1" => {
                writeln!(out, "id ludens {} {}", env!("CARGO_PKG_VERSION"), self.agent)?;
                writeln!(out, "{READY}")?;
                Ok(())
            }
            "newgame" => {
                self.under = None;
                Ok(())
            }
            "position" => self.position(rest),
            "go" => match self.go(rest, stop, out) {
                Ok(action) => {
                    writeln!(out, "bestmove {action}")?;
                    Ok(())
                }
                Err(error) => Err(error),
            },
            _ => {
                let expected = "ludens 1, newgame, position, go, stop or quit";
                Err(ParseError::new("line", quote(line), expected))
            }
        };
        if let Err(error) = done {
            writeln!(out, "error {error}")?;
        }
        out.flush()?;
        Ok(true)
    }

    /// `GAME TEXT [moves M ..]`.
    fn position(&mut self, text: &str) -> Result<(), ParseError> {
        let usage = || ParseError::new("position", quote(text), "GAME POSITION [moves M ..]");
        let (spec, rest) = text.trim().split_once(' ').ok_or_else(usage)?;
        // A position may hold blanks, such as before the player to move in Othello.
        let (start, moves) = match rest.split_once(" moves") {
            Some((start, moves)) if moves.is_empty() || moves.starts_with(' ') => (start, moves),
            _ => (rest, ""),
        };
        let moves: Vec<String> = moves.split_ascii_whitespace().map(str::to_owned).collect();
        // The moves that are new, if the game is the one under way.
        let known = |under: &Under| {
            under.spec == spec && under.start == start && moves.starts_with(&under.moves)
        };
        if !self.under.as_ref().is_some_and(known) {
            // The old game is over whatever becomes of the new one.
            let old = self.under.take().filter(|under| under.spec == spec);
            self.under = Some(self.begin(old, spec, start)?);
        }
        let under = self.under.as_mut().expect("a game is under way");
        for (i, text) in moves.iter().enumerate().skip(under.moves.len()) {
            let place = format!("move {}", i + 1);
            let played = under.table.play(text).map_err(|error| error.within(&place));
            match played {
                Ok(_) => under.player.observe(text),
                Err(error) => {
                    self.under = None;
                    return Err(error);
                }
            }
            under.moves.push(text.clone());
        }
        Ok(())
    }

    /// A game that begins here, with the player of the old one if there is one.
    fn begin(&self, old: Option<Under>, spec: &str, start: &str) -> Result<Under, ParseError> {
        let (handle, mut player) = match old {
            Some(Under { handle, player, .. }) => (handle, player),
            None => {
                let handle = game(spec)?;
                let player = handle.contestant(&self.agent)?.0;
                (handle, player)
            }
        };
        let table = handle.parse(start).map_err(|error| error.within("position"))?;
        let wrong = |Forfeit(why)| ParseError::new("position", why, "one that can be played");
        player.start(start).map_err(wrong)?;
        let (spec, start) = (spec.to_owned(), start.to_owned());
        Ok(Under { spec, handle, player, start, moves: Vec::new(), table })
    }

    /// `[time MS] [nodes N]`.
    fn go(
        &mut self,
        text: &str,
        stop: &AtomicBool,
        out: &mut dyn Write,
    ) -> Result<String, ParseError> {
        let (mut time, mut nodes) = (None, None);
        let mut parts = text.split_ascii_whitespace();
        while let Some(word) = parts.next() {
            let limit = match word {
                "time" => &mut time,
                "nodes" => &mut nodes,
                other => return Err(ParseError::new("go", quote(other), "time MS or nodes N")),
            };
            let value = parts.next().unwrap_or_default();
            let number = value.parse::<u64>();
            *limit = Some(number.map_err(|_| {
                ParseError::new(format!("go {word}"), quote(value), "a whole number")
            })?);
        }
        let none = || ParseError::new("go", "no position", "a position before it");
        let under = self.under.as_mut().ok_or_else(none)?;
        if matches!(under.table.turn(), ludens_engine::Turn::Over) {
            let expected = "a position with a move to make";
            return Err(ParseError::new("go", "the end of the game", expected));
        }
        let asked = Asked {
            time: time.map(Duration::from_millis),
            nodes,
            seed: ludens_core::bits::mix(self.seed.wrapping_add(under.moves.len() as u64)),
            threads: self.threads,
            stop,
        };
        let mut last: Option<Analysis> = None;
        let mut callback = |report: Report| {
            if let Report::Choice(analysis) = report {
                last = Some(analysis);
            }
        };
        let chosen = under.player.choose(&asked, &mut callback);
        if let Some(analysis) = last {
            // A reader that has gone away is noticed when the move is written.
            let _ = writeln!(out, "{}", info(&analysis));
        }
        chosen.map_err(|Forfeit(why)| ParseError::new("go", why, "a move"))
    }
}

/// What was thought, on one line.
fn info(analysis: &Analysis) -> String {
    let mut text = format!("info depth {} nodes {}", analysis.depth, analysis.nodes);
    if let Some(value) = analysis.value {
        text.push_str(&format!(" value {value:.4}"));
    }
    if !analysis.line.is_empty() {
        text.push_str(" line ");
        let moves: Vec<&str> = analysis.line.iter().map(|step| step.action.as_str()).collect();
        text.push_str(&moves.join(" "));
    }
    text
}
