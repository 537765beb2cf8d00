"""The list of computer players: a name and a sentence about each, and which of them a ruleset has."""

import json

import pytest

from fivedice.base.language import LANGUAGES, language
from fivedice.cli.game.seats import available_here
from fivedice.players import KINDS, kind_name
from fivedice.rulesets import load_ruleset, ruleset_ids
from tests.cli.run_command import fivedice


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_player_has_a_line_with_its_sentence_in_every_language(tag: str) -> None:
    to = language(tag)
    lines = fivedice("players", "--lang", tag).out.splitlines()
    assert [line.split()[0] for line in lines] == list(KINDS)
    for line, (kind, about) in zip(lines, KINDS.items(), strict=True):
        assert line.endswith(to.say(about))
        assert kind == "human" or f" {kind_name(kind, to)}. " in line


def test_json_has_the_kinds_that_seats_take_and_their_names() -> None:
    players = json.loads(fivedice("players", "--json").out)
    assert {player["kind"]: player["name"] for player in players} == {
        kind: None if kind == "human" else kind_name(kind) for kind in KINDS
    }


@pytest.mark.parametrize("rules", ruleset_ids())
def test_players_that_a_ruleset_does_not_have_are_listed_with_the_reason(rules: str) -> None:
    found = available_here(load_ruleset(rules))
    players = json.loads(fivedice("players", rules, "--json").out)
    refusals = {kind: found.player(kind) for kind in KINDS}
    assert {player["kind"]: player["refusal"] or "" for player in players} == refusals
    listed, _, refused = fivedice("players", rules).out.partition("\n\n")
    assert [line.split()[0] for line in listed.splitlines()] == [kind for kind in KINDS if not refusals[kind]]
    for kind, refusal in refusals.items():
        assert not refusal or (refusal in refused and kind in refused)


def test_an_unknown_ruleset_is_one_sentence() -> None:
    result = fivedice("players", "yatzee")
    assert result.status == 2
    assert "did you mean" in result.err
