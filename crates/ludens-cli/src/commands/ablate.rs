//! `ludens ablate`: variants of a solver on the same boards.

use ludens_runs::ablate::{Ablated, Ablation};
use ludens_runs::arena::export;
use ludens_runs::work::SuiteWork;

use crate::args::AblateArgs;
use crate::commands::eval;
use crate::commands::work::{self, WorkContext};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &AblateArgs, out: &mut Output) -> anyhow::Result<()> {
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .map_err(|e| Failure::Usage(format!("{}: {e}", folder.display())))?;
    }
    let seed = out.common.seed.unwrap_or(0);
    let random = || format!("random:{},{seed}", args.boards.unwrap_or(DEFAULT_BOARDS));
    let work = SuiteWork {
        game: args.game.clone(),
        suite: args.suite.clone().unwrap_or_else(random),
        boards: args.boards,
        solver: Some(args.base.clone()),
        ..work::suite(&args.runs, out)
    };
    let ablation = Ablation { work, vary: args.vary.clone() };
    let mut context = WorkContext::of_suite(&args.runs, out)?;
    let status = out.status();
    let done = ablation.run(&mut context.execution(), &mut |solver, progress| {
        status.show(format_args!("{solver}: {}", eval::progress_line(progress)));
    });
    status.clear();
    let Some(done) = done.map_err(work::failure)? else {
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
