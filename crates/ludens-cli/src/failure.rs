//! Why a command did not do what was asked, and the exit code that says so.

use std::fmt;
use std::io;
use std::process::ExitCode;

use ludens_core::ParseError;

use crate::{interrupt, output};

/// Ends that are not plain success, apart from errors of other crates.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command could not do it.
    Failed(String),
    /// The command line or a text given to it is wrong.
    Usage(String),
    /// A limit came before what was asked; what there is has been printed.
    Limit(String),
    /// Ctrl-C, or another signal to stop: what there was has been printed.
    Interrupted,
    /// The reader of our output has gone away, which is its good right.
    BrokenPipe,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Failed(message) | Failure::Usage(message) | Failure::Limit(message) => {
                f.write_str(message)
            }
            Failure::Interrupted => f.write_str("interrupted"),
            Failure::BrokenPipe => f.write_str("the output was closed"),
        }
    }
}

impl std::error::Error for Failure {}

/// An error with its causes. Some errors tell their cause themselves; it is not
/// told twice.
fn message(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

impl Failure {
    /// What kind of end an error is.
    pub(crate) fn of(error: &anyhow::Error) -> Failure {
        let text = || message(error);
        if let Some(failure) = error.downcast_ref::<Failure>() {
            return match failure {
                Failure::Failed(_) => Failure::Failed(text()),
                Failure::Usage(_) => Failure::Usage(text()),
                Failure::Limit(_) => Failure::Limit(text()),
                Failure::Interrupted => Failure::Interrupted,
                Failure::BrokenPipe => Failure::BrokenPipe,
            };
        }
        if error.downcast_ref::<ParseError>().is_some() {
            return Failure::Usage(text());
        }
        let pipe = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
        if error.downcast_ref::<io::Error>().is_some_and(pipe) {
            return Failure::BrokenPipe;
        }
        Failure::Failed(text())
    }

    /// Tells the user, and gives the exit code.
    pub(crate) fn end(&self, error: &anyhow::Error) -> ExitCode {
        match self {
            Failure::Failed(_) | Failure::Usage(_) | Failure::Limit(_) => {
                output::complain(&message(error));
            }
            Failure::Interrupted | Failure::BrokenPipe => {}
        }
        self.exit_code()
    }

    /// The exit code of the contract.
    fn exit_code(&self) -> ExitCode {
        match self {
            Failure::Failed(_) => ExitCode::from(1),
            Failure::Usage(_) => ExitCode::from(2),
            Failure::Limit(_) => ExitCode::from(3),
            Failure::Interrupted => ExitCode::from(interrupt::exit_code()),
            Failure::BrokenPipe => ExitCode::SUCCESS,
        }
    }
}
