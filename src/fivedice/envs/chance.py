"""Chance: `outcomes`, what can follow a keep with exact probabilities, so that planners need not sample; and the dice
of environments.

>>> from fivedice import load_ruleset
>>> found = outcomes(load_ruleset("yahtzee"), (6, 6, 6, 6))
>>> [(outcome.dice, str(outcome.probability)) for outcome in found[-2:]]
[((5, 6, 6, 6, 6), '1/6'), ((6, 6, 6, 6, 6), '1/6')]
>>> len(outcomes(load_ruleset("yahtzee"), ()))
252
"""

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, rolls, ways, with_dice
from fivedice.rulesets.ruleset import Ruleset


class Outcome(NamedTuple):
    """A roll of all the dice after a keep, and the faces of the dice that were rolled."""

    dice: Dice
    rolled: Dice
    probability: Fraction


def outcomes(ruleset: Ruleset, keep: Dice = ()) -> tuple[Outcome, ...]:
    """Every roll that can follow a keep, each once, as a multiset; after no keep, the first rolls of a turn.

    Probabilities sum to 1. Raises `MalformedError` for impossible dice.
    """
    if len(keep) > ruleset.dice or not all(1 <= die <= ruleset.faces for die in keep):
        raise MalformedError(f"keep {keep}: want at most {ruleset.dice} dice with faces from 1 to {ruleset.faces}")
    return _outcomes(ruleset.dice, ruleset.faces, tuple(sorted(keep)))


@lru_cache(maxsize=4_096)
def _outcomes(num_dice: int, num_faces: int, keep: Dice) -> tuple[Outcome, ...]:
    num_rolled = num_dice - len(keep)
    return tuple(
        Outcome(with_dice(keep, rolled), rolled, Fraction(ways(rolled), num_faces**num_rolled))
        for rolled in rolls(num_rolled, num_faces)
    )


def random_dice(generator: Any, ruleset: Ruleset, number: int) -> Dice:
    """So many dice by a generator of NumPy."""
    return tuple(generator.integers(1, ruleset.faces, size=number, endpoint=True).tolist())


def begun(start: Position | str, ruleset: Ruleset, num_cards: int, generator: Any) -> Position:
    """The position in which an episode begins, which may be a line of notation, with a first roll if it has none;
    raises `IllegalError` if it is of another game."""
    position = parse_position(start) if isinstance(start, str) else start
    if position.ruleset.digest != ruleset.digest or len(position.cards) != num_cards:
        cards = "one card" if num_cards == 1 else f"{num_cards} cards"
        raise IllegalError(f"{position} is not a position of {cards} under {ruleset}")
    if position.dice or position.is_over:
        return position
    return position.roll(random_dice(generator, ruleset, ruleset.dice))
