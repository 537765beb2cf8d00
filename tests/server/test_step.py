"""Steps of play: dice keep their places, whoever decides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.errors import IllegalError
from fivedice.game.action import Keep
from fivedice.server.creation import NewTable
from fivedice.server.step import places_of, roll, score, step
from tests.server.live import NOW, Live, Scripted, people


def marks(text: str) -> tuple[bool, ...]:
    return tuple(mark == "x" for mark in text)


@pytest.mark.parametrize(
    ("keep", "places", "kept", "expected"),
    [
        ((3, 3), "33436", ".....", "xx..."),
        ((3, 3), "33436", ".x.x.", ".x.x."),  # dice that were kept go on lying where they are
        ((3, 3), "33436", "...x.", "x..x."),
        ((3, 6), "33436", "..xx.", "...xx"),
        ((), "33436", "xxxxx", "....."),
        ((3, 3, 3, 4, 6), "33436", ".....", "xxxxx"),
    ],
)
def test_a_keep_marks_the_dice_that_were_kept_and_then_the_first(
    keep: tuple[int, ...], places: str, kept: str, expected: str
) -> None:
    assert places_of(Keep(keep), tuple(map(int, places)), marks(kept)) == marks(expected)


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans(), st.booleans()), max_size=8))
def test_the_marks_of_a_keep_are_its_dice(dice: list[tuple[int, bool, bool]]) -> None:
    places, kept = tuple(die for die, _, _ in dice), [is_kept for _, is_kept, _ in dice]
    keep = Keep(tuple(die for die, _, is_wanted in dice if is_wanted))
    found = places_of(keep, places, kept)
    assert Keep(tuple(die for die, is_marked in zip(places, found, strict=True) if is_marked)) == keep


def test_a_keep_of_dice_that_are_not_there_has_no_places() -> None:
    with pytest.raises(IllegalError, match="keep 35: the dice 33436 lack 5"):
        places_of(Keep((3, 5)), (3, 3, 4, 3, 6), marks("....."))


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
    with pytest.raises(IllegalError, match="lack 11"):
        step(game.table, Keep((1, 1)), chance, NOW)
    event = score(game.table, game.table.position.offers()[0].action, NOW)
    assert (event.box, event.points, event.by) == ("ones", 0, "person")
