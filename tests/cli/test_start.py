"""Which libraries commands load: those that answer at once load neither the compiler nor any other large library."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fivedice.solver.store import save_solution
from tests.solutions import solution_of

LARGE = {"litestar", "llvmlite", "numba", "numpy", "pandas", "scipy", "sqlalchemy", "structlog", "textual"}

POSITION = "crag - 445 r1"


def modules_of(*arguments: str, cache: Path) -> set[str]:
    """The packages that a command has loaded when it ends; the command must succeed."""
    code = "import sys; from fivedice.cli.app import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FIVEDICE_CACHE": str(cache)},
    )
    return {module.partition(".")[0] for module in done.stderr.split()}


@pytest.mark.parametrize("options", [[], ["--json"], ["--top", "3"]])
def test_advice_with_a_saved_solution_loads_no_compiler(tmp_path: Path, options: list[str]) -> None:
    save_solution(solution_of("crag"), tmp_path / "solutions")
    assert not modules_of("advise", POSITION, *options, cache=tmp_path) & LARGE


def test_advice_without_a_saved_solution_solves(tmp_path: Path) -> None:
    assert "numba" in modules_of("advise", POSITION, cache=tmp_path)
    assert list((tmp_path / "solutions").glob("*.solution"))
    assert "numba" not in modules_of("advise", POSITION, cache=tmp_path)
