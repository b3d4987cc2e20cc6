"""Shards of work as tasks of a Ray cluster."""

from __future__ import annotations

import json
import os
import tempfile
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray
from ray import exceptions

from ludens import LudensError, _core

#: Parts for every worker, so that the last ones to end leave few others idle.
PARTS_PER_WORKER = 8
#: How often a part is started again after its worker, its node or its result was lost.
RETRIES = 5
#: Seconds to wait before that, doubled every time.
BACKOFF = 0.5

#: How files end that are not whole yet.
UNFINISHED = ".new"

#: What is no fault of the work: workers and nodes that die, results that are lost or find no room.
LOST = (
    exceptions.WorkerCrashedError,
    exceptions.NodeDiedError,
    exceptions.ObjectLostError,
    exceptions.ObjectStoreFullError,
    exceptions.OutOfDiskError,
    exceptions.OutOfMemoryError,
    exceptions.LocalRayletDiedError,
    exceptions.RayActorError,
)


@dataclass(frozen=True)
class Progress:
    """How far work has come."""

    units: int
    of: int
    seconds: float
    retried: int


@ray.remote(max_retries=RETRIES)
def _part(spec: str, shard: str, driver: str) -> bytes:
    # Compressed, a part is so small that it travels with the message and needs no object store.
    return zlib.compress(_core.work_part(spec, shard, driver))


def connect(address: str | None = None, workers: int | None = None) -> None:
    """Joins the cluster of ``address`` or of the environment, or starts one on this machine."""
    if ray.is_initialized():
        return
    address = address or os.environ.get("RAY_ADDRESS")
    if address is not None:
        ray.init(address=address, logging_level="ERROR")
        return
    quiet = {"log_to_driver": False, "include_dashboard": False}
    ray.init(address="local", num_cpus=workers, logging_level="ERROR", **quiet)


def cluster_cpus() -> int:
    """Cores of the cluster."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


class Store:
    """A folder with a file for every part that is done, and what they are parts of."""

    def __init__(self, folder: Path, spec: str, parts: int, program: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        # What a driver that was killed had begun to write.
        for half in folder.glob(f"*{UNFINISHED}"):
            half.unlink(missing_ok=True)
        about = folder / "work.json"
        wanted = {"work": json.loads(spec), "program": program}
        if about.exists():
            found = json.loads(about.read_text(encoding="utf-8"))
            # The parts that are there were cut so.
            self.parts = int(found.pop("parts"))
            if found != wanted:
                raise ValueError(
                    f"{folder} has results of {json.dumps(found)}, expected {json.dumps(wanted)}: "
                    "name another store"
                )
        else:
            self.parts = parts
            _write(about, json.dumps({**wanted, "parts": parts}).encode())

    def file(self, part: int) -> Path:
        """The file of a part, from 1 on."""
        return self.folder / f"part-{part}-of-{self.parts}.sqlite"

    def missing(self) -> list[int]:
        """Parts that are not done yet."""
        return [part for part in range(1, self.parts + 1) if not self.file(part).exists()]

    def keep(self, part: int, data: bytes) -> None:
        """Keeps a part, whole or not at all. Kept twice, it is the same."""
        _write(self.file(part), data)


def _write(path: Path, data: bytes) -> None:
    fresh = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")
    with fresh.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def execute(
    work: dict[str, Any],
    *,
    workers: int | None = None,
    parts: int | None = None,
    cpus: int = 1,
    store: str | os.PathLike[str] | None = None,
    address: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    _driver: str | None = None,
) -> tuple[str, str | None]:
    """Does work in parts, each a task: what the command prints as JSON, and of suites the runs.

    ``workers`` tasks run at the same time, as many as the cluster has cores without it, each on ``cpus``
    cores. ``parts`` is the number of tasks; 8 for every worker by default, at most one for every unit.
    ``store`` keeps the parts that are done. Tasks whose worker or node dies are started again, up to 5
    times; a part that is done twice counts once. ``on_progress`` is told of every part.
    """
    spec = _core.work_text(json.dumps(work))
    driver = _driver or _core.program_name()
    units = _core.work_units(spec)
    connect(address, workers)
    workers = workers or max(1, cluster_cpus() // cpus)
    parts = max(1, min(parts or PARTS_PER_WORKER * workers, units))
    with tempfile.TemporaryDirectory() as temporary:
        kept = Store(Path(store or temporary), spec, parts, driver)
        _run(kept, spec, driver, units, workers, cpus, on_progress)
        return _core.work_merge([str(kept.file(part)) for part in range(1, kept.parts + 1)])


def _run(
    store: Store,
    spec: str,
    driver: str,
    units: int,
    workers: int,
    cpus: int,
    on_progress: Callable[[Progress], None] | None,
) -> None:
    start, retried = time.monotonic(), 0
    waiting = store.missing()
    failures: dict[int, int] = {}
    running: dict[Any, int] = {}
    done = units - sum(_units(part, store.parts, units) for part in waiting)
    task = _part.options(num_cpus=cpus, scheduling_strategy="SPREAD")

    def tell() -> None:
        if on_progress is not None:
            on_progress(Progress(done, units, time.monotonic() - start, retried))

    tell()
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                part = waiting.pop(0)
                # The specification travels with the message: a full object store is no hindrance.
                running[task.remote(spec, f"{part}/{store.parts}", driver)] = part
            (ready, *_), _ = ray.wait(list(running), num_returns=1)
            part = running.pop(ready)
            try:
                store.keep(part, zlib.decompress(ray.get(ready)))
            except LOST as error:
                failures[part] = failures.get(part, 0) + 1
                if failures[part] > RETRIES:
                    raise LudensError(
                        f"part {part} of {store.parts} was lost {failures[part]} times: {error}"
                    ) from error
                retried += 1
                time.sleep(BACKOFF * 2 ** (failures[part] - 1))
                waiting.append(part)
                continue
            except exceptions.RayTaskError as error:
                raise error.as_instanceof_cause() from None
            done += _units(part, store.parts, units)
            tell()
    finally:
        for reference in running:
            ray.cancel(reference, force=True)


def _units(part: int, parts: int, units: int) -> int:
    """Units of a part: every ``parts``-th."""
    return (units + parts - part) // parts
