//! What a way to learn must offer, and the one loop that drives it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{Error, RunDir, Settings};

/// A way to learn, step by step: blocks of episodes, batches, iterations.
///
/// [`drive`] runs it. A recipe is resumed by a constructor of its own, which reads what
/// [`save`](Recipe::save) wrote; a resumed run comes to the same end as one that was not stopped.
pub trait Recipe {
    /// The field of the metrics that counts: `episodes`, `epoch`, `iteration`.
    const COUNTER: &'static str;

    /// Learns a little.
    ///
    /// # Errors
    /// When learning failed; the last checkpoint is still good.
    fn step(&mut self, stop: &AtomicBool) -> Result<Step, Error>;

    /// Writes all that is needed to resume, and then the network that plays.
    ///
    /// # Errors
    /// When a file cannot be written; the last checkpoint is still there.
    fn save(&self, dir: &RunDir) -> Result<(), Error>;

    /// Keeps what a step with these metrics brought besides: a snapshot, the best network so far.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn keep(&self, _dir: &RunDir, _metrics: &Value) -> Result<(), Error> {
        Ok(())
    }

    /// The value of [`COUNTER`](Recipe::COUNTER) in the last metrics; 0 before the first ones.
    fn count(&self) -> u64;

    /// Whether the run is over: unless a recipe knows better, when all of it is completed.
    fn is_done(&self) -> bool {
        self.completed() >= 1.0
    }

    /// The share of the whole run that is done, 0 to 1.
    fn completed(&self) -> f64;

    /// Seconds between checkpoints; 0 for one after every step.
    fn save_interval(&self) -> f64 {
        0.0
    }

    /// Metrics in one line for people.
    fn line(&self, metrics: &Value) -> String;
}

/// What became of a step.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Something was learned; there are no metrics yet.
    Partial,
    /// The metrics of what was learned since the last ones.
    Done(Value),
    /// It was stopped, by the caller or by a limit. What was under way is void: the recipe must not be
    /// saved any more. Only recipes that save after every step may say so.
    Stopped,
}

/// How far a run has come.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// How far, how well, how fast, in one line.
    pub line: String,
    /// Time until the end at this speed.
    pub left: Duration,
    /// All metrics with stable names.
    pub json: Value,
}

impl Progress {
    /// Progress of work whose share `completed` is done, of which `before` had been done at `start`.
    pub fn new(line: String, json: Value, start: Instant, before: f64, completed: f64) -> Progress {
        let seconds = start.elapsed().as_secs_f64() * (1.0 - completed) / (completed - before);
        Progress { line, left: Duration::try_from_secs_f64(seconds).unwrap_or_default(), json }
    }
}

/// A recipe that starts or resumes, and its folder, if it has one.
pub type Opened<R> = (R, Option<RunDir>);

/// Is told of progress.
pub type Report<'a> = &'a mut dyn FnMut(&Progress);

/// Draws metrics: names and contents of files.
pub type Plots<'a> = &'a dyn Fn(&[Value]) -> Vec<(&'static str, String)>;

/// No plots.
pub fn no_plots(_: &[Value]) -> Vec<(&'static str, String)> {
    Vec::new()
}

/// Runs a recipe until it is done or `stop` asks for an end, which comes with the end of a step.
///
/// Every step's metrics are appended to the folder and reported; checkpoints are written in the
/// recipe's interval and at the end, plots with them. A run that was done before reports its last
/// metrics again. Gives the last progress, if there was any. Without a folder nothing is kept.
///
/// # Errors
/// When learning failed or the folder cannot be written.
pub fn drive<R: Recipe>(
    mut recipe: R,
    mut dir: Option<RunDir>,
    plots: Plots<'_>,
    stop: &AtomicBool,
    report: Report<'_>,
) -> Result<Option<Progress>, Error> {
    let (start, before) = (Instant::now(), recipe.completed());
    let progress = |recipe: &R, json: Value| {
        Progress::new(recipe.line(&json), json, start, before, recipe.completed())
    };
    let mut last = None;
    if let Some(dir) = &mut dir {
        dir.start()?;
        dir.rewind(R::COUNTER, recipe.count())?;
        if !dir.has_checkpoint() {
            recipe.save(dir)?;
        }
        if recipe.is_done() {
            last = dir.metrics()?.pop().map(|json| progress(&recipe, json));
            last.iter().for_each(&mut *report);
        }
    }
    let (mut saved, mut unsaved) = (Instant::now(), false);
    while !recipe.is_done() && !stop.load(Ordering::Relaxed) {
        let metrics = match recipe.step(stop)? {
            Step::Stopped => break,
            Step::Partial => None,
            Step::Done(metrics) => Some(metrics),
        };
        unsaved = true;
        if let Some(dir) = &mut dir {
            if let Some(metrics) = &metrics {
                dir.add_metrics(recipe.count(), metrics)?;
                recipe.keep(dir, metrics)?;
            }
            if saved.elapsed().as_secs_f64() >= recipe.save_interval() {
                save(&recipe, dir, plots)?;
                (saved, unsaved) = (Instant::now(), false);
            }
        }
        if let Some(metrics) = metrics {
            let now = progress(&recipe, metrics);
            report(&now);
            last = Some(now);
        }
    }
    match &dir {
        Some(dir) if unsaved => save(&recipe, dir, plots)?,
        _ => {}
    }
    Ok(last)
}

fn save<R: Recipe>(recipe: &R, dir: &RunDir, plots: Plots<'_>) -> Result<(), Error> {
    // A checkpoint counts the metrics before it, so these must last first.
    dir.sync()?;
    recipe.save(dir)?;
    for (name, content) in plots(&dir.metrics()?) {
        dir.write(name, content.as_bytes())?;
    }
    Ok(())
}

/// What the file of a network tells of its run: settings, seed, and the metrics of its step.
pub(crate) fn notes(config: &impl Settings, seed: u64, metrics: &Value) -> Value {
    let texts = config.texts().into_iter();
    let config: Value = texts.map(|(key, value)| (key.to_owned(), json!(value))).collect();
    json!({"config": config, "seed": seed, "metrics": metrics})
}
