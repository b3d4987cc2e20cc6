//! `ludens engine`: the line protocol of `docs/protocol.md` on standard input and output.

use std::io::{BufRead, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use ludens_runs::contest::Engine;

use crate::args::EngineArgs;
use crate::commands::solve::threads;
use crate::failure::Failure;
use crate::output::Output;

/// Lines longer than this are no message anybody sent.
const LONGEST_LINE: u64 = 1 << 20;

pub(crate) fn run(args: &EngineArgs, out: &mut Output) -> anyhow::Result<()> {
    out.flush()?;
    let mut engine = Engine::new(&args.agent, out.common.seed.unwrap_or(0), threads(out));
    // A search under way is stopped from the thread that reads.
    static STOP: AtomicBool = AtomicBool::new(false);
    let (send, lines) = channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut bytes = Vec::new();
            let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
            if !matches!(read, Ok(1..)) {
                break;
            }
            let line = String::from_utf8_lossy(&bytes).trim().to_owned();
            // In the order of the lines: what was said before `go` is not meant for it.
            match line.split(' ').next() {
                Some("go") => STOP.store(false, Ordering::Relaxed),
                Some("stop" | "quit") => STOP.store(true, Ordering::Relaxed),
                _ => {}
            }
            if send.send(line).is_err() {
                return;
            }
        }
    });
    let mut stdout = std::io::stdout().lock();
    for line in lines {
        match engine.take(&line, &STOP, &mut stdout) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                return Err(Failure::BrokenPipe.into());
            }
            Err(error) => return Err(Failure::Failed(format!("standard output: {error}")).into()),
        }
    }
    Ok(())
}
