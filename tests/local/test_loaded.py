"""What the page runs: plain Python only, and the same games with the same values to the last bit."""

import ast
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest

from fivedice.rulesets import ruleset_ids
from tests.amount import IS_FULL, amount, cases
from tests.local.played import digest, keep_tables, new_service
from tests.repository import ROOT
from tests.solutions import portable_tables, solution_of
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


FOLDER = ROOT / "src" / "fivedice" / "web" / "local"
"""What the page's build packs."""

GAMES = [
    ("crag", seed, opponent, help)
    for seed, (opponent, help) in enumerate([("level_3", "after"), ("optimal", "tutor"), ("level_9", "always")])
]
RANDOM = [
    (rules, seed, "random", "none")
    for rules in cases(["yahtzee"], full=ruleset_ids())
    for seed in range(amount(1, full=13))
]
"""All in all about three hundred in `make test-full`."""

SCRIPT = """
import sys
sys.path.insert(0, "/home/pyodide")
from tests.local.played import digest, keep_tables, new_service
service = new_service(1)
keep_tables(service, DIGEST, bytes(VALUES), bytes(PARTS))
found = [digest(service, *game) for game in {games!r}]
"\\n".join(found)
"""


@pytest.mark.timeout(3_600 if IS_FULL else 300)  # three hundred games take half an hour beside other tests
@pytest.mark.skipif(not (FOLDER / "fivedice.zip").exists(), reason="the page is built without what it runs offline")
def test_games_values_reviews_and_reasons_are_the_same_in_the_browsers_python(node: str, tmp_path: Path) -> None:
    solution = solution_of("crag")
    games = [*GAMES, *RANDOM]
    tables = portable_tables("crag", is_rounded=False)
    for name, table in zip(("values", "parts"), tables, strict=True):
        (tmp_path / name).write_bytes(table)
    (tmp_path / "script.py").write_text(SCRIPT.format(games=games))
    script = Path(__file__).parent / "in_node.mjs"
    files = [tmp_path / "values", tmp_path / "parts"]
    arguments = [FOLDER, script.parent, tmp_path / "script.py", solution.ruleset.digest, *files]
    command = [node, str(script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr[-2_000:]
    service = new_service(1)
    keep_tables(service, solution.ruleset.digest, *tables)
    assert done.stdout.split() == [digest(service, *game) for game in games]
