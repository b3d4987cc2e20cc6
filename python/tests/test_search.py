"""Solving, analysing, networks, contests, training, records, suites."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import threading
import time
from pathlib import Path

import ludens
import numpy as np
import pytest


def test_a_days_former_is_proven() -> None:
    solution = ludens.solve("former", date="2025-05-18", prove=True)
    assert (solution.length, solution.lower_bound, solution.proven) == (11, 11, True)
    line = solution.positions()
    assert line[-1].is_over and len(line) == 12
    assert solution.draw()._repr_svg_().startswith("<svg")
    assert pickle.loads(pickle.dumps(solution)) == solution


def test_duels_and_small_tables_are_solved_exactly() -> None:
    exact = ludens.solve(ludens.game("connect-four").parse("567752164521632153"), memory=1 << 24)
    assert exact.proven and set(map(str, exact["best_moves"])) <= {"3", "7"}
    table = ludens.solve("2048:board=2x2", random=1, prove=True)
    assert table.proven and table.value is not None


def test_reports_stream_and_the_last_is_final() -> None:
    position = ludens.game("connect-four").start(0)
    reports = list(ludens.analyze(position, agent="uct:2000", seed=1))
    assert reports[-1].final and not any(one.final for one in reports[:-1])
    assert reports[-1].best in {str(column) for column in range(1, 8)}


def test_reports_stream_to_asyncio() -> None:
    async def last() -> ludens.Analysis:
        found = None
        async for report in ludens.analyze_async("connect-four", agent="uct:500"):
            found = report
        assert found is not None
        return found

    assert asyncio.run(last()).final


def test_closing_the_iterator_stops_the_search() -> None:
    reports = ludens.analyze("othello", agent="uct:1000000000", time=3600)
    next(reports)
    reports.close()  # type: ignore[attr-defined]


def test_ctrl_c_gives_the_best_so_far() -> None:
    threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    solution = ludens.solve("samegame", random=1, solver="beam", time=3600)
    assert solution.length > 0 and time.monotonic() - begin < 1800


def test_wrong_requests_have_the_command_lines_texts() -> None:
    with pytest.raises(ValueError, match="found 'x', expected"):
        ludens.solve("former", date="x")
    with pytest.raises(ValueError, match="solver"):
        ludens.solve("former", solver="nobody")
    with pytest.raises(ValueError, match="agent"):
        next(ludens.analyze("othello", agent="nobody"))
    with pytest.raises(ValueError):
        ludens.solve("former", time=1.0, nodes=-1)


def test_networks_take_observations() -> None:
    network = ludens.Network.load("connect-four")
    envs = ludens.vector("connect-four", num_envs=8, seed=0)
    observations, infos = envs.reset()
    priors, values = network.evaluate(observations, infos["action_mask"])
    assert priors.shape == (8, 7) and values.shape == (8,)
    assert np.allclose(priors.sum(axis=1), 1) and np.abs(values).max() <= 1
    again, _ = network.evaluate_positions([envs.position(0)])
    assert np.allclose(again[0], priors[0])
    for wrong in (np.zeros((2, 3)), np.full((1, 6, 7, 2), np.nan)):
        with pytest.raises(ValueError, match="planes"):
            network.evaluate(wrong)
    with pytest.raises(ValueError):
        ludens.Network.load("2584")


class First:
    """Plays the first legal move."""

    def choose(self, position: ludens.Position) -> int:
        return position.legal_actions()[0]


class Broken:
    def choose(self, position: ludens.Position) -> int:
        raise RuntimeError("out of order")


def test_python_objects_play_contests() -> None:
    told: list[dict] = []
    table = ludens.arena("connect-four", ["alphabeta:depth=4", First()], games=10, on_progress=told.append)
    strong, weak = (row["wins"] for row in table["ratings"])
    assert strong > weak and table["agents"][1] == "python:First" and told[-1]["done"] == 10
    lost = ludens.arena("connect-four", [First(), Broken()], games=4)
    assert "out of order" in str(dict(lost))
    with pytest.raises(ValueError, match="choose"):
        ludens.arena("connect-four", ["random", 5], games=2)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="even number"):
        ludens.arena("connect-four", ["random", "greedy"], games=3)


def test_training_reports_metrics_and_leaves_a_run(tmp_path: Path) -> None:
    seen: list[dict] = []
    run = ludens.train(
        "2048-td", game="2048:board=2x3", settings={"episodes": 2000, "block": 500, "layout": "012456"},
        run=tmp_path / "run", on_metrics=seen.append,
    )
    assert seen == run.history and not run.stopped and (tmp_path / "run" / "config.toml").exists()
    with pytest.raises(ValueError):
        ludens.train("2048-td", settings={"nothing": 1})

    def stop(_: dict) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ludens.train("2048-td", game="2048:board=2x3", settings={"episodes": 10**9, "layout": "012456"}, on_metrics=stop)


def test_evaluation_is_that_of_the_command_line(tmp_path: Path) -> None:
    found = ludens.evaluate(
        "former:rows=4,cols=4,shapes=3", suite="random:5", solver="beam", nodes=1000,
        store=tmp_path / "results.sqlite",
    )
    assert found["boards"] == 5 and found["reused"] == 0
    again = ludens.evaluate(
        "former:rows=4,cols=4,shapes=3", suite="random:5", solver="beam", nodes=1000,
        store=tmp_path / "results.sqlite",
    )
    assert again["reused"] == 5 and again["avg"] == found["avg"]
    games = ludens.evaluate("2048:board=2x3", agent="random", games=20)
    assert games["games"] == 20


def test_records_and_suites() -> None:
    start = ludens.game("connect-four").start(0)
    text = ludens.write_record("connect-four", ["4", "4", "3"], names=["a", "b"])
    record = ludens.read_record(text)
    assert record["position"] == start.apply("4").apply("4").apply("3").text
    with pytest.raises(ValueError, match="record line"):
        ludens.read_record(text[:-3])
    boards = ludens.suite("former", "daily:2025-05-18..2025-05-19")
    assert [name for name, _, _ in boards] == ["2025-05-18", "2025-05-19"]
    with pytest.raises(ValueError):
        ludens.suite("former", "no such file")


def test_reproduce_measures_and_tells(tmp_path: Path) -> None:
    assert {"former-A", "former-6.1", "2048-1"} <= {one["name"] for one in ludens.experiments()}
    told: list[dict] = []
    store = tmp_path / "results.sqlite"
    [report] = ludens.reproduce("former-A", quick=True, store=store, on_progress=told.append)
    assert report["name"] == "former-A" and report["complete"]
    rows = [row for section in report["sections"] for row in section["rows"]]
    assert rows and any(row["ours"] is not None and row["published"] is not None for row in rows)
    assert "of the published experiment" in str(report) and str(report) == report["text"]
    assert told and all(isinstance(one["line"], str) for one in told)
    assert pickle.loads(pickle.dumps(report)) == report
    for wrong in ({"name": "nothing like this"}, {"name": "former-A", "reuse": "never"}):
        with pytest.raises(ValueError, match="expected"):
            ludens.reproduce(quick=True, **wrong)  # type: ignore[arg-type]


def test_reproduce_hears_of_ctrl_c_and_of_what_its_listener_raises(tmp_path: Path) -> None:
    heard: list[dict] = []

    def interrupt(news: dict) -> None:
        heard.append(news)
        if len(heard) == 1:
            os.kill(os.getpid(), signal.SIGINT)

    [report] = ludens.reproduce("former-6.1", store=tmp_path / "a.sqlite", workers=1, on_progress=interrupt)
    assert heard and not report["complete"] and "interrupted" in str(report)

    def enough(_: dict) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ludens.reproduce("former-6.1", store=tmp_path / "b.sqlite", workers=1, on_progress=enough)
