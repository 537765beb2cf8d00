"""Turns with every die in its place: their text, and what contradicts it or the record's turn."""

import pytest

from fivedice.errors import IllegalError, MalformedError
from fivedice.game.action import Keep
from fivedice.game.placed import PlacedRoll, PlacedTurn, parse_placed_turn
from fivedice.game.turn import Turn

TEXT = "31435, keep 3__3_, 36332, keep _____, 11111"
KEEPS_3S = (True, False, False, True, False)


def faces(digits: str) -> tuple[int, ...]:
    return tuple(map(int, digits))


def test_a_placed_turn_is_rolls_in_place_order_and_the_places_kept() -> None:
    turn = PlacedTurn.start(faces("31435")).roll(faces("36332"), KEEPS_3S).roll(faces("11111"), (False,) * 5)
    assert str(turn) == TEXT
    assert parse_placed_turn(TEXT) == turn


def test_only_the_places_that_were_not_kept_were_rolled() -> None:
    roll = parse_placed_turn(TEXT).rolls[1]
    assert list(roll.rolled()) == [(1, 6), (2, 3), (4, 2)]
    assert roll.keep == Keep((3, 3))


def test_all_dice_of_a_first_roll_were_rolled() -> None:
    assert len(list(PlacedTurn.start(faces("31435")).rolls[0].rolled())) == 5


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        ("", MalformedError, "want the faces in place order"),
        ("31405", MalformedError, "want the faces in place order"),
        ("31435,", MalformedError, "want the faces in place order"),
        ("31435, keep 3__3_", MalformedError, "want the faces in place order"),
        ("31435, 36332", MalformedError, "want the faces in place order"),
        ("31435, keep 3__3_, 36332, 36332", MalformedError, "want the faces in place order"),
        ("31435, keep 3__3, 36332", MalformedError, "5 dice, but 4 places"),
        ("31435, keep 3__3_, 3633", MalformedError, "4 dice, but 5 places"),
        ("31435, keep 3__3, 3633", IllegalError, "5 dice became 4"),
        ("31435, keep 3__3_, 36342", IllegalError, "the die at place 3 was kept as 3, but shows 4 after the roll"),
        ("31435, keep 4__3_, 36332", IllegalError, "the dice that were kept come to '31435, keep 3__3_, 36332'"),
    ],
)
def test_a_text_that_contradicts_itself_is_refused(text: str, kind: type[ValueError], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        parse_placed_turn(text)


def test_a_roll_says_of_every_die_whether_it_was_kept() -> None:
    with pytest.raises(MalformedError, match="2 dice, but 1 places kept or not: want one for each die"):
        PlacedRoll((1, 2), (True,))


def test_nothing_is_kept_before_the_first_roll() -> None:
    with pytest.raises(IllegalError, match="nothing can be kept before the first roll"):
        PlacedTurn((PlacedRoll((1, 2), (True, False)),))


def test_places_agree_with_the_turn_of_their_record() -> None:
    parse_placed_turn(TEXT).check(Turn(0, (faces("13345"), faces("23336"), faces("11111")), (Keep((3, 3)), Keep(()))))


@pytest.mark.parametrize(
    ("rolls", "keeps", "sentence"),
    [
        (["13345", "23336"], ["33"], "3 rolls in places, but 2 in '0: 13345, keep 33, 23336'"),
        (["13345", "23336", "11112"], ["33", ""], "the roll 11111 is not that of"),
        (["13346", "23336", "11111"], ["33", ""], "the roll 31435 is not that of"),
        (["13345", "23336", "11111"], ["3", ""], "keep 33 in places is not 'keep 3' of"),
    ],
)
def test_places_that_contradict_the_turn_are_refused(rolls: list[str], keeps: list[str], sentence: str) -> None:
    turn = Turn(0, tuple(map(faces, rolls)), tuple(Keep(faces(keep)) for keep in keeps))
    with pytest.raises(IllegalError, match=sentence):
        parse_placed_turn(TEXT).check(turn)
