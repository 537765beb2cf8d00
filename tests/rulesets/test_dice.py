"""Small exact truths about multisets of dice."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fivedice.base.errors import MalformedError
from fivedice.rulesets.dice import format_dice, is_keep_of, keeps, parse_dice, rolls, sub_keeps, ways, with_dice


@pytest.mark.parametrize(
    ("num_dice", "num_rolls", "num_keeps", "num_pairs"), [(5, 252, 462, 4_368), (6, 462, 924, 12_376)]
)
def test_dice_have_so_many_rolls_and_keeps(num_dice: int, num_rolls: int, num_keeps: int, num_pairs: int) -> None:
    assert (len(rolls(num_dice, 6)), len(keeps(num_dice, 6))) == (num_rolls, num_keeps)
    assert sum(len(list(sub_keeps(roll))) for roll in rolls(num_dice, 6)) == num_pairs


def test_ways_count_the_ordered_outcomes_of_each_multiset() -> None:
    outcomes = [tuple(sorted(outcome)) for outcome in product(range(1, 5), repeat=4)]
    assert {roll: ways(roll) for roll in rolls(4, 4)} == {roll: outcomes.count(roll) for roll in outcomes}
    assert ways(()) == 1


def test_rolls_are_in_lexicographic_order_and_smaller_keeps_come_first() -> None:
    assert [format_dice(roll) for roll in rolls(2, 3)] == ["11", "12", "13", "22", "23", "33"]
    assert [format_dice(keep) for keep in keeps(2, 2)] == ["-", "1", "2", "11", "12", "22"]


def test_sub_keeps_are_exactly_the_keeps_contained_in_the_roll() -> None:
    for roll in rolls(3, 4):
        contained = [keep for keep in keeps(4, 4) if Counter(keep) <= Counter(roll)]
        assert sorted(sub_keeps(roll)) == sorted(contained)
        assert [keep for keep in keeps(4, 4) if is_keep_of(keep, roll)] == contained


def test_kept_and_rolled_dice_make_an_ascending_roll() -> None:
    assert with_dice(parse_dice("36"), (5, 1, 3)) == parse_dice("13356")


@pytest.mark.parametrize("text", ["", "0", "1 2", "-1", "²", "53"])
def test_dice_must_be_ascending_digits(text: str) -> None:
    with pytest.raises(MalformedError, match="ascending order: write '35'" if text == "53" else f"dice '{text}'"):
        parse_dice(text)


@settings(derandomize=True, deadline=None)
@given(st.text(alphabet="-0123456789²３ a", max_size=8))
@example("-")
def test_any_valid_text_of_dice_survives(text: str) -> None:
    try:
        dice = parse_dice(text)
    except MalformedError:
        return
    assert format_dice(dice) == text
