"""Interchangeable boxes share a place in the table, and every action on a card has its own value all the same."""

from itertools import product

import pytest

from fivedice.analysis.advice import advise, settled_points
from fivedice.analysis.chances import chances
from fivedice.analysis.odds.endgames import advise_to_win
from fivedice.analysis.reviews.review import review
from fivedice.analysis.why import parts_after
from fivedice.game.action import Score
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States, TurnState
from tests.analysis.test_advice import check_against_brute_force
from tests.solver.test_agreement import check_agreement


def _ruleset(id: str, keys: str, columns: str, more: str = "") -> Ruleset:
    twos, pair = 'scorer = "sum_of_face"\nface = 2', 'scorer = "n_of_a_kind"\nn = 2\npays = 5'
    head = f'id = "{id}"\ndice = 2\nfaces = 3\nrolls = 2\n{keys}\n[columns]\n{columns}\n'
    return parse_ruleset(f"{head}[categories.twos]\n{twos}\n{more}\n[categories.pair]\n{pair}\n", id)


THREE_EQUAL = _ruleset("three_equal", "", "a = {}\nb = {}\nc = {}")
BONUS = _ruleset("bonus", "upper_bonus = '7@3'", "a = {}\nb = {}")
SEVERAL = [
    THREE_EQUAL,
    BONUS,
    _ruleset("two_kinds", "", "a = {}\nb = { multiplier = 2, order = 'down' }\nc = {}"),
    _ruleset("saved", "saved_rolls = true", "a = {}\nb = {}"),
    _ruleset("short", "rounds = 3", "a = {}\nb = {}\nc = {}"),
    _ruleset("zeros", "voluntary_zero = true", "a = {}\nb = {}"),
    _ruleset("free_jokers", 'joker = "free"\njoker_category = "pair"\nextra_bonus = 3', "a = {}\nb = {}"),
    _ruleset("first", "", "a = {}\nb = {}", "first_roll_bonus = 4"),
    _ruleset("jokers", 'joker = "forced"\njoker_category = "pair"\nextra_bonus = 10', "a = {}\nb = {}"),
]


@pytest.mark.parametrize("ruleset", SEVERAL, ids=str)
def test_every_card_and_every_action_has_the_value_of_brute_force(ruleset: Ruleset) -> None:
    check_agreement(ruleset)
    check_against_brute_force(ruleset, None, 60)


def test_a_group_of_boxes_is_one_digit() -> None:
    states = States(THREE_EQUAL)
    assert states.cards.radices == (4, 4)
    assert states.num_cards == 16
    assert states.interchangeable == ((0, 2, 4), (1, 3, 5))
    assert states.index(TurnState(frozenset({4}), (0, 0, 0))) == states.index(TurnState(frozenset({0}), (0, 0, 0)))
    assert states.stand_ins({2}) == [2, 1, 0, 3, 4, 5]
    assert states.playable_stand_ins({2}) == [2, 1, 0, 1, 2, 1]


def test_only_lower_boxes_are_interchangeable_if_columns_have_an_upper_bonus() -> None:
    states = States(load_ruleset("yatzy"))
    assert states.interchangeable == ()
    two = States(BONUS)
    assert [[two.ruleset.boxes[box].id for box in group] for group in two.interchangeable] == [["pair_a", "pair_b"]]


def _position() -> Position:
    """A pair in the second column and a zero in the third are filled, and 2 2 is on the table."""
    position = Position.start(THREE_EQUAL)
    for roll, box in (((3, 3), "pair_b"), ((1, 3), "twos_c")):
        position = position.roll(roll).play(Score(box))
    return position.roll((2, 2))


def test_reviews_chances_and_reasons_are_of_the_boxes_of_the_card() -> None:
    solution, position = solve(THREE_EQUAL), _position()
    record = Record.start(THREE_EQUAL, (Seat("Ann", "human"),), "2026.01.02")
    for roll, box in (((3, 3), "pair_b"), ((1, 3), "twos_c"), ((2, 2), "pair_a")):
        record = record.roll(roll).play(Score(box))
    values = {a.action: a.value for a in advise(solution, position).actions}
    decision = review(solution, record).seats[0].decisions[-1]
    assert decision.value == pytest.approx(values[Score("pair_a")])
    assert decision.best in values

    found = chances(solution, position)
    assert found.boxes["pair_b"] == 1.0
    assert found.boxes["twos_c"] == 0.0
    assert 0 < found.boxes["twos_b"] < 1
    breakdown = find_breakdown(solution)
    for action, value in values.items():
        parts = dict(zip(breakdown.names, parts_after(breakdown, position, action), strict=True))
        assert sum(parts.values()) + settled_points(position.card) == pytest.approx(value)
        assert parts["pair_b"] == parts["twos_c"] == 0


def test_an_endgame_is_that_of_the_boxes_of_the_card() -> None:
    ruleset = _ruleset("endgame", "", "a = {}\nb = {}")
    solution, position = solve(ruleset), Position.start(ruleset, 2)
    for box, roll in product(("pair_b", "twos_b"), ((1, 1), (2, 3))):
        position = position.roll(roll).play(Score(box))
    position = position.roll((2, 2))
    found = advise_to_win(solution, position)
    outcomes = {advised.action: advised for advised in found.actions}
    assert set(outcomes) == set(position.actions())
