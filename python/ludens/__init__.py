"""Ludens: solve puzzles and learn board games.

>>> import ludens
>>> ludens.solve("former", date="2025-05-18", prove=True).length
11
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludens._api import (
    Agent,
    arena,
    evaluate,
    experiments,
    game,
    games,
    read_record,
    recipes,
    reproduce,
    suite,
    train,
    write_record,
)
from ludens import _register
from ludens._core import Game, LudensError, Position, __version__
from ludens._search import Reports, analyze, analyze_async, info, solve
from ludens.evaluation import Evaluated, agent
from ludens.network import Network
from ludens.results import Analysis, Evaluation, Report, Run, Solution, Standings
from ludens.vector import VectorEnv, vector

if TYPE_CHECKING:
    from ludens import gym, openspiel, pettingzoo

__all__ = [
    "Agent", "Analysis", "Evaluated", "Evaluation", "Game", "LudensError", "Network", "Position",
    "Report", "Reports", "Run", "Solution", "Standings", "VectorEnv", "__version__", "agent",
    "analyze", "analyze_async", "arena", "evaluate", "experiments", "game", "games", "info", "read_record", "recipes",
    "reproduce", "solve", "suite", "train", "vector", "write_record",
]

_ADAPTERS = ("gym", "openspiel", "pettingzoo", "ray")
"""Modules that need an extra; they are imported when somebody asks for them."""


_register.install()


def __getattr__(name: str) -> Any:
    if name in _ADAPTERS:
        import importlib

        return importlib.import_module(f"ludens.{name}")
    raise AttributeError(f"module 'ludens' has no attribute '{name}'")
