"""`fivedice review`: a table a turn, sums that add up, and the dearest decisions."""

import json
from pathlib import Path

import pytest

from fivedice.game.record import parse_record
from tests.cli.commands import fivedice

pytestmark = pytest.mark.usefixtures("shared_cache")

RECORD = """\
fivedice record 1
ruleset: crag
options: -
digest: DIGEST
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
    digest = json.loads(fivedice("rules", "crag", "--json").out)["digest"]
    file = tmp_path / "game.txt"
    file.write_text(RECORD.replace("DIGEST", digest))
    parse_record(file.read_text())
    return file


def test_a_review_shows_a_line_a_turn_and_what_the_dearest_decisions_cost(record: Path) -> None:
    lines = fivedice("review", str(record)).out.splitlines()
    assert lines[0] == "Crag (crag). The game is not finished."
    ann, ben = lines.index("Ann"), lines.index("Ben")
    assert lines[ann + 2].split()[:4] == ["1", "445", "Crag", "50"]
    assert lines[ann + 3].split()[:2] == ["2", "113"]
    assert lines[ben + 2].split()[:6] == ["1", "445", "(4)", "134", "Threes", "3"]
    assert "turn 1: with 445, keeping 4 cost" in "\n".join(lines[ben:])
    assert "best was to score crag" in "\n".join(lines[ben:])
    because = " ".join("\n".join(lines[ben:]).split())
    assert "Scoring 50 in Crag instead of keeping 4 gives up " in because
    assert " in Crag" in because.partition(" for ")[2]
    assert "not independent" in lines[-1]


def test_the_json_of_a_review_adds_up(record: Path) -> None:
    data = json.loads(fivedice("review", str(record), "--json").out)
    assert [seat["player"] for seat in data["seats"]] == ["Ann", "Ben"]
    for seat in data["seats"]:
        assert seat["start_value"] + seat["luck"] - seat["loss"] == pytest.approx(seat["value"], abs=1e-9)
        assert seat["dice_neutral"] == pytest.approx(seat["start_value"] - seat["loss"], abs=1e-9)
        assert sum(roll["luck"] for roll in seat["rolls"]) == pytest.approx(seat["luck"], abs=1e-9)
        assert sum(decision["loss"] for decision in seat["decisions"]) == pytest.approx(seat["loss"], abs=1e-9)
    assert data["seats"][1]["decisions"][0]["best"] == "score crag"


def test_an_illegal_move_is_refused_with_its_line(record: Path) -> None:
    record.write_text(record.read_text().replace("score threes = 3", "score thirteen = 26"))
    result = fivedice("review", str(record))
    assert result.status == 2
    assert result.err == f"fivedice: {record}, line 11: 'score thirteen = 26': score thirteen brings 0\n"


def test_rules_too_large_to_solve_are_refused_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    fivedice("play", "--rules", "triple_yahtzee", "--seats", "random", "--record", str(file))
    assert "triple_yahtzee is too large to solve exactly" in fivedice("review", str(file)).err
