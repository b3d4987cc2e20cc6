//! `ludens data`: published boards for experiments.

use ludens_core::error::quote;
use ludens_runs::data::add_samegame;
use serde_json::json;

use crate::args::DataCommand;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(command: &DataCommand, out: &mut Output) -> anyhow::Result<()> {
    let DataCommand::Add { game, file } = command;
    if game != "samegame" {
        let text = format!("game: found {}, expected samegame", quote(game));
        return Err(Failure::Usage(text).into());
    }
    let home = ludens_runs::home::folder()
        .ok_or_else(|| Failure::Usage("no LUDENS_HOME or HOME to keep boards in".to_owned()))?;
    let added = add_samegame(file, &home).map_err(|error| Failure::Usage(error.to_string()))?;
    if out.common.json {
        return out.json(&json!(added));
    }
    let known = added.known.unwrap_or("boards of no published set that is known");
    out.line(&format!("{} boards ({known}), hash {}", added.boards, added.hash))?;
    out.line(&format!("kept in {}", added.file.display()))
}
