//! Many games stepped together, on NumPy's memory.

use std::sync::{Mutex, PoisonError};

use ludens_core::Player;
use ludens_engine::game;
use ludens_engine::vector::{Autoreset, Buffers, IllegalAction, VectorEnv, VectorOptions};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;

use crate::fault::{detached, guarded, usage};
use crate::position::Position;

/// Many games of one kind.
#[pyclass(module = "ludens._core", frozen)]
pub(crate) struct VectorCore {
    envs: Mutex<Box<dyn VectorEnv>>,
}

/// The one of some names that a text is.
fn choice<T: Copy>(what: &str, text: &str, names: &[(&str, T)]) -> PyResult<T> {
    let found = names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        usage(format!("{what}: found '{text}', expected {}", known.join(" | ")))
    })
}

/// The arrays that a step writes, flat.
#[derive(FromPyObject)]
struct Arrays<'py> {
    observations: PyReadwriteArray1<'py, f32>,
    masks: PyReadwriteArray1<'py, i8>,
    rewards: PyReadwriteArray1<'py, f32>,
    terminated: PyReadwriteArray1<'py, bool>,
    truncated: PyReadwriteArray1<'py, bool>,
    to_move: PyReadwriteArray1<'py, i8>,
    final_observations: PyReadwriteArray1<'py, f32>,
}

impl Arrays<'_> {
    fn buffers(&mut self) -> PyResult<Buffers<'_>> {
        Ok(Buffers {
            observations: self.observations.as_slice_mut()?,
            masks: self.masks.as_slice_mut()?,
            rewards: self.rewards.as_slice_mut()?,
            terminated: self.terminated.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            to_move: self.to_move.as_slice_mut()?,
            final_observations: self.final_observations.as_slice_mut()?,
        })
    }
}

impl VectorCore {
    /// Does something with the environments without the interpreter.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn VectorEnv) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        detached(py, || {
            let mut envs = self.envs.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut **envs)
        })
    }
}

#[pymethods]
impl VectorCore {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "Python's keyword arguments")]
    #[pyo3(signature = (spec, num_envs, autoreset, illegal_action, max_episode_steps, threads,
        opponent, player, start))]
    fn new(
        spec: &str,
        num_envs: usize,
        autoreset: &str,
        illegal_action: &str,
        max_episode_steps: Option<u32>,
        threads: usize,
        opponent: Option<String>,
        player: usize,
        start: Option<String>,
    ) -> PyResult<Self> {
        let modes = [
            ("next_step", Autoreset::NextStep),
            ("same_step", Autoreset::SameStep),
            ("disabled", Autoreset::Disabled),
        ];
        let policies = [
            ("lose", IllegalAction::Lose),
            ("noop", IllegalAction::Noop),
            ("raise", IllegalAction::Raise),
        ];
        let options = VectorOptions {
            num_envs,
            autoreset: choice("autoreset_mode", autoreset, &modes)?,
            illegal_action: choice("illegal_action", illegal_action, &policies)?,
            max_episode_steps,
            threads,
            opponent,
            player: match player {
                1 => Player::One,
                2 => Player::Two,
                other => return Err(usage(format!("player: found {other}, expected 1 or 2"))),
            },
            start,
        };
        guarded(|| {
            let envs = game(spec).and_then(|game| game.vector(&options)).map_err(usage)?;
            Ok(VectorCore { envs: Mutex::new(envs) })
        })
    }

    /// Starts episodes.
    fn reset(
        &self,
        py: Python<'_>,
        seed: Option<u64>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        mut arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose()?;
        let mut buffers = arrays.buffers()?;
        self.with(py, |envs| envs.reset(seed, mask, &mut buffers).map_err(usage))
    }

    /// One action in each environment.
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let mut buffers = arrays.buffers()?;
        self.with(py, |envs| envs.step(actions, &mut buffers).map_err(usage))
    }

    /// A random legal action of each environment.
    fn sample(&self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice_mut()?;
        self.with(py, |envs| envs.sample(actions).map_err(usage))
    }

    /// Seeds the generator of `sample`.
    fn seed_sampling(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.with(py, |envs| {
            envs.seed_sampling(seed);
            Ok(())
        })
    }

    /// The position of an environment.
    fn position(&self, py: Python<'_>, env: usize) -> PyResult<Position> {
        let state = self.with(py, |envs| {
            envs.state(env).ok_or_else(|| {
                usage(format!("env: found {env}, expected below {}", envs.num_envs()))
            })
        })?;
        Ok(Position::new(state))
    }
}
