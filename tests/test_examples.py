"""The programs in `examples/`, which are all listed in their README, and the tutorials in `docs/`: each runs."""

import os
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.repository import ROOT

FOLDER = ROOT / "examples"
PROGRAMS = {
    "advise.py": ((), "Keep 35 instead of scoring 6 in Sixes?"),
    "learn.py": (("--steps", "65536", "--points", "1", "--games", "256"), "points"),
    "learn_sb3.py": (("--steps", "16384", "--games", "64"), "loss a game"),
    "learn_torchrl.py": (("--steps", "13312", "--games", "64"), "loss a game"),
    "minari_dataset.py": (("{folder}", "crag", "3"), "fivedice/crag-v0: 3 episodes"),
    "own_rules.py": ((), "A perfect player scores 149.85 points in Crag, 163.34 by our rules."),
    "ppo.py": (("--steps", "32768", "--games", "64"), "points a game, scores"),
    "review_record.py": (("game.txt",), "random: 50 points, luck +36.1, lost 136.0"),
    "strategy.py": (("--games", "20"), "crag - 445 r1: keep 44 gives up 12.00 points"),
    "verify_dice.py": (("game.txt",), "105 dice compared, 0 problems"),
}
"""The arguments of each program, and a sentence that it prints."""

NEEDED = {
    "learn.py": "torch",
    "learn_sb3.py": "sb3_contrib",
    "learn_torchrl.py": "torchrl",
    "minari_dataset.py": "minari",
}
"""The package that a program needs and the development environment does not have: PyTorch is large."""


def test_every_program_has_a_run_and_a_line_in_the_readme_and_every_tutorial_is_run() -> None:
    assert sorted(path.stem for path in (ROOT / "docs" / "tutorials").glob("*.ipynb")) == sorted(NOTEBOOKS)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert {file.name for file in FOLDER.glob("*.py")} == set(PROGRAMS)
    assert [name for name in PROGRAMS if f"| `python examples/{name}" not in readme] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_it_is_about(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if name in NEEDED and not find_spec(NEEDED[name]):
        pytest.skip(f"{NEEDED[name]}, which examples/{name} needs, is not installed")
    arguments, sentence = PROGRAMS[name]
    monkeypatch.chdir(FOLDER)
    monkeypatch.setattr(sys, "argv", [name, *(one.format(folder=tmp_path / "set") for one in arguments)])
    status: object = 0
    try:
        runpy.run_path(name, run_name="__main__")
    except SystemExit as left:
        status = left.code
    shown = capfd.readouterr()
    assert (status, shown.err) == (0, "")
    assert sentence in shown.out


NOTEBOOKS = ("play-and-score", "simulate-and-learn", "solve-and-advise")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_tutorial_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(ROOT / "docs" / "tutorials" / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in shown) or name == "simulate-and-learn"
    assert not any(output.output_type == "error" for output in shown)
