"""Functions over names: the same words, defaults and messages as the command line."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from ludens import _core, _job
from ludens.results import Analysis, Evaluation, Report, Run, Solution, Standings

PathLike = str | os.PathLike[str]
News = Callable[[dict[str, Any]], None]


class Agent(Protocol):
    """Anything that chooses: an action's number or its text."""

    def choose(self, position: _core.Position, /) -> int | str: ...


def game(spec: str) -> _core.Game:
    """The game of a name such as ``connect-four`` or ``sevn:base=5``."""
    return _core.Game(spec)


def games() -> list[dict[str, Any]]:
    """All games and their forms, as `ludens games --json` lists them."""
    return json.loads(_core.games())


def info(spec: str) -> dict[str, Any]:
    """A game with its parameters, agents and solvers."""
    return json.loads(_core.Game(spec).info())


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


def _request(
    position: str | _core.Position,
    options: Mapping[str, Any],
    time: float | None,
    seed: int,
) -> str:
    request: dict[str, Any] = {key: value for key, value in options.items() if value is not None}
    if isinstance(position, _core.Position):
        if position.is_chance:
            raise ValueError("position: found nature's turn, expected one with a move to make")
        request |= {"game": position.game, "position": position.text}
    else:
        request["game"] = position
    request["seed"] = seed
    if time is not None:
        request["time_ms"] = max(1, round(1000 * time))
    return json.dumps(request)


def solve(
    game: str | _core.Position,
    *,
    position: str | None = None,
    date: str | None = None,
    thesis: int | None = None,
    puzzle: str | None = None,
    random: int | None = None,
    solver: str | None = None,
    prove: bool = False,
    time: float | None = None,
    nodes: int | None = None,
    ru: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    memory: int | None = None,
    on_progress: News | None = None,
) -> Solution:
    """The best line of a puzzle, or the proven values of a position's moves.

    Which position: `position` (text), `date` or `thesis` (Former's own boards), `puzzle` (a
    date), `random` (a seed), or today's; or a `Position` in place of the name. Without a limit a
    search takes 5 s; with `prove` it goes on to the proof. Ctrl-C gives the best so far.

    >>> ludens.solve("former", date="2025-05-18", prove=True).length
    11
    """
    spec = game.game if isinstance(game, _core.Position) else game
    # Where a solver finds no lines, exact values are all there is to solve.
    if solver is None and info(spec)["adviser"] is not None:
        prove = True
    options = {
        "position": position, "date": date, "thesis": thesis, "puzzle": puzzle, "random": random,
        "solver": solver, "prove": prove, "nodes": nodes, "ru": ru, "memory": memory,
        "threads": threads,
    }
    job = _core.analyze(_request(game, options, time, seed), threads)
    return Solution(_job.wait(job, on_progress, _search_line))


def _analysis(
    position: str | _core.Position,
    options: dict[str, Any],
    time: float | None,
    seed: int,
    threads: int | None,
) -> _core.Job:
    return _core.analyze(_request(position, options | {"threads": threads}, time, seed), threads)


def _report(kind: str, value: dict[str, Any]) -> Analysis:
    made = Solution if "moves" in value and kind == "done" else Analysis
    return made(value | {"final": kind == "done"})


def analyze(
    position: str | _core.Position,
    *,
    agent: str | None = None,
    solver: str | None = None,
    prove: bool = False,
    costs: bool = False,
    time: float | None = None,
    nodes: int | None = None,
    ru: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    memory: int | None = None,
    tree: int | None = None,
) -> Iterator[Analysis]:
    """Reports of a search while it goes on; the last one is `final`. Closing the iterator stops
    the search.

    >>> for report in ludens.analyze(position, agent="az:200", time=1.0): ...
    """
    options = {
        "agent": agent, "solver": solver, "prove": prove or None, "costs": costs or None,
        "nodes": nodes, "ru": ru, "memory": memory, "tree": tree,
    }
    job = _analysis(position, options, time, seed, threads)
    return _reports(job)


def _reports(job: _core.Job) -> Iterator[Analysis]:
    try:
        for kind, value in _job.events(job):
            yield _report(kind, value)
    finally:
        job.stop()


async def analyze_async(
    position: str | _core.Position,
    *,
    agent: str | None = None,
    solver: str | None = None,
    prove: bool = False,
    costs: bool = False,
    time: float | None = None,
    nodes: int | None = None,
    ru: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    memory: int | None = None,
    tree: int | None = None,
) -> AsyncIterator[Analysis]:
    """`analyze` for asyncio: ``async for report in ludens.analyze_async(..)``."""
    options = {
        "agent": agent, "solver": solver, "prove": prove or None, "costs": costs or None,
        "nodes": nodes, "ru": ru, "memory": memory, "tree": tree,
    }
    job = _analysis(position, options, time, seed, threads)
    async for kind, value in _job.events_async(job):
        yield _report(kind, value)


def _place(
    store: PathLike | None, reuse: str, shard: str | None, workers: int | None, in_memory: bool
) -> str:
    return json.dumps({
        "store": None if store is None else os.fspath(store), "reuse": reuse, "shard": shard,
        "workers": workers, "in_memory": in_memory,
    })


def evaluate(
    game: str,
    *,
    suite: PathLike | None = None,
    solver: str | None = None,
    agent: str | None = None,
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
    if suite is None:
        work: dict[str, Any] = {"work": "episodes", "game": game, "agent": agent or "", "games": games,
                                "seed": seed}
    else:
        if time is None and nodes is None and ru is None:
            time = 5.0
        work = {
            "work": "suite", "game": game, "suite": os.fspath(suite), "solver": solver,
            "agent": agent, "runs": runs, "seed": seed, "threads": threads,
            "time_ms": None if time is None else max(1, round(1000 * time)),
            "nodes": nodes, "ru": ru,
        }
    place = _place(store, reuse, shard, workers, False)
    job = _core.evaluate(json.dumps(work), place, _core.__file__)
    return Evaluation(_job.wait(job, on_progress, _count_line) or {})


def arena(
    game: str,
    agents: Sequence[str | Agent],
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
    is an agent too; its games are not kept.

    >>> ludens.arena("othello", ["alphabeta:nodes=10000", MyAgent()], games=200)
    """
    names: list[str] = []
    players: dict[str, Any] = {}
    for agent in agents:
        if isinstance(agent, str):
            names.append(agent)
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
        "time_ms": None if time is None else max(1, round(1000 * time)), "seed": seed,
        "sprt": sprt, "anchor": anchor,
    }
    place = _place(store, reuse, shard, workers, bool(players))
    job = _core.contest(json.dumps(work), place, _core.__file__, players)
    return Standings(_job.wait(job, on_progress, _count_line))


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
    on_metrics: News | None = None,
) -> Run:
    """Learns, as `ludens train`. `on_metrics` hears of every step; what it raises ends the
    training. `start` is a network to begin with (`--from`).

    >>> run = ludens.train("alphazero", game="sevn:base=5", settings={"games": 100}, run="runs/a")
    """
    path = lambda one: None if one is None else os.fspath(one)  # noqa: E731
    request = {
        "recipe": recipe, "game": game, "preset": preset, "config": path(config), "seed": seed,
        "run": path(run), "resume": resume, "from": path(start),
        "settings": [[key, _setting(value)] for key, value in (settings or {}).items()],
    }
    history: list[dict[str, Any]] = []

    def news(value: dict[str, Any]) -> None:
        history.append(value["metrics"])
        if on_metrics is not None:
            on_metrics(value["metrics"])

    done = _job.wait(_core.train(json.dumps(request)), news, lambda value: value["line"])
    return Run(done | {"history": history, "run": path(run)})


def _setting(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def reproduce(
    name: str,
    *,
    quick: bool = False,
    runs: int | None = None,
    seed: int = 0,
    data: PathLike | None = None,
    store: PathLike | None = None,
    reuse: str = "same",
    workers: int | None = None,
    on_progress: News | None = None,
) -> list[Report]:
    """Measures published tables and figures again, as `ludens reproduce`; see `experiments()`."""
    path = data if data is not None else os.environ.get("LUDENS_DATA") or None
    request = {
        "name": name, "quick": quick, "runs": runs, "seed": seed, "reuse": reuse,
        "data": None if path is None else os.fspath(path), "workers": workers,
        "store": None if store is None else os.fspath(store),
    }
    job = _core.reproduce(json.dumps(request), _core.__file__)
    return [Report(one) for one in _job.wait(job, on_progress, lambda value: value["line"])]


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


def _search_line(value: dict[str, Any]) -> str:
    found = f"{value['length']} moves, " if value.get("length") else ""
    return f"{value.get('stage', '')}: {found}{value.get('nodes', 0)} nodes"


def _count_line(value: dict[str, Any]) -> str:
    return f"{value['done']} of {value['total']}"
