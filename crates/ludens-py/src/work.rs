//! Units of work for clusters: what `ludens.ray` is made of.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludens_runs::arena::{Shard, Store};
use ludens_runs::program;
use ludens_runs::work::{Done, Resources, SelfPlayWork, Work, WorkError, merge};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::fault::{failed, guarded, panic_text, usage};

/// How often a call asks for signals.
const POLL: Duration = Duration::from_millis(5);
/// Bytes for the tables of a part, where nobody says otherwise.
const MEMORY: usize = 1 << 30;

fn raised(error: WorkError) -> PyErr {
    if error.is_usage() { usage(error) } else { failed(error) }
}

fn parsed(spec: &str) -> PyResult<Work> {
    Work::parse(spec).map_err(usage)
}

/// Runs something without the interpreter while this thread asks it for signals; Ctrl-C stops it.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    run: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let mut signal = Ok(());
    let done = py.detach(|| {
        std::thread::scope(|scope| {
            let running = scope.spawn(|| run(&stop));
            while !running.is_finished() {
                std::thread::sleep(POLL);
                if signal.is_ok() {
                    signal = Python::attach(|py| py.check_signals());
                    stop.store(signal.is_err(), Ordering::Relaxed);
                }
            }
            running.join()
        })
    });
    signal?;
    done.map_err(|panic| failed(panic_text(&*panic)))
}

/// Name, version and build of this library.
#[pyfunction]
fn program_name() -> PyResult<String> {
    Ok(program::name()?)
}

/// The specification of work with all its fields.
#[pyfunction]
fn work_text(spec: &str) -> PyResult<String> {
    Ok(parsed(spec)?.text())
}

/// How many units work has.
#[pyfunction]
fn work_units(py: Python<'_>, spec: &str) -> PyResult<usize> {
    let work = parsed(spec)?;
    py.detach(|| guarded(|| work.units().map_err(raised)))
}

/// Does a shard of work, such as 2/8: the bytes of its store. `driver` is the program that wants it.
#[pyfunction]
#[pyo3(signature = (spec, shard, driver, workers=1, memory=None))]
fn work_part<'py>(
    py: Python<'py>,
    spec: &str,
    shard: &str,
    driver: &str,
    workers: usize,
    memory: Option<usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    same_program(driver)?;
    let work = parsed(spec)?;
    let shard: Shard = shard.parse().map_err(usage)?;
    let memory = memory.unwrap_or(MEMORY);
    let part = interruptible(py, |stop| {
        let resources =
            Resources { program: driver, workers: workers.max(1), memory, network: &[], stop };
        work.part(shard, &resources, &mut |_| {})
    })?;
    let bytes = part.map_err(raised)?.ok_or_else(|| failed("stopped"))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Refuses to work for another program.
fn same_program(driver: &str) -> PyResult<()> {
    let own = program::name()?;
    if own == driver {
        return Ok(());
    }
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let message = format!(
        "versions differ: the driver has {driver}, the worker {} has {own}; install the same build on both",
        host.trim()
    );
    Err(failed(message))
}

/// Joins the stores of all shards: what the command prints with `--json`, and of suites the runs as JSON.
#[pyfunction]
fn work_merge(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<(String, Option<String>)> {
    let joined = || {
        let mut store = Store::in_memory().map_err(WorkError::from)?;
        let done = merge(&paths, &mut store)?.done(&mut store)?;
        let runs = match &done {
            Done::Suite(suite) => serde_json::to_string(&suite.evaluated.results).ok(),
            _ => None,
        };
        Ok((done.json().to_string(), runs))
    };
    py.detach(|| guarded(|| joined().map_err(raised)))
}

/// Plays a block of games of self-play: JSON lines.
#[pyfunction]
fn self_play_block(
    py: Python<'_>,
    spec: &str,
    unit: usize,
    network: &[u8],
    driver: &str,
) -> PyResult<String> {
    same_program(driver)?;
    let Work::SelfPlay(work) = parsed(spec)? else {
        return Err(usage("found other work, expected self-play"));
    };
    play(py, &work, unit, network)
}

fn play(py: Python<'_>, work: &SelfPlayWork, unit: usize, network: &[u8]) -> PyResult<String> {
    let games = interruptible(py, |stop| {
        work.check(network)?;
        work.unit(unit, network, stop)
    })?;
    games.map_err(raised)?.ok_or_else(|| failed("stopped"))
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(program_name, module)?)?;
    module.add_function(wrap_pyfunction!(work_text, module)?)?;
    module.add_function(wrap_pyfunction!(work_units, module)?)?;
    module.add_function(wrap_pyfunction!(work_part, module)?)?;
    module.add_function(wrap_pyfunction!(work_merge, module)?)?;
    module.add_function(wrap_pyfunction!(self_play_block, module)?)
}
