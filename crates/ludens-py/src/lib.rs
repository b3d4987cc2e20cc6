//! `ludens._core`: what the Python package `ludens` (folder `python/`) is made of. Positions and
//! vector environments are objects; everything that takes long is a `Job`, asked for and
//! answered in the JSON of the command line.
#![cfg(feature = "extension-module")]

mod agent;
mod evaluator;
mod fault;
mod game;
mod job;
mod lab;
mod learn;
mod network;
mod position;
mod records;
mod tasks;
mod vector;
mod work;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("LudensError", module.py().get_type::<fault::LudensError>())?;
    module.add_class::<evaluator::Evaluator>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<job::Job>()?;
    module.add_class::<network::Network>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<vector::VectorCore>()?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::analyze, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::contest, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::train, module)?)?;
    module.add_function(wrap_pyfunction!(lab::reproduce, module)?)?;
    module.add_function(wrap_pyfunction!(records::suite, module)?)?;
    module.add_function(wrap_pyfunction!(records::replay, module)?)?;
    module.add_function(wrap_pyfunction!(records::record, module)?)?;
    module.add_function(wrap_pyfunction!(lab::experiments, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::recipes, module)?)?;
    learn::register(module)?;
    work::register(module)
}
