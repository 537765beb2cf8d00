"""`fivedice review`: a line per turn, sums that add up, and the costliest decisions."""

import json
from pathlib import Path

import pytest

from fivedice.analysis.marks import Mark, level_of, mark_of
from fivedice.game.record import parse_record
from tests.cli.run_command import fivedice

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


def test_a_review_shows_a_line_per_turn_and_the_costliest_decisions(record: Path) -> None:
    lines = fivedice("review", str(record)).out.splitlines()
    assert lines[0] == "Crag (crag). The game is not finished."
    ann, ben = lines.index("Ann"), lines.index("Ben")
    assert lines[ann + 2].split()[:4] == ["1", "445", "Crag", "50"]
    assert lines[ann + 3].split()[:2] == ["2", "113"]
    assert lines[ben + 2].split()[:6] == ["1", "445", "(4)", "134", "Threes", "3"]
    assert "turn 1: with 445, keeping 4 cost" in "\n".join(lines[ben:])
    assert "best was to score Crag" in "\n".join(lines[ben:])
    reason = " ".join("\n".join(lines[ben:]).split())
    assert "Score 50 in Crag instead of keeping 4? On average you gain " in reason
    assert " in Crag" in reason.partition("you gain ")[2]
    assert "not independent" in "\n".join(lines)
    assert "more luck than in" not in "\n".join(lines)  # the game is not finished


def test_a_review_has_marks_and_levels(record: Path) -> None:
    out = fivedice("review", str(record)).out
    [turn] = [line for line in out.splitlines() if line.startswith("   1  445 (4) 134")]
    assert turn.endswith("  blunder")
    ben = " ".join(out.partition("\nBen\n")[2].split())
    assert "points lost in 2 unforced decisions" in ben
    assert "each: level beginner; no inaccuracy, no mistake, 1 blunder" in ben
    assert ", a blunder; best was to score Crag" in ben
    assert "An inaccuracy loses 1.5 points or more, a mistake 3, a blunder 8." in out


def test_the_json_of_a_review_has_marks_levels_and_the_percentile_of_luck(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    fivedice("play", "--rules", "crag", "--seats", "random,optimal", "--seed", "2", "--record", str(file))
    bad, perfect = json.loads(fivedice("review", str(file), "--json").out)["seats"]
    for seat in (bad, perfect):
        rate = seat["error_rate"]
        assert rate == pytest.approx(seat["loss"] / seat["unforced_decisions"])
        assert seat["level"] == level_of(rate).name
        assert [decision["mark"] for decision in seat["decisions"]] == [
            mark_of(decision["loss"]) for decision in seat["decisions"]
        ]
        assert seat["marks"] == {mark: sum(decision["mark"] == mark for decision in seat["decisions"]) for mark in Mark}
        assert 0 <= seat["luck_percentile"] <= 100
    assert (bad["level"], perfect["level"]) == ("beginner", "master")
    assert perfect["marks"] == {"inaccuracy": 0, "mistake": 0, "blunder": 0}
    assert f"more luck than in {bad['luck_percentile']:.0f} % of perfect games" in fivedice("review", str(file)).out


def test_perfect_games_are_simulated_once_and_again_if_the_file_is_damaged(
    record: Path, tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", str(own_cache.parent))
    first = fivedice("review", str(record), "--json")
    [file] = own_cache.glob("*.scores")
    before = file.read_bytes()
    file.write_bytes(before[:-1] + bytes([before[-1] ^ 1]))
    again = fivedice("review", str(record), "--json")
    assert again.err == f"fivedice: {file} is damaged: its checksum does not match; simulating again\n"
    assert (again.out, file.read_bytes()) == (first.out, before)


def test_the_json_of_a_review_adds_up(record: Path) -> None:
    data = json.loads(fivedice("review", str(record), "--json").out)
    assert [seat["player"] for seat in data["seats"]] == ["Ann", "Ben"]
    for seat in data["seats"]:
        assert seat["start_value"] + seat["luck"] - seat["loss"] == pytest.approx(seat["value"], abs=1e-9)
        assert seat["dice_neutral"] == pytest.approx(seat["start_value"] - seat["loss"], abs=1e-9)
        assert sum(roll["luck"] for roll in seat["rolls"]) == pytest.approx(seat["luck"], abs=1e-9)
        assert sum(decision["loss"] for decision in seat["decisions"]) == pytest.approx(seat["loss"], abs=1e-9)
    assert data["seats"][1]["decisions"][0]["best"] == "score crag"


def test_an_illegal_move_is_reported_with_its_line(record: Path) -> None:
    record.write_text(record.read_text().replace("score threes = 3", "score thirteen = 26"))
    result = fivedice("review", str(record))
    assert result.status == 2
    assert result.err == f"fivedice: {record}, line 11: 'score thirteen = 26': score thirteen gives 0\n"


def test_a_ruleset_too_large_to_solve_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    fivedice("play", "--rules", "triple_yahtzee", "--seats", "random", "--record", str(file))
    assert "triple_yahtzee is too large to solve exactly" in fivedice("review", str(file)).err
