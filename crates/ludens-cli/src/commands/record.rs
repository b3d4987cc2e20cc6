//! `ludens record`: check and convert whole games.

use std::path::Path;

use anyhow::Context;
use ludens_core::error::quote;
use ludens_core::record::HEADER;
use ludens_core::{ParseError, Record};
use ludens_engine::{Table, framework, json};
use serde_json::json;

use crate::args::{RecordCommand, RecordFormat};
use crate::commands::play;
use crate::output::{Output, complain};
use crate::source;

pub(crate) fn run(command: &RecordCommand, out: &mut Output) -> anyhow::Result<()> {
    match command {
        RecordCommand::Check { files, game } => {
            let mut failures = Vec::new();
            for path in files {
                failures.extend(check(path, game, out).err());
            }
            // All files are looked at; the last complaint is the command's own.
            let last = failures.pop();
            for failure in &failures {
                complain(&format!("{failure:#}"));
            }
            last.map_or(Ok(()), Err)
        }
        RecordCommand::Convert { file, to, game } => {
            let context = || source::name(file);
            let tables = read(&source::file(file)?, game).with_context(context)?;
            for table in &tables {
                out.document(&written(&**table, *to).with_context(context)?)?;
            }
            Ok(())
        }
    }
}

fn check(path: &Path, game: &str, out: &mut Output) -> anyhow::Result<()> {
    let tables = read(&source::file(path)?, game).with_context(|| source::name(path))?;
    for table in tables {
        if out.common.json {
            out.json(&json!({
                "file": path.display().to_string(),
                "game": table.spec(),
                "moves": table.history().len(),
                "total": table.total(),
                "winner": json::outcome(table.outcome()),
                "position": table.position(),
            }))?;
        } else {
            let summary = play::summary(&*table);
            out.line(&format!("{}: {}: {summary}", path.display(), table.spec()))?;
        }
    }
    Ok(())
}

/// All games of a text in either format, replayed by the rules.
fn read(text: &str, game: &str) -> Result<Vec<Box<dyn Table>>, ParseError> {
    if text.is_empty() {
        return Err(ParseError::new(
            "record",
            "the end",
            format!("{} or an episode", quote(HEADER)),
        ));
    }
    if text.starts_with(HEADER) { Ok(vec![read_one(text)?]) } else { framework::read(text, game) }
}

/// The game of one Ludens record, replayed by the rules.
pub(crate) fn read_one(text: &str) -> Result<Box<dyn Table>, ParseError> {
    let record = Record::parse(text)?;
    ludens_engine::game(&record.game)?.replay(&record)
}

fn written(table: &dyn Table, format: RecordFormat) -> Result<String, ParseError> {
    match format {
        RecordFormat::Ludens => Ok(table.record().write()),
        RecordFormat::Framework => framework::write(&table.record()),
    }
}
