"""Steps of play: dice keep their places, whoever decides."""

import pytest

from fivedice.errors import IllegalError
from fivedice.game.action import Keep
from fivedice.server.table.create import NewTable
from fivedice.server.table.turns import roll, score, step
from tests.server.scripted import NOW, Live, Scripted, people


def marks(text: str) -> tuple[bool, ...]:
    return tuple(mark == "x" for mark in text)


def test_a_die_shows_the_same_whatever_else_is_kept() -> None:
    chance = Scripted({(0, 0): "33456", (0, 1): "12121"})
    game = Live(NewTable(seats=people("Ann")), chance=chance)
    game.do(game.roll())
    for kept, expected in (("x....", "32121"), ("..x..", "12421"), (".....", "12121"), ("xxxxx", "33456")):
        event = roll(game.table, marks(kept), chance, NOW)
        assert "".join(map(str, event.dice)) == expected
    assert step(game.table, Keep((3, 3)), chance, NOW).dice == [3, 3, 1, 2, 1]  # type: ignore[union-attr]


def test_a_step_against_the_rules_is_refused_with_the_reason() -> None:
    chance = Scripted({(0, 0): "33456"})
    game = Live(NewTable(seats=people("Ann")), chance=chance)
    with pytest.raises(IllegalError, match="nothing to keep before the first roll"):
        roll(game.table, marks("....."), chance, NOW)
    game.do(game.roll())
    with pytest.raises(IllegalError, match="keep 11: the roll 33456 lacks 11"):
        step(game.table, Keep((1, 1)), chance, NOW)
    event = score(game.table, game.table.position.offers()[0].action, NOW)
    assert (event.box, event.points, event.by) == ("ones", 0, "person")
