//! Python functions as evaluators of searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ludens_engine::custom::{Batch, CustomEvaluator, Predictions, Registration, register};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::prelude::*;

use crate::fault::usage;

/// A function of observations and masks that gives policies and values.
struct Function {
    call: Py<PyAny>,
    failed: AtomicBool,
    /// What it raised first.
    error: Mutex<Option<PyErr>>,
}

impl Function {
    fn ask(&self, batch: &Batch<'_>) -> PyResult<Predictions> {
        Python::attach(|py| {
            let [rows, cols, planes] = batch.shape;
            let seen = PyArray1::from_slice(py, batch.observations);
            let seen = seen.reshape([batch.count, rows, cols, planes])?;
            let masks = PyArray1::from_slice(py, batch.masks);
            let masks = masks.reshape([batch.count, batch.masks.len() / batch.count])?;
            let told = self.call.bind(py).call1((seen, masks))?;
            let (policy, values): (PyReadonlyArrayDyn<'_, f32>, PyReadonlyArrayDyn<'_, f32>) =
                told.extract()?;
            Ok(Predictions {
                policy: policy.as_slice()?.to_vec(),
                values: values.as_slice()?.to_vec(),
            })
        })
    }
}

impl CustomEvaluator for Function {
    /// Once it has failed it is not asked again: the search is about to be stopped.
    fn evaluate(&self, batch: &Batch<'_>) -> Option<Predictions> {
        if self.failed.load(Ordering::Relaxed) {
            return None;
        }
        self.ask(batch)
            .map_err(|error| {
                let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert(error);
                self.failed.store(true, Ordering::Relaxed);
            })
            .ok()
    }
}

/// A function of Python that agents and solvers can be given in place of a network.
#[pyclass(module = "ludens._core", frozen)]
pub(crate) struct Evaluator {
    function: Arc<Function>,
    registration: Registration,
}

#[pymethods]
impl Evaluator {
    /// `call` gets observations and masks, float32 and int8, and gives policies and values, float32.
    #[new]
    fn new(call: Bound<'_, PyAny>) -> PyResult<Self> {
        if !call.is_callable() {
            let found = call.repr()?;
            return Err(usage(format!("evaluator: found {found}, expected a function")));
        }
        let (failed, error) = (AtomicBool::new(false), Mutex::new(None));
        let function = Arc::new(Function { call: call.unbind(), failed, error });
        let registration = register(function.clone());
        Ok(Evaluator { function, registration })
    }

    /// What agents and solvers call it.
    #[getter]
    fn name(&self) -> &str {
        self.registration.name()
    }

    /// Whether it has raised something, which `check` will raise.
    #[getter]
    fn failed(&self) -> bool {
        self.function.failed.load(Ordering::Relaxed)
    }

    /// Raises what it raised, once.
    fn check(&self) -> PyResult<()> {
        let error = self.function.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.function.failed.store(false, Ordering::Relaxed);
        error.map_or(Ok(()), Err)
    }
}
