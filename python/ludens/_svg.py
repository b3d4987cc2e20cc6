"""Drawings of positions, solutions and curves for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ludens import _core

INKS = {
    "Plain": "#4a5568", "Dim": "#cbd5e0", "Red": "#d64545", "Orange": "#e67e22",
    "Yellow": "#d4a017", "Green": "#2f9e62", "Cyan": "#159a9c", "Blue": "#3b6fd4",
    "Purple": "#8e4ec6", "Pink": "#d6568f", "Brown": "#8d6b4f", "Grey": "#8a94a3",
    "Strong": "#1f2933",
}
"""The shade of every ink of a drawing."""

_CELL = 34


def position(shown: _core.Position, marked: Sequence[int] = ()) -> str:
    """A board; `marked` are cells of its drawing to point at."""
    view = shown.view()
    rows, cols, cells = view["rows"], view["cols"], view["cells"]
    cell = _CELL if cols <= 16 else 16
    width, height = cols * cell + 8, rows * cell + 8
    facts = ", ".join(f"{name} {value}" for name, value in view["facts"].items())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + 20}" '
        f'viewBox="0 0 {width} {height + 20}" role="img" aria-label="{escape(str(shown), True)}">',
        f'<rect width="{width}" height="{height}" rx="4" fill="#f4f5f7"/>',
    ]
    for index, (text, ink) in enumerate(cells):
        x, y = 4 + index % cols * cell, 4 + index // cols * cell
        edge = ' stroke="#1f2933" stroke-width="2"' if index in marked else ""
        fill = INKS.get(ink, INKS["Plain"]) if text else "#e4e7eb"
        parts.append(
            f'<rect x="{x + 1}" y="{y + 1}" width="{cell - 2}" height="{cell - 2}" rx="3" '
            f'fill="{fill}"{edge}/>'
        )
        if text:
            size = min(cell * 0.5, 1.5 * cell / max(1, len(text)))
            parts.append(
                f'<text x="{x + cell / 2}" y="{y + cell / 2}" fill="#fff" font-size="{size:.1f}" '
                'font-family="sans-serif" text-anchor="middle" dominant-baseline="central">'
                f"{escape(text)}</text>"
            )
    parts.append(
        f'<text x="4" y="{height + 14}" font-size="11" font-family="sans-serif" '
        f'fill="#4a5568">{escape(facts)}</text></svg>'
    )
    return "".join(parts)


def strip(shown: Sequence[tuple[_core.Position, Sequence[int]]], most: int = 12) -> str:
    """Several boards side by side."""
    shown = shown[:most]
    boards = [position(one, marked) for one, marked in shown]
    views = [one.view() for one, _ in shown]
    widths = [view["cols"] * (_CELL if view["cols"] <= 16 else 16) + 14 for view in views]
    height = max((view["rows"] * (_CELL if view["cols"] <= 16 else 16) + 28 for view in views), default=0)
    x, parts = 0, []
    for board, width in zip(boards, widths):
        parts.append(f'<g transform="translate({x} 0)">{board}</g>')
        x += width
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{x}" height="{height}">{"".join(parts)}</svg>'


def curve(rows: Sequence[Mapping[str, Any]], x: str, y: str) -> str:
    """A curve of two columns."""
    points = [(float(row[x]), float(row[y])) for row in rows if _plottable(row, x, y)]
    width, height, margin = 480, 240, 44
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(y, True)} by {escape(x, True)}">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    if points:
        (left, right), (low, high) = ((min(v), max(v)) for v in zip(*points))
        across, up = (right - left) or 1.0, (high - low) or 1.0
        place = [
            (margin + (px - left) / across * (width - 2 * margin),
             height - margin - (py - low) / up * (height - 2 * margin))
            for px, py in points
        ]
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in place)
        parts.append(f'<polyline points="{line}" fill="none" stroke="#3b6fd4" stroke-width="2"/>')
        for text, tx, ty, anchor in [
            (f"{left:g}", margin, height - margin + 16, "start"),
            (f"{right:g}", width - margin, height - margin + 16, "end"),
            (f"{low:g}", margin - 4, height - margin, "end"),
            (f"{high:g}", margin - 4, margin, "end"),
        ]:
            parts.append(_label(text, tx, ty, anchor))
    parts.append(_label(x, width / 2, height - 8, "middle"))
    parts.append(_label(y, width / 2, 16, "middle"))
    return "".join(parts) + "</svg>"


def _label(text: str, x: float, y: float, anchor: str) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="11" font-family="sans-serif" fill="#4a5568" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )


def _plottable(row: Mapping[str, Any], x: str, y: str) -> bool:
    return all(isinstance(row.get(name), (int, float)) for name in (x, y))
