"""`fivedice league`: standings and matches as text and as JSON."""

import json

from fivedice.game.action import Action
from fivedice.game.position import Position
from tests.cli.run_command import fivedice


def first_action(position: Position) -> Action:
    return position.actions()[0]


def test_the_command_prints_standings_and_matches() -> None:
    arguments = ["league", "crag", "--players", "greedy,random", "--games", "3"]
    text = fivedice(*arguments).out
    assert "greedy" in text
    assert "Share of the first places" in text
    found = json.loads(
        fivedice(*arguments, "--agent", "mine=tests.cli.commands.test_league:first_action", "--json").out
    )
    assert set(found["players"]) == {"greedy", "random", "mine"}
    assert len(found["matches"]) == 6
    assert found["ruleset"] == "crag"


def test_what_is_no_league_is_one_sentence() -> None:
    assert "needs two players or more" in fivedice("league", "crag", "--players", "greedy").err
    assert "no person plays in a league" in fivedice("league", "crag", "--players", "greedy,human", "--games", "1").err
    assert "0 games: want 1 to" in fivedice("league", "crag", "--games", "0").err
    assert "--time-limit 0: want more than 0" in fivedice("league", "crag", "--time-limit", "0").err


def test_a_program_that_fails_is_a_sentence() -> None:
    found = fivedice("league", "crag", "--players", "greedy", "--agent", "x=!false", "--games", "1")
    assert found.status == 2
    assert found.err.startswith("fivedice: x ended with status 1 and without an answer to crag ")
    assert found.err.count("\n") == 1
