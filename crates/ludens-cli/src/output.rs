//! Results to standard output, notices to standard error.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::args::Common;

/// Where a command writes. Styles are stripped where colour is unwanted
/// (no terminal, `NO_COLOR`).
pub(crate) struct Output {
    out: anstream::AutoStream<io::Stdout>,
    /// The flags every command has.
    pub(crate) common: Common,
}

impl Output {
    /// Standard output.
    pub(crate) fn new(common: Common) -> Self {
        Output { out: anstream::AutoStream::auto(io::stdout()), common }
    }

    /// A piece of text with its own line ends.
    pub(crate) fn text(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.out.write_all(text.as_bytes())?)
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
        Ok(self.out.flush()?)
    }

    /// A remark on standard error with `--verbose` only.
    pub(crate) fn detail(&self, text: &str) {
        if self.common.verbose {
            self.complain_plainly(text);
        }
    }

    /// An error on standard error.
    pub(crate) fn complain(&self, text: &str) {
        self.complain_plainly(&format!("error: {text}"));
    }

    fn complain_plainly(&self, text: &str) {
        // Nothing sensible can be done when standard error is closed.
        let _ = writeln!(io::stderr(), "{text}");
    }
}
