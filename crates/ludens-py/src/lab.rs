//! Published tables and figures, measured again.

use std::path::PathBuf;
use std::time::Duration;

use ludens_lab::{Error, Settings, Size, find};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::fault::{guarded, usage};
use crate::job::{Fault, Job};
use crate::tasks::{Where, default_memory};

/// Measures published tables or figures again: a request with `name`, `quick`, `time_ms`, `data`, `keep`,
/// and the numbers of [`Settings`] by their names.
#[pyfunction]
pub(crate) fn reproduce(request: &str, library: &str) -> PyResult<Job> {
    let asked: Value = serde_json::from_str(request).map_err(usage)?;
    let mut place = Where::read(request, library)?;
    let name = asked["name"].as_str().unwrap_or_default().to_owned();
    guarded(|| find(&name).map(drop).map_err(usage))?;
    let quick = asked["quick"].as_bool().unwrap_or(false);
    let small = |field: &str| asked[field].as_u64().map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let path = |field: &str| asked[field].as_str().map(PathBuf::from);
    let settings = Settings {
        size: if quick { Size::Quick } else { Size::Full },
        runs: small("runs"),
        time: asked["time_ms"].as_u64().map(Duration::from_millis),
        episodes: asked["episodes"].as_u64(),
        games: asked["games"].as_u64(),
        epochs: asked["epochs"].as_u64(),
        moves: asked["moves"].as_u64(),
        trials: asked["trials"].as_u64(),
        seeds: small("seeds"),
        keep: path("keep"),
        boards: asked["boards"].as_u64().map(|boards| boards as usize),
        units: asked["ru"].as_u64(),
        seed: asked["seed"].as_u64().unwrap_or(0),
        data: path("data"),
        workers: place.workers,
        memory: default_memory(),
        program: place.program.clone(),
        reuse: place.reuse,
    };
    place.in_memory = place.store.is_none() && quick;
    Ok(Job::spawn(move |stop, teller| {
        let experiments = find(&name).map_err(|error| Fault::Usage(error.to_string()))?;
        let mut store = place.open()?;
        let mut tell = |text: &str| teller.tell(&json!({"line": text}));
        let mut reports = Vec::new();
        for experiment in &experiments {
            let done = ludens_lab::run(experiment, &settings, &mut store, stop, &mut tell);
            reports.push(done.map_err(|error| match error {
                Error::Name(_) | Error::NoData { .. } => Fault::Usage(error.to_string()),
                _ => Fault::Failed(error.to_string()),
            })?);
        }
        let told = |report: &ludens_lab::Report| {
            let mut value = report.to_json();
            value["text"] = json!(report.to_text());
            value["svg"] = report.plots.iter().map(|plot| json!(plot.svg)).collect();
            value
        };
        Ok(reports.iter().map(told).collect())
    }))
}

/// The published tables and figures that can be measured again, as JSON.
#[pyfunction]
pub(crate) fn experiments() -> String {
    ludens_lab::all().iter().map(ludens_lab::Experiment::to_json).collect::<Value>().to_string()
}
