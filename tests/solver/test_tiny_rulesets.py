"""Engine, reference and kernels are three readings of one Ruleset: on random tiny ones they agree in every state."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivedice.dice import Dice, rolls, ways
from fivedice.game.action import Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.ruleset import Category, Column, Joker, Order, Ruleset, Tier
from fivedice.solver.reference import Reference
from fivedice.solver.solve import solve
from fivedice.solver.states import TurnState

MOST_POSITIONS = 6_000
"""Brute force gives up beyond so many: the engine takes about 50 µs for each action in each."""

ORDERS: list[Order] = ["free", "free", "down", "up"]


@st.composite
def categories(draw: st.DrawFn, num: int, dice: int, faces: int) -> Category:
    face = draw(st.integers(1, faces))
    n = draw(st.integers(1, dice))
    scorer, params = draw(
        st.sampled_from(
            [
                ("sum_of_face", (("face", face),)),
                ("sum_of_face", (("face", face),)),
                ("any_dice", ()),
                ("n_of_a_kind", (("n", n),)),
                ("n_of_a_kind", (("n", dice),)),
                ("straight", (("faces", ("".join(map(str, range(1, min(dice, faces) + 1))),)),)),
                ("sum_is", (("total", face * dice),)),
            ]
        )
    )
    return Category(
        id=f"box_{num}",
        name="",
        section="upper" if scorer == "sum_of_face" else draw(st.sampled_from(["lower", "lower", "upper"])),
        scorer=scorer,
        params=params,
        pays=draw(st.sampled_from(["matched", "total", 3])),
        plus=draw(st.sampled_from([0, 0, 2])),
        first_roll_bonus=draw(st.sampled_from([0, 0, 0, 2])),
        first_roll_wins=draw(st.sampled_from([False] * 5 + [True])),
    )


@st.composite
def tiny_rulesets(draw: st.DrawFn) -> Ruleset:
    dice, faces = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    columns = tuple(
        Column(f"c{index}", draw(st.integers(1, 2)), draw(st.sampled_from(ORDERS)))
        for index in range(draw(st.sampled_from([1, 1, 1, 2])))
    )
    num = draw(st.integers(2, 4 if len(columns) == 1 else 2))
    found = [draw(categories(number, dice, faces)) for number in range(num)]
    if draw(st.booleans()):
        found[-1] = Category("yahtzee", "", "lower", "n_of_a_kind", (("n", dice),), draw(st.sampled_from([5, "total"])))
    tiers = draw(st.sampled_from([(), (Tier(4, 3),), (Tier(3, 2), Tier(5, 6)), (Tier(1, 0), Tier(9, 9))]))
    has_upper = any(category.section == "upper" for category in found)
    has_joker = found[-1].id == "yahtzee"
    return Ruleset(
        id="tiny",
        name="",
        categories=tuple(found),
        dice=dice,
        faces=faces,
        rolls=draw(st.integers(1, 3)),
        rounds=draw(st.sampled_from([num * len(columns)] * 2 + [max(1, num * len(columns) - 1)])),
        columns=columns,
        upper_bonus=tiers if has_upper else (),
        joker=draw(st.sampled_from(list(Joker))) if has_joker else Joker.NONE,
        joker_category="yahtzee" if has_joker else "",
        extra_bonus=draw(st.sampled_from([0, 7])) if has_joker else 0,
        voluntary_zero=draw(st.sampled_from([False, False, True])),
        saved_rolls=draw(st.sampled_from([False] * 3 + [True])),
    )


def turn_state(card: ScoreCard) -> TurnState:
    return TurnState(
        filled=frozenset(index for index, points in enumerate(card.boxes) if points is not None),
        totals=tuple(card.section_total("upper", column) for column in range(len(card.ruleset.columns))),
        spoiled=any(card.boxes[index] == 0 for index in card.ruleset.joker_boxes),
        saved=card.saved,
    )


class BruteForce:
    """Optimal play by the engine alone: every position of a game of one seat is tried."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.found: dict[Any, float] = {}
        self.before_turn: dict[ScoreCard, float] = {}
        """The expected final score of every card that a turn can begin with."""
        self.rolls = {
            num: [(roll, ways(roll)) for roll in rolls(num, ruleset.faces)] for num in range(ruleset.dice + 1)
        }
        self.value(Position.start(ruleset))

    def value(self, position: Position) -> float:
        card = position.card
        key = (card.boxes, card.extras, card.saved, card.won, position.dice, position.rolls_left)
        if key not in self.found:
            self.found[key] = self.search(position)
            if not position.dice and not card.won:
                self.before_turn[card] = self.found[key]
            assume(len(self.found) <= MOST_POSITIONS)
        return self.found[key]

    def search(self, position: Position) -> float:
        if position.is_over:
            return position.card.total
        if not position.dice:
            return self.mean(self.ruleset.dice, position.roll)
        return max(
            self.mean(self.ruleset.dice - len(action.dice), partial(position.play, action))
            if isinstance(action, Keep)
            else self.value(position.play(action))
            for action in position.actions()
        )

    def mean(self, num: int, after: Callable[[Dice], Position]) -> float:
        total = sum(count * self.value(after(roll)) for roll, count in self.rolls[num])
        return total / float(self.ruleset.faces**num)


def written(card: ScoreCard) -> int:
    """Points that a card holds already: all of its total but the upper bonus, which is counted at the end."""
    bonus = sum(column.multiplier * card.upper_bonus(index) for index, column in enumerate(card.ruleset.columns))
    return card.total - bonus


@given(tiny_rulesets())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_engine_reference_and_kernels_agree_in_every_turn_state(ruleset: Ruleset) -> None:
    by_engine = BruteForce(ruleset).before_turn
    solution = solve(ruleset, threads=1)
    reference = Reference(ruleset)
    for card, value in by_engine.items():
        state = turn_state(card)
        assert solution.value(state) == pytest.approx(value - written(card), abs=1e-12)
        assert solution.value(state) == pytest.approx(float(reference.value(state)), abs=1e-12)
    indices = {solution.states.index(turn_state(card)) for card in by_engine}
    assert indices == set(solution.indices().tolist())
    assert len(indices) == solution.num_turn_states


@given(tiny_rulesets())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_value_depends_on_a_turn_state_that_play_cannot_reach(ruleset: Ruleset) -> None:
    # NaN would be lost where two values are compared; infinity wins every comparison and spoils every mean.
    clean, poisoned = solve(ruleset, threads=1), solve(ruleset, threads=1, unreachable=np.inf)
    indices = clean.indices()
    assert np.isfinite(clean.values[indices]).all()
    assert np.array_equal(clean.values[indices], poisoned.values[indices])
