"""Searches: the same words, defaults and messages as `ludens solve` and `ludens analyze`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ludens import _core, _job
from ludens.evaluation import Evaluate, Evaluated, named
from ludens.results import Analysis, Solution

News = _job.News


def info(spec: str) -> dict[str, Any]:
    """A game with its parameters, agents and solvers."""
    return json.loads(_core.Game(spec).info())


def _start(
    position: str | _core.Position,
    agent: str | Evaluated | None,
    evaluator: Evaluate | None,
    fields: Mapping[str, Any],
) -> _job.Work:
    """The search of a request, whose fields are those of `ludens analyze`."""
    request = {key: value for key, value in fields.items() if value is not None and value is not False}
    if isinstance(position, _core.Position):
        if position.is_chance:
            raise ValueError("position: found nature's turn, expected one with a move to make")
        request |= {"game": position.game, "position": position.text}
    else:
        request["game"] = position
    time = request.pop("time", None)
    if time is not None:
        request["time_ms"] = max(1, round(1000 * time))
    if evaluator is not None and agent is not None:
        agent = Evaluated(str(agent), evaluator)
    evaluators = []
    if isinstance(agent, Evaluated):
        evaluators = [agent.evaluator]
    elif evaluator is not None:
        made = named(request.get("solver"), info(request["game"])["solvers"], evaluator)
        request["solver"], evaluators = made.text, [made.evaluator]
    if agent is not None:
        request["agent"] = str(agent)
    return _job.Work(_core.analyze(json.dumps(request), request.get("threads")), evaluators)


def solve(
    game: str | _core.Position,
    *,
    position: str | None = None,
    date: str | None = None,
    thesis: int | None = None,
    puzzle: str | None = None,
    random: int | None = None,
    solver: str | None = None,
    evaluator: Evaluate | None = None,
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

    `evaluator` stands for the network of a solver that can have one, such as Former's ``beam``
    (values) and ``PUCT`` (policies): see `agent`.

    >>> ludens.solve("former", date="2025-05-18", prove=True).length
    11
    """
    spec = game.game if isinstance(game, _core.Position) else game
    # Where a solver finds no lines, exact values are all there is to solve.
    if solver is None and evaluator is None and info(spec)["adviser"] is not None:
        prove = True
    fields = {
        "position": position, "date": date, "thesis": thesis, "puzzle": puzzle, "random": random,
        "solver": solver, "prove": prove, "time": time, "nodes": nodes, "ru": ru, "seed": seed,
        "threads": threads, "memory": memory,
    }
    return Solution(_job.wait(_start(game, None, evaluator, fields), on_progress, _line))


class Reports:
    """The reports of a search while it goes on, for ``for`` and for ``async for``; the last one is
    `final`. Closing it, or leaving it behind, stops the search."""

    def __init__(self, work: _job.Work):
        self._work = work

    def __iter__(self) -> Reports:
        return self

    def __next__(self) -> Analysis:
        while (event := self._work.next_event()) is None:
            pass
        return self._report(event, StopIteration)

    def __aiter__(self) -> Reports:
        return self

    async def __anext__(self) -> Analysis:
        try:
            while (event := await self._work.next_event_async()) is None:
                pass
        except BaseException:
            # The task was cancelled, or the search has failed.
            self.close()
            raise
        return self._report(event, StopAsyncIteration)

    def _report(self, event: tuple[str, Any], end: type[Exception]) -> Analysis:
        kind, value = event
        if kind == "over":
            raise end
        made = Solution if "moves" in value and kind == "done" else Analysis
        return made(value | {"final": kind == "done"})

    def close(self) -> None:
        """Stops the search."""
        self._work.close()


def analyze(
    position: str | _core.Position,
    *,
    agent: str | Evaluated | None = None,
    solver: str | None = None,
    evaluator: Evaluate | None = None,
    prove: bool = False,
    costs: bool = False,
    time: float | None = None,
    nodes: int | None = None,
    ru: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    memory: int | None = None,
    tree: int | None = None,
) -> Reports:
    """Reports of a search while it goes on; the last one is `final`. `evaluator` stands for the
    network of the agent or solver: see `agent`.

    >>> for report in ludens.analyze(position, agent="az:200", time=1.0): ...
    >>> async for report in ludens.analyze(position, agent="az:200", time=1.0): ...
    """
    fields = {
        "solver": solver, "prove": prove, "costs": costs, "time": time, "nodes": nodes, "ru": ru,
        "seed": seed, "threads": threads, "memory": memory, "tree": tree,
    }
    return Reports(_start(position, agent, evaluator, fields))


analyze_async = analyze


def _line(value: dict[str, Any]) -> str:
    found = f"{value['length']} moves, " if value.get("length") else ""
    return f"{value.get('stage', '')}: {found}{value.get('nodes', 0)} nodes"
