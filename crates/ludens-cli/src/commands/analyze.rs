//! `ludens analyze`: searches asked for in JSON lines, see `docs/analysis.md`.

use std::io::{BufRead, Read, Write};
use std::sync::{Arc, OnceLock};

use anyhow::Context;
use ludens_engine::analysis::{Limits, Lines};
use serde_json::Value;

use crate::failure::Failure;
use crate::output::{Output, STDOUT};
use crate::{interrupt, units};

/// Lines longer than this are no request anybody made.
const LONGEST_LINE: u64 = 2 << 20;

pub(crate) fn run(out: &mut Output) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = out.common.threads.map_or(cores, usize::from);
    let limits = Limits { time: None, memory: units::default_memory(), threads, files: true };
    out.flush()?;
    let failed = Arc::new(OnceLock::new());
    let first = Arc::clone(&failed);
    let lines = Lines::new(threads, limits, move |line| {
        let mut stdout = std::io::stdout().lock();
        // What cannot be written is told at the end, which is noticed on input.
        if let Err(error) = writeln!(stdout, "{line}").and_then(|()| stdout.flush()) {
            let _ = first.set(error.kind());
        }
    });
    interrupt::install();
    std::thread::scope(|scope| {
        let (done, ended) = std::sync::mpsc::channel::<()>();
        let watched = &lines;
        scope.spawn(move || {
            // Ctrl-C ends everything under way with what it has.
            let tick = std::time::Duration::from_millis(50);
            while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = ended.recv_timeout(tick) {
                if interrupt::requested() {
                    watched.stop_all();
                }
            }
        });
        let read = read(&lines);
        drop(done);
        read
    })?;
    if interrupt::requested() {
        lines.stop_all();
    }
    lines.finish();
    if let Some(kind) = failed.get() {
        return Err(std::io::Error::from(*kind)).context(STDOUT);
    }
    if interrupt::requested() { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// Hands every line of standard input over, good or bad.
fn read(lines: &Lines) -> anyhow::Result<()> {
    let mut input = std::io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes)
            .context("standard input")?;
        if bytes.is_empty() || interrupt::requested() {
            return Ok(());
        }
        if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
            input.skip_until(b'\n').context("standard input")?;
            lines.refuse(&Value::Null, "line: found more than 2 MiB, expected a request");
            continue;
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => lines.take(text),
            Err(_) => lines.refuse(&Value::Null, "line: found no UTF-8, expected a request"),
        }
    }
}
