"""PettingZoo: games of two as agent-environment cycles."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import aec_to_parallel

from ludens import _core, _render
from ludens._single import Shown, SingleGame
from ludens.vector import _seed

AGENTS = ["player_1", "player_2"]


def env(game: str, **options: Any) -> Any:
    """A game of two, with PettingZoo's usual wrappers; see `raw_env` for the options."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, **options))


def parallel_env(game: str, **options: Any) -> Any:
    """The same as a parallel environment, in which both players act in every cycle."""
    return aec_to_parallel(env(game, **options))


class raw_env(Shown, AECEnv[str, dict[str, Any], int]):
    """A game of two: a duel, or a tile game with ``adversary=cell`` or ``adversary=tile``.

    Observations are ``{"observation": .., "action_mask": ..}``, seen by the player to move.
    Rewards sum to 0. An episode is cut off after `max_cycles` moves of each player.
    """

    def __init__(
        self,
        game: str,
        render_mode: str | None = None,
        illegal_action: str = "lose",
        max_cycles: int | None = None,
        start: str | None = None,
    ):
        super().__init__()
        handle = _core.Game(game)
        if handle.players != 2:
            raise ValueError(f"game: found '{handle.spec}', expected one for two players")
        steps = None if max_cycles is None else 2 * max_cycles
        self._game = SingleGame(handle, render_mode, illegal_action, steps, None, 1, start)
        self.metadata = {
            "name": f"ludens/{handle.spec}", "render_modes": _render.MODES, "render_fps": 4,
            "is_parallelizable": True,
        }
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self._spaces = {agent: spaces.Discrete(self._game.actions) for agent in AGENTS}
        self._views = {
            agent: spaces.Dict({
                "observation": spaces.Box(0.0, 1.0, self._game.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (self._game.actions,), np.int8),
            })
            for agent in AGENTS
        }
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._views[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        mask = self._game.mask()
        if self.agents and agent != self.agent_selection:
            mask[:] = 0
        return {"observation": self._game.observation(), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        own = int(self._rng.integers(2**63)) if seed is None else _seed(seed)
        self._game.reset(own)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._game.to_move]

    def step(self, action: Any) -> None:
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        other = AGENTS[1 - AGENTS.index(mover)]
        self._cumulative_rewards[mover] = 0.0
        reward, terminated, truncated = self._game.step(action)
        self.rewards = {mover: reward, other: -reward}
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.agent_selection = other if terminated or truncated else AGENTS[self._game.to_move]
        self._accumulate_rewards()

    def close(self) -> None:
        """Nothing is open."""
