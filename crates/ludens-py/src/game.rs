//! Games by name.

use std::hash::{DefaultHasher, Hash, Hasher};

use ludens_engine::{GameHandle, game, json};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::fault::{guarded, usage};
use crate::position::Position;

/// A game with its variant.
#[pyclass(module = "ludens._core", frozen)]
pub(crate) struct Game {
    handle: Box<dyn GameHandle>,
}

impl Game {
    fn position(&self, text: &str) -> PyResult<Position> {
        Ok(Position::new(self.handle.state(text).map_err(usage)?))
    }
}

#[pymethods]
impl Game {
    #[new]
    fn new(spec: &str) -> PyResult<Self> {
        guarded(|| Ok(Game { handle: game(spec).map_err(usage)? }))
    }

    /// The name with the variant.
    #[getter]
    fn spec(&self) -> String {
        self.handle.spec()
    }

    /// One or two.
    #[getter]
    fn players(&self) -> usize {
        self.handle.info().players
    }

    /// How many numbers of actions there are.
    #[getter]
    fn num_actions(&self) -> usize {
        self.handle.action_count()
    }

    /// Rows, columns and planes of an observation.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let [rows, cols, planes] = self.handle.observation_shape();
        (rows, cols, planes)
    }

    /// All there is to know, as JSON: how it is listed, its agents and solvers.
    fn info(&self) -> PyResult<String> {
        guarded(|| {
            let table = self.handle.start(0);
            let mut info = json::game(self.handle.info());
            info["spec"] = json!(self.handle.spec());
            info["samples"] = json!(self.handle.info().samples);
            info["generators"] = json!(self.handle.generators());
            info["fixed_start"] = json!(self.handle.fixed_start());
            info["has_winners"] = json!(self.handle.has_winners());
            info["adviser"] = json!(table.adviser());
            info["agents"] = table.agents().iter().skip(1).map(json::agent).collect();
            info["solvers"] = table.solvers().iter().map(json::solver).collect();
            Ok(info.to_string())
        })
    }

    /// A seeded start.
    fn start(&self, seed: u64) -> PyResult<Position> {
        guarded(|| self.position(&self.handle.start(seed).position()))
    }

    /// A seeded start after some random moves.
    fn random(&self, seed: u64, plies: usize) -> PyResult<Position> {
        guarded(|| self.position(&self.handle.random(seed, plies).position()))
    }

    /// The position of a text.
    fn parse(&self, text: &str) -> PyResult<Position> {
        guarded(|| self.position(text))
    }

    /// The position of a generator, such as `date`.
    fn generate(&self, name: &str, value: &str) -> PyResult<Position> {
        guarded(|| {
            let table = self.handle.generate(name, value).map_err(usage)?;
            self.position(&table.position())
        })
    }

    fn __repr__(&self) -> String {
        format!("ludens.game('{}')", self.handle.spec())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.handle.spec().hash(&mut hasher);
        hasher.finish()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Game>();
        other.is_ok_and(|other| self.handle.spec() == other.get().handle.spec())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (&'static str, String))> {
        let restore = py.import("ludens._pickle")?.getattr("restore_game")?;
        Ok((restore, (env!("CARGO_PKG_VERSION"), self.handle.spec())))
    }

    /// Checks that an agent can be made.
    fn check_agent(&self, agent: &str) -> PyResult<()> {
        guarded(|| self.handle.start(0).check_agent(agent).map_err(usage))
    }
}

/// All games as JSON.
#[pyfunction]
pub(crate) fn games() -> String {
    let game = |info: &ludens_engine::GameInfo| {
        let mut value = json::game(info);
        value["spec"] = json!(info.spec());
        value["samples"] = json!(info.samples);
        value
    };
    ludens_engine::games().iter().map(game).collect::<Value>().to_string()
}
