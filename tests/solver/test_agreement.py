"""The engine and the kernels agree in every turn state, also on every key of the format for which rule books differ;
the engine on tiny rulesets also in Fractions."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivedice.rulesets import parse_ruleset
from fivedice.rulesets.ruleset import Joker, Ruleset
from fivedice.solver.solve import solve, solve_states
from fivedice.solver.tables.states import States
from fivedice.testing import TINY, rulesets
from tests.amount import amount, cases
from tests.solver.brute_force import BruteForce, TooManyPositionsError, best_play, turn_state, written
from tests.solver.exact import Exact

MAX_POSITIONS = 6_000

any_ruleset = st.booleans().flatmap(lambda orders: rulesets(orders=orders))
"""With `orders`, two thirds of the columns are filled down or up; without, all are free."""


def check_agreement(ruleset: Ruleset, max_positions: int | None = None) -> None:
    by_engine = (BruteForce(ruleset, max_positions) if max_positions else best_play(ruleset)).cards
    solution = solve(ruleset, threads=1)
    for card, value in by_engine.items():
        assert solution.value(turn_state(card)) == pytest.approx(value - written(card), abs=1e-12)
    indices = {solution.states.index(turn_state(card)) for card in by_engine}
    assert indices == set(solution.indices().tolist())
    assert len(indices) == solution.num_turn_states


@pytest.mark.parametrize("id", TINY)
def test_engine_and_kernels_agree_on_the_tiny_rulesets(id: str) -> None:
    check_agreement(TINY[id])
    exact = Exact(TINY[id])
    for card, value in best_play(TINY[id]).cards.items():
        assert value == pytest.approx(float(exact.value(card)), abs=1e-12)


@given(any_ruleset)
@settings(max_examples=amount(12, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_engine_and_kernels_agree_on_random_tiny_rulesets(ruleset: Ruleset) -> None:
    try:
        check_agreement(ruleset, MAX_POSITIONS)
    except TooManyPositionsError:
        assume(False)


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
    check_agreement(tiny(keys, joker), max_positions=100_000)


@pytest.mark.parametrize("joker", cases(["wild"], full=list(Joker)))
@pytest.mark.parametrize("keys", cases([KEYS[4]], full=KEYS))
def test_engine_and_kernels_agree_in_two_columns(keys: str, joker: str) -> None:
    check_agreement(tiny(f"{keys}\nbonus_by_column = true", joker, columns=True), max_positions=300_000)
