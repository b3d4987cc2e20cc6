"""Waiting for work that runs in Rust, with progress, Ctrl-C and asyncio."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from ludens import _core

_PATIENCE = 0.1
"""Seconds between two looks at Python's signals."""

News = Callable[[Any], None]


def events(job: _core.Job) -> Iterator[tuple[str, Any]]:
    """All news of a job, the last one ``("done", result)``.

    Ctrl-C asks the job to end with the best it has; a second one gives up on it.
    """
    stopping = False
    while True:
        try:
            event = job.poll(_PATIENCE)
        except KeyboardInterrupt:
            if stopping:
                raise
            stopping = True
            job.stop()
            continue
        if event is None:
            continue
        kind, text = event
        yield kind, json.loads(text)
        if kind == "done":
            return


async def events_async(job: _core.Job) -> AsyncIterator[tuple[str, Any]]:
    """The same for asyncio; cancelling the task stops the job."""
    try:
        while True:
            event = await asyncio.to_thread(job.poll, _PATIENCE)
            if event is None:
                continue
            kind, text = event
            yield kind, json.loads(text)
            if kind == "done":
                return
    finally:
        job.stop()


def wait(job: _core.Job, news: News | None = None, line: Callable[[Any], str] | None = None) -> Any:
    """The result of a job. `news` hears of its progress; on a terminal `line` is shown."""
    show = line if line is not None and sys.stderr.isatty() else None
    result = None
    try:
        for kind, value in events(job):
            if kind == "done":
                result = value
            else:
                if news is not None:
                    news(value)
                if show is not None:
                    sys.stderr.write(f"\r\x1b[K{show(value)}")
                    sys.stderr.flush()
    finally:
        # Whatever `news` raised, nobody listens any more.
        job.stop()
        if show is not None:
            sys.stderr.write("\r\x1b[K")
    return result
