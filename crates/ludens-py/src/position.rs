//! Positions that never change.

use ludens_core::{Fact, GameResult, Player};
use ludens_engine::environment::State;
use ludens_engine::{Turn, game};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::fault::{guarded, usage};

/// A position of some game, or what a move leads to before nature acts.
#[pyclass(module = "ludens._core", frozen)]
pub(crate) struct Position {
    state: Box<dyn State>,
}

impl Position {
    pub(crate) fn new(state: Box<dyn State>) -> Self {
        Position { state }
    }

    /// A position of a text, after a move where nature is to act.
    pub(crate) fn read(spec: &str, text: &str, pending: Option<usize>) -> PyResult<Self> {
        guarded(|| {
            let state = game(spec).and_then(|game| game.state(text)).map_err(usage)?;
            match pending {
                None => Ok(Position { state }),
                Some(action) => Ok(Position { state: state.apply(action).map_err(usage)?.0 }),
            }
        })
    }

    /// The number of an action given as a number or a text.
    pub(crate) fn number(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(text) = action.extract::<String>() {
            return self.state.number(&text).map_err(usage);
        }
        let number: i64 = action.extract()?;
        usize::try_from(number)
            .map_err(|_| usage(format!("action: found {number}, expected at least 0")))
    }
}

#[pymethods]
impl Position {
    /// The game with its variant.
    #[getter]
    fn game(&self) -> String {
        self.state.spec()
    }

    /// The text that reads back as this position; before nature acts that of the position before.
    #[getter]
    fn text(&self) -> String {
        self.state.text()
    }

    /// Whether nature is to act.
    #[getter]
    fn is_chance(&self) -> bool {
        self.state.is_chance()
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.state.turn() == Turn::Over
    }

    /// 1 or 2; `None` when the game is over or nature is to act.
    #[getter]
    fn to_move(&self) -> Option<usize> {
        match self.state.turn() {
            Turn::Move(player) if !self.state.is_chance() => Some(player.index() + 1),
            _ => None,
        }
    }

    /// 1 or 2 who won, 0 for a draw, `None` otherwise.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.state.result().map(|result| match result {
            GameResult::Win(Player::One) => 1,
            GameResult::Win(Player::Two) => 2,
            GameResult::Draw => 0,
        })
    }

    /// The points so far where the position shows them.
    #[getter]
    fn score(&self) -> Option<i64> {
        self.state.score()
    }

    /// The numbers of the legal actions.
    fn legal_actions(&self) -> PyResult<Vec<usize>> {
        guarded(|| Ok(self.state.actions()))
    }

    /// The text of a legal action.
    fn action_text(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let number = self.number(action)?;
        guarded(|| self.state.action(number).map(|legal| legal.text).map_err(usage))
    }

    /// The number of a legal action's text.
    fn action_number(&self, text: &str) -> PyResult<usize> {
        guarded(|| self.state.number(text).map_err(usage))
    }

    /// The cells of the drawing that a legal action touches.
    fn action_cells(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let number = self.number(action)?;
        guarded(|| self.state.action(number).map(|legal| legal.cells).map_err(usage))
    }

    /// What an action leads to.
    fn apply(&self, action: &Bound<'_, PyAny>) -> PyResult<Position> {
        Ok(self.apply_with_reward(action)?.0)
    }

    /// What an action leads to, and what it pays player one.
    fn apply_with_reward(&self, action: &Bound<'_, PyAny>) -> PyResult<(Position, i64)> {
        let number = self.number(action)?;
        guarded(|| {
            let (state, reward) = self.state.apply(number).map_err(usage)?;
            Ok((Position { state }, reward))
        })
    }

    /// Nature's outcomes with their probabilities; empty when a player is to move.
    fn outcomes(&self) -> PyResult<Vec<(String, f64)>> {
        guarded(|| Ok(self.state.outcomes()))
    }

    /// What an outcome, by its place in `outcomes()`, leads to.
    fn apply_outcome(&self, index: usize) -> PyResult<Position> {
        Ok(self.apply_outcome_with_reward(index)?.0)
    }

    /// What an outcome leads to, and what it pays player one.
    fn apply_outcome_with_reward(&self, index: usize) -> PyResult<(Position, i64)> {
        guarded(|| {
            let (state, reward) = self.state.apply_outcome(index).map_err(usage)?;
            Ok((Position { state }, reward))
        })
    }

    /// What nature does by a seed; the position itself when a player is to move.
    fn sample(&self, seed: u64) -> PyResult<(Position, i64)> {
        guarded(|| {
            let (state, reward) = self.state.sample(seed);
            Ok((Position { state }, reward))
        })
    }

    /// 1 for every legal action, as int8.
    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let mask = guarded(|| {
            let count = game(&self.state.spec()).map_err(usage)?.action_count();
            let mut mask = vec![0; count];
            self.state.mask(&mut mask);
            Ok(mask)
        })?;
        Ok(PyArray1::from_vec(py, mask))
    }

    /// What the player to move sees: rows, columns and planes, float32.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let (seen, shape) = guarded(|| {
            let shape = game(&self.state.spec()).map_err(usage)?.observation_shape();
            let mut seen = vec![0.0; shape.iter().product()];
            self.state.observe(&mut seen);
            Ok((seen, shape))
        })?;
        PyArray1::from_vec(py, seen).reshape(shape)
    }

    /// The images under the symmetries of the game, this one first.
    #[pyo3(signature = (most = 1024))]
    fn symmetries(&self, most: usize) -> PyResult<Vec<Position>> {
        guarded(|| Ok(self.state.symmetries(most).into_iter().map(Position::new).collect()))
    }

    /// The drawing: `rows`, `cols`, `cells` as (text, ink), labels and facts.
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let view = guarded(|| Ok(self.state.view()))?;
        let cells = view.cells.iter().map(|cell| (cell.text.clone(), format!("{:?}", cell.ink)));
        let drawn = PyDict::new(py);
        drawn.set_item("rows", view.rows)?;
        drawn.set_item("cols", view.cols)?;
        drawn.set_item("cells", PyList::new(py, cells.collect::<Vec<_>>())?)?;
        drawn.set_item("row_labels", view.row_labels)?;
        drawn.set_item("col_labels", view.col_labels)?;
        let facts = PyDict::new(py);
        for fact in view.facts {
            match fact {
                Fact::Number(name, value) => facts.set_item(name, value)?,
                Fact::Text(name, value) => facts.set_item(name, value)?,
            }
        }
        drawn.set_item("facts", facts)?;
        Ok(drawn)
    }

    /// A drawing for notebooks.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("ludens._svg")?.call_method1("position", (slf,))
    }

    fn __str__(&self) -> String {
        match self.state.pending() {
            None => self.state.text(),
            Some(action) => format!("{} after action {action}", self.state.text()),
        }
    }

    fn __repr__(&self) -> String {
        format!("<ludens.Position {}: {}>", self.state.spec(), self.__str__())
    }

    fn __hash__(&self) -> u64 {
        self.state.key()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Position>() else { return Ok(py.NotImplemented()) };
        let same = self.state.same(&*other.get().state);
        let answer = match op {
            CompareOp::Eq => same,
            CompareOp::Ne => !same,
            _ => return Ok(py.NotImplemented()),
        };
        Ok(pyo3::types::PyBool::new(py, answer).to_owned().into_any().unbind())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("ludens._pickle")?.getattr("restore_position")?;
        let version = env!("CARGO_PKG_VERSION");
        let state = (version, self.state.spec(), self.state.text(), self.state.pending());
        Ok((restore, state.into_pyobject(py)?))
    }

    /// A position of a text, after a move where nature is to act; for pickles.
    #[staticmethod]
    fn restore(game: &str, text: &str, pending: Option<usize>) -> PyResult<Position> {
        Position::read(game, text, pending)
    }
}
