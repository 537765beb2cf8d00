"""`fivedice evaluate`."""

import json

from fivedice.game.action import Action
from fivedice.game.position import Position
from tests.cli.run_command import fivedice


def first_action(position: Position) -> Action:
    return position.actions()[0]


def failing(position: Position) -> Action:
    raise ZeroDivisionError(str(position))


def test_a_function_and_a_player_are_evaluated() -> None:
    arguments = ["evaluate", "crag", "--games", "20", "--json"]
    optimal = json.loads(fivedice(*arguments).out)
    assert (optimal["agent"], optimal["loss"]["mean"], optimal["worst"]) == ("optimal", 0, [])
    function = json.loads(fivedice(*arguments, "--agent", "mine=tests.cli.commands.test_evaluate:first_action").out)
    assert function["loss"]["mean"] > 100
    assert "loss a game      0.00 ± 0.00, so about 149.85 of 149.85 points" in fivedice("evaluate", "crag").out


def test_what_cannot_be_evaluated_is_one_sentence() -> None:
    assert "want NAME=module:function" in fivedice("evaluate", "crag", "--agent", "x=").err
    assert "there is no player 'nobody'" in fivedice("evaluate", "crag", "--agent", "nobody").err


def test_an_agent_that_fails_is_a_sentence() -> None:
    found = fivedice("evaluate", "crag", "--games", "1", "--agent", "x=tests.cli.commands.test_evaluate:failing")
    assert found.status == 2
    assert found.err.startswith("fivedice: x failed in crag ")
    assert found.err.count("\n") == 1
