//! A program of others that runs, and lines to and from it.
//!
//! Nothing here waits for the program longer than it is asked to: threads of their own write
//! to it and read from it.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::time::{Duration, Instant};

use ludens_core::error::quote;

use ludens_engine::contestant::Forfeit;

/// The word before a move.
pub(super) const MOVE: &str = "bestmove";
/// Bytes of a line at most.
const LONGEST_LINE: u64 = 1 << 16;
/// Lines before an answer at most.
const MOST_LINES: usize = 10_000;
/// Lines that a program has not read yet, at most, besides what the system keeps for it.
const MOST_UNREAD: usize = 256;
/// How often it is looked whether the game is still wanted.
const POLL: Duration = Duration::from_millis(20);

/// A running program. It is killed when this is dropped, and whatever it has started with it.
pub(super) struct Process {
    child: Child,
    input: SyncSender<String>,
    lines: Receiver<Received>,
    ended: Option<ExitStatus>,
}

/// What came from a program.
enum Received {
    Line(String),
    /// Something that is no line of text.
    Nonsense(&'static str),
    End,
}

impl Process {
    pub(super) fn start(command: &[String]) -> std::io::Result<Self> {
        let mut program = Command::new(&command[0]);
        program.args(&command[1..]);
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for us: we end the program ourselves, and all of its group.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut program, 0);
        let mut child = program.spawn()?;
        let closed = || std::io::Error::from(ErrorKind::BrokenPipe);
        let input = child.stdin.take().ok_or_else(closed)?;
        let output = child.stdout.take().ok_or_else(closed)?;
        let (sender, receiver) = sync_channel(MOST_UNREAD);
        std::thread::spawn(move || write(input, &receiver));
        // A few lines wait; then the program does.
        let (send, lines) = sync_channel(64);
        std::thread::spawn(move || read(output, &send));
        Ok(Process { child, input: sender, lines, ended: None })
    }

    /// Whether it still runs.
    pub(super) fn is_alive(&mut self) -> bool {
        self.status().is_none()
    }

    /// Sends a line, without waiting until it is read.
    pub(super) fn send(&mut self, line: &str) -> Result<(), Forfeit> {
        self.input.try_send(format!("{line}\n")).map_err(|error| match error {
            TrySendError::Full(_) => {
                Forfeit(format!("has not read {MOST_UNREAD} lines that it was sent"))
            }
            TrySendError::Disconnected(_) => self.gone(),
        })
    }

    /// Makes sure that no move has come so far, for none was asked for.
    pub(super) fn no_move_yet(&mut self) -> Result<(), Forfeit> {
        for _ in 0..MOST_LINES {
            let line = match self.lines.try_recv() {
                Err(TryRecvError::Empty) => return Ok(()),
                Ok(received) => self.line(Some(received))?,
                Err(TryRecvError::Disconnected) => self.line(None)?,
            };
            if first_word(&line).0 == MOVE {
                return Err(early(&line));
            }
        }
        Err(Forfeit(format!("wrote {MOST_LINES} lines before it was asked for a move")))
    }

    /// What follows the `word` on the first line that begins with it.
    pub(super) fn receive(
        &mut self,
        word: &str,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<String, Forfeit> {
        let begin = Instant::now();
        for _ in 0..MOST_LINES {
            let line = loop {
                let left = patience.saturating_sub(begin.elapsed());
                match self.lines.recv_timeout(left.min(POLL)) {
                    Ok(received) => break self.line(Some(received))?,
                    Err(RecvTimeoutError::Disconnected) => break self.line(None)?,
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
            match first_word(&line) {
                (first, rest) if first == word => return Ok(rest.trim().to_owned()),
                (MOVE, _) => return Err(early(&line)),
                _ => {}
            }
        }
        Err(Forfeit(format!("wrote {MOST_LINES} lines without a {word}")))
    }

    /// The line that was received, if the program has not given up.
    fn line(&mut self, received: Option<Received>) -> Result<String, Forfeit> {
        match received {
            Some(Received::Line(line)) => match first_word(&line) {
                ("error", rest) => Err(Forfeit(format!("gave up: {}", quote(rest)))),
                _ => Ok(line),
            },
            Some(Received::Nonsense(what)) => Err(Forfeit(format!("wrote {what}"))),
            Some(Received::End) | None => Err(self.gone()),
        }
    }

    /// How the program has ended.
    fn gone(&mut self) -> Forfeit {
        // It may take a moment from the end of its output to its own.
        for _ in 0..20 {
            match self.status() {
                Some(status) => return Forfeit(format!("ended with {status}")),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
        Forfeit("closed its output".to_owned())
    }

    /// How it has ended; what it has started ends with it.
    fn status(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() && has_exited(&mut self.child) {
            // Before it is waited for: as long as it is not, nobody else has its number.
            kill_group(&mut self.child);
            self.ended = self.child.wait().ok();
        }
        self.ended
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A program that listens ends by itself; any other is ended.
        let _ = self.send("quit");
        for _ in 0..20 {
            if self.status().is_some() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        kill_group(&mut self.child);
        let _ = self.child.wait();
    }
}

/// Whether a program has ended; it still has its number then.
#[cfg(unix)]
fn has_exited(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(Pid::from_child(child)), options);
    // A number that cannot be asked for is nobody's.
    status.map_or(true, |status| status.is_some())
}

#[cfg(not(unix))]
fn has_exited(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Kills a program with all that it has started, unless they have left its group.
#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // There may be nobody left, which is what is wanted.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

/// A move that nobody asked for.
fn early(line: &str) -> Forfeit {
    Forfeit(format!("wrote {} before go", quote(line.trim())))
}

fn first_word(line: &str) -> (&str, &str) {
    line.trim().split_once(' ').unwrap_or((line.trim(), ""))
}

/// Passes lines on until the program is gone or nobody sends any more.
fn write(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Hands lines over until the output ends or nobody listens any more.
fn read(output: ChildStdout, send: &SyncSender<Received>) {
    let mut output = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        let received = match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => Received::End,
            Ok(_) if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") => {
                Received::Nonsense("a line of more than 64 KiB")
            }
            Ok(_) => match String::from_utf8(bytes) {
                Ok(line) => Received::Line(line),
                Err(_) => Received::Nonsense("what is no UTF-8"),
            },
        };
        let last = !matches!(received, Received::Line(_));
        if send.send(received).is_err() || last {
            return;
        }
    }
}
