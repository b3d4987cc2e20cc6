//! `ludens record`: check and convert whole games.

use std::path::Path;

use ludens_core::record::HEADER;
use ludens_core::{ParseError, Record};
use ludens_registry::{Table, framework, json};
use serde_json::json;

use crate::args::{RecordCommand, RecordFormat};
use crate::commands::play;
use crate::output::Output;
use crate::source;

pub(crate) fn run(command: &RecordCommand, out: &mut Output) -> anyhow::Result<()> {
    match command {
        RecordCommand::Check { files, game } => {
            for path in files {
                check(path, game, out)?;
            }
            Ok(())
        }
        RecordCommand::Convert { file, to, game } => {
            let tables = read(&source::file(file)?, game)?;
            for table in &tables {
                out.document(&written(&**table, *to)?)?;
            }
            Ok(())
        }
    }
}

fn check(path: &Path, game: &str, out: &mut Output) -> anyhow::Result<()> {
    use anyhow::Context;
    let tables = read(&source::file(path)?, game).with_context(|| path.display().to_string())?;
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
    if text.starts_with(HEADER) { Ok(vec![read_one(text)?]) } else { framework::read(text, game) }
}

/// The game of one Ludens record, replayed by the rules.
pub(crate) fn read_one(text: &str) -> Result<Box<dyn Table>, ParseError> {
    let record = Record::parse(text)?;
    ludens_registry::game(&record.game)?.replay(&record)
}

fn written(table: &dyn Table, format: RecordFormat) -> Result<String, ParseError> {
    match format {
        RecordFormat::Ludens => Ok(table.record().write()),
        RecordFormat::Framework => framework::write(&table.record()),
    }
}
