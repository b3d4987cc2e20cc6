"""Functions over names: the same words, defaults and messages as the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ludens import _core, _job
from ludens.evaluation import Evaluated
from ludens.results import Evaluation, Report, Run, Standings

PathLike = str | os.PathLike[str]
News = _job.News


class Agent(Protocol):
    """Anything that chooses: an action's number or its text."""

    def choose(self, position: _core.Position, /) -> int | str: ...


def game(spec: str) -> _core.Game:
    """The game of a name such as ``connect-four`` or ``sevn:base=5``."""
    return _core.Game(spec)


def games() -> list[dict[str, Any]]:
    """All games and their forms, as `ludens games --json` lists them."""
    return json.loads(_core.games())


def recipes() -> list[dict[str, Any]]:
    """The recipes of `train` with their settings."""
    return json.loads(_core.recipes())


def experiments() -> list[dict[str, Any]]:
    """The published tables and figures that `reproduce` measures again."""
    return json.loads(_core.experiments())


def suite(game: str, name: PathLike) -> list[tuple[str, _core.Position, int | None]]:
    """The boards of a suite: identifier, position, best known value.

    A suite is a file, ``thesis-random``, ``daily:FROM..TO`` or ``random:COUNT[,SEED]``.
    """
    handle = _core.Game(game)
    boards = _core.suite(game, os.fspath(name))
    return [(name, handle.parse(text), best) for name, text, best in boards]


def _path(path: PathLike | None) -> str | None:
    return None if path is None else os.fspath(path)


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else max(1, round(1000 * seconds))


def _place(
    store: PathLike | None, reuse: str, shard: str | None, workers: int | None, in_memory: bool
) -> str:
    return json.dumps({
        "store": _path(store), "reuse": reuse, "shard": shard, "workers": workers,
        "in_memory": in_memory,
    })


def evaluate(
    game: str,
    *,
    suite: PathLike | None = None,
    solver: str | None = None,
    agent: str | Evaluated | None = None,
    games: int = 1000,
    runs: int = 1,
    time: float | None = None,
    nodes: int | None = None,
    ru: int | None = None,
    seed: int = 0,
    threads: int = 1,
    workers: int | None = None,
    store: PathLike | None = None,
    reuse: str = "same",
    shard: str | None = None,
    on_progress: News | None = None,
) -> Evaluation:
    """A solver or an agent over a suite of boards, or an agent over whole games, as `ludens eval`.

    Results are kept in `store` (the user's own without it) and not computed twice. With `shard`,
    such as ``"1/4"``, only these units are done, for a merge afterwards.
    """
    evaluators = [agent.evaluator] if isinstance(agent, Evaluated) else []
    agent = None if agent is None else str(agent)
    if suite is None:
        work: dict[str, Any] = {"work": "episodes", "game": game, "agent": agent or "", "games": games,
                                "seed": seed}
    else:
        if time is None and nodes is None and ru is None:
            time = 5.0
        work = {
            "work": "suite", "game": game, "suite": os.fspath(suite), "solver": solver,
            "agent": agent, "runs": runs, "seed": seed, "threads": threads,
            "time_ms": _milliseconds(time),
            "nodes": nodes, "ru": ru,
        }
    place = _place(store, reuse, shard, workers, bool(evaluators))
    job = _core.evaluate(json.dumps(work), place, _core.__file__)
    return Evaluation(_job.wait(_job.Work(job, evaluators), on_progress, _count_line) or {})


def arena(
    game: str,
    agents: Sequence[str | Agent | Evaluated],
    *,
    games: int = 100,
    plies: int | None = None,
    time: float | None = None,
    seed: int = 0,
    sprt: tuple[float, float] | None = None,
    anchor: tuple[str, float] | None = None,
    workers: int | None = None,
    store: PathLike | None = None,
    reuse: str = "same",
    shard: str | None = None,
    on_progress: News | None = None,
) -> Standings:
    """Agents against each other, as `ludens arena`. An object with a method `choose(position)`
    is an agent too, and so is what `agent` gives; their games are not kept.

    >>> ludens.arena("othello", ["alphabeta:nodes=10000", MyAgent()], games=200)
    """
    names: list[str] = []
    players: dict[str, Any] = {}
    evaluators: list[_core.Evaluator] = []
    for agent in agents:
        if isinstance(agent, (str, Evaluated)):
            names.append(str(agent))
            evaluators += [agent.evaluator] if isinstance(agent, Evaluated) else []
        elif callable(getattr(agent, "choose", None)):
            name = f"python:{getattr(agent, 'name', type(agent).__name__)}"
            while name in players:
                name += "'"
            players[name] = agent
            names.append(name)
        else:
            raise ValueError(f"agent: found {agent!r}, expected a name or an object with choose()")
    work = {
        "work": "contest", "game": game, "agents": names, "games": games, "plies": plies,
        "time_ms": _milliseconds(time), "seed": seed,
        "sprt": sprt, "anchor": anchor,
    }
    place = _place(store, reuse, shard, workers, bool(players or evaluators))
    job = _core.contest(json.dumps(work), place, _core.__file__, players)
    return Standings(_job.wait(_job.Work(job, evaluators), on_progress, _count_line))


def train(
    recipe: str,
    *,
    game: str | None = None,
    settings: Mapping[str, Any] | None = None,
    preset: str | None = None,
    config: PathLike | None = None,
    seed: int | None = None,
    run: PathLike | None = None,
    resume: bool = False,
    start: PathLike | None = None,
    steps: int | None = None,
    on_metrics: News | None = None,
) -> Run:
    """Learns, as `ludens train`. `on_metrics` hears of every step; what it raises ends the
    training. `start` is a network to begin with (`--from`), `steps` ends this call after so many.

    >>> run = ludens.train("alphazero", game="sevn:base=5", settings={"games": 100}, run="runs/a")
    """
    request = {
        "recipe": recipe, "game": game, "preset": preset, "config": _path(config), "seed": seed,
        "run": _path(run), "resume": resume, "from": _path(start), "steps": steps,
        "settings": [[key, _setting(value)] for key, value in (settings or {}).items()],
    }
    history: list[dict[str, Any]] = []

    def news(value: dict[str, Any]) -> None:
        history.append(value["metrics"])
        if on_metrics is not None:
            on_metrics(value["metrics"])

    done = _job.wait(_job.Work(_core.train(json.dumps(request))), news, lambda value: value["line"])
    return Run(done | {"history": history, "run": _path(run)})


def _setting(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def reproduce(
    name: str,
    *,
    quick: bool = False,
    runs: int | None = None,
    time: float | None = None,
    episodes: int | None = None,
    games: int | None = None,
    epochs: int | None = None,
    moves: int | None = None,
    trials: int | None = None,
    seeds: int | None = None,
    boards: int | None = None,
    ru: int | None = None,
    keep: PathLike | None = None,
    seed: int = 0,
    data: PathLike | None = None,
    store: PathLike | None = None,
    reuse: str = "same",
    workers: int | None = None,
    on_progress: News | None = None,
) -> list[Report]:
    """Measures published tables and figures again, as `ludens reproduce`; see `experiments()`.

    >>> print(ludens.reproduce("former-A", quick=True)[0])
    """
    published = data if data is not None else os.environ.get("LUDENS_DATA") or None
    request = {
        "name": name, "quick": quick, "runs": runs, "time_ms": _milliseconds(time),
        "episodes": episodes, "games": games, "epochs": epochs, "moves": moves, "trials": trials,
        "seeds": seeds, "boards": boards, "ru": ru,
        "keep": _path(keep), "seed": seed, "reuse": reuse, "data": _path(published),
        "workers": workers, "store": _path(store),
    }
    job = _core.reproduce(json.dumps(request), _core.__file__)
    told = _job.wait(_job.Work(job), on_progress, lambda value: value["line"])
    return [Report(one) for one in told]


def read_record(text: str) -> dict[str, Any]:
    """A recorded game, checked move by move by the rules."""
    return json.loads(_core.replay(text))


def write_record(
    game: str,
    moves: Sequence[str],
    *,
    seed: int | None = None,
    position: str | None = None,
    names: Sequence[str] | None = None,
) -> str:
    """The record of moves played from a seeded start, or from a position."""
    return _core.record(game, list(moves), seed, position, None if names is None else list(names))


def _count_line(value: dict[str, Any]) -> str:
    return f"{value['done']} of {value['total']}"
