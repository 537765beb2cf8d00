"""Small exact truths about multisets of dice."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivedice.base.errors import MalformedError
from fivedice.rulesets.dice import format_dice, is_keep_of, keeps, parse_dice, rolls, sub_keeps, ways, with_dice


def test_five_dice_have_252_rolls_and_462_keeps() -> None:
    assert len(rolls(5, 6)) == 252
    assert len(keeps(5, 6)) == 462


def test_six_dice_have_462_rolls_and_924_keeps() -> None:
    assert len(rolls(6, 6)) == 462
    assert len(keeps(6, 6)) == 924


def test_the_rolls_of_five_dice_have_4368_pairs_of_a_roll_and_a_keep() -> None:
    assert sum(len(list(sub_keeps(roll))) for roll in rolls(5, 6)) == 4_368


@pytest.mark.parametrize(
    ("num_dice", "num_faces"), [(1, 2), (2, 3), (3, 6), (5, 6), (6, 6), (4, 9)], ids=lambda n: str(n)
)
def test_the_ways_of_all_rolls_add_up_to_all_ordered_outcomes(num_dice: int, num_faces: int) -> None:
    assert sum(ways(roll) for roll in rolls(num_dice, num_faces)) == num_faces**num_dice


def test_ways_count_the_ordered_outcomes_of_each_multiset() -> None:
    outcomes = [tuple(sorted(outcome)) for outcome in product(range(1, 5), repeat=4)]
    assert {roll: ways(roll) for roll in rolls(4, 4)} == {roll: outcomes.count(roll) for roll in outcomes}


@pytest.mark.parametrize(
    ("dice", "expected"), [("-", 1), ("3", 1), ("12", 2), ("33333", 1), ("12345", 120), ("11222", 10), ("11223", 30)]
)
def test_ways_are_exact(dice: str, expected: int) -> None:
    assert ways(parse_dice(dice)) == expected


def test_equal_dice_have_6_of_7776_outcomes() -> None:
    assert Fraction(sum(ways(roll) for roll in rolls(5, 6) if len(set(roll)) == 1), 6**5) == Fraction(1, 1296)


def test_rolls_are_ascending_and_in_lexicographic_order() -> None:
    assert [format_dice(roll) for roll in rolls(2, 3)] == ["11", "12", "13", "22", "23", "33"]


def test_smaller_keeps_come_first() -> None:
    assert [format_dice(keep) for keep in keeps(2, 2)] == ["-", "1", "2", "11", "12", "22"]


@pytest.mark.parametrize(
    ("roll", "expected"),
    [("33", "- 3 33"), ("12", "- 2 1 12"), ("113", "- 3 1 13 11 113"), ("33333", "- 3 33 333 3333 33333")],
)
def test_sub_keeps_are_distinct(roll: str, expected: str) -> None:
    assert [format_dice(keep) for keep in sub_keeps(parse_dice(roll))] == expected.split()


def test_sub_keeps_are_exactly_the_keeps_contained_in_the_roll() -> None:
    for roll in rolls(3, 4):
        assert sorted(sub_keeps(roll)) == sorted(keep for keep in keeps(4, 4) if is_keep_of(keep, roll))


@pytest.mark.parametrize(
    ("keep", "roll", "expected"),
    [("-", "12345", True), ("33", "33456", True), ("333", "33456", False), ("1", "33456", False), ("11", "1", False)],
)
def test_a_keep_needs_each_of_its_dice_in_the_roll(keep: str, roll: str, expected: bool) -> None:
    assert is_keep_of(parse_dice(keep), parse_dice(roll)) is expected


def test_kept_and_rolled_dice_make_an_ascending_roll() -> None:
    assert with_dice(parse_dice("36"), (5, 1, 3)) == parse_dice("13356")
    assert with_dice((), (2, 1)) == parse_dice("12")


def test_every_multiset_survives_its_text() -> None:
    for dice in [*keeps(5, 6), *rolls(3, 9)]:
        assert parse_dice(format_dice(dice)) == dice


def test_no_dice_are_written_as_a_dash() -> None:
    assert format_dice(()) == "-"
    assert parse_dice("-") == ()


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("", "dice ''"),
        ("0", "digits 1 to 9"),
        ("120", "digits 1 to 9"),
        ("1 2", "digits 1 to 9"),
        ("--", "digits 1 to 9"),
        ("-1", "digits 1 to 9"),
        ("12x", "digits 1 to 9"),
        ("²", "digits 1 to 9"),
        ("３３", "digits 1 to 9"),
        ("1\n", "digits 1 to 9"),
        ("1\0", "digits 1 to 9"),
        ("53", "ascending order: write '35'"),
        ("65432", "ascending order: write '23456'"),
    ],
)
def test_dice_must_be_ascending_digits(text: str, fragment: str) -> None:
    with pytest.raises(MalformedError, match=fragment):
        parse_dice(text)


def test_an_error_about_a_very_long_text_is_short() -> None:
    with pytest.raises(MalformedError) as caught:
        parse_dice("6" * 100_000 + "1")
    assert len(str(caught.value)) < 300


@settings(derandomize=True, deadline=None)
@given(st.text(alphabet="-0123456789²３ a", max_size=8))
def test_any_valid_text_of_dice_survives(text: str) -> None:
    try:
        dice = parse_dice(text)
    except MalformedError:
        return
    assert format_dice(dice) == text
