"""The browser's Python plays the same games as this one, with the same values to the last bit: Pyodide, run by Node."""

import subprocess
from pathlib import Path

import pytest

from fivedice.rulesets import ruleset_ids
from tests.amount import IS_FULL, amount, cases
from tests.local.played import digest, keep_tables, new_service
from tests.repository import ROOT
from tests.solutions import portable_tables, solution_of

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
