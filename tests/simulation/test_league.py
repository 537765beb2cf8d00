"""Leagues: every two players play each other, and agents from outside can take part."""

import os
import random
import shlex
import sys
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from fivedice import Greedy, IllegalError, MalformedError, Random, UnknownError, parse_position
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import Player
from fivedice.players.agents import FunctionPlayer, ProcessPlayer, load_agent
from fivedice.simulation.league import League, play_league
from fivedice.testing import TINY
from tests.waiting import wait_for

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
    with closing(ProcessPlayer("simple", f"{sys.executable} {script}")) as player:
        assert str(player.choose(parse_position("crag - 445 r1"))) == "score ones"
        assert str(player.choose(parse_position("crag ones=1 445 r1"))) == "score twos"


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("pass", "x ended with status 0 and without an answer to crag - 445 r1$"),
        (
            "import sys; input(); print('first', file=sys.stderr); sys.exit('no model')",
            "x ended with status 1 and without an answer to crag - 445 r1; its last line of standard error: no model$",
        ),
        ("print('hello')", "x answered 'hello': want a line such as"),
        ('print(\'{"action": "fold"}\')', "x answered in crag - 445 r1: action 'fold': want keep DIGITS"),
    ],
)
def test_a_process_that_does_not_answer_is_a_sentence(program: str, sentence: str) -> None:
    player = ProcessPlayer("x", shlex.join([sys.executable, "-c", program]))
    with pytest.raises(MalformedError, match=sentence):
        player.choose(parse_position("crag - 445 r1"))
    player.close(0)
    assert player._process.returncode is not None


def test_a_process_that_takes_too_long_is_killed_and_its_last_line_told() -> None:
    player = ProcessPlayer("x", "sh -c 'echo one moment >&2; exec sleep 600'", seconds=2)
    sentence = "x took longer than 2 seconds to answer crag - 445 r1; its last line of standard error: one moment$"
    with pytest.raises(MalformedError, match=sentence):
        player.choose(parse_position("crag - 445 r1"))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
def test_a_late_agent_is_killed_with_what_it_has_started(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys, time; subprocess.Popen(['sleep', '600']); open(sys.argv[1], 'w'); time.sleep(600)"
    )
    player = ProcessPlayer("x", shlex.join([sys.executable, "-c", program, str(tmp_path / "on")]), seconds=0.1)
    wait_for((tmp_path / "on").exists, "the agent has started a process")
    with pytest.raises(MalformedError, match="x took longer"):
        player.choose(parse_position("crag - 445 r1"))
    wait_for(lambda: not player._errors.is_alive(), "nothing holds its standard error open")


def test_a_function_that_fails_or_takes_long_is_a_sentence() -> None:
    never = Event()
    with pytest.raises(MalformedError, match=r"x took longer than 0.1 seconds to answer crag - 445 r1$"):
        FunctionPlayer("x", lambda _: str(never.wait()), seconds=0.1).choose(parse_position("crag - 445 r1"))
    never.set()
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
