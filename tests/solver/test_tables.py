"""Turn states and their indices; and the tables of a ruleset, which offer every roll what the engine does, and of which
the census has the digests."""

from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fivedice.analysis.action_values import place_of_card, settled_points
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.game.action import offers
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.kernels.action_values import score_transitions
from fivedice.solver.solve import solve, workspace
from fivedice.solver.tables.dice_tables import dice_tables, roll_indices
from fivedice.solver.tables.rule_tables import rule_tables
from fivedice.solver.tables.states import States, TurnState
from fivedice.testing import TINY, TINY_TURNS, playthrough, rulesets
from tests.amount import amount, cases
from tests.census.__main__ import digest, saved_digests
from tests.census.parts import PARTS, Subject
from tests.solver.brute_force import best_play

YAHTZEE = load_ruleset("yahtzee")


@given(rulesets() | st.sampled_from([*TINY.values(), *TINY_TURNS.values()]))
@settings(max_examples=amount(25, full=100))
@example(TINY["tiny_above"])
@example(TINY_TURNS["tiny_line"])
def test_every_index_gives_its_turn_state_and_back(ruleset: Ruleset) -> None:
    solution = solve(ruleset, threads=1)
    for index in solution.indices().tolist():
        assert solution.states.index(solution.states.from_index(index)) == index


@pytest.mark.parametrize(
    ("ruleset", "state", "message"),
    [
        (YAHTZEE, TurnState(frozenset({13})), r"boxes \[13\]: want indices from 0 to 12"),
        (YAHTZEE, TurnState(totals=(1, 2)), r"upper totals \(1, 2\): want one for each of 1 columns"),
        (YAHTZEE, TurnState(totals=(-1,)), r"upper totals \(-1,\)"),
        (YAHTZEE, TurnState(saved=1), "1 saved rolls: want a number from 0 to 0"),
        (TINY["tiny_above"], TurnState(frozenset({1}), (0,), pending=1), "1 pending points: want one of"),
        (TINY["tiny_columns"], TurnState(frozenset({1}), (0, 0)), r"boxes \[1\] cannot be the filled ones"),
    ],
)
def test_an_invalid_turn_state_is_refused_and_padding_is_none(ruleset: Ruleset, state: TurnState, message: str) -> None:
    with pytest.raises((IllegalError, MalformedError), match=message):
        States(ruleset).index(state)
    with pytest.raises(MalformedError, match="index 64 is not that of a turn state"):
        States(YAHTZEE).from_index(64)


def test_totals_are_capped_and_columns_are_interchangeable_whatever_their_names() -> None:
    states, filled = States(YAHTZEE), frozenset(range(6))
    assert states.index(TurnState(filled, (105,))) == states.index(TurnState(filled, (63,)))
    balut = States(load_ruleset("balut[result=sum]"))
    assert (balut.num_cards, balut.obstacle) == (5**7, "")


def readings(id: str) -> Iterator[str]:
    """A ruleset, and every other value of each option, of which random rules have the kinds, too."""
    yield id
    for key, choices in load_ruleset(id).choices:
        yield from (f"{id}[{key}={choice.value}]" for choice in choices if not choice.is_default)


TABULATED = [id for id in ruleset_ids() if States(load_ruleset(id)).has_kernels]
READINGS = [ref for id in ruleset_ids() for ref in readings(id) if States(load_ruleset(ref)).has_kernels]


class Tabulated:
    """What the tables of a ruleset offer."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.states = ruleset, States(ruleset)
        self._dice, self._rules = dice_tables(ruleset.dice, ruleset.faces), rule_tables(self.states)
        self._work = workspace(self._dice, self._rules)
        self._rolls = [(roll, row) for roll, row in roll_indices(ruleset.dice, ruleset.faces).items()]

    def check(self, card: ScoreCard) -> None:
        """Compare them with the engine's for every roll on a card: the first of a turn, and the last."""
        num_boxes = len(self.ruleset.boxes)
        stand_ins = self.states.playable_stand_ins(card.filled)
        for left in {0, card.rolls - 1}:
            expected = np.full((len(self._rolls), num_boxes, 2), -1), np.full((len(self._rolls), num_boxes, 2), np.nan)
            for place, (roll, _) in enumerate(self._rolls):
                for offer in offers(card, roll, roll=card.rolls - 1 - left):
                    position = Position(self.ruleset, (card,), 0, roll, left)
                    after = position.take(offer).card
                    where = place, stand_ins[self.ruleset.box_index[offer.action.box]], int(not offer.points)
                    expected[0][where] = place_of_card(self.states, after)
                    expected[1][where] = settled_points(after) - settled_points(card)
            found = self._find(card, left)
            # A fallback is listed for rolls that score there, too, since it never is the better choice.
            is_fallback = (expected[0][..., 0] >= 0) & (expected[0][..., 1] < 0)
            found[0][is_fallback, 1], found[1][is_fallback, 1] = -1, np.nan
            assert np.array_equal(found[0], expected[0]), (str(card), left)
            assert np.array_equal(found[1], expected[1], equal_nan=True), (str(card), left)

    def _find(self, card: ScoreCard, left: int) -> tuple[np.ndarray, np.ndarray]:
        num_boxes = len(self.ruleset.boxes)
        each = [*product((row for _, row in self._rolls), range(num_boxes), (False, True))]
        rows, boxes, zeros = (np.array(column) for column in zip(*each, strict=True))
        after, points = np.zeros(len(each), dtype=np.int64), np.zeros(len(each))
        at, lefts = np.full(len(each), place_of_card(self.states, card)), np.full(len(each), left)
        score_transitions(self._dice, self._rules, at, rows, lefts, boxes, zeros, self._work, after, points)
        shape = len(self._rolls), num_boxes, 2
        return after.reshape(shape), points.reshape(shape)


def some_cards(ruleset: Ruleset, number: int) -> Iterator[ScoreCard]:
    """A card before a turn of each of so many games, in which equal dice are frequent."""
    for chance in map(Random, range(number)):
        positions = playthrough(ruleset, chance).positions
        yield chance.choice([position for position in positions if not position.dice and not position.is_over]).card


@pytest.mark.parametrize("ref", cases(TABULATED, full=READINGS))
def test_the_tables_offer_what_the_engine_does(ref: str) -> None:
    ruleset = load_ruleset(ref)
    tabulated = Tabulated(ruleset)
    for card in some_cards(ruleset, amount(3, full=30)):
        tabulated.check(card)


@pytest.mark.parametrize("id", TINY)
def test_the_tables_offer_what_the_engine_does_on_every_card_of_a_tiny_ruleset(id: str) -> None:
    tabulated = Tabulated(TINY[id])
    for card in best_play(TINY[id]).cards:
        if not card.is_complete:
            tabulated.check(card)


@given(rulesets())
@settings(max_examples=amount(60, full=300), deadline=None, suppress_health_check=list(HealthCheck))
def test_the_tables_offer_what_the_engine_does_under_random_rules(ruleset: Ruleset) -> None:
    tabulated = Tabulated(ruleset)
    for card in {*some_cards(ruleset, 100)}:
        tabulated.check(card)


@pytest.mark.parametrize("id", TINY | TINY_TURNS)
def test_the_table_of_a_tiny_ruleset_is_the_same_bit_for_bit(id: str) -> None:
    ruleset = (TINY | TINY_TURNS)[id]
    assert digest(Subject(ruleset, ruleset, id), "values") == saved_digests()[id, "values"]


def test_the_file_names_every_ruleset_and_part() -> None:
    names, parts = ({*column} for column in zip(*saved_digests(), strict=True))
    assert names >= {*ruleset_ids(), *TINY, *TINY_TURNS}
    assert parts == {*PARTS}
