//! Which solvers and agents a request may name: none that open files where that is not allowed,
//! and none with a larger table than it may have.

use ludens_core::error::quote;
use ludens_core::{Parameter, Params, ParseError};

use crate::agents::MEMORY;

/// Refuses values that may name files, and those that their declarations do not allow. Nothing
/// is opened to find out.
///
/// # Errors
/// When there is one.
pub(super) fn no_files(params: &Params, parameters: &[Parameter]) -> Result<(), ParseError> {
    for (key, value) in params.iter() {
        let Some(parameter) = parameters.iter().find(|parameter| parameter.name == key) else {
            continue;
        };
        if !parameter.accepts(value) {
            return Err(parameter.refusal(value));
        }
        if parameter.is_path() && parameter.word != Some(value) {
            let files = "no file: those are for the command line";
            let word = parameter.word.map_or_else(String::new, |word| format!("{word}, and "));
            let expected = format!("{word}{files}");
            return Err(ParseError::new(format!("parameter {key}"), quote(value), expected));
        }
    }
    Ok(())
}

/// Refuses parameters such as `memory=65536` for a table, in MiB, of more than `memory` bytes.
///
/// # Errors
/// When it is larger.
pub(super) fn fits(params: &Params, memory: usize) -> Result<(), ParseError> {
    let asked = params.iter().find(|(key, _)| *key == MEMORY);
    let asked: Option<usize> = asked.and_then(|(_, value)| value.parse().ok());
    match asked {
        Some(asked) if asked > memory >> 20 => {
            let expected = format!("at most {}, the memory of the request in MiB", memory >> 20);
            Err(ParseError::new(format!("parameter {MEMORY}"), asked.to_string(), expected))
        }
        _ => Ok(()),
    }
}
