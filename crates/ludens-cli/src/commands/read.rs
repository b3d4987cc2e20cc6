//! `ludens read`: a position from a picture.

use ludens_vision::{Limits, Reading, Request, VisionError, parse_corners, read};

use crate::args::ReadArgs;
use crate::failure::Failure;
use crate::output::Output;
use crate::source;

pub(crate) fn run(args: &ReadArgs, out: &mut Output) -> anyhow::Result<()> {
    let corners = args.corners.as_deref().map(parse_corners).transpose()?;
    let request = Request { method: args.method.as_deref(), corners, ..Request::of(&args.game) };
    let bytes = source::bytes(&args.image, Limits::default().bytes as u64)?;
    let reading = read(&request, &bytes).map_err(|error| match error {
        VisionError::Request(error) => Failure::Usage(error.to_string()),
        VisionError::Image(_) => Failure::Usage(format!("{}: {error}", source::name(&args.image))),
        VisionError::NoBoard { .. } => {
            Failure::Failed(format!("{}: {error}", source::name(&args.image)))
        }
    })?;
    for note in &reading.notes {
        out.note(note);
    }
    if let Some(doubtful) = doubtful(&reading) {
        out.note(&doubtful);
    }
    if out.common.json {
        out.json(&reading.json())?;
    }
    match &reading.position {
        Err(fault) => Err(Failure::Failed(format!("what was read is no position: {fault}")).into()),
        Ok(_) if out.common.json => Ok(()),
        Ok(position) => out.line(position),
    }
}

/// The cells that a person should look at.
fn doubtful(reading: &Reading) -> Option<String> {
    let cells: Vec<String> =
        reading.doubtful().map(|(row, col)| format!("{},{}", row + 1, col + 1)).collect();
    let list = "doubtful cells (row from the top, column from the left)";
    (!cells.is_empty()).then(|| format!("{list}: {}", cells.join(" ")))
}
