"""OpenSpiel: every game, registered with `pyspiel` as `ludens_NAME`, so that its algorithms run.

>>> import ludens.openspiel, pyspiel
>>> game = pyspiel.load_game("ludens_sevn(variant=base=5,seed=3)")

Starts that are drawn come from the parameter `seed`; what nature does later are chance nodes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from ludens import _core

_LONGEST = 100_000
"""Moves of a game at most; those of 2048 may take as many."""
_MOST_POINTS = 4_000_000.0
"""Points of a game at most; 3,932,100 is the most in 2048."""


def _outcomes(handle: _core.Game) -> int:
    """How many outcomes nature has at most."""
    name, _, rest = handle.spec.partition(":")
    if name not in ("2048", "2584", "threes") or "adversary=tile" in rest:
        return 0
    # Threes!: a bonus tile of 8 kinds on 4 cells with 4 next hints.
    return 128 if name == "threes" else 48


def _info(handle: _core.Game, wins: bool) -> Any:
    most = 1.0 if wins else _MOST_POINTS
    info = dict(
        num_distinct_actions=handle.num_actions, max_chance_outcomes=_outcomes(handle),
        num_players=handle.players, min_utility=-most, max_utility=most, max_game_length=_LONGEST,
    )
    if handle.players == 2:
        info["utility_sum"] = 0.0
    return pyspiel.GameInfo(**info)


def _type(name: str, title: str, handle: _core.Game, wins: bool) -> Any:
    kinds, two = pyspiel.GameType, handle.players == 2
    chance = kinds.ChanceMode.EXPLICIT_STOCHASTIC if _outcomes(handle) else kinds.ChanceMode.DETERMINISTIC
    return kinds(
        short_name=name, long_name=title, dynamics=kinds.Dynamics.SEQUENTIAL, chance_mode=chance,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if two else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL if wins else kinds.RewardModel.REWARDS,
        max_num_players=handle.players, min_num_players=handle.players,
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification={"variant": "", "seed": 0},
    )


class State(pyspiel.State):
    """A position with what was paid so far."""

    def __init__(self, game: Any, position: _core.Position):
        super().__init__(game)
        self.position = position
        self._players = game.num_players()
        self._total = 0
        self._last = 0

    def current_player(self) -> int:
        if self.position.is_over:
            return pyspiel.PlayerId.TERMINAL
        if self.position.is_chance:
            return pyspiel.PlayerId.CHANCE
        return (self.position.to_move or 1) - 1

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.legal_actions())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(place, p) for place, (_, p) in enumerate(self.position.outcomes())]

    def _apply_action(self, action: int) -> None:
        if self.position.is_chance:
            self.position, reward = self.position.apply_outcome_with_reward(action)
            self._last += reward
        else:
            self.position, reward = self.position.apply_with_reward(action)
            self._last = reward
        self._total += reward

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.position.outcomes()[action][0]
        return self.position.action_text(action)

    def is_terminal(self) -> bool:
        return self.position.is_over

    def _split(self, points: int) -> list[float]:
        return [float(points), -float(points)][: self._players]

    def rewards(self) -> list[float]:
        return self._split(self._last)

    def returns(self) -> list[float]:
        return self._split(self._total)

    def __str__(self) -> str:
        return str(self.position)


class Observer:
    """The planes of a position, as OpenSpiel's observers give them."""

    def __init__(self, shape: tuple[int, int, int]):
        self._shape = shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: State, player: int) -> None:
        self.dict["observation"][:] = state.position.observation()

    def string_from(self, state: State, player: int) -> str:
        return str(state.position)


def _made(name: str, spec: str, title: str, wins: bool) -> Callable[..., Any]:
    """The class of a game and its registration."""

    def of(params: dict[str, Any]) -> _core.Game:
        variant = str(params.get("variant", "") or "")
        joined = spec if not variant else f"{spec}{',' if ':' in spec else ':'}{variant}"
        return _core.Game(joined)

    kind = _type(name, title, _core.Game(spec), wins)

    class Game(pyspiel.Game):
        def __init__(self, params: dict[str, Any] | None = None):
            given = params or {}
            self.handle = of(given)
            self._start = self.handle.start(int(given.get("seed", 0) or 0))
            super().__init__(kind, _info(self.handle, wins), given)

        def new_initial_state(self, state: Any = None) -> State:
            if state is not None:
                raise ValueError("state: expected none; games start from their seed")
            return State(self, self._start)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return Observer(self.handle.observation_shape)
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    pyspiel.register_game(kind, Game)
    return Game


def name_of(spec: str) -> str:
    """The name that a game is registered under: ``2048:adversary=cell`` is
    ``ludens_2048_adversary_cell``."""
    return "ludens_" + spec.translate(str.maketrans("-:=,", "____"))


def register() -> list[str]:
    """Registers all games that are not registered yet and gives their names."""
    known, names = set(pyspiel.registered_names()), []
    for info in json.loads(_core.games()):
        name = name_of(info["spec"])
        if name not in known:
            _made(name, info["spec"], info["title"], info["objective"] == "win")
        names.append(name)
    return names


GAMES = register()
"""The names of all games."""
