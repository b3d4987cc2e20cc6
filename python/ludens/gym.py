"""Gymnasium: single environments, the vector form, and their registration."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ludens import _core, _render
from ludens._register import DUELS, SOLO, register
from ludens._single import Shown, SingleGame
from ludens.vector import Infos, VectorEnv, _seed

class LudensEnv(Shown, gymnasium.Env[npt.NDArray[np.float32], np.int64]):
    """One game. In games for two an agent plays for the other player.

    `info["action_mask"]` has 1 for every legal action, and so has `action_masks()`. See
    `ludens.vector` for the options.
    """

    metadata = {"render_modes": _render.MODES, "render_fps": 4}

    def __init__(
        self,
        game: str,
        render_mode: str | None = None,
        illegal_action: str = "lose",
        max_episode_steps: int | None = None,
        opponent: str | None = None,
        player: int = 1,
        start: str | None = None,
    ):
        handle = _core.Game(game)
        if handle.players == 2 and opponent is None:
            opponent = "random"
        self._game = SingleGame(
            handle, render_mode, illegal_action, max_episode_steps, opponent, player, start
        )
        self.game = handle.spec
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(self._game.actions)
        self.observation_space = spaces.Box(0.0, 1.0, self._game.shape, np.float32)
        self._fresh = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        own = None if seed is None else _seed(seed)
        if own is None and self._fresh:
            own = int(self.np_random.integers(2**63))
        self._fresh = False
        self._game.reset(own)
        return self._game.observation(), self._info()

    def step(
        self, action: Any
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        if self._fresh:
            raise gymnasium.error.ResetNeeded("step: expected reset() before it")
        reward, terminated, truncated = self._game.step(action)
        return self._game.observation(), reward, terminated, truncated, self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """1 for every legal action, as sb3-contrib asks for it."""
        return self._game.mask()


class GymVectorEnv(VectorEnv, gymnasium.vector.VectorEnv):  # type: ignore[misc]
    """`ludens.VectorEnv` as Gymnasium's."""

    def __init__(self, game: str, num_envs: int, *, autoreset_mode: str, **options: Any):
        VectorEnv.__init__(self, game, num_envs, autoreset_mode=autoreset_mode, **options)
        self.metadata = {
            "render_modes": _render.MODES,
            "autoreset_mode": AutoresetMode[autoreset_mode.upper()],
        }
        self.render_mode = None
        self.single_action_space = spaces.Discrete(self.num_actions)
        self.single_observation_space = spaces.Box(0.0, 1.0, self._observations.shape[1:], np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def close(self, **_: Any) -> None:
        self.closed = True

    def close_extras(self, **_: Any) -> None:
        """Nothing is open."""


class RLlibEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """One game as RLlib's action-masking models take it: observations are
    ``{"observations": .., "action_mask": ..}``. Its configuration has the options of `LudensEnv`.
    """

    metadata = LudensEnv.metadata

    def __init__(self, config: dict[str, Any] | None = None):
        self._env = LudensEnv(**(config or {"game": "connect-four"}))
        self.render_mode = self._env.render_mode
        self.action_space = self._env.action_space
        self.observation_space = spaces.Dict({
            "observations": self._env.observation_space,
            "action_mask": spaces.Box(0, 1, self._env.action_masks().shape, np.int8),
        })

    def _seen(self, observation: npt.NDArray[np.float32]) -> dict[str, Any]:
        return {"observations": observation, "action_mask": self._env.action_masks()}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        observation, info = self._env.reset(seed=seed, options=options)
        return self._seen(observation), info

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self._env.step(action)
        return self._seen(observation), reward, terminated, truncated, info

    def render(self) -> Any:
        return self._env.render()


def _vector(num_envs: int = 1, game: str = "", **options: Any) -> GymVectorEnv:
    from ludens.vector import vector

    options.pop("render_mode", None)
    made = vector(game, num_envs, **options)
    assert isinstance(made, GymVectorEnv)
    return made


__all__ = ["DUELS", "GymVectorEnv", "Infos", "LudensEnv", "RLlibEnv", "SOLO", "register"]
