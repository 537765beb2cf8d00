"""Which libraries commands load: those that answer at once load no large library."""

import os
import subprocess
import sys
from pathlib import Path

from fivedice.cli.app import place_of
from tests.repository import ROOT

LARGE = {"litestar", "llvmlite", "numba", "numpy", "pandas", "scipy", "sqlalchemy", "structlog", "textual"}

RULES, POSITION = "crag", "crag - 445 r1"


def packages_of(*commands: str, cache: Path) -> set[str]:
    """The packages that commands have loaded when the last one ends, and the modules of `fivedice`."""
    code = """
import sys
from fivedice.cli.app import main
for command in sys.argv[1:]:
    try:
        main(command.split("|"))
    except SystemExit:
        pass
print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code, *commands],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FIVEDICE_CACHE": str(cache), "FIVEDICE_DATA": str(cache)},
    )
    modules = set(done.stderr.split())
    return {name if name.startswith("fivedice.") else name.partition(".")[0] for name in modules}


def test_commands_that_need_no_solution_load_no_large_library(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text((ROOT / "tests" / "golden" / "crag.txt").read_text().partition("report:")[0])
    commands = [f"rules|{RULES}", f"legal|{POSITION}", "games", f"replay|{record}", f"verify|{record}"]
    packages = packages_of("--help", *commands, cache=tmp_path)
    assert {place_of(command.partition("|")[0]).partition(":")[0] for command in commands} <= packages
    assert packages & LARGE == set()


def test_advice_without_a_saved_solution_solves_and_with_one_loads_no_large_library(tmp_path: Path) -> None:
    assert "numpy" in packages_of(f"advise|{POSITION}", cache=tmp_path)
    assert list((tmp_path / "solutions").glob("*.solution"))
    again = packages_of(f"advise|{POSITION}", f"advise|{POSITION}|--json", f"advise|{POSITION}|--top|3", cache=tmp_path)
    assert "fivedice.cli.commands.advise" in again
    assert again & LARGE == set()
