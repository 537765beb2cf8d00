"""Players from outside: functions, and policies of environments."""

import sys
from pathlib import Path
from typing import Any

import pytest

from fivedice import IllegalError, MalformedError, UnknownError, parse_position
from fivedice.game.position import Position
from fivedice.players.agents import FunctionPlayer, load_agent
from fivedice.testing import TINY


@pytest.mark.parametrize(
    ("answer", "kind", "why"),
    [
        (lambda _: str(1 // 0), MalformedError, r"x failed in .* 445 r0: ZeroDivisionError: .* \(test_agents"),
        (lambda _: None, MalformedError, "x answered 'None': want an action"),
        (lambda _: "score crag", IllegalError, "x chose 'score crag' in crag crag=50 445 r0, which is not legal"),
    ],
)
def test_a_function_that_fails_or_answers_no_legal_action_is_a_sentence(
    answer: Any, kind: type[ValueError], why: str
) -> None:
    with pytest.raises(kind, match=why):
        FunctionPlayer("x", answer).choose(parse_position("crag crag=50 445 r0"))


def test_a_module_in_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_agent.py").write_text("def f(position):\n    return position.actions()[0]\n\nnumber = 3\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    assert str(load_agent("mine=my_agent:f").choose(parse_position("crag - 445 r0"))) == "score ones"
    with pytest.raises(MalformedError, match=r"want NAME=module:function$"):
        load_agent("mine")
    with pytest.raises(UnknownError, match="agent mine: No module named 'no_such_module'"):
        load_agent("mine=no_such_module:play")
    with pytest.raises(UnknownError, match="agent mine: my_agent:number is no function"):
        load_agent("mine=my_agent:number")
    (tmp_path / "broken_agent.py").write_text("def f(:\n")
    with pytest.raises(UnknownError, match=r"agent mine: .*\(broken_agent.py, line 1\)"):
        load_agent("mine=broken_agent:f")


def test_a_policy_of_the_gymnasium_environment_plays() -> None:
    from fivedice.envs import PolicyPlayer

    ruleset = TINY["tiny_plain"]
    policy = PolicyPlayer(ruleset, lambda seen: int(seen[-13:].argmax()), "flat")
    position = Position.start(ruleset).roll((1,) * ruleset.dice)
    assert policy.choose(position) == position.actions()[0]
