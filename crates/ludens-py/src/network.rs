//! Networks on NumPy's memory.

use std::sync::Arc;

use ludens_engine::game;
use ludens_models::{ModelStore, Purpose, Role};
use ludens_nn::{Network as Net, Outputs, Scratch, Weights};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::fault::{detached, failed, usage};

/// A neural network of planes.
#[pyclass(module = "ludens._core", frozen)]
pub(crate) struct Network {
    network: Arc<Net>,
    purpose: Purpose,
}

#[pymethods]
impl Network {
    /// The bundled network of a game, or that of a run folder or file.
    #[staticmethod]
    #[pyo3(signature = (game_spec, model = None))]
    fn load(py: Python<'_>, game_spec: &str, model: Option<&str>) -> PyResult<Self> {
        detached(py, || {
            let spec = game(game_spec).map_err(usage)?.spec();
            let store = ModelStore::shared();
            let source = store.source(model, &spec, Role::PolicyValue).map_err(usage)?;
            let made = store.neural(&source, |weights: &Weights| Net::new(weights));
            let loaded = made.map_err(failed)?;
            if loaded.purpose.game != spec {
                let found = &loaded.purpose.game;
                return Err(usage(format!("network: found one for {found}, expected {spec}")));
            }
            Ok(Network { network: loaded.network, purpose: loaded.purpose })
        })
    }

    /// The game that it is for.
    #[getter]
    fn game(&self) -> String {
        self.purpose.game.clone()
    }

    /// The encoder that its planes come from, with its version.
    #[getter]
    fn encoder(&self) -> String {
        self.purpose.encoder.clone()
    }

    /// The checksum that tells it from others.
    #[getter]
    fn checksum(&self) -> String {
        self.purpose.checksum.clone()
    }

    /// Rows, columns and planes.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        let spec = self.network.spec();
        (spec.rows, spec.cols, spec.planes)
    }

    /// Outputs of the policy; 0 without one.
    #[getter]
    fn num_outputs(&self) -> usize {
        self.network.spec().actions
    }

    /// Logits and values of flat planes.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn run<'py>(
        &self,
        py: Python<'py>,
        planes: PyReadonlyArray1<'py, f32>,
    ) -> PyResult<(Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<f32>>)> {
        let (planes, spec) = (planes.as_slice()?, self.network.spec());
        if planes.len() % spec.inputs() != 0 {
            let (found, size) = (planes.len(), spec.inputs());
            return Err(usage(format!("planes: found {found} numbers, expected {size} each")));
        }
        let batch = planes.len() / spec.inputs();
        let out = detached(py, || {
            let mut out = Outputs::zeros(spec, batch);
            self.network.run(&mut Scratch::default(), planes, &mut out);
            Ok(out)
        })?;
        Ok((PyArray1::from_vec(py, out.policy), PyArray1::from_vec(py, out.values)))
    }
}
