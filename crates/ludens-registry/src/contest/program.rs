//! Programs of others as players, over lines on their standard input and output.
//!
//! Whatever such a program does (hang, flood, exit, write nonsense), its caller gets a
//! [`Forfeit`] in time; the next game begins with a new process.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use ludens_core::ParseError;
use ludens_core::error::quote;

use super::contestant::{Asked, Contestant, Forfeit};
use super::engine::{HELLO, READY};
use crate::opinion::OpinionSink;

/// The time a program has to say that it is ready.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// The time for a move unless another is asked for.
const USUAL: Duration = Duration::from_secs(1);
/// How much later than its time a move may come: the machine may be busy.
const MARGIN: Duration = Duration::from_secs(2);
/// Bytes of a line at most.
const LONGEST_LINE: u64 = 1 << 16;
/// Lines before an answer at most.
const MOST_LINES: usize = 10_000;
/// How often it is looked whether the game is still wanted.
const POLL: Duration = Duration::from_millis(20);

/// A program that plays.
pub struct Program {
    command: Vec<String>,
    game: String,
    start: String,
    moves: Vec<String>,
    process: Option<Process>,
}

/// A running program; it is killed when this is dropped.
struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Heard>,
}

/// What came from a program.
enum Heard {
    Line(String),
    /// Something that is no line of text.
    Nonsense(&'static str),
    End,
}

impl Program {
    /// The program of a command for a game; it is started when a game begins.
    pub fn new(command: Vec<String>, game: &str) -> Self {
        let game = game.to_owned();
        Program { command, game, start: String::new(), moves: Vec::new(), process: None }
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
        let alive = self.process.as_mut().is_some_and(|p| matches!(p.child.try_wait(), Ok(None)));
        if !alive {
            self.process = None;
            let started = Process::start(&self.command);
            let mut process = started.map_err(|e| Forfeit(format!("could not be started: {e}")))?;
            process.tell(HELLO)?;
            let never = std::sync::atomic::AtomicBool::new(false);
            process.hear(READY, HANDSHAKE, &never)?;
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
        let process = self.process()?;
        process.tell(&position)?;
        process.tell(&go)?;
        process.hear("bestmove", time + MARGIN, asked.stop)
    }
}

impl Contestant for Program {
    fn begin(&mut self, start: &str) -> Result<(), Forfeit> {
        start.clone_into(&mut self.start);
        self.moves.clear();
        let told = self.process().and_then(|process| process.tell("newgame"));
        self.end_after(told)
    }

    fn observe(&mut self, action: &str) {
        self.moves.push(action.to_owned());
    }

    fn choose(&mut self, asked: &Asked<'_>, _: OpinionSink<'_>) -> Result<String, Forfeit> {
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

impl Process {
    fn start(command: &[String]) -> std::io::Result<Self> {
        let mut program = Command::new(&command[0]);
        program.args(&command[1..]);
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for us; we end the program ourselves.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut program, 0);
        let mut child = program.spawn()?;
        let closed = || std::io::Error::from(ErrorKind::BrokenPipe);
        let input = child.stdin.take().ok_or_else(closed)?;
        let output = child.stdout.take().ok_or_else(closed)?;
        // A few lines wait; then the program does.
        let (send, lines) = sync_channel(64);
        std::thread::spawn(move || read(output, &send));
        Ok(Process { child, input, lines })
    }

    fn tell(&mut self, line: &str) -> Result<(), Forfeit> {
        let written = self.input.write_all(format!("{line}\n").as_bytes());
        written.and_then(|()| self.input.flush()).map_err(|_| self.gone())
    }

    /// What follows the `word` on the first line that begins with it.
    fn hear(
        &mut self,
        word: &str,
        patience: Duration,
        stop: &std::sync::atomic::AtomicBool,
    ) -> Result<String, Forfeit> {
        let begin = Instant::now();
        for _ in 0..MOST_LINES {
            let line = loop {
                let left = patience.saturating_sub(begin.elapsed());
                match self.lines.recv_timeout(left.min(POLL)) {
                    Ok(Heard::Line(line)) => break line,
                    Ok(Heard::Nonsense(what)) => return Err(Forfeit(format!("wrote {what}"))),
                    Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
                    Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                        return Err(Forfeit("was stopped".to_owned()));
                    }
                    Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                        let seconds = patience.as_secs_f64();
                        return Err(Forfeit(format!("no {word} within {seconds} s")));
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            };
            let (first, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match first {
                _ if first == word => return Ok(rest.trim().to_owned()),
                "error" => return Err(Forfeit(format!("gave up: {}", quote(rest)))),
                _ => {}
            }
        }
        Err(Forfeit(format!("wrote {MOST_LINES} lines without a {word}")))
    }

    /// How the program has ended.
    fn gone(&mut self) -> Forfeit {
        // It may take a moment from the end of its output to its own.
        for _ in 0..20 {
            match self.child.try_wait() {
                Ok(Some(status)) => return Forfeit(format!("ended with {status}")),
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                Err(_) => break,
            }
        }
        Forfeit("closed its output".to_owned())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A program that listens ends by itself; any other is ended.
        let _ = self.tell("quit");
        for _ in 0..20 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands lines over until the output ends or nobody listens any more.
fn read(output: ChildStdout, send: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        let heard = match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => Heard::End,
            Ok(_) if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") => {
                Heard::Nonsense("a line of more than 64 KiB")
            }
            Ok(_) => match String::from_utf8(bytes) {
                Ok(line) => Heard::Line(line),
                Err(_) => Heard::Nonsense("what is no UTF-8"),
            },
        };
        let last = !matches!(heard, Heard::Line(_));
        if send.send(heard).is_err() || last {
            return;
        }
    }
}
