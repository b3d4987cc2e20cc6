//! `ludens tune`: the settings that a recipe learns best with, and the numbers that a search
//! does best with.

use std::io::Write;

use ludens_runs::train::{TrainRequest, old_names};
use ludens_runs::tune::{TuneRequest, tune};
use ludens_runs::tune_search::SearchTuning;
use serde_json::json;

use crate::args::TuneArgs;
use crate::commands::train::{pairs, reported, settings};
use crate::commands::{solve, work};
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, program, units};

pub(crate) fn run(args: &TuneArgs, out: &mut Output) -> anyhow::Result<()> {
    if args.recipe == SEARCH {
        return search(args, out);
    }
    let request = TuneRequest {
        recipe: args.recipe.clone(),
        game: args.game.clone(),
        trials: args.trials,
        settings: settings(&args.set, out)?,
        seed: out.common.seed.unwrap_or(0),
        run: args.run.clone(),
    };
    let (recipe, settings) = (request.recipe.clone(), request.settings.clone());
    let named = TrainRequest { recipe, settings, ..TrainRequest::default() };
    old_names(&named).iter().for_each(|note| out.note(note));
    reported(out, |stop, report| tune(&request, stop, report))
}

/// The name under which the numbers of a search are tuned.
const SEARCH: &str = "mcts";

fn search(args: &TuneArgs, out: &mut Output) -> anyhow::Result<()> {
    let tuning = SearchTuning {
        trials: args.trials,
        seed: out.common.seed.unwrap_or(0),
        ..SearchTuning::default()
    };
    let game = args.game.clone().unwrap_or_else(|| tuning.game.clone());
    let pairs = pairs(&args.set)?;
    let tuning = SearchTuning { game, ..tuning }
        .set(&pairs)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let workers = solve::threads(out);
    let program = program::name()?;
    interrupt::install();
    let live = !out.common.quiet;
    let done = tuning.run(
        &args.run,
        &program,
        workers,
        units::default_memory(),
        &interrupt::REQUESTED,
        &mut |solver, score| {
            if live {
                let _ = writeln!(std::io::stderr(), "{solver}: {score:.1}");
            }
        },
    );
    let Some(tuned) = done.map_err(work::failure)? else {
        return Err(Failure::Interrupted.into());
    };
    if out.common.json {
        return out.json(&json!(tuned));
    }
    out.line(&tuned.solver)?;
    out.line(&format!("written to {}", args.run.display()))
}
