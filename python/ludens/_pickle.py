"""Pickles say which version wrote them, and no other reads them."""

from __future__ import annotations

from ludens import _core


def restore_position(version: str, game: str, text: str, pending: int | None) -> _core.Position:
    """The position of a pickle."""
    check(version, "position")
    return _core.Position.restore(game, text, pending)


def restore_game(version: str, spec: str) -> _core.Game:
    """The game of a pickle."""
    check(version, "game")
    return _core.Game(spec)


def check(version: str, what: str) -> None:
    """Refuses what another version of Ludens wrote."""
    if version != _core.__version__:
        raise ValueError(
            f"pickled {what}: found version {version}, expected {_core.__version__}, this one's"
        )
