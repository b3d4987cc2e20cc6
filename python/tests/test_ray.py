"""Evaluations, contests and solving on a real cluster of two nodes on this machine."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ray = pytest.importorskip("ray")
import ludens.ray  # noqa: E402
from clusters import patiently, two_nodes  # noqa: E402
from ludens import LudensError, _core  # noqa: E402
from ludens.ray import _parts  # noqa: E402

GAME = "samegame:rows=8,cols=8"
FORMER = "former:rows=4,cols=4,shapes=3"


@pytest.fixture(scope="class")
def cluster():
    """Two nodes; whoever ends one has a class of its own."""
    with two_nodes() as nodes:
        yield nodes


def timeless(value):
    """Without what a clock says."""
    if isinstance(value, dict):
        clock = lambda name: "time" in name or "millis" in name or name.endswith("_s")  # noqa: E731
        return {name: timeless(item) for name, item in value.items() if not clock(name)}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def alone(work: dict, folder: Path) -> dict:
    """The same work in this process."""
    spec = _core.work_text(json.dumps(work))
    file = folder / "alone.sqlite"
    file.write_bytes(_core.work_part(spec, "1/1", _core.program_name(), workers=2))
    return timeless(json.loads(_core.work_merge([str(file)])[0]))


def suite_work(boards: int, nodes: int) -> dict:
    work = {"work": "suite", "game": GAME, "suite": f"random:{boards}", "seed": 3, "runs": 1}
    return {**work, "threads": 1, "nodes": nodes}


def task_processes(cluster) -> list[int]:
    """Processes of this cluster that do a part right now."""
    raylets = {
        info.process.pid
        for node in cluster.list_all_nodes()
        for info in node.all_processes.get("raylet", [])
    }
    found = []
    for entry in Path("/proc").iterdir():
        try:
            name = (entry / "cmdline").read_bytes()
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if name.startswith(b"ray::_part") and parent in raylets:
            found.append(int(entry.name))
    return found


def parts(store: Path) -> dict[Path, int]:
    """The files of parts that are done: one that is done again is another file."""
    return {file: file.stat().st_ino for file in store.glob("part-*.sqlite")}


def command(*arguments: str, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "ludens.ray", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    )


def output(process: subprocess.Popen) -> str:
    told, complaint = process.communicate(timeout=600)
    assert process.returncode == 0, complaint
    return told


class TestCluster:
    """What a cluster comes to."""

    def test_a_cluster_comes_to_the_same(self, cluster, tmp_path):
        told = ludens.ray.evaluate(GAME, "random:9", seed=3, nodes=500, parts=4)
        assert timeless(told) == alone(suite_work(9, 500), tmp_path)
        agents = ["random", "uct:30"]
        told = ludens.ray.arena("connect-four", agents, 6, seed=2)
        work = {"work": "contest", "game": "connect-four", "agents": agents, "games": 6, "seed": 2}
        assert timeless(told) == alone(work, tmp_path)
        told = ludens.ray.evaluate("2048:board=3x3", agent="random", games=11, seed=5)
        work = {"work": "episodes", "game": "2048:board=3x3", "agent": "random", "games": 11, "seed": 5}
        assert timeless(told) == alone(work, tmp_path)

    def test_solving_many(self, cluster, tmp_path):
        boards = [position for _, position, _ in _core.suite(FORMER, "random:3")]
        limits = {"solver": "exact", "nodes": 1_000_000}
        solved = ludens.ray.solve_many(FORMER, boards, **limits, store=tmp_path / "a")
        assert [run["case"] for run in solved] == ["1", "2", "3"]
        assert all(run["proven"] and run["line"] for run in solved)
        same = ludens.ray.solve_many(FORMER, "random:3", **limits, store=tmp_path / "b")
        assert [run["line"] for run in same] == [run["line"] for run in solved]
        with pytest.raises(ValueError, match="expected"):
            ludens.ray.solve_many(FORMER, ["x?"], nodes=1, store=tmp_path / "c")

    def test_a_store_is_of_one_work(self, cluster, tmp_path):
        first = ludens.ray.evaluate(GAME, "random:4", seed=3, nodes=200, parts=4, store=tmp_path)
        kept = parts(tmp_path)
        # Other numbers of parts change nothing: those that are there count.
        again = ludens.ray.evaluate(GAME, "random:4", seed=3, nodes=200, parts=2, store=tmp_path)
        assert again == first
        assert kept == parts(tmp_path)
        with pytest.raises(ValueError, match="name another store"):
            ludens.ray.evaluate(GAME, "random:4", seed=4, nodes=200, store=tmp_path)

    def test_bad_input_is_told(self, cluster):
        with pytest.raises(ValueError, match="no-such"):
            ludens.ray.evaluate("no-such", "random:4", nodes=10)
        with pytest.raises(ValueError, match="solver"):
            ludens.ray.evaluate(GAME, "random:4", solver="no-such", nodes=10)
        with pytest.raises(ValueError, match="neither"):
            ludens.ray.evaluate(GAME)
        with pytest.raises(ValueError, match="even number"):
            ludens.ray.arena("connect-four", ["random", "random"], 3)

    def test_other_versions_are_refused(self, cluster):
        with pytest.raises(LudensError, match="versions differ") as raised:
            _parts.execute(suite_work(2, 10), _driver="ludens 0.0.9 build 0123456789abcdef")
        text = str(raised.value)
        assert "ludens 0.0.9 build 0123456789abcdef" in text and _core.program_name() in text


class TestFaults:
    """Workers and nodes that die."""

    def test_killed_workers_and_nodes(self, cluster, tmp_path):
        killed = {"worker": 0, "node": 0}

        def disturb(progress: ludens.ray.Progress) -> None:
            if progress.units >= 4 and not killed["worker"]:
                # A new task may still be on its way.
                for _ in range(200):
                    if processes := task_processes(cluster):
                        os.kill(processes[0], signal.SIGKILL)
                        killed["worker"] = processes[0]
                        break
                    time.sleep(0.02)
            elif progress.units >= 12 and not killed["node"]:
                cluster.remove_node(cluster.second, allow_graceful=False)
                killed["node"] = 1

        told = ludens.ray.evaluate(
            GAME, "random:30", seed=3, nodes=20_000, parts=15, workers=2, on_progress=disturb
        )
        assert killed["worker"] and killed["node"]
        assert timeless(told) == alone(suite_work(30, 20_000), tmp_path)


def test_a_full_object_store(tmp_path):
    """Parts and their specification travel with messages: they need no room in the object store."""
    small = {
        "num_cpus": 2, "object_store_memory": 80 * 2**20, "include_dashboard": False,
        # The disk counts as full too, to which Ray would move what finds no room.
        "_system_config": {"local_fs_capacity_threshold": 0.0001},
    }
    patiently(lambda: ray.init(**small, log_to_driver=False, logging_level="ERROR"))
    try:
        ballast, refused = [], 0
        full = (ray.exceptions.ObjectStoreFullError, ray.exceptions.OutOfDiskError)
        for size in (10 * 2**20, 2**20):
            try:
                for _ in range(100):
                    ballast.append(ray.put(os.urandom(size)))
            except full:
                refused += 1
        assert refused == 2 and len(ballast) >= 5
        told = ludens.ray.evaluate(GAME, "random:6", seed=3, nodes=500, parts=6)
        assert timeless(told) == alone(suite_work(6, 500), tmp_path)
    finally:
        ray.shutdown()


def test_workers_of_another_build_refuse(tmp_path):
    """Workers have a copy of the package whose library differs by a byte, hence by its build."""
    package = Path(ludens.__file__).parent
    shutil.copytree(package, tmp_path / "ludens")
    library = next((tmp_path / "ludens").glob("_core*.so"))
    library.write_bytes(library.read_bytes() + b"!")
    others = {"env_vars": {"PYTHONPATH": str(tmp_path)}}
    options = {"num_cpus": 1, "include_dashboard": False, "runtime_env": others}
    patiently(lambda: ray.init(**options, log_to_driver=False, logging_level="ERROR"))
    try:
        with pytest.raises(LudensError, match="versions differ") as raised:
            ludens.ray.evaluate(GAME, "random:2", nodes=10)
        driver, worker = re.findall(r"ludens \S+ build [0-9a-f]+", str(raised.value))
        assert driver == _core.program_name() and worker != driver
    finally:
        ray.shutdown()


def test_the_command_is_that_of_one_machine(tmp_path):
    suite = ["samegame", "--suite", "random:4", "--solver", "portfolio", "--nodes", "3000"]
    told = json.loads(output(command("evaluate", *suite, "--workers", "2")))
    work = {"work": "suite", "game": "samegame", "suite": "random:4", "solver": "portfolio"}
    assert timeless(told) == alone({**work, "runs": 1, "threads": 1, "nodes": 3000}, tmp_path)
    program = os.environ.get("LUDENS") or shutil.which("ludens")
    if program is None:
        pytest.skip("no ludens program to compare with: name one in LUDENS")
    store = ["--store", str(tmp_path / "whole.sqlite")]
    whole = subprocess.run([program, "eval", *suite, "--json", *store], capture_output=True, check=True)
    whole = timeless(json.loads(whole.stdout))
    # The program and the library are different builds of the same.
    assert {**timeless(told), "program": None} == {**whole, "program": None}


def test_a_killed_driver_goes_on(tmp_path):
    arguments = ["evaluate", GAME, "--suite", "random:24", "--nodes", "20000", "--seed", "3"]
    arguments += ["--parts", "12", "--workers", "2", "--store", str(tmp_path / "store")]
    driver = command(*arguments)
    while len(list((tmp_path / "store").glob("part-*.sqlite"))) < 3:
        assert driver.poll() is None, driver.communicate()
        time.sleep(0.02)
    os.killpg(driver.pid, signal.SIGKILL)
    driver.wait()
    # Whatever it had begun to write is not taken for a part, and is gone afterwards.
    (tmp_path / "store" / f"part-12-of-12.sqlite.1{_parts.UNFINISHED}").write_bytes(b"half")
    kept = parts(tmp_path / "store")
    told = json.loads(output(command(*arguments)))
    assert timeless(told) == alone(suite_work(24, 20_000), tmp_path)
    assert not list((tmp_path / "store").glob(f"*{_parts.UNFINISHED}"))
    assert kept.items() <= parts(tmp_path / "store").items()


def test_usage_errors_have_their_code():
    process = command("evaluate", "no-such", "--suite", "random:2", "--nodes", "5")
    _, complaint = process.communicate(timeout=600)
    assert process.returncode == 2 and "no-such" in complaint


def test_the_cluster_file_is_one():
    yaml = pytest.importorskip("yaml")
    util = pytest.importorskip("ray.autoscaler._private.util")
    file = Path(__file__).parents[2] / "deploy" / "ray" / "cluster.yaml"
    config = yaml.safe_load(file.read_text(encoding="utf-8"))
    util.validate_config(util.prepare_config(config))
