"""What the page runs: plain Python only, and the same games with the same values to the last bit. Tables in a browser
are those of a server: the same events, views, records, reviews and sentences."""

import ast
import json
import subprocess
import sys
import venv
from itertools import count
from pathlib import Path
from random import Random
from typing import cast
from zipfile import ZipFile

import msgspec
import pytest

from fivedice.analysis.advice import advise
from fivedice.analysis.reviews.marks import LuckScale
from fivedice.analysis.reviews.review import review
from fivedice.base.language import language
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.proof import TableDice
from fivedice.local.browser import request
from fivedice.players import make_player
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.server.table.answers import Accepted
from fivedice.server.table.apply import start
from fivedice.server.table.available import has_browser_advice, has_browser_reasons
from fivedice.server.table.event import Created, Event
from fivedice.server.table.history import decode, encode
from fivedice.server.table.messages import Update
from fivedice.server.table.to_record import record_of
from fivedice.server.table.tutor import Questions
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.view import view
from fivedice.solver.solution import Solution
from fivedice.views.review import review_view
from tests.amount import IS_FULL, amount, cases
from tests.local.played import LANGUAGES, digest, keep_tables, keep_values, new_service, play
from tests.repository import ROOT
from tests.server.scripted import Live
from tests.solutions import breakdown_of, portable_tables, scores_of, solution_of
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
    *("asyncio", "cachetools", "concurrent", "litestar", "llvmlite", "multiprocessing", "numba", "numpy", "scipy"),
    *("socket", "sqlalchemy", "structlog", "subprocess", "uvicorn"),
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


class Reference(Live):
    """A table as a server plays it: by the functions of `server/table`, compiled kernels and NumPy."""

    def __init__(self, first: str, secret: bytes, solution: Solution | None) -> None:
        created = decode(first)
        assert isinstance(created, Created)
        self.events: list[Event] = [created]
        self.table = start(created)
        self.secret, self.solution, self.questions = secret, solution, Questions()
        self.loss_of = self.loss if solution else None
        self.accepted, self._ids = {}, count(10_000_000)

    @property
    def chance(self) -> TableDice:
        return TableDice(self.secret, self.table.id, self.table.nonces)

    def loss(self, position: Position, action: Action) -> tuple[float, Action]:
        assert self.solution
        advice = advise(self.solution, position)
        return advice.of(action).loss, advice.best.action

    def bot(self, kind: str, position: Position) -> Action:
        return make_player(kind, Random(0), lambda: cast("Solution", self.solution)).choose(position)

    def show(self) -> object:
        judged = self.table.judged
        has_values = self.solution is not None
        found = view(
            self.table,
            secret=self.secret,
            advice=advise(self.solution, self.table.position) if self.solution and self.table.wants_advice else None,
            last_loss=self.loss(judged.position, judged.action) if judged else None,
        )
        return msgspec.structs.replace(found, has_review=has_values, has_odds=False)


def compare(
    rules: str, seed: int, opponent: str, help: str = "none", *, has_values: bool = False, has_reasons: bool = False
) -> None:
    service, solution = new_service(seed), solution_of(rules) if has_values else None
    if solution and has_reasons:
        keep_tables(service, solution.ruleset.digest, *portable_tables(rules, is_rounded=False))
    elif solution:
        keep_values(service, solution.ruleset.digest, solution.float_values)
    sent: list[object] = []
    replies = play(service, rules, seed, opponent, help, sent)
    created = next(replies)
    first = created.events[0]
    reference = Reference(first.body, bytes.fromhex(first.secret), solution)
    for reply in replies:
        assert not isinstance(reply.content, msgspec.Struct) or isinstance(reply.content, Accepted), reply
        (stored,) = reply.events
        reference.now = stored.at
        if isinstance(reply.content, Accepted):
            reference.do(msgspec.convert(sent[-1], AnyCommand))
        elif opponent == "random":
            reference.append(decode(stored.body))
        else:
            reference.let_computer_act(reference.bot)
        assert encode(reference.events[-1]).decode() == stored.body
        update = reply.messages[0].message
        assert isinstance(update, Update)
        assert msgspec.json.encode(update.view) == msgspec.json.encode(reference.show())
    id = reference.table.id
    record = record_of(reference.table, reference.events, reference.secret)
    assert request(service, "GET", f"/api/tables/{id}/record").content == str(record)
    if solution:
        scale = LuckScale(solution.expected_score, scores_of(rules)) if has_reasons else None
        found, breakdown = review(solution, record, scale), breakdown_of(rules) if has_reasons else None
        for lang in LANGUAGES:
            expected = review_view(breakdown, found, (), language(lang))
            text = json.dumps({"text": str(record)})
            for reply in (
                request(service, "GET", f"/api/tables/{id}/review?lang={lang}"),
                request(service, "POST", f"/api/records/review?lang={lang}", text),
            ):
                assert msgspec.json.encode(reply.content) == msgspec.json.encode(expected)


@pytest.mark.parametrize("rules", ruleset_ids())
def test_a_game_of_every_ruleset_is_that_of_a_server(rules: str) -> None:
    ruleset = load_ruleset(rules)
    has_greedy = len(ruleset.boxes) < 14
    for seed in range(amount(1, full=12)):
        compare(rules, seed, "greedy" if rules == "yatzy" or (has_greedy and seed % 2) else "random")


@pytest.mark.parametrize("rules", cases(("crag", "yahtzee"), full=ruleset_ids()))
def test_values_advice_levels_reviews_and_reasons_are_those_of_a_server_to_the_last_bit(rules: str) -> None:
    ruleset = load_ruleset(rules)
    if not has_browser_advice(ruleset):
        pytest.skip("a server offers no values of these rules to browsers")
    has_reasons = has_browser_reasons(ruleset) and (IS_FULL or rules == "crag")
    for seed, (opponent, help) in enumerate([("level_3", "after"), ("level_9", "always"), ("optimal", "tutor")]):
        for game in range(amount(1, full=6)):
            compare(rules, 10 * seed + game, opponent, help, has_values=True, has_reasons=has_reasons)
