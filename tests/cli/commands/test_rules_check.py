"""`fivedice rules NAME --check`: the report, as text and JSON, and its refusals."""

import json
from pathlib import Path
from unittest.mock import patch

from fivedice.game.card import ScoreCard
from tests.cli.run_command import fivedice


def test_a_check_reports_length_size_likeness_and_warnings(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('like = "crag"\nid = "ours"\nfaces = 6\nrolls = 2\n[categories.any]\nscorer = "any_dice"\n')
    lines = fivedice("rules", str(path), "--check").out.splitlines()
    assert lines[0].startswith(f"{path}: the rules are valid, with the digest ")
    assert lines[2] == "length: a game ends after 14 turns of each player, of 28 rolls at most"
    assert lines[3] == "boxes: all of 14 can score"
    assert lines[4].startswith("size: up to 16,384 turn states: solvable here, with ")
    assert lines[4].endswith(" of memory to solve")
    assert lines[5:] == ["alike: no boxes or columns could be exchanged", "warning: rolls: crag says so already"]


def test_a_check_as_json_has_the_same_facts() -> None:
    data = json.loads(fivedice("rules", "crag", "--check", "--json").out)
    assert (data["ref"], data["rounds"], data["most_rolls"], data["is_solvable"]) == ("crag", 13, 26, True)
    assert (data["warnings"], data["alike_boxes"], len(data["scoring_boxes"])) == ([], [], 13)


def test_a_check_needs_a_ruleset() -> None:
    result = fivedice("rules", "--check")
    assert result.status == 2
    assert "--check needs a ruleset, as in fivedice rules my.toml --check" in result.err


def test_an_engine_that_breaks_a_rule_is_reported_in_one_sentence() -> None:
    with patch.object(ScoreCard, "total", 0):
        result = fivedice("rules", "crag", "--check")
    assert result.status == 2
    assert "but the card adds up to" in result.err
