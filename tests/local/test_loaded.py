"""What the page runs loads plain Python only, in a fresh interpreter, also while it plays, advises and reviews."""

import ast
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import msgspec

from tests.repository import ROOT
from web import local as program
from web.local_files import LEFT_OUT

PLAYED = """
import sys
from array import array
from math import nan
from fivedice.local.browser import request
from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.portable import Portable
from fivedice.solver.tables.states import States
from tests.local.played import digest, new_service
service, ruleset = new_service(1), load_ruleset("crag")
values = array("d", [1.0] * States(ruleset).num_entries)
service.values.keep(ruleset.digest, lambda: Portable(ruleset.digest, values, None))
for opponent, help in (("level_2", "always"), ("optimal", "tutor"), ("greedy", "after")):
    digest(service, "crag", 1, opponent, help)
print(*sorted(sys.modules))
"""

HEAVY = {
    "asyncio",
    "cachetools",
    "concurrent",
    "litestar",
    "llvmlite",
    "multiprocessing",
    "numba",
    "numpy",
    "scipy",
    "socket",
    "sqlalchemy",
    "structlog",
    "subprocess",
    "uvicorn",
}


def test_whole_games_with_advice_and_reviews_load_neither_numpy_nor_a_server() -> None:
    command = [sys.executable, "-c", PLAYED]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)  # noqa: S603
    loaded = found.stdout.split()
    assert "fivedice.views.review_words" in loaded
    assert HEAVY.intersection(name.split(".")[0] for name in loaded) == set()
    rooms = (
        "fivedice.storage",
        *(f"fivedice.server.{room}" for room in ("games", "http", "live", "process", "solving")),
    )
    assert [name for name in loaded if name.startswith(rooms)] == []


def test_the_program_for_browsers_has_the_same_bytes_where_only_msgspec_is_installed(tmp_path: Path) -> None:
    """As where pip builds the wheel, in an environment with what the build needs."""
    venv.create(tmp_path / "empty", symlinks=True)
    [packages] = tmp_path.glob("empty/lib/python*/site-packages")
    (packages / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    packed = tmp_path / "here.zip", tmp_path / "there.zip"
    for python, path in zip((Path(sys.executable), tmp_path / "empty/bin/python"), packed, strict=True):
        subprocess.run([python, ROOT / "web/local.py", path], check=True)  # noqa: S603
    assert packed[0].read_bytes() == packed[1].read_bytes()
    with ZipFile(packed[1]) as opened:
        assert "fivedice/local/browser.py" in opened.namelist()


def test_the_program_for_browsers_imports_nothing_that_its_standard_library_lacks() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in program.files() if path.suffix == ".py"]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    assert "tomllib" in names
    names.remove("importlib.metadata")  # has the version of an installed package, which this is not
    lacking = [name.removesuffix("/").removesuffix(".py").replace("/", ".") for name in LEFT_OUT]
    assert [name for name in names if any(f"{name}.".startswith(f"{one}.") for one in lacking)] == []
