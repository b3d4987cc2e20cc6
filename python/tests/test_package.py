"""The package itself: what it imports, its stubs, its reference, its notebooks and examples."""

from __future__ import annotations

import resource
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_importing_imports_numpy_only() -> None:
    program = "import sys, ludens; print(sorted({m.split('.')[0] for m in sys.modules}))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    for other in ("gymnasium", "pettingzoo", "pyspiel", "open_spiel", "ray", "matplotlib", "torch"):
        assert f"'{other}'" not in shown


def test_stubs_are_those_of_the_extension() -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy.stubtest", "ludens._core", "--ignore-disjoint-bases"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_reference_is_up_to_date() -> None:
    page = runpy.run_path(str(ROOT / "python" / "tools" / "api.py"))["page"]()
    assert (ROOT / "docs" / "python-api.md").read_text() == page


def test_examples_run() -> None:
    shown = subprocess.run(
        [sys.executable, str(ROOT / "python" / "examples" / "former_of_a_day.py")],
        capture_output=True, text=True, check=True,
    ).stdout
    assert shown.startswith("11 moves, proven: True")
    learn = runpy.run_path(str(ROOT / "python" / "examples" / "ppo_former.py"))["train"]
    means = learn("former:rows=4,cols=4,shapes=3", 30)
    assert sum(means[-5:]) / 5 > sum(means[:3]) / 3, means


@pytest.mark.notebook
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    begin = children_seconds()
    client.NotebookClient(nbformat.read(path, as_version=4), timeout=1200).execute()
    # The processor time of the kernel, which has ended: the clock also counts what others do.
    assert 0 < children_seconds() - begin < 60


def children_seconds() -> float:
    """Processor time of child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_there_are_four_notebooks() -> None:
    assert len(NOTEBOOKS) == 4
