"""Which libraries commands load: those that answer at once load neither the compiler nor any other large library."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fivedice.solver.kernels.jit import COMPILES
from fivedice.solver.saved.kinds import SOLUTION
from tests.repository import ROOT
from tests.solutions import solution_of

LARGE = {"litestar", "llvmlite", "numba", "numpy", "pandas", "scipy", "sqlalchemy", "structlog", "textual"}

POSITION = "crag - 445 r1"


def packages_of(*arguments: str, cache: Path) -> set[str]:
    """The packages that a command has loaded when it ends, and the modules of `fivedice`."""
    code = "import sys; from fivedice.cli.app import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,  # `verify` has nothing to verify here
        env={**os.environ, "FIVEDICE_CACHE": str(cache), "FIVEDICE_DATA": str(cache)},
    )
    modules = set(done.stderr.split())
    return {name if name.startswith("fivedice.") else name.partition(".")[0] for name in modules}


@pytest.mark.parametrize(
    "command", ["--help", "rules crag", f"legal {POSITION}", "games", "replay FILE", "verify FILE"]
)
def test_commands_that_need_no_solution_load_no_large_library(tmp_path: Path, command: str) -> None:
    record = (ROOT / "tests" / "golden" / "crag.txt").read_text().partition("report:")[0]
    (tmp_path / "game.txt").write_text(record)
    name, *rest = command.replace("FILE", str(tmp_path / "game.txt")).split()
    packages = packages_of(name, *rest, cache=tmp_path)
    assert name == "--help" or f"fivedice.cli.commands.{name}" in packages
    assert not packages & LARGE


@pytest.mark.parametrize("options", [[], ["--json"], ["--top", "3"]])
def test_advice_with_a_saved_solution_loads_no_compiler(tmp_path: Path, options: list[str]) -> None:
    SOLUTION.save(solution_of("crag").ruleset, solution_of("crag"), tmp_path / "solutions")
    assert not packages_of("advise", POSITION, *options, cache=tmp_path) & LARGE


def test_advice_without_a_saved_solution_solves(tmp_path: Path) -> None:
    assert ("numba" in packages_of("advise", POSITION, cache=tmp_path)) == COMPILES
    assert list((tmp_path / "solutions").glob("*.solution"))
    assert "numba" not in packages_of("advise", POSITION, cache=tmp_path)
