//! `ludens store`: the results that were kept.

use std::path::Path;

use ludens_runs::arena::Store;
use ludens_runs::store_check::{StoreReport, check};
use serde_json::json;

use crate::args::StoreCommand;
use crate::commands::work::store_path;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

/// Rows between two pieces of progress.
const STEP: usize = 100;

pub(crate) fn run(command: &StoreCommand, out: &mut Output) -> anyhow::Result<()> {
    let StoreCommand::Check { store } = command;
    let path = store_path(store.as_deref())?;
    if !path.exists() {
        return Err(Failure::Failed(format!("{}: there is no store yet", path.display())).into());
    }
    let store = Store::open(&path)?;
    interrupt::install();
    let status = out.status();
    let mut progress = |done: usize, total: usize| {
        if done.is_multiple_of(STEP) {
            status.show(format_args!("{done} of {total} results and games"));
        }
    };
    let report = check(&store, &interrupt::REQUESTED, &mut progress);
    status.clear();
    let report = report?;
    print(&path, &report, out)?;
    match (report.complete, report.damage.len()) {
        (false, _) => Err(Failure::Interrupted.into()),
        (true, 0) => Ok(()),
        (true, damaged) => {
            let message = format!("{}: {damaged} damaged", path.display());
            Err(Failure::Failed(message).into())
        }
    }
}

fn print(path: &Path, report: &StoreReport, out: &mut Output) -> anyhow::Result<()> {
    if out.common.json {
        let mut document = report.to_json();
        document["store"] = json!(path.display().to_string());
        return out.json(&document);
    }
    for one in &report.damage {
        out.line(&format!("{} {}: {}", one.table, one.id, one.what))?;
    }
    let StoreReport { results, replayed, without_board, failures, games, damage, .. } = report;
    out.line(&format!(
        "{results} results: {replayed} replayed, {failures} failures, {without_board} whose board \
         is not known"
    ))?;
    out.line(&format!("{games} games replayed; {} damaged", damage.len()))?;
    out.flush()
}
