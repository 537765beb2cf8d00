"""Leagues: every two players play each other, and agents from outside can take part."""

import random
import sys
from pathlib import Path

import pytest

from fivedice import Greedy, IllegalError, MalformedError, Random, UnknownError, parse_position
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import Player
from fivedice.players.agents import FunctionPlayer, load_agent
from fivedice.simulation.league import League, play_league
from fivedice.testing import TINY


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
    matches = {(one, other): match for one, found in league.matches.items() for other, match in found.items()}
    for (one, other), match in matches.items():
        assert match.share + matches[other, one].share == pytest.approx(1)
        assert match.wins + match.ties + matches[other, one].wins == match.num_games == 30
        assert 0 < match.half_width < 0.25
    assert {one.num_games for one in league.players.values()} == {60}
    means = [one.mean for one in league.players.values()]
    assert means == sorted(means, reverse=True)
    assert next(iter(league.players)) == "greedy"


def test_a_league_is_repeatable() -> None:
    assert small_league() == small_league() != small_league(seed=2)


def test_a_function_that_fails_is_a_sentence() -> None:
    with pytest.raises(MalformedError, match=r"x failed in crag - 445 r1: ZeroDivisionError: .* \(test_league"):
        FunctionPlayer("x", lambda _: str(1 // 0)).choose(parse_position("crag - 445 r1"))
    with pytest.raises(MalformedError, match="x answered 'None': want an action"):
        FunctionPlayer("x", lambda _: None).choose(parse_position("crag - 445 r1"))  # type: ignore[arg-type,return-value]


def test_a_module_in_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_agent.py").write_text("def f(position):\n    return position.actions()[0]\n\nnumber = 3\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    assert str(load_agent("mine=my_agent:f").choose(parse_position("crag - 445 r0"))) == "score ones"
    with pytest.raises(UnknownError, match="agent mine: my_agent:number is no function"):
        load_agent("mine=my_agent:number")
    (tmp_path / "broken_agent.py").write_text("def f(:\n")
    with pytest.raises(UnknownError, match=r"agent mine: .*\(broken_agent.py, line 1\)"):
        load_agent("mine=broken_agent:f")


def test_answers_that_are_not_legal_are_refused() -> None:
    with pytest.raises(IllegalError, match="cheat chose 'score crag' in crag crag=50 445 r0, which is not legal"):
        FunctionPlayer("cheat", lambda _: "score crag").choose(parse_position("crag crag=50 445 r0"))
    with pytest.raises(MalformedError, match=r"want NAME=module:function$"):
        load_agent("mine")
    with pytest.raises(UnknownError, match="agent mine: No module named 'no_such_module'"):
        load_agent("mine=no_such_module:play")


def test_a_policy_of_the_gymnasium_environment_plays() -> None:
    from fivedice.envs import PolicyPlayer

    ruleset = TINY["tiny_plain"]
    flat = PolicyPlayer(ruleset, lambda seen: int(seen[-13:].argmax()), "flat")
    league = play_league(ruleset, {"policy": flat, "greedy": Greedy()}, num_games=4, seed=1)
    assert league.players["policy"].mean < league.players["greedy"].mean
