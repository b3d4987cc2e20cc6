"""What searches, contests and trainings give back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ludens import _core, _pickle, _svg


class Result(Mapping[str, Any]):
    """The JSON of the command line as a read-only mapping. Results compare and pickle."""

    def __init__(self, fields: Mapping[str, Any]):
        self._fields = dict(fields)

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._fields == self._fields  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self), repr(self._fields)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._fields!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (_core.__version__, type(self), self._fields)


def _restore(version: str, kind: type[Result], fields: dict[str, Any]) -> Result:
    _pickle.check(version, "result")
    return kind(fields)


class Analysis(Result):
    """What was found out about a position; see docs/analysis.md for its fields."""

    @property
    def best(self) -> str | None:
        """The best move as text."""
        return _move(self.get("best"))

    @property
    def value(self) -> float | None:
        """The value for the player to move."""
        return self.get("value")

    @property
    def proven(self) -> bool:
        """Whether the value is that of best play."""
        return bool(self.get("proven"))

    @property
    def final(self) -> bool:
        """Whether this is the last report of its search."""
        return bool(self.get("final", True))

    @property
    def nodes(self) -> int:
        """Positions looked at."""
        return int(self.get("nodes", 0))

    @property
    def move_values(self) -> dict[str, Any]:
        """The values of the moves by their texts, where a solver gave them."""
        return dict(self.get("values") or {})


class Solution(Analysis):
    """The line that a solver found, with what is proven of it."""

    @property
    def moves(self) -> list[str]:
        """The moves as texts."""
        return [text for text in map(_move, self.get("moves") or []) if text is not None]

    @property
    def length(self) -> int:
        """How many moves there are."""
        return len(self.moves)

    @property
    def lower_bound(self) -> int | None:
        """No line is shorter, in games of as few moves as possible."""
        return self.get("lower_bound")

    @property
    def upper_bound(self) -> int | None:
        """No line scores more, in games for points."""
        return self.get("upper_bound")

    @property
    def score(self) -> int | None:
        """The points of the line, in games for points."""
        return self.get("score")

    @property
    def start(self) -> _core.Position:
        """The position that was solved."""
        return _core.Game(self["game"]).parse(self["position"])

    def positions(self) -> list[_core.Position]:
        """The start and the positions after each move, in games without chance."""
        line = [self.start]
        for move in self.moves:
            line.append(line[-1].apply(move))
        return line

    def draw(self, most: int = 12) -> Any:
        """The line as boards side by side, for a notebook."""
        return Drawing(self._repr_svg_(most))

    def _repr_svg_(self, most: int = 12) -> str:
        line, moves = self.positions(), self.moves
        marked = [tuple(at.action_cells(move)) for at, move in zip(line, moves)] + [()]
        return _svg.strip(list(zip(line, marked)), most)


class Drawing:
    """A picture that notebooks show."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg


class Evaluation(Result):
    """The summary of an evaluation, as `ludens eval --json` gives it."""


class Standings(Result):
    """The results of a contest, as `ludens arena --json` gives them."""


class Report(Result):
    """A table or figure measured again, as `ludens reproduce --json` gives it."""

    def __str__(self) -> str:
        return str(self["text"])

    def _repr_svg_(self) -> str | None:
        drawn = self.get("svg") or []
        return drawn[0] if drawn else None


class Run(Result):
    """A training: its last metrics, and those of every step in `history`."""

    @property
    def metrics(self) -> dict[str, Any]:
        """The last metrics."""
        return self["metrics"] or {}

    @property
    def history(self) -> list[dict[str, Any]]:
        """The metrics of every step that was reported."""
        return self["history"]

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before its end."""
        return bool(self["stopped"])

    @property
    def folder(self) -> str | None:
        """The run's folder, which agents take as a model."""
        return self["run"]

    def curve(self, y: str, x: str | None = None) -> Drawing:
        """The curve of a metric, by default over the first metric that always grows."""
        return Drawing(_svg.curve(self.history, x or self._axis(), y))

    def _axis(self) -> str:
        for name in self.history[0] if self.history else []:
            column = [row.get(name) for row in self.history]
            numbers = [value for value in column if isinstance(value, (int, float))]
            if len(numbers) == len(column) and all(a < b for a, b in zip(numbers, numbers[1:])):
                return name
        return "step"


def _move(value: Any) -> str | None:
    """A move of the JSON, which is a text or a pair, as text."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return value
