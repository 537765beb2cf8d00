"""The engine and the kernels agree in every turn state, also on every key of the format for which rule books differ, on
pairs of boxes that limit each other as in Yam's, and on interchangeable boxes, which share a place in the table; and
`solve`: progress, threads and memory limit, and published figures, each under its own rules."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivedice import parse_position
from fivedice.analysis.action_values import settled_points, turn_state
from fivedice.analysis.advice import advise
from fivedice.analysis.chances import chances
from fivedice.analysis.endgames import advise_to_win
from fivedice.analysis.reviews.review import review
from fivedice.analysis.why import parts_after
from fivedice.game.action import Score
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.ruleset import Joker, Ruleset
from fivedice.solver import solve as module
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.solve import TooLargeError, default_memory_limit, solve, solve_states, thread_workspace
from fivedice.solver.tables.states import States, TurnState
from fivedice.testing import TINY, TINY_TURNS, rulesets
from tests.amount import amount, cases
from tests.analysis.test_advice import check_against_brute_force
from tests.solutions import solution_of
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


def test_progress_ends_with_all_cards_solved() -> None:
    seen: list[tuple[int, int]] = []
    solve(TINY["tiny_plain"], progress=lambda solved, cards: seen.append((solved, cards)))
    assert seen[-1] == (8, 8)
    assert seen == sorted(seen)


def test_the_time_of_a_search_is_without_that_of_loading_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()
    monkeypatch.setattr(module, "perf_counter", lambda: next(clock))
    whole = solve(TINY["tiny_plain"])
    monkeypatch.setattr(module, "load_kernels", lambda dice, rules: 1_000.0)
    longer = solve(TINY["tiny_plain"])
    assert (longer.loading, longer.seconds) == (1_000.0, 1 - 1_000.0)
    assert (whole.loading, whole.seconds) == (1.0, 2.0)


def test_the_number_of_threads_does_not_change_a_bit_of_the_table() -> None:
    ruleset = load_ruleset("crag")
    one, many = solve(ruleset, threads=1), solve(ruleset, threads=5)
    assert np.array_equal(one.values, many.values, equal_nan=True)


def test_what_is_too_large_for_the_machine_for_a_limit_or_for_kernels_is_refused_in_one_sentence() -> None:
    assert 2**28 < default_memory_limit() < 2**50
    with pytest.raises(TooLargeError, match=r"triple_yahtzee .* needs more memory than any computer has; playing it"):
        solve(load_ruleset("triple_yahtzee"))
    with pytest.raises(TooLargeError, match="combines lines with saved rolls, which"):
        solve(load_ruleset("yamb[saved_rolls=true]"))
    with pytest.raises(TooLargeError, match="tiny_line has lines: it has no more than values"):
        find_breakdown(solve(TINY_TURNS["tiny_line"]))
    with pytest.raises(TooLargeError, match=r"it needs 15\.3 MB of memory, and 1\.05 MB are allowed; playing it"):
        solve(load_ruleset("yahtzee"), memory_limit=2**20)


def test_a_thread_has_a_workspace_of_its_own_which_is_dropped_with_its_solution() -> None:
    solution = solve(TINY["tiny_plain"])
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(thread_workspace, solution).result() is pool.submit(thread_workspace, solution).result()
        assert pool.submit(thread_workspace, solution).result() is not thread_workspace(solution)
    kept = weakref.ref(thread_workspace(solution).x)
    assert kept() is not None
    del solution
    gc.collect()
    assert kept() is None


EXPECTED_SCORES = {
    "yahtzee_plain": 245.870774514,  # Glenn 2006
    "yahtzee_plain[five_as_house=true]": 245.904728371,  # Holderied
    "yahtzee_no_joker": 253.970241190,  # yatzy-solver
    "yahtzee": 254.587728734,  # jdh8/yahtzee-engine, ysolver
    "yahtzee_free": 254.589609482,  # Verhoeff & Scheffers 1999
    "yatzy": 248.439989378,  # yatzy-solver, dlangk/yatzy
    "yatzy[five_as_house=true]": 248.468090917,  # yatzy-solver 1.0.0, as the next five
    "yatzy[four_as_two_pairs=true]": 248.644058944,
    "yatzy[five_as_house=true,four_as_two_pairs=true]": 248.674882688,
    "yatzy[order=down]": 122.558527396,
    "yatzy[order=down,five_as_house=true]": 122.606353506,
    "yatzy[order=down,four_as_two_pairs=true]": 123.194578108,
    "yacht_dice": 191.774369188,  # ho94949/yacht-dice
}


@pytest.mark.parametrize("ref", EXPECTED_SCORES)
def test_the_expected_score_is_the_published_one(ref: str) -> None:
    assert solution_of(ref).expected_score == pytest.approx(EXPECTED_SCORES[ref], abs=1e-8)


@pytest.mark.parametrize(("ref", "count"), [("yahtzee", 536_448), ("yatzy", 1_430_528)])
def test_the_number_of_reachable_turn_states_is_the_published_one(ref: str, count: int) -> None:
    assert solution_of(ref).num_turn_states == count
    assert solution_of(ref).indices().size == count


def test_2794_pairs_of_filled_upper_boxes_and_total_can_be_reached() -> None:
    found = solution_of("yahtzee_plain")
    rows, totals = np.divmod(found.indices(), found.states.stride)
    upper_boxes = rows // found.states.num_planes % 2**6  # a binary digit for each, in the lowest places
    assert len(set(zip(upper_boxes.tolist(), totals.tolist(), strict=True))) == 2_794


def test_unreachable_entries_are_nan() -> None:
    found = solution_of("yahtzee")
    assert np.isnan(found.values[found.states.index(TurnState(totals=(1,)))])
    with pytest.raises(ValueError, match="cannot arise in a game of yahtzee"):
        found.value(TurnState(totals=(1,)))
