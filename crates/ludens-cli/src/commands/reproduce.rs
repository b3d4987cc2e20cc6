//! `ludens reproduce`: the published tables and figures, measured again.

use std::path::{Path, PathBuf};

use ludens_lab::{Error, Experiment, Report, Settings, Size, all, find, run as measure};
use ludens_runs::arena::{self, Store, export};
use serde_json::Value;

use crate::args::ReproduceArgs;
use crate::commands::work::store_path;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::{interrupt, program, units};

pub(crate) fn run(args: &ReproduceArgs, out: &mut Output) -> anyhow::Result<()> {
    let experiments = chosen(&args.names)?;
    if args.list {
        return list(&experiments, out);
    }
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .map_err(|e| Failure::Usage(format!("{}: {e}", folder.display())))?;
    }
    let settings = settings(args, out)?;
    let mut store = store(args)?;
    interrupt::install();
    let status = out.status();
    let mut report = |text: &str| status.show(text);
    let mut lacking = Vec::new();
    for experiment in &experiments {
        let done = measure(experiment, &settings, &mut store, &interrupt::REQUESTED, &mut report);
        status.clear();
        match done {
            Ok(report) => show(&report, args.out.as_deref(), out)?,
            // The others can still be run.
            Err(error @ Error::NoData { .. }) if experiments.len() > 1 => {
                output::complain(&error.to_string());
                lacking.push(experiment.name);
            }
            Err(error) => return Err(failure(error).into()),
        }
        if interrupt::requested() {
            return Err(Failure::Interrupted.into());
        }
    }
    if lacking.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!("{} experiments were left out: no data", lacking.len())).into())
}

/// The experiments that were named, each once; all without names.
fn chosen(names: &[String]) -> anyhow::Result<Vec<Experiment>> {
    if names.is_empty() {
        return Ok(all());
    }
    let mut chosen: Vec<Experiment> = Vec::new();
    for name in names {
        for experiment in find(name).map_err(failure)? {
            if chosen.iter().all(|other| other.name != experiment.name) {
                chosen.push(experiment);
            }
        }
    }
    Ok(chosen)
}

fn list(experiments: &[Experiment], out: &mut Output) -> anyhow::Result<()> {
    if out.common.json {
        return out.json(&Value::Array(experiments.iter().map(Experiment::to_json).collect()));
    }
    for experiment in experiments {
        let Experiment { name, title, reference, .. } = experiment;
        out.line(&format!("{name:<17} {title} ({reference})"))?;
        for alias in experiment.aliases {
            out.line(&format!("{alias:<17} the same"))?;
        }
    }
    Ok(())
}

fn settings(args: &ReproduceArgs, out: &Output) -> Result<Settings, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let from_environment = || std::env::var_os("LUDENS_DATA").filter(|v| !v.is_empty());
    Ok(Settings {
        size: if args.quick { Size::Quick } else { Size::Full },
        runs: args.runs,
        time: args.time,
        episodes: args.episodes,
        games: args.games,
        seeds: args.seeds,
        keep: args.keep.clone(),
        boards: args.boards,
        units: args.ru,
        seed: out.common.seed.unwrap_or(0),
        data: args.data.clone().or_else(|| from_environment().map(PathBuf::from)),
        workers: out.common.threads.map_or(cores, usize::from),
        memory: units::default_memory(),
        program: program::name()?,
        reuse: args.reuse.into(),
    })
}

/// Full experiments take hours and are resumed; quick ones are measured anew.
fn store(args: &ReproduceArgs) -> anyhow::Result<Store> {
    match (&args.store, args.quick) {
        (None, true) => Ok(Store::in_memory()?),
        (named, _) => Ok(Store::open(&store_path(named.as_deref())?)?),
    }
}

fn show(report: &Report, folder: Option<&Path>, out: &mut Output) -> anyhow::Result<()> {
    if let Some(folder) = folder {
        export::save(&folder.join(format!("{}.csv", report.name)), &report.to_csv())?;
        for plot in &report.plots {
            export::save(&folder.join(format!("{}.svg", plot.name)), &plot.svg)?;
        }
    }
    if out.common.json {
        return out.json(&report.to_json());
    }
    out.line(&report.to_text())?;
    out.flush()
}

/// Wrong names and wrong boards are bad input.
fn failure(error: Error) -> Failure {
    let text = error.to_string();
    match error {
        Error::Name(_)
        | Error::NoData { .. }
        | Error::Arena(
            arena::Error::Entry { .. } | arena::Error::Format { .. } | arena::Error::Suite { .. },
        ) => Failure::Usage(text),
        Error::Interrupted => Failure::Interrupted,
        _ => Failure::Failed(text),
    }
}
