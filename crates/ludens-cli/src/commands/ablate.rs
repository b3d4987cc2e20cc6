//! `ludens ablate`: variants of a solver on the same boards.

use std::io::{IsTerminal, Write};

use ludens_runs::ablate::{Ablated, Ablation};
use ludens_runs::arena::{Shard, Store, export};
use ludens_runs::work::{Execution, SuiteWork};

use crate::args::AblateArgs;
use crate::commands::{eval, solve};
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, program};

pub(crate) fn run(args: &AblateArgs, out: &mut Output) -> anyhow::Result<()> {
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .map_err(|e| Failure::Usage(format!("{}: {e}", folder.display())))?;
    }
    let threads = usize::from(out.common.threads.unwrap_or(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let seed = out.common.seed.unwrap_or(0);
    let random = || format!("random:{},{seed}", args.boards.unwrap_or(DEFAULT_BOARDS));
    let work = SuiteWork {
        game: args.game.clone(),
        suite: args.suite.clone().unwrap_or_else(random),
        boards: args.boards,
        solver: Some(args.base.clone()),
        runs: args.runs,
        seed,
        threads,
        ..SuiteWork::default()
    }
    .within(&solve::budget(&args.budget, false));
    let ablation = Ablation { work, vary: args.vary.clone() };
    let (memory, program) = (solve::memory(&args.budget)?, program::name()?);
    let mut store = Store::open(&eval::store_path(args.store.as_deref())?)?;
    let mut execution = Execution {
        store: &mut store,
        program: &program,
        reuse: args.reuse.into(),
        shard: Shard::WHOLE,
        workers: args.workers.map_or(cores.div_ceil(threads), usize::from),
        memory,
        network: &[],
        stop: &interrupt::REQUESTED,
    };
    interrupt::install();
    let live = !out.common.quiet && std::io::stderr().is_terminal();
    let done = ablation.run(&mut execution, &mut |solver, progress| {
        if live {
            let line = eval::progress_line(progress);
            let _ = write!(std::io::stderr(), "\r\x1b[K{solver}: {line}");
        }
    });
    if live {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let Some(done) = done.map_err(eval::failure)? else {
        return Err(Failure::Interrupted.into());
    };
    save(args, &done)?;
    if out.common.json { out.json(&done.to_json()) } else { out.text(&done.to_markdown()) }
}

/// Seeded boards without `--boards` and `--suite`.
const DEFAULT_BOARDS: usize = 20;

fn save(args: &AblateArgs, done: &Ablated) -> anyhow::Result<()> {
    let Some(folder) = &args.out else { return Ok(()) };
    let file = |name: &str, text: &str| export::save(&folder.join(name), text);
    file("ablation.md", &done.to_markdown())?;
    file("ablation.tex", &done.to_latex())?;
    file("ablation.csv", &done.to_csv())?;
    file("scores.svg", &done.scores_svg())?;
    if let Some(svg) = done.depths_svg() {
        file("nodes-per-depth.svg", &svg)?;
    }
    Ok(())
}
