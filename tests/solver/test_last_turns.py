"""The last turns of games too large to solve have the values that brute force over the engine finds."""

import random
from collections.abc import Callable
from math import fsum

import pytest

from fivedice.analysis.advice import advise_unsolved
from fivedice.game.action import Action, Keep, Score
from fivedice.game.position import Position
from fivedice.players import available
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.dice import Dice, rolls, ways
from fivedice.solver.tables.states import REST_BYTES
from tests.amount import amount

UNSOLVED = [id for id in ruleset_ids() if available(load_ruleset(id), memory_limit=2 * REST_BYTES).solution]
CARDS, POSITIONS = amount(4, full=12), 9
"""Cards of each ruleset, and positions of the last turn with each of them."""


def thrown(chance: random.Random, position: Position, num: int) -> Dice:
    return tuple(sorted(chance.randint(1, position.ruleset.faces) for _ in range(num)))


def before_the_last_turn(id: str, chance: random.Random) -> Position:
    """A position before the last turn of a game that is played at random."""
    position = Position.start(load_ruleset(id))
    while position.card.turns_left > 1 or position.dice:
        if not position.dice:
            position = position.roll(thrown(chance, position, position.ruleset.dice))
        actions = [action for action in position.actions() if isinstance(action, Score)] or position.actions()
        action = chance.choice(actions)
        missing = position.ruleset.dice - len(action.dice) if isinstance(action, Keep) else 0
        position = position.play(action, thrown(chance, position, missing))
    return position


def last_turn() -> Callable[[Position], dict[Action, float]]:
    """The mean final result after each action of a position in the last turn, by trying all that can follow."""
    values: dict[tuple[Dice, int, str], float] = {}
    kept: dict[tuple[Dice, int, str], float] = {}

    def value(here: Position) -> float:
        key = here.dice, here.rolls_left, here.card.announced or ""
        if key not in values:
            values[key] = max(actions(here).values())
        return values[key]

    def after(here: Position, keep: Keep) -> float:
        key = keep.dice, here.rolls_left, here.card.announced or ""
        if key not in kept:
            num = here.ruleset.dice - len(keep.dice)
            outcomes = [(roll, ways(roll)) for roll in rolls(num, here.ruleset.faces)]
            kept[key] = fsum(w * value(here.play(keep, roll)) for roll, w in outcomes) / here.ruleset.faces**num
        return kept[key]

    def actions(here: Position) -> dict[Action, float]:
        found: dict[Action, float] = {}
        for action in here.actions():
            if isinstance(action, Keep):
                found[action] = after(here, action)
            elif isinstance(action, Score):
                found[action] = float(here.play(action).card.result)
            else:
                found[action] = value(here.play(action))
        return found

    return actions


def test_the_rulesets_that_cannot_be_solved_are_compared() -> None:
    assert UNSOLVED == ["balut", "triple_yahtzee", "yamb"]


@pytest.mark.parametrize("id", UNSOLVED)
def test_every_action_of_the_last_turn_has_the_value_that_brute_force_finds(id: str) -> None:
    chance = random.Random(11)
    for _ in range(CARDS):
        start, brute = before_the_last_turn(id, chance), last_turn()
        for number in range(POSITIONS):
            position = start.roll(thrown(chance, start, start.ruleset.dice))
            for _ in range(number % 3):
                keeps = [action for action in position.actions() if isinstance(action, Keep)]
                if keeps:
                    keep = chance.choice(keeps)
                    position = position.play(keep, thrown(chance, start, start.ruleset.dice - len(keep.dice)))
            expected = brute(position)
            found = {one.action: one.value for one in advise_unsolved(position).actions}
            assert found.keys() == expected.keys()
            for action, value in expected.items():
                assert found[action] == pytest.approx(value, abs=1e-9), (str(position), str(action))
