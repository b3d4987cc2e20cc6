//! Which solvers and agents a request may name: none that open files where that is not allowed,
//! and none with a larger table than it may have.

use ludens_core::error::quote;
use ludens_core::{Parameter, Params, ParseError};

use crate::agents::{MEMORY, named};

/// Refuses a text such as `beam:eval=FILE` unless every parameter is one of those that are
/// declared and has a plain value ([`Parameter::is_plain`]). Nothing is opened to find out.
///
/// # Errors
/// When a parameter is unknown or its value may name a file; `place` is named first.
pub(super) fn plain(place: &str, text: &str, parameters: &[Parameter]) -> Result<(), ParseError> {
    let text = named(text, parameters);
    let (name, mut params) = Params::split(&text)?;
    let within = |error: ParseError| error.within(&format!("{place} {name}"));
    for parameter in parameters {
        let Some(value) = params.take(parameter.name) else { continue };
        if !parameter.is_plain(&value) {
            return Err(within(refused(parameter, &value)));
        }
    }
    let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    params.finish(&known).map_err(within)
}

/// Refuses a text such as `alphabeta:memory=65536` whose table, in MiB, is larger than so many
/// bytes.
///
/// # Errors
/// When it is; `place` is named first.
pub(super) fn fits(
    place: &str,
    text: &str,
    parameters: &[Parameter],
    memory: usize,
) -> Result<(), ParseError> {
    let text = named(text, parameters);
    let (name, mut params) = Params::split(&text)?;
    let asked: Option<usize> = params.take(MEMORY).and_then(|value| value.parse().ok());
    match asked {
        Some(asked) if asked > memory >> 20 => {
            let expected = format!("at most {}, the memory of the request in MiB", memory >> 20);
            let error = ParseError::new(format!("parameter {MEMORY}"), asked.to_string(), expected);
            Err(error.within(&format!("{place} {name}")))
        }
        _ => Ok(()),
    }
}

fn refused(parameter: &Parameter, value: &str) -> ParseError {
    let forms: Vec<&str> = parameter.plain_forms().collect();
    let files = "no file: those are for the command line";
    let expected = match forms.join(" | ") {
        forms if forms.is_empty() => files.to_owned(),
        // Others like those before them are told by all of them.
        forms if forms == ".." => parameter.values.to_owned(),
        forms if parameter.plain_forms().eq(parameter.values.split(" | ")) => forms,
        forms => format!("{forms}, and {files}"),
    };
    ParseError::new(format!("parameter {}", parameter.name), quote(value), expected)
}
