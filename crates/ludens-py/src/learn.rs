//! Training with games that others play.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludens_runs::train::{
    Actors, GamesPlayed, GamesWanted, TrainError, TrainProgress, TrainRequest, recipes, train_with,
};
use ludens_runs::work::{SelfPlayWork, Work};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::fault::{failed, usage};
use crate::work::interruptible;

/// How often it is asked whether learning shall end.
const POLL: Duration = Duration::from_millis(50);

/// Tells whether learning shall end.
#[pyclass(module = "ludens._core", frozen)]
struct Stopped(Arc<AtomicBool>);

#[pymethods]
impl Stopped {
    fn __call__(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A Python function that plays games: it gets the specification of the work, the network, and a function
/// that tells whether to stop; it gives blocks of games and how old the networks of each are.
struct PythonActors {
    play: Py<PyAny>,
    block: Option<u64>,
}

impl Actors for PythonActors {
    fn play(
        &self,
        wanted: &GamesWanted,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<GamesPlayed>, TrainError> {
        let lost = |error: String| TrainError::Run(error);
        let work = SelfPlayWork::of(wanted, self.block).map_err(|e| lost(e.to_string()))?;
        let spec = Work::SelfPlay(work).text();
        let (stopped, over) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
        let played = std::thread::scope(|scope| {
            // What asks `stop` does not live long enough for Python: a flag passes the answer on.
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    stopped.store(stop(), Ordering::Relaxed);
                    std::thread::sleep(POLL);
                }
            });
            let played = Python::attach(|py| {
                let network = PyBytes::new(py, &wanted.network);
                let played = self.play.call1(py, (spec, network, Stopped(stopped.clone())))?;
                played.extract::<(Vec<String>, Vec<u64>)>(py)
            });
            over.store(true, Ordering::Relaxed);
            played
        });
        if stop() {
            return Ok(None);
        }
        let (blocks, staleness) = played.map_err(|error| lost(error.to_string()))?;
        Ok(Some(GamesPlayed { blocks, staleness }))
    }
}

/// Learns; `play` plays the games of self-play elsewhere, `report` gets the metrics of every step as JSON.
/// Gives the last metrics.
#[pyfunction]
#[pyo3(signature = (recipe, game, settings, seed, run, resume, steps, block, play, report))]
#[expect(clippy::too_many_arguments, reason = "a private function with one caller")]
fn train_with_actors(
    py: Python<'_>,
    recipe: String,
    game: Option<String>,
    settings: Vec<(String, String)>,
    seed: Option<u64>,
    run: Option<PathBuf>,
    resume: bool,
    steps: Option<u64>,
    block: Option<u64>,
    play: Option<Py<PyAny>>,
    report: Option<Py<PyAny>>,
) -> PyResult<Option<String>> {
    let rest = TrainRequest::default();
    let request = TrainRequest { recipe, game, settings, seed, run, resume, steps, ..rest };
    let actors = play.map(|play| Arc::new(PythonActors { play, block }) as Arc<dyn Actors>);
    let mut raised = Ok(());
    let done = interruptible(py, |stop| {
        let mut tell = |progress: &TrainProgress| {
            let Some(report) = report.as_ref().filter(|_| raised.is_ok()) else { return };
            let told =
                Python::attach(|py| report.call1(py, (progress.json.to_string(),)).map(drop));
            stop.fetch_or(told.is_err(), Ordering::Relaxed);
            raised = told;
        };
        train_with(&request, actors, stop, &mut tell)
    })?;
    raised?;
    let done = done.map_err(|error| if error.is_usage() { usage(error) } else { failed(error) })?;
    Ok(done.map(|progress| progress.json.to_string()))
}

/// Whether the games of a recipe can be played elsewhere.
#[pyfunction]
fn plays_itself(recipe: &str) -> bool {
    recipes().iter().any(|info| info.self_play && info.name == recipe)
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(plays_itself, module)?)?;
    module.add_function(wrap_pyfunction!(train_with_actors, module)?)
}
