//! Learners run for an experiment, in folders that go away with it.

use std::sync::atomic::Ordering;

use ludens_runs::train::{TrainRequest, train};
use serde_json::Value;

use crate::Error;
use crate::lab::Lab;
use crate::scratch::Scratch;

/// A run: its folder, which is removed with it, and the metrics of its iterations.
pub(crate) struct Learned {
    pub(crate) folder: Scratch,
    request: TrainRequest,
    pub(crate) metrics: Vec<Value>,
}

impl Learned {
    /// An agent with its network.
    pub(crate) fn agent(&self, agent: &str) -> String {
        let between = if agent.contains(':') { ',' } else { ':' };
        format!("{agent}{between}model={}", self.folder.path().display())
    }

    /// An agent with the network as it was after an iteration that was kept.
    pub(crate) fn kept(&self, agent: &str, iteration: u64) -> String {
        let file = self.folder.path().join(format!("after-{iteration}.safetensors"));
        format!("{agent}:model={}", file.display())
    }

    /// Minutes that it learned.
    pub(crate) fn minutes(&self) -> f64 {
        self.metrics.last().and_then(|last| last["minutes"].as_f64()).unwrap_or_default()
    }

    /// Resumes up to `iterations` iterations.
    pub(crate) fn resume(&mut self, lab: &mut Lab<'_>, iterations: u64) -> Result<(), Error> {
        self.request.resume = true;
        self.request.settings = vec![("iterations".to_owned(), iterations.to_string())];
        self.run(lab)
    }

    fn run(&mut self, lab: &mut Lab<'_>) -> Result<(), Error> {
        let (experiment, on_progress, metrics) =
            (lab.report.name, &mut *lab.on_progress, &mut self.metrics);
        train(&self.request, lab.stop, &mut |progress| {
            metrics.push(progress.json.clone());
            on_progress(&format!("{experiment}: {}", progress.line));
        })
        .map_err(failed)?;
        match lab.stop.load(Ordering::Relaxed) {
            true => Err(Error::Interrupted),
            false => Ok(()),
        }
    }
}

/// The setting that ends a run by its iterations alone, however slow the machine is.
pub(crate) fn no_time_limit() -> (&'static str, String) {
    ("minutes", "1000000".to_owned())
}

pub(crate) fn failed(error: impl std::fmt::Display) -> Error {
    Error::Failed(error.to_string())
}

/// Learns a game by a recipe.
pub(crate) fn learn(
    lab: &mut Lab<'_>,
    recipe: &str,
    game: &str,
    settings: &[(&str, String)],
) -> Result<Learned, Error> {
    let folder = Scratch::new()?;
    let threads = ("threads".to_owned(), lab.settings.workers.max(1).to_string());
    let settings = settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
    let request = TrainRequest {
        recipe: recipe.to_owned(),
        game: Some(game.to_owned()),
        settings: settings.chain([threads]).collect(),
        seed: Some(lab.settings.seed),
        run: Some(folder.path().to_owned()),
        ..TrainRequest::default()
    };
    let mut learned = Learned { folder, request, metrics: Vec::new() };
    learned.run(lab)?;
    Ok(learned)
}
