"""`fivedice review`: sums that add up, the costliest decisions, and every turn in full."""

import json
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from fivedice.analysis.reviews.review import review
from fivedice.base.language import ENGLISH
from fivedice.cli.commands.review import review_lines
from fivedice.game.action import Score
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.solver.solve import solve
from fivedice.views.review import review_view
from fivedice.views.review_words import luck_in_words
from tests.cli.run_command import fivedice, played
from tests.solutions import UNADVISED

pytestmark = pytest.mark.usefixtures("shared_cache")

RECORD = f"""\
fivedice record 1
ruleset: crag
options: -
digest: {load_ruleset("crag").digest}
seats: Ann=human,Ben=human
first: 0
date: 2026-11-21T10:00:00+00:00
result: 50 3, unfinished

0: 445, score crag = 50
1: 445, keep 4, 134, score threes = 3
0: 113
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    file.write_text(RECORD)
    return file


def test_a_review_is_short_and_names_the_costliest_decisions(record: Path) -> None:
    out = fivedice("review", str(record)).out
    lines = out.splitlines()
    assert lines[0] == "Crag (crag). The game is not finished."
    ann, ben = (" ".join(part.split()) for part in out.partition("\nAnn\n")[2].split("\nBen\n"))
    assert "0 points lost in decisions · 11 points of luck · master play" in ann
    assert "150 expected at the start + 11 luck − 0 lost = 161 expected now" in ann
    assert "best turn 1: Crag, 50 points" in ann
    assert "1 ✓ 2 ✓" in ann
    assert "beginner play" in ben
    assert "1 blunder ??" in ben
    assert "Turn 1 ?? ⚃ ⚃ ⚄ Keeping 4 lost " in ben
    assert "Best was to score Crag. Score 50 in Crag instead of keeping 4? On average it is worth " in ben
    assert "luckier than" not in out  # the game is not finished
    assert "correlation" not in out
    assert lines[-3:-1] == [
        "--full shows every turn, and explains luck and marks.",
        "The page shows every decision: import the file there under “My games” (fivedice",
    ]


@pytest.mark.parametrize("columns", [80, 60])
def test_a_review_fits_the_terminal(columns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = played(tmp_path / "game.txt", "crag", "random", 2)
    monkeypatch.setenv("COLUMNS", str(columns))
    for options in ([], ["--full"]):
        lines = fivedice("review", str(file), *options).out.splitlines()
        assert columns - 20 < max(map(cell_len, lines)) <= columns


def test_marks_are_coloured_on_a_terminal_unless_the_user_wants_no_colour(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b" not in fivedice("review", str(record)).out  # a pipe
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;31m" in fivedice("review", str(record)).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;31m" not in fivedice("review", str(record)).out


def test_a_person_who_beat_the_computer_is_congratulated() -> None:
    rules = parse_ruleset('id = "one"\ndice = 1\nfaces = 2\nrolls = 1\n[categories]\nany = { scorer = "any_dice" }\n')
    solution, words = solve(rules), "Well done: Ann beat the computer."

    def lines(ann: int, other: int, kind: str) -> list[str]:
        record = Record.start(rules, (Seat("Ann", "human"), Seat("Ben", kind)), "2026-11-21T10:00:00+00:00")
        for face in (ann, other):
            record = record.roll((face,)).play(Score("any"))
        return [line.plain for line in review_lines(review_view(None, review(solution, record)), record)]

    assert words in lines(2, 1, "greedy")
    assert words not in lines(1, 2, "greedy")
    assert words not in lines(2, 1, "human")


def test_luck_is_said_in_tenths() -> None:
    assert [luck_in_words(percentile, ENGLISH) for percentile in (None, 1.0, 22.0, 50.0, 72.0, 99.5)] == [
        *("", "less lucky than 19 of 20 perfect games", "less lucky than 8 of 10 perfect games"),
        *("average luck", "luckier than 7 of 10 perfect games", "luckier than 19 of 20 perfect games"),
    ]


@pytest.mark.parametrize(
    ("rules", "said", "expected"),
    [
        (UNADVISED, "from turn [0-9]+ on", "expected before turn"),
        ("triple_yahtzee", "≈ [0-9]+ points lost in decisions", "expected at the start"),
    ],
)
def test_a_game_too_large_to_solve_is_reviewed_in_its_last_turns_or_whole_by_approximate_values(
    rules: str, said: str, expected: str, tmp_path: Path
) -> None:
    file = str(played(tmp_path / "game.txt", rules, "random,random"))
    found = fivedice("review", file, "--full")
    assert "Triple Yahtzee cannot be solved as a whole." in " ".join(found.out.split())
    assert len(re.findall(said, found.out)) == found.out.count(expected) == 2
    view = json.loads(fivedice("review", file, "--json").out)
    assert (view.get("exact", True), "standard_error" in view) == (
        (True, False) if rules == UNADVISED else (False, True)
    )
