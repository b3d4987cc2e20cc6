"""Evaluations, contests, solving and training on a Ray cluster.

The unit of work is a pure function of its specification and its number: a run of a board, a pair of
games, a block of self-play. Where it runs makes no difference, so with budgets of nodes the results are
those of the command line on one machine, times aside::

    import ludens.ray
    told = ludens.ray.evaluate("samegame", "boards.txt", nodes=1_000_000, store="results")

Without ``address`` or ``RAY_ADDRESS``, a cluster is started on this machine for the call. Files (suites, networks, the store) must be
seen by all machines under the same path. The store is a folder: called again with the same one, a driver
that was killed goes on where it was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ludens.ray._parts import Progress, execute
from ludens.ray._players import learn

__all__ = ["Progress", "arena", "evaluate", "solve_many", "train"]

#: What a run may take where no limit is named, as on the command line.
DEFAULT_MILLISECONDS = 5000
#: What only evaluations over suites have.
SUITE_FIELDS = ("solver", "runs", "threads", "time", "nodes", "ru")


def evaluate(
    game: str,
    suite: str | os.PathLike[str] | None = None,
    *,
    solver: str | None = None,
    agent: str | None = None,
    games: int = 1000,
    runs: int = 1,
    seed: int = 0,
    threads: int = 1,
    time: float | None = None,
    nodes: int | None = None,
    ru: int | None = None,
    **cluster: Any,
) -> dict[str, Any]:
    """What ``ludens eval --json`` prints: a solver or an agent over a suite, or whole games by an agent.

    ``time`` is in seconds. ``cluster``: ``workers`` tasks at a time (as many as there are cores), ``parts``
    in all (8 for each worker), ``store`` (a folder to resume from), ``address``, ``on_progress`` (gets a
    `Progress` after each part).
    """
    return json.loads(evaluate_text(**_all(locals())))


def evaluate_text(
    game: str,
    suite: str | os.PathLike[str] | None = None,
    *,
    agent: str | None = None,
    games: int = 1000,
    seed: int = 0,
    **rest: Any,
) -> str:
    """The same as JSON text."""
    limits = {name: rest.pop(name) for name in SUITE_FIELDS if name in rest}
    if suite is not None:
        work = _suite_work(game, suite, agent=agent, seed=seed, **limits)
        return execute(work, cpus=work["threads"], **rest)[0]
    if agent is None:
        raise ValueError("found neither a suite nor an agent, expected one of them")
    work = {"work": "episodes", "game": game, "agent": agent, "games": games, "seed": seed}
    return execute(work, **rest)[0]


def _suite_work(game: str, suite: str | os.PathLike[str], **fields: Any) -> dict[str, Any]:
    """Work of `ludens eval --suite`; `fields` are its own but for `time`, which is in seconds."""
    time = fields.pop("time", None)
    milliseconds = None if time is None else round(1000 * time)
    if milliseconds is None and fields.get("nodes") is None and fields.get("ru") is None:
        milliseconds = DEFAULT_MILLISECONDS
    whole = {"work": "suite", "game": game, "suite": os.fspath(suite), "time_ms": milliseconds}
    return {**whole, "runs": 1, "threads": 1, **fields}


def arena(
    game: str,
    agents: Sequence[str],
    games: int = 100,
    *,
    seed: int = 0,
    plies: int | None = None,
    time: float | None = None,
    anchor: tuple[str, float] | None = None,
    **cluster: Any,
) -> dict[str, Any]:
    """What ``ludens arena --json`` prints: agents against each other. ``time`` per move is in seconds;
    for ``cluster`` see `evaluate`."""
    work = {
        "work": "contest",
        "game": game,
        "agents": list(agents),
        "games": games,
        "plies": plies,
        "time_ms": None if time is None else round(1000 * time),
        "seed": seed,
        "anchor": anchor,
    }
    return json.loads(execute(work, **cluster)[0])


def solve_many(
    game: str,
    positions: str | os.PathLike[str] | Sequence[str],
    *,
    solver: str | None = None,
    seed: int = 0,
    threads: int = 1,
    time: float | None = None,
    nodes: int | None = None,
    store: str | os.PathLike[str],
    **cluster: Any,
) -> list[dict[str, Any]]:
    """The best line of every position, in order: ``case``, ``value``, ``length``, ``proven``, ``bound``,
    ``line`` and more. ``positions`` is a suite or a list of texts, which ``store`` keeps for all machines.
    """
    if not isinstance(positions, (str, os.PathLike)):
        folder = Path(store)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "positions.json"
        cases = [{"id": number, "position": text} for number, text in enumerate(positions, 1)]
        text = json.dumps(cases)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
        positions = file.resolve()
    limits = {"time": time, "nodes": nodes}
    work = _suite_work(game, positions, solver=solver, seed=seed, threads=threads, **limits)
    _, runs = execute(work, cpus=threads, store=store, **cluster)
    assert runs is not None, "suites have runs"
    return json.loads(runs)


def train(
    recipe: str,
    game: str | None = None,
    *,
    settings: dict[str, Any] | None = None,
    seed: int | None = None,
    run: str | os.PathLike[str],
    resume: bool = False,
    steps: int | None = None,
    workers: int | None = None,
    block: int = 32,
    mode: str = "sync",
    max_staleness: int = 1,
    on_metrics: Callable[[dict[str, Any]], None] | None = None,
    address: str | None = None,
) -> dict[str, Any] | None:
    """Learns here while actors of the cluster play; gives the last metrics.

    In mode ``sync`` an iteration learns from all of its games, and the run is that of ``ludens train`` to
    the byte, times aside. In mode ``async`` nobody waits for slow actors: an iteration takes the blocks
    that are there, played by networks at most ``max_staleness`` iterations old; metrics have
    ``staleness`` and ``max_staleness``. A learner that was killed is resumed with ``resume=True``.

    Recipes other than ``alphazero`` and ``probs`` learn on this machine alone.
    """
    return learn(**_all(locals()))


def _all(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a function, those of its last parameter among the others."""
    cluster = arguments.pop("cluster", {})
    return {**arguments, **cluster}
