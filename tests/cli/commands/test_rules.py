"""`fivedice rules --check` and `fivedice players`."""

import json
from pathlib import Path
from unittest.mock import patch

import pytest

from fivedice.base.language import LANGUAGES, language
from fivedice.cli.game.session import available_here
from fivedice.game.card import ScoreCard
from fivedice.players import KINDS, kind_name
from fivedice.rulesets import load_ruleset, ruleset_ids
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


def test_an_engine_that_breaks_a_rule_is_reported_in_one_sentence() -> None:
    with patch.object(ScoreCard, "total", 0):
        result = fivedice("rules", "crag", "--check")
    assert result.status == 2
    assert "but the card adds up to" in result.err


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_player_has_a_line_with_its_sentence_in_every_language(tag: str) -> None:
    to = language(tag)
    lines = fivedice("players", "--lang", tag).out.splitlines()
    assert [line.split()[0] for line in lines] == list(KINDS)
    for line, (kind, about) in zip(lines, KINDS.items(), strict=True):
        assert line.endswith(to.say(about))
        assert kind == "human" or f" {kind_name(kind, to)}. " in line


@pytest.mark.parametrize("rules", ruleset_ids())
def test_players_that_a_ruleset_does_not_have_are_listed_with_the_reason(rules: str) -> None:
    found = available_here(load_ruleset(rules))
    players = json.loads(fivedice("players", rules, "--json").out)
    refusals = {kind: found.player(kind) for kind in KINDS}
    assert {player["kind"]: player["refusal"] or "" for player in players} == refusals
    assert all(
        player["name"] == (None if player["kind"] == "human" else kind_name(player["kind"])) for player in players
    )
    listed, _, refused = fivedice("players", rules).out.partition("\n\n")
    assert [line.split()[0] for line in listed.splitlines()] == [kind for kind in KINDS if not refusals[kind]]
    for kind, refusal in refusals.items():
        assert not refusal or (refusal in refused and kind in refused)
