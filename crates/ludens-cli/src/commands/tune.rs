//! `ludens tune`: the settings that a recipe learns best with.

use ludens_runs::train::{TrainRequest, old_names};
use ludens_runs::tune::{TuneRequest, tune};

use crate::args::TuneArgs;
use crate::commands::train::{reported, settings};
use crate::output::Output;

pub(crate) fn run(args: &TuneArgs, out: &mut Output) -> anyhow::Result<()> {
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
