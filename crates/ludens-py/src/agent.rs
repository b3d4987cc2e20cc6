//! Python objects as players.

use std::sync::Arc;

use ludens_engine::analysis::Callback;
use ludens_engine::environment::State;
use ludens_engine::game;
use ludens_runs::contest::{Asked, Contestant, Forfeit, Maker};
use pyo3::prelude::*;

use crate::position::Position;

/// An object with a method `choose(position)`.
struct PythonAgent {
    object: Arc<Py<PyAny>>,
    game: String,
    state: Option<Box<dyn State>>,
}

/// Makes players of an object.
pub(crate) fn maker(object: Py<PyAny>, game: &str) -> Maker {
    let (object, game) = (Arc::new(object), game.to_owned());
    Maker::new(move || {
        let (object, game) = (Arc::clone(&object), game.clone());
        Box::new(PythonAgent { object, game, state: None })
    })
}

fn forfeit(error: impl std::fmt::Display) -> Forfeit {
    Forfeit(error.to_string().lines().collect::<Vec<_>>().join(" "))
}

impl Contestant for PythonAgent {
    fn start(&mut self, start: &str) -> Result<(), Forfeit> {
        let state = game(&self.game).and_then(|game| game.state(start)).map_err(forfeit)?;
        self.state = Some(state);
        Python::attach(|py| {
            let object = self.object.bind(py);
            // Only who keeps something between moves has to hear of a new game.
            match object.hasattr("reset")? {
                true => object.call_method0("reset").map(drop),
                false => Ok(()),
            }
        })
        .map_err(|error: PyErr| forfeit(error))
    }

    fn observe(&mut self, action: &str) {
        let Some(state) = &self.state else { return };
        let next = state.number(action).and_then(|number| state.apply(number));
        // Games with winners have no chance; the referee has checked the move.
        self.state = next.ok().map(|(next, _)| next);
    }

    fn choose(&mut self, _: &Asked<'_>, _: Callback<'_>) -> Result<String, Forfeit> {
        let state = self.state.as_ref().ok_or_else(|| forfeit("no game has begun"))?.boxed();
        Python::attach(|py| {
            let position = Bound::new(py, Position::new(state))?;
            let chosen = self.object.bind(py).call_method1("choose", (&position,))?;
            if let Ok(text) = chosen.extract::<String>() {
                return Ok(text);
            }
            position.call_method1("action_text", (chosen,))?.extract::<String>()
        })
        .map_err(|error: PyErr| forfeit(error))
    }
}
