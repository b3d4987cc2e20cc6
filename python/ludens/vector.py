"""Many games stepped together, with the interface of Gymnasium's vector environments."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ludens import _core

Infos = dict[str, Any]


def vector(
    game: str,
    num_envs: int = 1,
    *,
    seed: int | None = None,
    autoreset_mode: str = "next_step",
    illegal_action: str = "lose",
    max_episode_steps: int | None = None,
    observations: bool = True,
    masks: bool = True,
    copy: bool = True,
    threads: int = 1,
    opponent: str | None = None,
    player: int = 1,
    start: str | None = None,
) -> VectorEnv:
    """Many games of one kind.

    Where Gymnasium is installed this is a `gymnasium.vector.VectorEnv`. With `seed`, environment
    `i` plays the game of `ludens.game(game).start(seed + i)` from its first `reset`.

    `autoreset_mode` is ``next_step``, ``same_step`` or ``disabled``; `illegal_action` is ``lose``,
    ``noop`` or ``raise``. In games for two both players step, or `opponent` (an agent) plays
    against `player`. With ``copy=False`` every step writes into the same arrays.
    """
    # Whatever names the mode: Gymnasium's own enumeration has its words in capitals.
    mode = str(getattr(autoreset_mode, "name", autoreset_mode)).lower()
    options = dict(
        seed=seed, autoreset_mode=mode, illegal_action=illegal_action,
        max_episode_steps=max_episode_steps, observations=observations, masks=masks, copy=copy,
        threads=threads, opponent=opponent, player=player, start=start,
    )
    if importlib.util.find_spec("gymnasium") is not None:
        from ludens.gym import GymVectorEnv

        return GymVectorEnv(game, num_envs, **options)  # type: ignore[arg-type]
    return VectorEnv(game, num_envs, **options)  # type: ignore[arg-type]


class VectorEnv:
    """Many games of one kind; made by `ludens.vector`."""

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        seed: int | None,
        autoreset_mode: str,
        illegal_action: str,
        max_episode_steps: int | None,
        observations: bool,
        masks: bool,
        copy: bool,
        threads: int,
        opponent: str | None,
        player: int,
        start: str | None,
    ):
        handle = _core.Game(game)
        self._core = _core.VectorCore(
            game, _count(num_envs), autoreset_mode, illegal_action, max_episode_steps, threads,
            opponent, player, start,
        )
        self.game = handle.spec
        self.num_envs = num_envs
        self.num_actions = handle.num_actions
        self.observation_shape = handle.observation_shape
        self._mode = autoreset_mode
        self._copy = copy
        self._seed = seed
        self._two = handle.players == 2
        n, shape = num_envs, self.observation_shape
        self._observations = np.zeros((n, *shape) if observations else (n, 0), np.float32)
        self._masks = np.zeros((n, self.num_actions) if masks else (n, 0), np.int8)
        ends = observations and autoreset_mode == "same_step"
        self._ends = np.zeros((n, *shape) if ends else (n, 0), np.float32)
        self._arrays = buffers(self._observations, self._masks, self._ends)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[np.float32], Infos]:
        """Starts episodes: environment `i` that of `seed + i`, or of `seed[i]`.

        ``options={"reset_mask": mask}`` starts only some, as Gymnasium has it.
        """
        mask = (options or {}).get("reset_mask")
        if mask is not None:
            mask = np.ascontiguousarray(mask, dtype=np.bool_)
        if seed is None:
            seed, self._seed = self._seed, None
        if seed is None or isinstance(seed, (int, np.integer)):
            self._core.reset(None if seed is None else _seed(seed), mask, self._arrays)
        else:
            if len(seed) != self.num_envs:
                raise ValueError(f"seed: found {len(seed)} seeds, expected {self.num_envs}")
            for env, one in enumerate(seed):
                only = np.zeros(self.num_envs, np.bool_)
                only[env] = mask is None or mask[env]
                own = None if one is None else (_seed(one) - env) % 2**64
                self._core.reset(own, only, self._arrays)
        return self._out(self._observations), self._infos()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.float32],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        Infos,
    ]:
        """One action in each environment, for the player to move.

        Rewards are those of the player who moved, or of the learner where there is an opponent.
        """
        self._core.step(_actions(actions), self._arrays)
        arrays = self._arrays
        return (
            self._out(self._observations), self._out(arrays.rewards), self._out(arrays.terminated),
            self._out(arrays.truncated), self._infos(),
        )

    def sample_actions(self, out: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
        """A random legal action of each environment."""
        actions = np.zeros(self.num_envs, np.int64) if out is None else out
        self._core.sample(actions)
        return actions

    def seed_sampling(self, seed: int) -> None:
        """Seeds the generator of `sample_actions`."""
        self._core.seed_sampling(_seed(seed))

    def action_masks(self) -> npt.NDArray[np.int8]:
        """1 for every legal action; all 1 where the next action is ignored."""
        return self._out(self._masks)

    def position(self, env: int) -> _core.Position:
        """The position of an environment."""
        return self._core.position(env)

    def _out(self, array: Any) -> Any:
        return array.copy() if self._copy else array

    def _infos(self) -> Infos:
        infos: Infos = {}
        if self._masks.shape[1]:
            infos["action_mask"] = self._out(self._masks)
        if self._two:
            infos["to_play"] = self._out(self._arrays.to_move)
        if self._mode == "same_step":
            done = self._arrays.terminated | self._arrays.truncated
            if done.any() and self._ends.shape[1:] == self.observation_shape:
                ends = np.full(self.num_envs, None, dtype=object)
                for env in np.flatnonzero(done):
                    ends[env] = self._ends[env].copy()
                infos |= {"final_obs": ends, "_final_obs": done.copy()}
        return infos

    def close(self, **_: Any) -> None:
        """Nothing is open."""


def buffers(observations: Any, masks: Any, final_observations: Any) -> SimpleNamespace:
    """What a step writes: these arrays, flat, and what else there is of every environment."""
    n = len(masks)
    return SimpleNamespace(
        observations=observations.reshape(-1),
        masks=masks.reshape(-1),
        rewards=np.zeros(n, np.float32),
        terminated=np.zeros(n, np.bool_),
        truncated=np.zeros(n, np.bool_),
        to_move=np.zeros(n, np.int8),
        final_observations=final_observations.reshape(-1),
    )


def _count(number: int) -> int:
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
        raise ValueError(f"num_envs: found {number!r}, expected a whole number from 1")
    return int(number)


def _seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise ValueError(f"seed: found {seed!r}, expected a whole number from 0 to 2^64-1")
    return int(seed)


def _actions(actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
    array = np.asarray(actions)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        found = f"{array.dtype} of shape {array.shape}"
        raise ValueError(f"actions: found {found}, expected whole numbers, one per environment")
    return np.ascontiguousarray(array, dtype=np.int64)
