from __future__ import annotations

import json

import ludens
from ludens import _core


def specs(players: int | None = None, samples: bool = True) -> list[str]:
    """All games and forms, with a sample of their variants."""
    found = []
    for info in json.loads(_core.games()):
        if players is None or info["players"] == players:
            for sample in info["samples"] if samples else [""]:
                join = "," if ":" in info["spec"] else ":"
                found.append(info["spec"] + (join + sample if sample else ""))
    return found


ALL = specs()
SOLO = specs(1)
DUELS = specs(2)
FORMS = specs(samples=False)
__all__ = ["ALL", "DUELS", "FORMS", "SOLO", "ludens"]
