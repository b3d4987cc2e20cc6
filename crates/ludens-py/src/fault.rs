//! Errors as Python sees them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(
    ludens,
    LudensError,
    PyException,
    "What was asked for is right, but it failed: a limit came first, a file cannot be read, or \
     Ludens has a fault."
);

/// Wrong input: `ValueError` with the text of the command line.
pub(crate) fn usage(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Anything else.
pub(crate) fn failed(error: impl std::fmt::Display) -> PyErr {
    LudensError::new_err(error.to_string())
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    format!("a fault of Ludens, please report it: {text}")
}

/// Does some work without the interpreter; a panic becomes a [`LudensError`].
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    py.detach(|| guarded(work))
}

/// Does some work; a panic becomes a [`LudensError`].
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(failed(panic_text(&*panic))))
}
