"""The number of reachable cards and positions, counted by visiting all: the perft of this engine.

`tests/census/positions/*.txt` hold the counts, a file for each ruleset, keyed by its digest. They must change only if
the rules of a tiny ruleset change, not if only the engine does.
"""

from collections.abc import Iterator
from itertools import combinations
from math import prod

import pytest

from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, rolls
from fivedice.rulesets.ruleset import Ruleset
from fivedice.testing import TINY
from tests.repository import ROOT

CENSUS = ROOT / "tests" / "census" / "positions"


def count(ruleset: Ruleset) -> Iterator[tuple[int, int, int]]:
    """For each turn: turns played, distinct cards after them, distinct positions of the next turn."""
    starts = {str(Position.start(ruleset)): Position.start(ruleset)}
    for num_turns in range(ruleset.rounds + 1):
        positions = visited(starts)
        yield num_turns, len({position.card for position in starts.values()}), len(positions)
        starts = {str(after): after for position in positions.values() for after in scored(position)}


def visited(starts: dict[str, Position]) -> dict[str, Position]:
    """Every position of a turn, from before its first roll to its last dice, by its line."""
    found, new = dict(starts), list(starts.values())
    while new:
        position = new.pop()
        for after in rolled(position):
            if str(after) not in found:
                found[str(after)] = after
                new.append(after)
    return found


def rolled(position: Position) -> Iterator[Position]:
    if position.is_over:
        return
    if not position.dice:
        yield from (position.roll(dice) for dice in outcomes(position, ()))
    for keep in position.keeps():
        yield from (position.play(Keep(keep.dice), dice) for dice in outcomes(position, keep.dice))


def outcomes(position: Position, keep: Dice) -> list[Dice]:
    return rolls(position.ruleset.dice - len(keep), position.ruleset.faces)


def scored(position: Position) -> Iterator[Position]:
    yield from (position.play(offer.action) for offer in position.offers())


def written(ruleset: Ruleset) -> str:
    """The census of a ruleset in its file."""
    lines = [
        f"{num_turns:5} {num_cards:6} {num_positions:10}" for num_turns, num_cards, num_positions in count(ruleset)
    ]
    return "\n".join([f"{ruleset} {ruleset.digest}", "turns  cards  positions", *lines]) + "\n"


@pytest.mark.parametrize("id", TINY)
def test_every_reachable_card_and_position_is_counted(id: str) -> None:
    assert written(TINY[id]) == (CENSUS / f"{id}.txt").read_text(encoding="utf-8")


def test_every_census_belongs_to_a_tiny_ruleset() -> None:
    assert sorted(path.stem for path in CENSUS.glob("*.txt")) == sorted(TINY)


def counted(id: str, column: int = 1) -> list[int]:
    """The numbers of cards in a census, or with column 2 those of positions."""
    lines = (CENSUS / f"{id}.txt").read_text(encoding="utf-8").splitlines()
    return [int(line.split()[column]) for line in lines[2:]]


def choices(num_values: list[int], num_turns: int) -> int:
    """Cards with so many boxes filled, where each box may hold its values independently of the others."""
    return sum(prod(chosen) for chosen in combinations(num_values, num_turns))


def test_without_jokers_the_boxes_are_independent_so_the_cards_are_products() -> None:
    # Ones: 0, 1 or 2; threes: 0, 3 or 6; pair: 0 or 5.
    assert counted("tiny_plain") == [choices([3, 3, 2], turns) for turns in range(4)]


def test_a_box_that_requires_another_is_zero_until_that_has_points() -> None:
    # Twos: 0, 2 or 4; pair and second pair, in this order: 0 and 0, 3 and 0, or 3 and 9. A second pair that comes
    # first is 0.
    assert counted("tiny_requires") == [1, 3 + 2 + 1, 3 * 2 + 3 * 1 + 3, 3 * 3]


def test_a_box_that_must_be_above_another_is_zero_otherwise() -> None:
    # Ones: 0, 1 or 2. More and fewer: 2 to 6 each; of the 25 pairs, 10 are in order. In the others one box is 0, and
    # the other holds what is not out of reach: 2 to 6 in either.
    pair = [1, 5 + 5, 10 + 5 + 5]
    expected = [pair[n] + 3 * (pair[n - 1] if n else 0) if n < 3 else 3 * pair[2] for n in range(4)]
    assert counted("tiny_above") == expected
