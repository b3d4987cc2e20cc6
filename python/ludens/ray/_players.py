"""A learner on this machine and actors of a Ray cluster that play for it."""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import ray

from ludens import _core
from ludens.ray._parts import LOST, cluster_cpus, connect

#: A block that takes so many times as long as others is played by an idle actor as well.
STRAGGLER = 3.0
#: Seconds between looks at blocks that take long.
LOOK = 1.0


@ray.remote(max_restarts=-1, max_task_retries=0)
class Player:
    """Plays blocks of games. It keeps nothing, so another may play the same block."""

    def play(self, spec: str, unit: int, network: bytes, driver: str) -> str:
        """The games of a block as JSON lines."""
        return _core.self_play_block(spec, unit, network, driver)

    def ready(self) -> int:
        """Its process, once it is there."""
        return os.getpid()


class Players:
    """Actors, idle or at a block, dead ones until they are back.

    ``actor`` makes one; blocks come out as it returns them.
    """

    def __init__(self, workers: int, driver: str, actor: Any = Player) -> None:
        self.driver = driver
        options = actor.options(num_cpus=1, scheduling_strategy="SPREAD")
        self.actors = [options.remote() for _ in range(workers)]
        self.idle: list[Any] = []
        #: What actors are at: calls with the actor and its block, or none for a dead one that is asked
        #: whether it is back.
        self.calls: dict[Any, tuple[Any, Any]] = {}
        self.since: dict[Any, float] = {}
        #: Dead actors, which are asked again from time to time.
        self.down: list[Any] = []
        self.asked = time.monotonic()
        self.durations: list[float] = []
        self.lost = 0
        for actor in self.actors:
            self._ask(actor)

    def _ask(self, actor: Any) -> None:
        self.calls[actor.ready.remote()] = (actor, None)

    def submit(self, block: Any, spec: Any, unit: int, network: Any) -> None:
        """Gives a block to an idle actor."""
        actor = self.idle.pop()
        call = actor.play.remote(spec, unit, network, self.driver)
        self.calls[call] = (actor, block)
        self.since[call] = time.monotonic()

    def wait(self, stopped: Callable[[], bool]) -> tuple[list[tuple[Any, str]], list[Any]]:
        """Waits until something happens: blocks that are done with their games, and blocks that were lost
        with their actors."""
        if stopped():
            raise InterruptedError("stopped")
        done, lost = [], []
        if self.down and time.monotonic() - self.asked >= LOOK:
            self.asked = time.monotonic()
            while self.down:
                self._ask(self.down.pop())
        if not self.calls:
            time.sleep(LOOK)
            return done, lost
        ready, _ = ray.wait(list(self.calls), num_returns=1, timeout=LOOK)
        for call in ready:
            actor, block = self.calls.pop(call)
            began = self.since.pop(call, None)
            try:
                result = ray.get(call)
            except LOST:
                self.lost += block is not None
                self.down.append(actor)
                if block is not None:
                    lost.append(block)
                continue
            except ray.exceptions.RayTaskError as error:
                raise error.as_instanceof_cause() from None
            self.idle.append(actor)
            if block is not None and began is not None:
                self.durations.append(time.monotonic() - began)
                done.append((block, result))
        return done, lost

    def stragglers(self) -> list[Any]:
        """Blocks that take much longer than most."""
        if len(self.durations) < 3:
            return []
        limit = STRAGGLER * statistics.median(self.durations[-100:]) + LOOK
        now = time.monotonic()
        return [self.calls[call][1] for call, began in self.since.items() if now - began > limit]

    def close(self) -> None:
        """Ends all actors."""
        for actor in self.actors:
            ray.kill(actor)


class Synchronous:
    """Plays exactly the games of an iteration with its network."""

    def __init__(self, players: Players) -> None:
        self.players = players

    def play(
        self, spec: str, network: bytes, stopped: Callable[[], bool]
    ) -> tuple[list[str], list[int]]:
        """The blocks, in order; all by that network."""
        work = json.loads(spec)
        units = -(-work["games"] // work["block"])
        spec_ref, network_ref = ray.put(spec), ray.put(network)
        waiting, done, twice = list(range(units))[::-1], {}, set()
        while len(done) < units:
            while waiting and self.players.idle:
                unit = waiting.pop()
                if unit not in done:
                    self.players.submit((spec, unit), spec_ref, unit, network_ref)
            if not waiting:
                # What was lost without a word, or is slow, is played by somebody else as well.
                for block in self.players.stragglers():
                    if self.players.idle and block[0] == spec and block not in twice:
                        twice.add(block)
                        self.players.submit(block, spec_ref, block[1], network_ref)
            finished, lost = self.players.wait(stopped)
            # Blocks of an iteration before this one may still come, played twice.
            done.update((unit, games) for (of, unit), games in finished if of == spec)
            waiting += [unit for of, unit in lost if of == spec and unit not in done]
        return [done[unit] for unit in range(units)], []


class Asynchronous:
    """Takes the blocks that are there, by networks at most ``max_staleness`` iterations old.

    Actors never wait for the learner as long as fewer than ``1 + max_staleness`` iterations of games are
    under way or ready.
    """

    def __init__(self, players: Players, max_staleness: int) -> None:
        self.players = players
        self.max_staleness = max_staleness
        self.ready: list[tuple[int, str]] = []
        self.under_way = 0
        self.next: int | None = None
        self.dropped = 0

    def play(
        self, spec: str, network: bytes, stopped: Callable[[], bool]
    ) -> tuple[list[str], list[int]]:
        """The oldest blocks that are ready, and how many iterations older than this one each is."""
        work = json.loads(spec)
        iteration, block = work["iteration"], work["block"]
        if work["games"] % block:
            raise ValueError(f"block: found {block}, expected a divisor of games={work['games']}")
        units = work["games"] // block
        network_ref = ray.put(network)
        self.next = work["first"] if self.next is None else self.next
        fresh = len(self.ready)
        self.ready = [item for item in self.ready if iteration - item[0] <= self.max_staleness]
        self.dropped += fresh - len(self.ready)
        while True:
            while self.players.idle and self._room(units):
                # Each block is a work of its own, so that its games have numbers of their own.
                own = json.dumps({**work, "first": self.next, "games": block})
                self.players.submit(iteration, own, 0, network_ref)
                self.next += block
                self.under_way += 1
            if len(self.ready) >= units:
                break
            finished, lost = self.players.wait(stopped)
            self.under_way -= len(finished) + len(lost)
            self.ready += [
                item for item in finished if iteration - item[0] <= self.max_staleness
            ]
        taken, self.ready = self.ready[:units], self.ready[units:]
        return [games for _, games in taken], [iteration - played for played, _ in taken]

    def _room(self, units: int) -> bool:
        return self.under_way + len(self.ready) < (1 + self.max_staleness) * units


def learn(
    recipe: str,
    game: str | None,
    *,
    settings: dict[str, Any] | None,
    seed: int | None,
    run: str | os.PathLike[str],
    resume: bool,
    steps: int | None,
    workers: int | None,
    block: int,
    mode: str,
    max_staleness: int,
    on_metrics: Callable[[dict[str, Any]], None] | None,
    address: str | None,
    _actor: Any = Player,
) -> dict[str, Any] | None:
    """See `ludens.ray.train`."""
    if mode not in ("sync", "async"):
        raise ValueError(f"mode: found {mode!r}, expected 'sync' or 'async'")
    if max_staleness < 1:
        raise ValueError(f"max_staleness: found {max_staleness}, expected 1 or more")
    report = None if on_metrics is None else lambda text: on_metrics(json.loads(text))
    texts = [(name, str(value)) for name, value in (settings or {}).items()]
    arguments = (recipe, game, texts, seed, os.fspath(run), resume, steps, block)
    if not _core.plays_itself(recipe):
        told = _core.train_with_actors(*arguments, None, report)
        return None if told is None else json.loads(told)
    connect(address, workers)
    # The learner has a core of its own where there are several.
    workers = workers or max(1, cluster_cpus() - 1)
    players = Players(workers, _core.program_name(), _actor)
    try:
        how = Synchronous(players) if mode == "sync" else Asynchronous(players, max_staleness)
        told = _core.train_with_actors(*arguments, how.play, report)
    finally:
        players.close()
    return None if told is None else json.loads(told)
