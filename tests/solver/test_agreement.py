"""The engine and the kernels agree in every turn state, also on every key of the format for which rule books differ, on
pairs of boxes that limit each other as in Yam's, and on interchangeable boxes, which share a place in the table."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivedice import parse_position
from fivedice.analysis.action_values import settled_points, turn_state
from fivedice.analysis.advice import advise
from fivedice.analysis.chances import chances
from fivedice.analysis.odds.endgames import advise_to_win
from fivedice.analysis.reviews.review import review
from fivedice.analysis.why import parts_after
from fivedice.game.action import Score
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.ruleset import Joker, Ruleset
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.solve import solve, solve_states
from fivedice.solver.tables.states import States, TurnState
from fivedice.testing import TINY, TINY_TURNS, rulesets
from tests.amount import amount, cases
from tests.analysis.test_advice import check_against_brute_force
from tests.solver.brute_force import Exact, best_play, num_positions

any_ruleset = st.booleans().flatmap(lambda orders: rulesets(orders=orders))
"""With `orders`, two thirds of the columns are filled down or up; without, all are free."""


def check_agreement(ruleset: Ruleset) -> None:
    by_engine = best_play(ruleset).cards
    solution = solve(ruleset, threads=1)
    for card, value in by_engine.items():
        assert solution.value(turn_state(card)) == pytest.approx(value - settled_points(card), abs=1e-12)
    indices = {solution.states.index(turn_state(card)) for card in by_engine}
    assert indices == set(solution.indices().tolist())
    assert len(indices) == solution.num_turn_states


@pytest.mark.parametrize("ruleset", (TINY | TINY_TURNS).values(), ids=str)
def test_engine_and_kernels_agree_on_the_tiny_rulesets(ruleset: Ruleset) -> None:
    check_agreement(ruleset)
    exact = Exact(ruleset)
    for card, value in best_play(ruleset).cards.items():
        assert value == pytest.approx(float(exact.value(card)), abs=1e-12)


@given(any_ruleset)
@settings(max_examples=amount(12, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_engine_and_kernels_agree_on_random_tiny_rulesets(ruleset: Ruleset) -> None:
    assume(num_positions(ruleset) <= 6_000)
    check_agreement(ruleset)


@given(any_ruleset)
@settings(max_examples=amount(20, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_no_value_depends_on_a_turn_state_that_play_cannot_reach(ruleset: Ruleset) -> None:
    # Comparisons would lose NaN; infinity wins every comparison and every mean.
    clean, poisoned = (solve_states(States(ruleset), threads=1, unreachable=entry) for entry in (np.nan, np.inf))
    indices = clean.indices()
    assert np.isfinite(clean.values[indices]).all()
    assert np.array_equal(clean.values[indices], poisoned.values[indices])


READING = """
id = "tiny"
dice = 2
faces = 3
rolls = 2
joker_category = "pair"
upper_bonus = "3@2"
[categories]
ones = { scorer = "sum_of_face", face = 1 }
straight = { scorer = "straight", length = 2, pays = 7, first_roll_bonus = 1 }
pair = { scorer = "n_of_a_kind", n = 2, pays = 5 }
"""
KEYS = [
    "first_in_box = true\nextra_bonus = 10",
    "wild_while_open = true",
    "wild_while_open = true\nextra_bonus = 10\nfirst_in_box = true\nvoluntary_zero = true",
    "forced_score = true\nextra_bonus = 10",
    "forced_score = true\nextra_bonus = 10\nfirst_in_box = true\nwild_while_open = true",
    "bonus_needs_points = true\nextra_bonus = 10\nrounds = 3",
    "bonus_in_upper = true\nextra_bonus = 10",
    "bonus_in_upper = true\nbonus_after_zero = true\nextra_bonus = 10\nvoluntary_zero = true",
    "bonus_after_zero = true\nextra_bonus = 10\nfirst_in_box = true\nwild_while_open = true",
]


def tiny(keys: str, joker: str, *, columns: bool = False) -> Ruleset:
    """The tiny ruleset with these keys and a joker order, in one column of three boxes or two of two."""
    text = READING.replace("[categories]", f'joker = "{joker}"\n{keys}\n[categories]')
    if columns:
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("straight"))
        text += "[columns]\nonce = {}\ntwice = { multiplier = 2 }\n"
    return parse_ruleset(text, "tiny")


@pytest.mark.parametrize("joker", cases(["forced", "wild"], full=list(Joker)))
@pytest.mark.parametrize("keys", KEYS)
def test_engine_and_kernels_agree_in_one_column(keys: str, joker: str) -> None:
    check_agreement(tiny(keys, joker))


@pytest.mark.parametrize("joker", cases(["wild"], full=list(Joker)))
@pytest.mark.parametrize("keys", cases([KEYS[4]], full=KEYS))
def test_engine_and_kernels_agree_in_two_columns(keys: str, joker: str) -> None:
    check_agreement(tiny(f"{keys}\nbonus_by_column = true", joker, columns=True))


def two_dice(id: str, keys: str, columns: str, more: str = "") -> Ruleset:
    twos, pair = 'scorer = "sum_of_face"\nface = 2', 'scorer = "n_of_a_kind"\nn = 2\npays = 5'
    head = f'id = "{id}"\ndice = 2\nfaces = 3\nrolls = 2\n{keys}\n[columns]\n{columns}\n'
    return parse_ruleset(f"{head}[categories.twos]\n{twos}\n{more}\n[categories.pair]\n{pair}\n", id)


THREE_EQUAL = two_dice("three_equal", "", "a = {}\nb = {}\nc = {}")
BONUS = two_dice("bonus", "upper_bonus = '7@3'", "a = {}\nb = {}")
SEVERAL = [
    THREE_EQUAL,
    BONUS,
    two_dice("two_kinds", "", "a = {}\nb = { multiplier = 2, order = 'down' }\nc = {}"),
    two_dice("saved", "saved_rolls = true", "a = {}\nb = {}"),
    two_dice("short", "rounds = 3", "a = {}\nb = {}\nc = {}"),
    two_dice("zeros", "voluntary_zero = true", "a = {}\nb = {}"),
    two_dice("free_jokers", 'joker = "free"\njoker_category = "pair"\nextra_bonus = 3', "a = {}\nb = {}"),
    two_dice("first", "", "a = {}\nb = {}", "first_roll_bonus = 4"),
    two_dice("jokers", 'joker = "forced"\njoker_category = "pair"\nextra_bonus = 10', "a = {}\nb = {}"),
]

PAIR = """
id = "pair"
dice = 2
faces = 3
[categories]
ones = { scorer = "sum_of_face", face = 1 }
more = { scorer = "any_dice", above = "fewer" }
fewer = { scorer = "pairs", n = 1 }
"""
VOLUNTARY = parse_ruleset("voluntary_zero = true\n" + PAIR, "voluntary")
JOKERS = 'joker = "free"\njoker_category = "pair"\nextra_bonus = 3\nrounds = 3\n'
LIMITED = [
    VOLUNTARY,
    parse_ruleset(PAIR.replace('"fewer" }', '"fewer", or_equal = true }'), "equal"),
    parse_ruleset("forced_score = true\n" + PAIR, "forced"),
    parse_ruleset(f'{JOKERS}{PAIR}pair = {{ scorer = "n_of_a_kind", n = 2, pays = 5 }}\n', "limited_jokers"),
]


@pytest.mark.parametrize("ruleset", [*SEVERAL, *LIMITED], ids=str)
def test_every_card_and_every_action_has_the_value_of_brute_force(ruleset: Ruleset) -> None:
    check_agreement(ruleset)
    check_against_brute_force(ruleset, 60)


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


def test_reviews_chances_and_reasons_are_of_the_boxes_of_the_card() -> None:
    solution, record = solve(THREE_EQUAL), Record.start(THREE_EQUAL, (Seat("Ann", "human"),), "2026.01.02")
    for roll, box in (((3, 3), "pair_b"), ((1, 3), "twos_c")):
        record = record.roll(roll).play(Score(box))
    record = record.roll((2, 2))
    position = record.position
    values = {a.action: a.value for a in advise(solution, position).actions}
    decision = review(solution, record.play(Score("pair_a"))).seats[0].decisions[-1]
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
    ruleset = two_dice("endgame", "", "a = {}\nb = {}")
    position = parse_position("endgame twos_b=2,pair_b=5/twos_b=0,pair_b=0 22 r1", ruleset)
    found = advise_to_win(solve(ruleset), position)
    assert {advised.action for advised in found.actions} == {*position.actions()}


def test_points_can_be_worse_than_a_zero_where_they_limit_the_other_box() -> None:
    position = parse_position("voluntary ones=0 11 r0", VOLUNTARY)
    advice = advise(solve(VOLUNTARY, threads=1), position)
    assert advice.best.points == 2  # a pair of ones below; above, it would leave nothing for the pair
    assert advice.of(position.offers()[1].action).value > advice.of(position.offers()[0].action).value


def test_the_turn_state_has_the_points_of_one_box_until_the_other_is_filled() -> None:
    ruleset = TINY["tiny_above"]
    cards = [parse_position(f"{ruleset} {card} - r3", ruleset).card for card in ("more=5", "fewer=4", "more=5,fewer=4")]
    assert [card.pending for card in cards] == [5, 4, 0]
    assert States(ruleset).pending_points == (0, 2, 3, 4, 5, 6)
