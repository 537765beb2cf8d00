"""Leagues: every two players play each other, and agents from outside can take part."""

import random
import sys
from pathlib import Path

import pytest

from fivedice import Greedy, IllegalError, MalformedError, Random, UnknownError, parse_position
from fivedice.agents import FunctionPlayer, ProcessPlayer, load_agent
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import Player
from fivedice.simulation.league import League, play_league
from fivedice.testing import TINY

AGENT = """
import json, sys
for line in sys.stdin:
    actions = json.loads(line)["actions"]
    print(json.dumps({"action": next(action for action in actions if action.startswith("score"))}), flush=True)
"""


def small_league(seed: int = 1) -> League:
    players: dict[str, Player] = {
        "greedy": Greedy(),
        "random": Random(random.Random(3)),
        "first": FunctionPlayer("first", first_action),
    }
    return play_league(TINY["tiny_plain"], players, num_games=30, seed=seed)


def first_action(position: Position) -> Action:
    return position.actions()[0]


def test_shares_of_a_match_sum_to_one_and_means_are_those_of_all_games() -> None:
    league = small_league()
    for (one, other), match in league.matches.items():
        assert match.share + league.matches[other, one].share == pytest.approx(1)
        assert match.wins + match.ties + league.matches[other, one].wins == match.num_games == 30
        assert 0 < match.half_width < 0.25
    assert {one.num_games for one in league.standings.values()} == {60}
    means = [one.mean for one in league.standings.values()]
    assert means == sorted(means, reverse=True)
    assert next(iter(league.standings)) == "greedy"


def test_a_league_is_repeatable() -> None:
    assert small_league() == small_league() != small_league(seed=2)


def test_a_process_answers_one_json_line_a_decision(tmp_path: Path) -> None:
    script = tmp_path / "agent.py"
    script.write_text(AGENT)
    player = ProcessPlayer("simple", f"{sys.executable} {script}")
    try:
        assert str(player.choose(parse_position("crag - 445 r1"))) == "score ones"
        assert str(player.choose(parse_position("crag ones=1 445 r1"))) == "score twos"
    finally:
        player.close()
    silent = ProcessPlayer("silent", f"{sys.executable} -c pass")
    with pytest.raises(MalformedError, match="silent ended without an answer to crag - 445 r1"):
        silent.choose(parse_position("crag - 445 r1"))
    silent.close()


def test_answers_that_are_not_legal_are_refused() -> None:
    with pytest.raises(IllegalError, match="cheat chose 'score crag' in crag crag=50 445 r0, which is not legal"):
        FunctionPlayer("cheat", lambda _: "score crag").choose(parse_position("crag crag=50 445 r0"))
    with pytest.raises(MalformedError, match="want NAME=module:function or NAME=!command"):
        load_agent("mine")
    with pytest.raises(UnknownError, match="agent mine: No module named 'no_such_module'"):
        load_agent("mine=no_such_module:play")


def test_a_policy_of_the_gymnasium_environment_plays() -> None:
    from fivedice.envs import PolicyPlayer

    ruleset = TINY["tiny_plain"]
    flat = PolicyPlayer(ruleset, lambda seen: int(seen[-13:].argmax()), "flat")
    league = play_league(ruleset, {"policy": flat, "greedy": Greedy()}, num_games=4, seed=1)
    assert league.standings["policy"].mean < league.standings["greedy"].mean
