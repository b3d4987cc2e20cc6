//! `ludens arena --watch`: rates the networks of a training run as they appear.

use std::path::Path;
use std::time::Duration;

use ludens_lab::Error;
use ludens_lab::checkpoints::{
    ContestOptions, RatedAgent, RatingPlan, SkippedCheckpoint, rate, strength_plot,
};
use ludens_runs::arena::{self, Store, export};
use serde_json::json;

use crate::args::ArenaArgs;
use crate::commands::arena::workers;
use crate::commands::work::store_path;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::{interrupt, program};

/// How often the folder is looked at.
const PAUSE: Duration = Duration::from_secs(5);

pub(crate) fn run(
    args: &ArenaArgs,
    folder: &Path,
    plies: usize,
    out: &mut Output,
) -> anyhow::Result<()> {
    if !args.rated.contains("{}") {
        let message = "--rated: expected {} for the path of a network, such as az:sims=50,model={}";
        return Err(Failure::Usage(message.to_owned()).into());
    }
    let anchor = match &args.anchor {
        None => 0.0,
        Some((name, elo)) if *name == args.agents[0] => *elo,
        Some(_) => {
            let message = format!("--anchor: expected the first agent, {}", args.agents[0]);
            return Err(Failure::Usage(message).into());
        }
    };
    let program = program::name()?;
    let plan = RatingPlan {
        game: &args.game,
        ladder: &args.agents,
        anchor,
        agent: &args.rated,
        folder,
        every: 1,
        games: args.games,
        plies,
        options: ContestOptions {
            program: &program,
            reuse: args.results.reuse.into(),
            seed: out.common.seed.unwrap_or(0),
            workers: workers(args, out),
        },
    };
    let mut store = Store::open(&store_path(args.results.store.as_deref())?)?;
    interrupt::install();
    let status = out.status();
    let mut report = |text: &str| status.show(text);
    let mut shown: Vec<RatedAgent> = Vec::new();
    let mut skipped: Vec<SkippedCheckpoint> = Vec::new();
    loop {
        let rated = rate(&plan, &mut store, &interrupt::REQUESTED, &mut report);
        status.clear();
        let (rated, left_out) = rated.map_err(failure)?;
        // A network that is being written is looked at again; nothing is told twice.
        for one in left_out.iter().filter(|one| !skipped.contains(one)) {
            output::complain(&format!("{} was skipped: {}", one.checkpoint, one.why));
        }
        skipped = left_out;
        // What has not been told, or has another rating now.
        for one in rated.iter().filter(|one| !shown.contains(one)) {
            show(one, out)?;
        }
        if let Some(path) = args.plot.as_deref().filter(|_| rated != shown) {
            export::save(path, &strength_plot(&folder.display().to_string(), &rated))?;
        }
        shown = rated;
        if args.once {
            return Ok(());
        }
        let mut waited = Duration::ZERO;
        while waited < PAUSE {
            if interrupt::requested() {
                return Err(Failure::Interrupted.into());
            }
            let tick = Duration::from_millis(50);
            std::thread::sleep(tick);
            waited += tick;
        }
    }
}

fn show(one: &RatedAgent, out: &mut Output) -> anyhow::Result<()> {
    let RatedAgent { agent, checkpoint, iteration, elo, games } = one;
    if out.common.json {
        let document = json!({"agent": agent, "checkpoint": checkpoint, "iteration": iteration, "elo": elo, "games": games});
        return out.json(&document);
    }
    let elo = elo.map_or("no rating".to_owned(), |elo| format!("{elo:.0}"));
    let name = checkpoint.as_deref().unwrap_or(agent);
    out.line(&format!("{name:<30} {elo:>9}  {games} games"))?;
    out.flush()
}

fn failure(error: Error) -> Failure {
    let text = error.to_string();
    match error {
        Error::Interrupted => Failure::Interrupted,
        Error::Arena(arena::Error::Plan(_)) => Failure::Usage(text),
        _ => Failure::Failed(text),
    }
}
