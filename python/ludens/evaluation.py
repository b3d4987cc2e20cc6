"""Functions of Python in place of networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ludens import _core

Evaluate = Callable[..., tuple[Any, Any]]
"""Gets observations ``(n, rows, columns, planes)`` and masks of legal actions ``(n, actions)``, or
``None`` where only values are asked for; gives policies ``(n, actions)`` and values ``(n,)``, either
may be ``None``."""

_PARAMETERS = ("eval", "policy", "model")
"""Parameters of solvers that name a network, the first that a solver has counts."""


class Evaluated:
    """An agent or a solver with a function in place of its network; made by `agent`."""

    def __init__(self, name: str, evaluator: Evaluate, parameter: str = "model"):
        self.evaluator = _core.Evaluator(_checked(evaluator))
        join = "," if ":" in name else ":"
        self.name = name
        self.text = f"{name}{join}{parameter}={self.evaluator.name}"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"ludens.agent({self.name!r}, evaluator=..)"


def agent(name: str, *, evaluator: Evaluate) -> Evaluated:
    """An agent with a function in place of its network: ``az`` and ``net`` of games for two,
    ``expectimax``, ``ntuple`` and ``mcts`` of the sliding games.

    The function gets observations ``(n, rows, columns, planes)`` and masks ``(n, actions)``, and
    gives policies ``(n, actions)``, weights at least 0, and values ``(n,)``: the rewards to come,
    in games for two to the player to move. Masks are ``None`` where only values are asked for, and
    either answer may be ``None``. ``Network.evaluate`` is such a function. ``az:batch=16`` asks for
    16 positions at once, expectimax for all afterstates of a move.

    >>> ludens.arena("connect-four", [ludens.agent("az:100,batch=16", evaluator=f), "uct:1000"])
    """
    return Evaluated(name, evaluator)


def named(name: str | None, solvers: Sequence[dict[str, Any]], evaluator: Evaluate) -> Evaluated:
    """The solver of a name, the default one without, with a function in place of its network."""
    name = name or solvers[0]["name"]
    can = {one["name"]: parameter for one in solvers if (parameter := _parameter(one)) is not None}
    parameter = can.get(name.split(":")[0])
    if parameter is None:
        expected = f"one of: {', '.join(can)}" if can else "none: no solver of this game has a network"
        raise ValueError(f"evaluator: found solver '{name}', expected {expected}")
    return Evaluated(name, evaluator, parameter)


def _parameter(solver: dict[str, Any]) -> str | None:
    """The parameter of a solver that names a network."""
    paths = {one["name"] for one in solver["parameters"] if one["is_path"]}
    return next((name for name in _PARAMETERS if name in paths), None)


def _checked(evaluator: Evaluate) -> Evaluate:
    """The same function, whose answers have been looked at."""
    if not callable(evaluator):
        raise ValueError(f"evaluator: found {evaluator!r}, expected a function")

    def evaluate(observations: Any, masks: Any) -> tuple[Any, Any]:
        count, actions = masks.shape
        told = evaluator(observations, masks if actions else None)
        if not isinstance(told, tuple) or len(told) != 2:
            raise ValueError(f"evaluator: found {type(told).__name__}, expected (policies, values)")
        policy, values = (_array(one) for one in told)
        # Where only values are asked for, a policy is of no use.
        policy = policy if actions else _array(None)
        for what, array, size in (("policies", policy, count * actions), ("values", values, count)):
            if array.size not in (0, size):
                raise ValueError(f"evaluator: found {array.size} {what}, expected {size} or None")
        if policy.size and policy.min() < 0:
            raise ValueError(f"evaluator: found the weight {policy.min()}, expected at least 0")
        return policy, values

    return evaluate


def _array(told: npt.ArrayLike | None) -> npt.NDArray[np.float32]:
    array = np.ascontiguousarray([] if told is None else told, dtype=np.float32).reshape(-1)
    if not np.isfinite(array).all():
        raise ValueError("evaluator: found NaN or infinity, expected finite numbers")
    return array
