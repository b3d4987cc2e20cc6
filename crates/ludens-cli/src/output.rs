//! Results to standard output, notices to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use serde_json::{Value, json};

use crate::args::Common;

/// How messages name it.
pub(crate) const STDOUT: &str = "standard output";

/// Where a command writes. Styles are stripped where colour is unwanted
/// (no terminal, `NO_COLOR`).
pub(crate) struct Output {
    out: anstream::AutoStream<io::Stdout>,
    /// The first failure to write, which [`finish`](Output::finish) tells, whoever ignored it.
    failed: Option<io::ErrorKind>,
    /// The flags every command has.
    pub(crate) common: Common,
}

impl Output {
    /// Standard output.
    pub(crate) fn new(common: Common) -> Self {
        Output { out: anstream::AutoStream::auto(io::stdout()), failed: None, common }
    }

    /// A piece of text with its own line ends.
    pub(crate) fn text(&mut self, text: &str) -> anyhow::Result<()> {
        let written = self.out.write_all(text.as_bytes());
        self.noted(written)
    }

    /// A line of text.
    pub(crate) fn line(&mut self, text: &str) -> anyhow::Result<()> {
        self.text(text)?;
        self.text("\n")
    }

    /// A JSON document on one line.
    pub(crate) fn json(&mut self, value: &Value) -> anyhow::Result<()> {
        self.line(&value.to_string())?;
        self.flush()
    }

    /// A whole text that is the result itself: as it is, or as the field `text`
    /// of a JSON document.
    pub(crate) fn document(&mut self, text: &str) -> anyhow::Result<()> {
        if self.common.json { self.json(&json!({ "text": text })) } else { self.text(text) }
    }

    /// Makes sure that everything is out.
    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        let flushed = self.out.flush();
        self.noted(flushed)
    }

    /// Ends a command: everything that it wrote must be out.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        self.flush()?;
        match self.failed {
            None => Ok(()),
            Some(kind) => Err(io::Error::from(kind)).context(STDOUT),
        }
    }

    fn noted(&mut self, written: io::Result<()>) -> anyhow::Result<()> {
        if let Err(error) = &written {
            self.failed.get_or_insert(error.kind());
        }
        written.context(STDOUT)
    }

    /// The line that shows progress: on a terminal, unless `--quiet` is given.
    pub(crate) fn status(&self) -> StatusLine {
        StatusLine { shown: !self.common.quiet && io::stderr().is_terminal() }
    }

    /// A remark on standard error, unless `--quiet` is given.
    pub(crate) fn note(&self, text: &str) {
        if !self.common.quiet {
            remark(&format!("note: {text}"));
        }
    }

    /// A remark on standard error with `--verbose` only.
    pub(crate) fn detail(&self, text: &str) {
        if self.common.verbose {
            remark(text);
        }
    }
}

/// A line of standard error that each progress overwrites.
#[derive(Clone, Copy)]
pub(crate) struct StatusLine {
    shown: bool,
}

impl StatusLine {
    /// Writes it anew.
    pub(crate) fn show(self, text: impl Display) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K{text}");
        }
    }

    /// Takes it away.
    pub(crate) fn clear(self) {
        self.show("");
    }
}

/// An error on standard error.
pub(crate) fn complain(text: &str) {
    remark(&format!("error: {text}"));
}

fn remark(text: &str) {
    // Nothing sensible can be done when standard error is closed.
    let _ = writeln!(io::stderr(), "{text}");
}
