"""Positions as text and as pictures, for `render`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludens import _core
from ludens._svg import INKS

MODES = ["ansi", "rgb_array"]

_CELL = 24
# Three columns and five rows per character, top row first, one bit per pixel.
_GLYPHS = {
    "0": (7, 5, 5, 5, 7), "1": (2, 6, 2, 2, 7), "2": (7, 1, 7, 4, 7), "3": (7, 1, 3, 1, 7),
    "4": (5, 5, 7, 1, 1), "5": (7, 4, 7, 1, 7), "6": (7, 4, 7, 5, 7), "7": (7, 1, 2, 2, 2),
    "8": (7, 5, 7, 5, 7), "9": (7, 5, 7, 1, 7), "X": (5, 5, 2, 5, 5), "O": (2, 5, 5, 5, 2),
    "+": (0, 2, 7, 2, 0), "-": (0, 0, 7, 0, 0),
}


def ansi(position: _core.Position) -> str:
    """The board as text, one line per row."""
    view = position.view()
    rows, cols = view["rows"], view["cols"]
    texts = [text or "." for text, _ in view["cells"]]
    width = max(map(len, texts), default=1)
    lines = [
        " ".join(text.rjust(width) for text in texts[row * cols : (row + 1) * cols])
        for row in range(rows)
    ]
    facts = ", ".join(f"{name} {value}" for name, value in view["facts"].items())
    return "\n".join([*lines, facts, ""])


def rgb_array(position: _core.Position) -> npt.NDArray[np.uint8]:
    """The board as a picture of coloured cells with their texts."""
    view = position.view()
    rows, cols = view["rows"], view["cols"]
    picture = np.full((rows * _CELL, cols * _CELL, 3), 0xF4, np.uint8)
    for index, (text, ink) in enumerate(view["cells"]):
        top, left = index // cols * _CELL, index % cols * _CELL
        colour = _rgb(INKS.get(ink, INKS["Plain"])) if text else (0xE4, 0xE7, 0xEB)
        picture[top + 1 : top + _CELL - 1, left + 1 : left + _CELL - 1] = colour
        _write(picture[top : top + _CELL, left : left + _CELL], text)
    return picture


def _rgb(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _write(cell: npt.NDArray[np.uint8], text: str) -> None:
    """Writes what there are glyphs for, in the middle of a cell."""
    glyphs = [_GLYPHS[c] for c in text.upper() if c in _GLYPHS][:6]
    left, top = (_CELL - 4 * len(glyphs) + 1) // 2, (_CELL - 5) // 2
    for place, glyph in enumerate(glyphs):
        for row, bits in enumerate(glyph):
            for column in range(3):
                if bits >> (2 - column) & 1:
                    cell[top + row, left + 4 * place + column] = 255
