"""One game, behind the environments of Gymnasium and PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ludens import _core, _render
from ludens.vector import buffers


class SingleGame:
    """One game that is never reset by itself, with the arrays that a step writes."""

    def __init__(
        self,
        handle: _core.Game,
        render_mode: str | None,
        illegal_action: str,
        max_steps: int | None,
        opponent: str | None,
        player: int,
        start: str | None,
    ):
        if render_mode is not None and render_mode not in _render.MODES:
            raise ValueError(f"render_mode: found {render_mode!r}, expected {' | '.join(_render.MODES)}")
        self._core = _core.VectorCore(
            handle.spec, 1, "disabled", illegal_action, max_steps, 1, opponent, player, start
        )
        self.render_mode = render_mode
        self.shape, self.actions = handle.observation_shape, handle.num_actions
        self._arrays = buffers(
            np.zeros((1, *self.shape), np.float32), np.zeros((1, self.actions), np.int8),
            np.zeros((1, 0), np.float32),
        )

    def reset(self, seed: int | None) -> None:
        """Starts an episode: that of a seed, or the next one."""
        self._core.reset(seed, None, self._arrays)

    def step(self, action: Any) -> tuple[float, bool, bool]:
        """One action: the reward of who moved, and whether the episode has ended or is cut off."""
        self._core.step(np.array([int(action)], np.int64), self._arrays)
        arrays = self._arrays
        return float(arrays.rewards[0]), bool(arrays.terminated[0]), bool(arrays.truncated[0])

    def observation(self) -> npt.NDArray[np.float32]:
        """What the player to move sees."""
        return self._arrays.observations.reshape(self.shape).copy()

    def mask(self) -> npt.NDArray[np.int8]:
        """1 for every legal action."""
        return self._arrays.masks.copy()

    @property
    def to_move(self) -> int:
        """The player to move, 0 or 1."""
        return int(self._arrays.to_move[0])

    @property
    def position(self) -> _core.Position:
        """The position."""
        return self._core.position(0)


class Shown:
    """What environments of one game show."""

    _game: SingleGame

    @property
    def position(self) -> _core.Position:
        """The position."""
        return self._game.position

    def render(self) -> Any:
        """The position as text or as a picture, as `render_mode` has it."""
        if self._game.render_mode is None:
            return None
        draw = _render.ansi if self._game.render_mode == "ansi" else _render.rgb_array
        return draw(self.position)
