"""Waiting for work in the background, with signals, progress and asyncio."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ludens import _core

_PATIENCE = 0.1
"""Seconds between two looks at Python's signals."""

News = Callable[[Any], None]


class Work:
    """A job, and the functions of Python that evaluate for it: what they raise ends it."""

    def __init__(self, job: _core.Job, evaluators: Sequence[_core.Evaluator] = ()):
        self._job = job
        self._evaluators = evaluators
        self._stopping = False
        self._over = False

    def next_event(self) -> tuple[str, Any] | None:
        """The next news, or nothing so far: ``("news", value)``, then ``("done", result)``, then
        ``("over", None)``. Ctrl-C asks the job to end with the best it has; a second one gives up on it.
        """
        if self._over:
            return "over", None
        return self.stopping_on_ctrl_c(self._poll)

    def stopping_on_ctrl_c(self, call: Callable[[], Any]) -> Any:
        """What a call gives; nothing when Ctrl-C ended it, which asks the job to end too."""
        try:
            return call()
        except KeyboardInterrupt:
            if self._stopping:
                raise
            self._stopping = True
            self.close()
            return None

    async def next_event_async(self) -> tuple[str, Any] | None:
        """The same without holding up other tasks."""
        if self._over:
            return "over", None
        return await asyncio.to_thread(self._poll)

    def _poll(self) -> tuple[str, Any] | None:
        try:
            event = self._job.poll(_PATIENCE)
        except (ValueError, _core.LudensError):
            self._check()
            raise
        if any(one.failed for one in self._evaluators):
            self.close()
        if event is None:
            return None
        kind, text = event
        if kind == "done":
            self._over = True
            self._check()
        return kind, json.loads(text)

    def _check(self) -> None:
        for one in self._evaluators:
            one.check()

    def close(self) -> None:
        """Asks the job to end with the best it has."""
        self._job.stop()


def wait(work: Work, news: News | None = None, line: Callable[[Any], str] | None = None) -> Any:
    """The result of work. `news` hears of its progress; on a terminal `line` is shown."""
    show = line if line is not None and sys.stderr.isatty() else None
    try:
        while True:
            kind, value = work.next_event() or ("", None)
            if kind == "done":
                return value
            if kind == "news" and news is not None:
                work.stopping_on_ctrl_c(lambda: news(value))
            if kind == "news" and show is not None:
                sys.stderr.write(f"\r\x1b[K{show(value)}")
                sys.stderr.flush()
    finally:
        # Whatever `news` raised, nobody listens any more.
        work.close()
        if show is not None:
            sys.stderr.write("\r\x1b[K")
