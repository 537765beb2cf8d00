"""Steps of play: dice keep their places, and the rules are consulted once for each score."""

import pytest

from fivedice.base.errors import IllegalError
from fivedice.game.action import Keep
from fivedice.server.table.apply import Step
from fivedice.server.table.bots import play
from fivedice.server.table.create import NewTable
from fivedice.server.table.verbs import Rolled, Scored
from fivedice.server.table.verbs.roll import roll
from fivedice.server.table.verbs.score import score
from tests.server.scripted import NOW, Live, Scripted, people


def marks(text: str) -> tuple[bool, ...]:
    return tuple(mark == "x" for mark in text)


def dice_of(step: Step) -> str:
    assert isinstance(step.event, Rolled)
    return "".join(map(str, step.event.dice))


def test_the_face_of_a_die_does_not_depend_on_the_other_dice() -> None:
    chance = Scripted({(0, 0): "33456", (0, 1): "12121"})
    game = Live(NewTable(seats=people("Ann")), chance=chance)
    game.do(game.roll())
    for kept, expected in (("x....", "32121"), ("..x..", "12421"), (".....", "12121"), ("xxxxx", "33456")):
        assert dice_of(roll(game.table, marks(kept), chance, NOW)) == expected
    assert dice_of(play(game.table, Keep((3, 3)), chance, NOW)) == "33121"


def test_an_illegal_step_raises_an_error_with_the_reason() -> None:
    chance = Scripted({(0, 0): "33456"})
    game = Live(NewTable(seats=people("Ann")), chance=chance)
    with pytest.raises(IllegalError, match="the first roll of a turn keeps no dice"):
        roll(game.table, marks("....."), chance, NOW)
    game.do(game.roll())
    with pytest.raises(IllegalError, match="keep 11: the roll 33456 lacks 11"):
        play(game.table, Keep((1, 1)), chance, NOW)
    step = score(game.table, game.table.position.offers()[0].action, NOW)
    assert step.event == Scored(at=NOW, seat=0, box="ones", points=0)
