"""Training with actors of a cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ray = pytest.importorskip("ray")
import ludens.ray  # noqa: E402
from clusters import two_nodes  # noqa: E402
from ludens import LudensError, _core  # noqa: E402
from ludens.ray import _players  # noqa: E402

GAME = "connect-four"
SETTINGS = {"channels": 4, "blocks": 1, "sims": 8, "games": 24, "batch": 32, "iterations": 3}
PROBS = {"channels": 4, "layers": 1, "hidden": 8, "games": 24, "batch": 32, "iterations": 3, "expand": 2}


@pytest.fixture(scope="class")
def cluster():
    """Two nodes; whoever ends one has a class of its own."""
    with two_nodes() as nodes:
        yield nodes


def alone(run: Path, recipe: str = "alphazero", base: dict = SETTINGS, **settings) -> None:
    """The run of this process alone."""
    texts = [(name, str(value)) for name, value in {**base, **settings}.items()]
    _core.train_with_actors(recipe, GAME, texts, 3, str(run), False, None, None, None, None)


def learned(run: Path) -> dict[str, bytes]:
    """Games and tensors; the descriptions of networks have times in them."""

    def tensors(file: Path) -> bytes:
        data = file.read_bytes()
        return data[8 + int.from_bytes(data[:8], "little") :]

    files = {file.name: tensors(file) for file in run.glob("*.safetensors")}
    return {**files, **{file.name: file.read_bytes() for file in run.glob("games/*.jsonl")}}


def figures(run: Path) -> list[dict]:
    """The metrics without those of clocks."""
    lines = map(json.loads, (run / "metrics.jsonl").read_text().splitlines())
    clock = lambda name: name == "minutes" or name.endswith("_s")  # noqa: E731
    return [{name: value for name, value in line.items() if not clock(name)} for line in lines]


def train(recipe: str, settings: dict, run: Path, **options):
    """The same run with two actors of a cluster."""
    return ludens.ray.train(recipe, GAME, settings=settings, seed=3, run=run, workers=2, **options)


class TestActors:
    """What actors come to."""

    @pytest.mark.parametrize(("recipe", "settings"), [("alphazero", SETTINGS), ("probs", PROBS)])
    def test_actors_play_the_same_run(self, cluster, tmp_path, recipe, settings):
        alone(tmp_path / "alone", recipe, settings)
        told = []
        last = train(recipe, settings, tmp_path / "ray", block=5, on_metrics=told.append)
        assert learned(tmp_path / "ray") == learned(tmp_path / "alone")
        assert figures(tmp_path / "ray") == figures(tmp_path / "alone")
        assert len(told) == 3 and told[-1] == last

    def test_nobody_waits_in_asynchronous_mode(self, cluster, tmp_path):
        told = []
        settings = {**SETTINGS, "iterations": 6}
        staleness = {"mode": "async", "max_staleness": 2}
        train("alphazero", settings, tmp_path / "ray", block=4, on_metrics=told.append, **staleness)
        assert [metrics["iteration"] for metrics in told] == [1, 2, 3, 4, 5, 6]
        assert told[0]["max_staleness"] == 0
        assert max(metrics["max_staleness"] for metrics in told) in (1, 2)
        numbers = [
            json.loads(line)["number"]
            for file in (tmp_path / "ray" / "games").iterdir()
            for line in file.read_text().splitlines()
        ]
        assert len(numbers) == len(set(numbers)) == 6 * 24
        for wrong in ({"mode": "late"}, {"mode": "async", "max_staleness": 0}):
            with pytest.raises(ValueError, match="expected"):
                ludens.ray.train("alphazero", GAME, run=tmp_path / "x", **wrong)
        with pytest.raises(LudensError, match="divisor"):
            ludens.ray.train(
                "alphazero", GAME, settings=SETTINGS, run=tmp_path / "y", block=7, mode="async"
            )


class TestFaults:
    """Actors and nodes that die."""

    def test_killed_actors_and_nodes(self, cluster, tmp_path, monkeypatch):
        """An actor is killed in the first iteration, a node with another in the second."""
        alone(tmp_path / "alone", sims=32)
        made = []

        class Watched(_players.Players):
            def __init__(self, *arguments):
                super().__init__(*arguments)
                made.append(self)

            def wait(self, stopped):
                blocks = len(self.durations)
                if blocks >= 2 and not killed:
                    busy = next(actor for actor, block in self.calls.values() if block is not None)
                    killed.append(pids[busy])
                    os.kill(pids[busy], signal.SIGKILL)
                if blocks >= 8 and len(killed) == 1:
                    killed.append(cluster.second)
                    cluster.remove_node(cluster.second, allow_graceful=False)
                return super().wait(stopped)

            def submit(self, *arguments):
                for actor in self.idle:
                    if actor not in pids:
                        pids[actor] = ray.get(actor.ready.remote())
                super().submit(*arguments)

        pids, killed = {}, []
        monkeypatch.setattr(_players, "Players", Watched)
        settings = {**SETTINGS, "sims": 32}
        run = tmp_path / "ray"
        train("alphazero", settings, run, block=4)
        assert len(killed) == 2 and made[0].lost >= 1
        assert learned(run) == learned(tmp_path / "alone")
        assert figures(run) == figures(tmp_path / "alone")


def test_a_killed_learner_goes_on(tmp_path):
    alone(tmp_path / "alone", iterations=6)
    arguments = ["train", "alphazero", "--seed", "3", "--run", str(tmp_path / "ray")]
    new = ["--game", GAME]
    for name, value in {**SETTINGS, "iterations": 6}.items():
        new += ["--set", f"{name}={value}"]

    def start(*more: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "ludens.ray", *arguments, *more, "--workers", "2", "--block", "6"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    first = start(*new)
    assert first.stdout is not None
    lines = [first.stdout.readline() for _ in range(2)]
    assert all(lines), first.communicate()
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    time.sleep(0.2)
    second = start("--resume")
    _, complaint = second.communicate(timeout=600)
    assert second.returncode == 0, complaint
    assert learned(tmp_path / "ray") == learned(tmp_path / "alone")
    assert figures(tmp_path / "ray") == figures(tmp_path / "alone")


def test_recipes_without_games_learn_here(tmp_path):
    settings = {"episodes": 20, "block": 10, "layout": "012+456+89a"}
    last = ludens.ray.train("td", "2048:board=3x3", settings=settings, seed=1, run=tmp_path / "td")
    assert last is not None and last["episodes"] == 20
    with pytest.raises(ValueError, match="no-such"):
        ludens.ray.train("no-such", GAME, run=tmp_path / "x")
