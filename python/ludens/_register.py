"""Registration with Gymnasium: at once where it is imported already, else right after it is.

Importing Ludens must not import Gymnasium, and Gymnasium knows no plugins.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

SOLO = {
    "Former": "former", "SameGame": "samegame", "Morpion": "morpion", "2048": "2048",
    "2584": "2584", "Threes": "threes",
}
"""Games of one player by the names they are registered under."""

DUELS = {
    "Sevn": "sevn", "ConnectFour": "connect-four", "Othello": "othello",
    "Togyzkumalak": "togyzkumalak",
}
"""Games of two, registered with an opponent that plays at random unless it is named."""


def register() -> None:
    """Registers ``ludens/NAME-v0``."""
    from gymnasium.envs.registration import register as enter
    from gymnasium.envs.registration import registry

    for name, game in {**SOLO, **DUELS}.items():
        identifier = f"ludens/{name}-v0"
        if identifier not in registry:
            enter(
                identifier,
                entry_point="ludens.gym:LudensEnv",
                vector_entry_point="ludens.gym:_vector",
                kwargs={"game": game},
            )


class _Afterwards(importlib.abc.Loader):
    """Loads Gymnasium as its own loader does, then registers."""

    def __init__(self, loader: Any):
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        register()


class _Watcher(importlib.abc.MetaPathFinder):
    """Waits for somebody to import Gymnasium."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Afterwards(spec.loader)
        return spec


def install() -> None:
    """Registers now or as soon as Gymnasium is there."""
    if "gymnasium" in sys.modules:
        register()
    elif not any(isinstance(finder, _Watcher) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watcher())
