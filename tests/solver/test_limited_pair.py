"""Pairs of boxes that limit each other, as in Yam's: the kernels and plain Python agree."""

import pytest

from fivedice import parse_position
from fivedice.analysis.advice import advise
from fivedice.rulesets import parse_ruleset
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States, TurnState
from fivedice.testing import TINY
from tests.analysis.test_advice import check_against_brute_force

TEXT = """
id = "pair"
dice = 2
faces = 3
[categories]
ones = { scorer = "sum_of_face", face = 1 }
more = { scorer = "any_dice", above = "fewer" }
fewer = { scorer = "pairs", n = 1 }
"""

VARIANTS = {
    "equal sums": TEXT.replace('"fewer" }', '"fewer", or_equal = true }'),
    "voluntary zeros": "voluntary_zero = true\n" + TEXT,
    "forced scores": "forced_score = true\n" + TEXT,
    "jokers": 'joker = "free"\njoker_category = "pair"\nextra_bonus = 3\nrounds = 3\n'
    + TEXT
    + 'pair = { scorer = "n_of_a_kind", n = 2, pays = 5 }\n',
}


@pytest.mark.parametrize("id", VARIANTS)
def test_brute_force_kernels_and_plain_python_agree(id: str) -> None:
    check_against_brute_force(parse_ruleset(VARIANTS[id]), None, 60)


def test_points_can_be_worse_than_a_zero_where_they_limit_the_other_box() -> None:
    ruleset = parse_ruleset(VARIANTS["voluntary zeros"])
    position = parse_position(f"{ruleset} ones=0 11 r0", ruleset)
    advice = advise(solve(ruleset, threads=1), position)
    assert advice.best.points == 2  # a pair of ones below; above, it would leave nothing for the pair
    assert advice.of(position.offers()[1].action).value > advice.of(position.offers()[0].action).value


def test_the_turn_state_has_the_points_of_one_box_until_the_other_is_filled() -> None:
    ruleset = TINY["tiny_above"]
    cards = [parse_position(f"{ruleset} {card} - r3", ruleset).card for card in ("more=5", "fewer=4", "more=5,fewer=4")]
    assert [card.pending for card in cards] == [5, 4, 0]
    states = States(ruleset)
    assert states.pending_points == (0, 2, 3, 4, 5, 6)
    state = TurnState(frozenset({1}), (0,), pending=5)
    assert states.from_index(states.index(state)) == state
