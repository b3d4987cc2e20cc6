"""Networks with NumPy in and out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ludens import _core


class Network:
    """A neural network for one game. Load it with `Network.load`."""

    def __init__(self, core: _core.Network):
        self._core = core

    @classmethod
    def load(cls, game: str, model: str | os.PathLike[str] | None = None) -> Network:
        """The bundled network of a game, or that of a run folder or file."""
        return cls(_core.Network.load(game, None if model is None else os.fspath(model)))

    @property
    def game(self) -> str:
        """The game with its variant."""
        return self._core.game

    @property
    def encoder(self) -> str:
        """Where its planes come from: the observations of environments and positions."""
        return self._core.encoder

    @property
    def checksum(self) -> str:
        """What tells it from others."""
        return self._core.checksum

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, columns and planes of a position."""
        return self._core.shape

    @property
    def num_outputs(self) -> int:
        """Outputs of the policy."""
        return self._core.num_outputs

    def logits(self, planes: npt.ArrayLike) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Policy logits `(n, outputs)` and values `(n,)` of observations `(n, rows, cols, planes)`.

        A value is what the encoder says: in games for two that of the player to move.
        """
        array = np.ascontiguousarray(planes, dtype=np.float32)
        if array.shape == self.shape:
            array = array[None]
        if array.ndim != 4 or array.shape[1:] != self.shape:
            raise ValueError(f"planes: found shape {array.shape}, expected (n, *{self.shape})")
        if not np.isfinite(array).all():
            raise ValueError("planes: found NaN or infinity, expected finite numbers")
        logits, values = self._core.run(array.reshape(-1))
        return logits.reshape(len(array), -1), values

    def evaluate(
        self, planes: npt.ArrayLike, mask: npt.ArrayLike | None = None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Probabilities and values. With `mask`, where outputs are actions, the illegal get 0."""
        logits, values = self.logits(planes)
        if mask is not None:
            allowed = np.asarray(mask, dtype=bool).reshape(logits.shape)
            logits = np.where(allowed, logits, -np.inf)
        if logits.shape[1] == 0:
            return logits, values
        most = logits.max(axis=1, keepdims=True)
        weights = np.exp(logits - np.where(np.isfinite(most), most, 0.0))
        total = weights.sum(axis=1, keepdims=True)
        return (weights / np.where(total > 0, total, 1.0)).astype(np.float32), values

    def evaluate_positions(
        self, positions: Sequence[_core.Position]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The same for positions, with their masks where outputs are actions."""
        for position in positions:
            if position.game != self.game:
                raise ValueError(f"position: found one of {position.game}, expected {self.game}")
        planes = np.stack([position.observation() for position in positions])
        masks: Any = np.stack([position.action_mask() for position in positions])
        return self.evaluate(planes, masks if masks.shape[1] == self.num_outputs else None)

    def __repr__(self) -> str:
        return f"<ludens.Network {self.game}: {self.encoder}, {self.checksum[:16]}>"
