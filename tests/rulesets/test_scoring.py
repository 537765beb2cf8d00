"""Multisets of dice; and what every box pays: an independent implementation of every shipped category, and arguments of
files of one's own."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fivedice.base.errors import MalformedError
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.dice import format_dice, is_keep_of, keeps, parse_dice, rolls, sub_keeps, ways
from fivedice.rulesets.scoring import SCORERS, full_house, listed, pairs, straight


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


@settings(derandomize=True, deadline=None)
@given(st.text(alphabet="-0123456789²３ a", max_size=8))
@example("-")
def test_any_valid_text_of_dice_survives(text: str) -> None:
    try:
        dice = parse_dice(text)
    except MalformedError:
        return
    assert format_dice(dice) == text


MATCHES = [
    (pairs(parse_dice("22225"), n=2, distinct=False), "2222"),
    (pairs(parse_dice("222255"), n=2, distinct=False), "2255"),
    (full_house(parse_dice("33333"), distinct=False), "33333"),
    (straight(parse_dice("123456"), length=4), "3456"),
    (straight(parse_dice("12346"), faces=["12345", "1234"]), "1234"),
    (listed(parse_dice("22225"), hands=["11116", "22225"]), "22225"),
    (listed(parse_dice("22255"), hands=["11116", "22225"]), "-"),
    (listed(parse_dice("12225"), hands=["25", "222", "66"]), "25"),
]


@pytest.mark.parametrize(("matched", "digits"), MATCHES)
def test_arguments_that_no_shipped_ruleset_has_find_the_matching_dice_with_the_highest_sum(
    matched: tuple[int, ...], digits: str
) -> None:
    assert matched == parse_dice(digits)


# The rules implemented again, naively: each function takes a roll and returns its points.
Rule = Callable[[tuple[int, ...]], int]


def of_face(face: int) -> Rule:
    return lambda roll: face * roll.count(face)


def equal(roll: tuple[int, ...], n: int) -> list[int]:
    return [face for face in set(roll) if roll.count(face) >= n]


def some(dice: list[int]) -> int:
    return max(dice, default=0)


def kind(n: int) -> Rule:
    """The total of the roll if `n` dice are equal."""
    return lambda roll: sum(roll) if equal(roll, n) else 0


def kind_only(n: int) -> Rule:
    """The sum of the `n` equal dice."""
    return lambda roll: n * some(equal(roll, n))


def distinct_pairs(n: int) -> Rule:
    return lambda roll: some([2 * sum(faces) for faces in combinations(equal(roll, 2), n)])


def house(large: int, small: int) -> Rule:
    return lambda roll: some([large * a + small * b for a in equal(roll, large) for b in equal(roll, small) if a != b])


def shows(points: int, *runs: str) -> Rule:
    return lambda roll: points if any(set(run) <= set(map(str, roll)) for run in runs) else 0


def fixed(points: int, rule: Rule) -> Rule:
    return lambda roll: points if rule(roll) else 0


def all_equal(points: int) -> Rule:
    return lambda roll: points if len(set(roll)) == 1 else 0


def all_equal_sum(roll: tuple[int, ...]) -> int:
    return all_equal(sum(roll))(roll)


def five_too(rule: Rule) -> Rule:
    return lambda roll: rule(roll) or all_equal(sum(roll))(roll)


def plus(points: int, rule: Rule) -> Rule:
    return lambda roll: rule(roll) + points if rule(roll) else 0


def is_one_colour(faces: tuple[int, ...]) -> bool:
    return any(set(faces) <= colour for colour in ({1, 6}, {2, 5}, {3, 4}))


def two_pair_same_colour(roll: tuple[int, ...]) -> int:
    is_match = any(four[0] == four[1] and four[2] == four[3] and is_one_colour(four) for four in combinations(roll, 4))
    return sum(roll) if is_match else 0


HANDS = [(5,), (4, 1), (3, 2), "straight", (3, 1, 1), (2, 2, 1), (2, 1, 1, 1), (1, 1, 1, 1, 1)]


def strength(roll: tuple[int, ...]) -> tuple[int, list[int]]:
    """The kind of a hand of poker, higher ones first, and the faces in the order in which they are compared."""
    faces = sorted(set(roll), key=lambda face: (-roll.count(face), -face))
    kind = "straight" if roll in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)) else tuple(map(roll.count, faces))
    return -HANDS.index(kind), faces


UPPER = {name: of_face(i) for i, name in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), 1)}
FOURS, FIVES = ("1234", "2345", "3456"), ("12345", "23456")
AMERICAN = UPPER | {
    "three_of_a_kind": kind(3),
    "four_of_a_kind": kind(4),
    "full_house": fixed(25, house(3, 2)),
    "small_straight": shows(30, *FOURS),
    "large_straight": shows(40, *FIVES),
    "chance": sum,
}
YAHTZEE = AMERICAN | {"yahtzee": all_equal(50)}
SCANDINAVIAN = UPPER | {
    "one_pair": distinct_pairs(1),
    "two_pairs": distinct_pairs(2),
    "three_of_a_kind": kind_only(3),
    "four_of_a_kind": kind_only(4),
    "small_straight": shows(15, "12345"),
    "large_straight": shows(20, "23456"),
    "house": house(3, 2),
    "chance": sum,
}
RULES: dict[str, dict[str, Rule]] = {
    "balut": {name: UPPER[name] for name in ("fours", "fives", "sixes")}
    | {
        "straight": lambda roll: sum(roll) if shows(1, *FIVES)(roll) else 0,
        "full_house": house(3, 2),
        "choice": sum,
        "balut": plus(20, all_equal_sum),
    },
    "cameroon": UPPER
    | {
        "full_house": house(3, 2),
        "little_cameroon": shows(21, "12345"),
        "large_cameroon": shows(30, "23456"),
        "five_of_a_kind": all_equal(50),
    },
    "cheerio": UPPER
    | {
        "little_straight": shows(20, "12345"),
        "big_straight": shows(25, "23456"),
        "full_house": house(3, 2),
        "big_hand": sum,
        "cheerio": all_equal(50),
    },
    "crag": UPPER
    | {
        "odd_straight": shows(20, "135"),
        "even_straight": shows(20, "246"),
        "low_straight": shows(20, "123"),
        "high_straight": shows(20, "456"),
        "three_of_a_kind": all_equal(25),
        "thirteen": lambda roll: 26 if sum(roll) == 13 else 0,
        "crag": lambda roll: 50 if sum(roll) == 13 and len(set(roll)) < 3 else 0,
    },
    "generala": UPPER
    | {
        "straight": shows(20, *FIVES),
        "full_house": fixed(30, house(3, 2)),
        "poker": fixed(40, kind(4)),
        "generala": all_equal(50),
    },
    "kismet": UPPER
    | {
        "two_pair_same_colour": two_pair_same_colour,
        "three_of_a_kind": kind(3),
        "straight": shows(30, *FIVES),
        "flush": lambda roll: 35 if is_one_colour(roll) else 0,
        "full_house": plus(15, five_too(house(3, 2))),
        "full_house_same_colour": lambda roll: plus(20, five_too(house(3, 2)))(roll) if is_one_colour(roll) else 0,
        "four_of_a_kind": plus(25, kind(4)),
        "yarborough": sum,
        "kismet": plus(50, kind(5)),
    },
    "maxi_yatzy": SCANDINAVIAN
    | {
        "three_pairs": distinct_pairs(3),
        "five_of_a_kind": kind_only(5),
        "full_straight": shows(21, "123456"),
        "villa": house(3, 3),
        "tower": house(4, 2),
        "maxi_yatzy": all_equal(100),
    },
    "poker_dice": dict.fromkeys(
        ("first", "second", "third"), lambda roll: sum(strength(other) <= strength(roll) for other in rolls(5, 6))
    ),
    "yacht": UPPER
    | {
        "full_house": house(3, 2),
        "four_of_a_kind": kind_only(4),
        "little_straight": shows(30, "12345"),
        "big_straight": shows(30, "23456"),
        "choice": sum,
        "yacht": all_equal(50),
    },
    "yacht_dice": UPPER
    | {
        "choice": sum,
        "four_of_a_kind": kind(4),
        "full_house": five_too(house(3, 2)),
        "small_straight": shows(15, *FOURS),
        "large_straight": shows(30, *FIVES),
        "yacht": all_equal(50),
    },
    "yamb": UPPER
    | {
        "maximum": sum,
        "minimum": sum,
        "three_of_a_kind": plus(20, kind_only(3)),
        "straight": shows(46, *FIVES),
        "full_house": plus(30, house(3, 2)),
        "poker": plus(40, kind_only(4)),
        "yamb": plus(50, all_equal_sum),
    },
    "yams": {name: rule for name, rule in YAHTZEE.items() if name != "chance"} | {"superior": sum, "inferior": sum},
    "yatzy": SCANDINAVIAN | {"yatzy": all_equal(50)},
    "yatzy_american": AMERICAN
    | {"one_pair": distinct_pairs(1), "two_pairs": distinct_pairs(2), "yatzy": all_equal(50)},
}
for id in ruleset_ids():
    if "yahtzee" in id or id == "kniffel":
        RULES[id] = YAHTZEE


@pytest.mark.parametrize("id", ruleset_ids())
def test_every_box_pays_by_its_rule_for_every_roll(id: str) -> None:
    ruleset = load_ruleset(id)
    assert {category.id for category in ruleset.categories} == set(RULES[id])
    for roll in rolls(ruleset.dice, ruleset.faces):
        scores = dict(zip((category.id for category in ruleset.categories), ruleset.face_scores(roll), strict=True))
        assert scores == {box: rule(roll) for box, rule in RULES[id].items()}, roll


def test_every_scorer_is_used_by_a_shipped_ruleset() -> None:
    used = {category.scorer for id in ruleset_ids() for category in load_ruleset(id).categories}
    assert used | {"listed"} == set(SCORERS)  # hands are listed in files of one's own
