"""Writes docs/python-api.md from the stubs and typed sources; nothing is imported.

    python python/tools/api.py          # writes it
    python python/tools/api.py --check  # fails when it is not up to date
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "python" / "ludens"
PAGE = ROOT / "docs" / "python-api.md"
PARTS = [
    ("Searches", "_search.py", None),
    ("Evaluators of one's own", "evaluation.py", ["agent"]),
    ("Evaluations, contests, training, records", "_api.py", None),
    ("Environments", "vector.py", ["vector", "VectorEnv"]),
    ("Games and positions", "_core.pyi", ["Game", "Position"]),
    ("Networks", "network.py", ["Network"]),
    ("Results", "results.py", None),
    ("Gymnasium: `ludens.gym`", "gym.py", ["LudensEnv", "GymVectorEnv", "RLlibEnv"]),
    ("PettingZoo: `ludens.pettingzoo`", "pettingzoo.py", ["env", "parallel_env", "raw_env"]),
    ("OpenSpiel: `ludens.openspiel`", "openspiel.py", ["register", "name_of", "State"]),
    ("Ray: `ludens.ray`", "ray/__init__.py", ["evaluate", "arena", "solve_many", "train"]),
]

Function = ast.FunctionDef | ast.AsyncFunctionDef


def page() -> str:
    """The whole page."""
    lines = [
        "# Python API",
        "",
        "Written by `python python/tools/api.py` from the stubs and typed sources. "
        "[python.md](python.md) has recipes and conventions.",
    ]
    for title, name, wanted in PARTS:
        lines += ["", f"## {title}"]
        for node in ast.parse((SOURCES / name).read_text()).body:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if node.name.startswith("_") or (wanted is not None and node.name not in wanted):
                continue
            if isinstance(node, ast.ClassDef):
                lines += of_class(node)
            else:
                lines += ["", f"### `{node.name}`", "```python", signature(node), "```", doc(node)]
    return "\n".join(lines) + "\n"


def of_class(node: ast.ClassDef) -> list[str]:
    """A class with a table of its public members."""
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    lines = ["", f"### class `{node.name}{f'({bases})' if bases else ''}`", doc(node)]
    rows = []
    for member in node.body:
        if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)) and not member.name.startswith("_"):
            is_property = any(ast.unparse(one) == "property" for one in member.decorator_list)
            returns = ast.unparse(member.returns) if member.returns else "None"
            shown = f"{member.name}: {returns}" if is_property else signature(member)[4:]
            said = doc(member).split("\n\n")[0].replace("\n", " ")
            rows.append(f"| `{shown.replace('|', chr(92) + '|')}` | {said} |")
    return lines + (["", "| member | |", "|---|---|", *rows] if rows else [])


def signature(node: Function) -> str:
    """`def name(..) -> ..`, without `self`."""
    arguments = ast.unparse(node.args)
    for own in ("self, ", "cls, ", "self", "cls"):
        if arguments.startswith(own):
            arguments = arguments[len(own) :]
            break
    kind = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{kind} {node.name}({arguments}){returns}"


def doc(node: ast.ClassDef | Function) -> str:
    """What is said of it, without examples."""
    return (ast.get_docstring(node) or "").split(">>>")[0].strip()


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.exists() and PAGE.read_text() == page() else f"{PAGE} is out of date")
    PAGE.write_text(page())
