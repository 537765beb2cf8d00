"""Turns in place order: their text, and contradictions within it or with the record's turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.game.action import Keep
from fivedice.game.placed_turn import PlacedRoll, PlacedTurn, parse_placed_turn, places_of
from fivedice.game.turn import Turn

TEXT = "31435, keep 3__3_, 36332, keep _____, 11111"
KEEPS_3S = (True, False, False, True, False)


def faces(digits: str) -> tuple[int, ...]:
    return tuple(map(int, digits))


def test_the_text_of_a_placed_turn_has_rolls_and_keeps_in_place_order() -> None:
    turn = PlacedTurn.start(faces("31435")).roll(faces("36332"), KEEPS_3S).roll(faces("11111"), (False,) * 5)
    assert str(turn) == TEXT
    assert parse_placed_turn(TEXT) == turn


def test_only_the_places_that_were_not_kept_were_rolled() -> None:
    first, roll, _ = parse_placed_turn(TEXT).rolls
    assert len(list(first.rolled())) == 5
    assert list(roll.rolled()) == [(1, 6), (2, 3), (4, 2)]
    assert roll.keep == Keep((3, 3))


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
def test_an_inconsistent_text_is_refused(text: str, kind: type[ValueError], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        parse_placed_turn(text)


def test_a_roll_has_a_mark_for_every_die_and_the_first_keeps_none() -> None:
    with pytest.raises(MalformedError, match="2 dice, but 1 places kept or not: want one for each die"):
        PlacedRoll((1, 2), (True,))
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


def marks(text: str) -> tuple[bool, ...]:
    return tuple(mark == "x" for mark in text)


@pytest.mark.parametrize(
    ("keep", "places", "kept", "expected"),
    [
        ((3, 3), "33436", ".....", "xx..."),
        ((3, 3), "33436", ".x.x.", ".x.x."),  # kept dice stay in their places
        ((3, 3), "33436", "...x.", "x..x."),
        ((3, 6), "33436", "..xx.", "...xx"),
        ((), "33436", "xxxxx", "....."),
        ((3, 3, 3, 4, 6), "33436", ".....", "xxxxx"),
    ],
)
def test_a_keep_prefers_dice_that_were_kept_before(
    keep: tuple[int, ...], places: str, kept: str, expected: str
) -> None:
    assert places_of(Keep(keep), tuple(map(int, places)), marks(kept)) == marks(expected)


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans(), st.booleans()), max_size=8))
def test_a_keep_marks_exactly_its_dice(dice: list[tuple[int, bool, bool]]) -> None:
    places, kept = tuple(die for die, _, _ in dice), [is_kept for _, is_kept, _ in dice]
    keep = Keep(tuple(die for die, _, is_wanted in dice if is_wanted))
    found = places_of(keep, places, kept)
    assert Keep(tuple(die for die, is_marked in zip(places, found, strict=True) if is_marked)) == keep


def test_a_keep_of_missing_dice_is_refused() -> None:
    with pytest.raises(IllegalError, match="keep 35: the roll 33346 lacks 5"):
        places_of(Keep((3, 5)), (3, 3, 4, 3, 6))


def test_faces_from_10_on_are_letters() -> None:
    turn = PlacedTurn.start((10, 3, 20)).roll((10, 9, 11), (True, False, False))
    assert str(turn) == "a3k, keep a__, a9b"
    assert parse_placed_turn(str(turn)) == turn
