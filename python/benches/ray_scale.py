"""What work on a Ray cluster costs: efficiency of two nodes, and the parts of the cost model.

    python python/benches/ray_scale.py --repeats 3

Prints a JSON line per figure. Times are pairs: on the clock, and of processors (driver and workers), which
says more on a machine that others share. The cluster is on this machine: two nodes with a core each for the
efficiency, one node with as many cores as there are actors for the model, whose actors sleep in place of
evaluating a network.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

from ludens import LudensError, _core
from ludens.ray import _parts, _players

GAME = "samegame"
# Ray gives its workers the lowest priority but for a few; here they have that of what they are compared with.
os.environ.setdefault("RAY_worker_niceness", "0")


def tell(**figures: object) -> None:
    print(json.dumps(figures), flush=True)


def suite(boards: int, nodes: int) -> dict:
    work = {"work": "suite", "game": GAME, "suite": f"random:{boards}", "seed": 1, "runs": 1}
    return {**work, "threads": 1, "nodes": nodes}


def processor_seconds() -> float:
    """Processor time of this process and of the workers that it has started. Those of Ray's own that wait
    beside them take as much whatever the work is."""
    parents, spent = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                is_worker = (entry / "cmdline").read_bytes().startswith(b"ray::")
            except OSError:
                continue
            pid = int(entry.name)
            parents[pid] = int(fields[1])
            if is_worker or pid == os.getpid():
                spent[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_ours(pid: int) -> bool:
        while pid not in (0, 1, os.getpid()):
            pid = parents.get(pid, 0)
        return pid == os.getpid()

    return sum(seconds for pid, seconds in spent.items() if is_ours(pid))


def measured(run: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock and of processors."""
    begin, spent = time.perf_counter(), processor_seconds()
    run()
    return time.perf_counter() - begin, processor_seconds() - spent


def threads_alone(work: dict, folder: Path) -> None:
    """One process with two threads."""
    spec = _core.work_text(json.dumps(work))
    file = folder / "alone.sqlite"
    file.write_bytes(_core.work_part(spec, "1/1", _core.program_name(), workers=2))
    _core.work_merge([str(file)])


def efficiency(repeats: int, boards: int, nodes: int, parts: int) -> None:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    work = suite(boards, nodes)
    # Processes that are started for the first time are no part of the work.
    _parts.execute(suite(4, 100), workers=2, parts=4)
    alone, together = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeats):
            alone.append(measured(lambda: threads_alone(work, Path(folder))))
            together.append(measured(lambda: _parts.execute(work, workers=2, parts=parts)))

    def ratio(which: int) -> float:
        return statistics.median(a[which] / b[which] for a, b in zip(alone, together))

    spec = _core.work_text(json.dumps(work))
    part = _core.work_part(spec, f"1/{parts}", _core.program_name())
    tell(
        figure="efficiency of evaluate, two nodes of a core beside two threads",
        boards=boards,
        nodes=nodes,
        parts=parts,
        seconds_threads=alone,
        seconds_cluster=together,
        efficiency=ratio(0),
        efficiency_by_processor_time=ratio(1),
        part_bytes=len(part),
        part_bytes_sent=len(zlib.compress(part)),
    )
    ray.shutdown()
    cluster.shutdown()


@ray.remote(max_restarts=-1, max_task_retries=0)
class Sleeper:
    """Sleeps in place of playing, and gives a block of games that was played before."""

    def play(self, spec: str, unit: int, network: bytes, driver: str) -> str:
        seconds, games = json.loads(spec)["sleep"], json.loads(spec)["sample"]
        assert len(network) > 1000
        time.sleep(seconds)
        return games

    def ready(self) -> int:
        return 0


def real_block(folder: Path) -> tuple[str, bytes, float]:
    """A block of 32 games of Connect Four by a fresh network of default size, and what it took."""
    orders: list[tuple[str, bytes]] = []

    def order(spec: str, network: bytes, _: object) -> tuple[list[str], list[int]]:
        orders.append((spec, network))
        raise RuntimeError("one order is enough")

    try:
        settings = [("sims", "32")]
        _core.train_with_actors(
            "alphazero", "connect-four", settings, 1, str(folder / "run"), False, 1, 32, order, None
        )
    except LudensError:
        pass
    spec, network = orders[0]
    begin = time.process_time()
    games = _core.self_play_block(spec, 0, network, _core.program_name())
    return games, network, time.process_time() - begin


def actors(seconds: float, blocks: int, repeats: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        games, network, cpu = real_block(Path(folder))
    tell(
        figure="a block of self-play",
        games=32,
        bytes=len(games),
        bytes_compressed=len(zlib.compress(games.encode())),
        network_bytes=len(network),
        cpu_seconds=cpu,
    )
    ray.init(num_cpus=8, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    spec = {"games": 32 * blocks, "block": 32, "sample": games}
    for count in (1, 2, 4, 8):
        players = _players.Players(count, "bench", Sleeper)
        while len(players.idle) < count:
            players.wait(lambda: False)
        for sleep in (0.0, seconds):
            text = json.dumps({**spec, "sleep": sleep})
            times = []
            for _ in range(repeats):
                begin = time.perf_counter()
                _players.Synchronous(players).play(text, network, lambda: False)
                times.append(time.perf_counter() - begin)
            ideal = -(-blocks // count) * sleep
            tell(
                figure="self-play by sleeping actors",
                actors=count,
                blocks=blocks,
                sleep=sleep,
                seconds=statistics.median(times),
                ideal=ideal,
                efficiency=ideal / statistics.median(times),
                ms_per_block=1000 * statistics.median(times) / blocks if sleep == 0 else None,
            )
        players.close()
    ray.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--boards", type=int, default=48)
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument("--sleep", type=float, default=0.5)
    parser.add_argument("--blocks", type=int, default=32)
    options = parser.parse_args()
    efficiency(options.repeats, options.boards, options.nodes, options.parts)
    actors(options.sleep, options.blocks, options.repeats)


if __name__ == "__main__":
    main()
