"""Random objects at every function: an exception or an answer, never an abort."""

from __future__ import annotations

import inspect
import json
import random
import subprocess
import sys
from typing import Any

import ludens
import numpy as np
import pytest
from ludens import _core

VALUES: list[Any] = [
    None, True, 0, 1, -1, 2**31, 2**63, -(2**63), 2**64, 10**30, 0.0, -1.5, float("nan"),
    float("inf"), "", "x", "2048", "former", "connect-four", "sevn:base=5", "\0", "é" * 50, "{}",
    "[]", "null", "a" * 5000, b"bytes", [], [1, 2], ["x"], {}, {"a": 1}, (), object(), len,
    np.zeros(3), np.zeros((2, 2), np.float32), np.array(["a"]), np.float32(1.0), range(3),
    ludens.game("2048"), ludens.game("2048").start(1), Exception("x"), int,
]
# What would work for long on good input, which random objects are unlikely to be but may.
BOUNDED = {"train", "reproduce"}


def attack(function: Any, rng: random.Random, times: int) -> None:
    try:
        most = len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        most = 3
    for _ in range(times):
        arguments = [rng.choice(VALUES) for _ in range(rng.randint(0, most))]
        try:
            function(*arguments)
        except Exception:
            pass


@pytest.mark.parametrize(
    "name", [n for n in dir(_core) if not n.startswith("__") and callable(getattr(_core, n))]
)
def test_the_extension_survives_anything(name: str) -> None:
    rng = random.Random(name)
    function = getattr(_core, name)
    attack(function, rng, 60 if name in BOUNDED else 200)


@pytest.mark.parametrize("spec", ["2048", "sevn:base=3", "former", "threes:adversary=cell"])
def test_positions_and_games_survive_anything(spec: str) -> None:
    rng = random.Random(spec)
    handle = ludens.game(spec)
    start = handle.start(1)
    after = start.apply(start.legal_actions()[0])
    core = _core.VectorCore(spec, 2, "next_step", "lose", None, 1, None, 1, None)
    network = _core.Network.load("connect-four")
    for thing in (handle, start, after, core, network):
        for name in dir(thing):
            if name.startswith("__") and name not in ("__eq__", "__hash__", "__str__", "__repr__"):
                continue
            if callable(getattr(thing, name)):
                attack(getattr(thing, name), rng, 60)


@pytest.mark.parametrize("name", ["solve", "analyze", "agent", "evaluate", "arena", "suite", "read_record", "write_record"])
def test_functions_survive_anything(name: str) -> None:
    rng = random.Random(name)
    function = getattr(ludens, name)
    names = [p for p in inspect.signature(function).parameters if p not in ("store", "time", "workers", "threads")]
    for _ in range(80):
        chosen = {key: rng.choice(VALUES) for key in names if rng.random() < 0.4}
        # What is right by accident must end soon.
        bounds = {"nodes": 100} if "nodes" in inspect.signature(function).parameters else {}
        if name in ("arena", "evaluate"):
            bounds |= {"games": 2}
        try:
            found = function(**(chosen | bounds))
            if isinstance(found, ludens.Reports):
                next(found)
                found.close()
        except Exception:
            pass


def test_random_requests_are_refused_or_answered() -> None:
    rng = random.Random(7)
    fields = ["game", "position", "date", "solver", "agent", "prove", "nodes", "seed", "moves", "tree"]
    for _ in range(150):
        request = {f: rng.choice(["2048", "former", "x", 5, -1, None, [], True]) for f in fields if rng.random() < 0.5}
        try:
            job = _core.analyze(json.dumps(request | {"nodes": 50}), 1)
            while (event := job.poll(60.0)) is not None and event[0] != "done":
                pass
        except Exception:
            pass


def test_a_fault_in_the_extension_leaves_no_trace() -> None:
    """Many jobs that are dropped at once: the process ends by itself."""
    program = (
        "import ludens\n"
        "for i in range(20):\n"
        "    next(ludens.analyze('othello', agent='uct:100000000', time=3600))\n"
        "print('done')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr
