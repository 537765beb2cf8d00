"""Rolls and keeps: multisets of dice as ascending tuples, and the number of ways to roll them.

A *roll* is a multiset of all the dice, a *keep* the multiset retained from one.
As text, both have a character for each die, in ascending order: a digit for the faces 1 to 9, and a letter, from `a`
for 10 on, for higher ones. The empty keep is `-`.

>>> parse_dice("33456")
(3, 3, 4, 5, 6)
>>> parse_dice("19ac")
(1, 9, 10, 12)
>>> len(rolls(5, 6)), len(keeps(5, 6))
(252, 462)
>>> sum(ways(roll) for roll in rolls(5, 6)) == 6**5
True
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial
from operator import index
from typing import TypeAlias

from fivedice.base.errors import MalformedError, shown, wrong_type

Dice: TypeAlias = tuple[int, ...]

MAX_DICE = 10
"""The most dice of a ruleset."""

FACES = "123456789abcdefghijk"
"""The character of each face in notation, from 1 up."""

MAX_FACES = len(FACES)
"""The most faces of a die."""

_FACE = {character: face for face, character in enumerate(FACES, start=1)}


@lru_cache(maxsize=4_096)
def parse_dice(text: str) -> Dice:
    """Dice from characters in ascending order, or `-` for none; raises `MalformedError`."""
    if text == "-":
        return ()
    if not text or not _FACE.keys() >= set(text):
        raise MalformedError(
            f"dice {shown(text)}: write the faces as digits 1 to 9, as in 33456 (10 and more as a, b, …),"
            " or - for no dice"
        )
    if len(text) > MAX_DICE:
        raise MalformedError(f"dice {shown(text)}: {len(text):,} dice are too many: {MAX_DICE} at most")
    dice = faces_of(text)
    if list(dice) != sorted(dice):
        ascending = "".join(sorted(text))
        raise MalformedError(f"dice {shown(text)} are not in ascending order: write {ascending!r}")
    return dice


def as_dice(dice: Iterable[int] | str) -> Dice:
    """Dice in ascending order, from whole numbers or characters in any order.

    Raises `MalformedError` for impossible faces, and `TypeError` for anything else than dice.

    >>> as_dice([3, 1, 3]), as_dice("313"), as_dice("-")
    ((1, 3, 3), (1, 3, 3), ())
    """
    found = sorted_dice(dice)
    if found and not 1 <= found[0] <= found[-1] <= MAX_FACES:
        raise MalformedError(f"dice {shown(found)}: faces are 1 to {MAX_FACES}")
    return found


def sorted_dice(dice: Iterable[int] | str) -> Dice:
    """As `as_dice`, but whole numbers need not be possible faces."""
    if isinstance(dice, str):
        return parse_dice("".join(sorted(dice)))
    try:
        return tuple(sorted(map(index, dice)))
    except TypeError:
        raise wrong_type('dice, as in (3, 3, 5) or "335"', dice) from None


def faces_of(text: str) -> Dice:
    """The faces of valid characters, in their order."""
    return tuple(map(_FACE.__getitem__, text))


def format_dice(dice: Dice) -> str:
    """The characters of dice in their order, `-` for none."""
    return "".join([FACES[die - 1] for die in dice]) or "-"


def rolls(num_dice: int, num_faces: int) -> list[Dice]:
    """Every multiset of exactly `num_dice` dice, in lexicographic order."""
    return list(combinations_with_replacement(range(1, num_faces + 1), num_dice))


def keeps(num_dice: int, num_faces: int) -> list[Dice]:
    """Every multiset of at most `num_dice` dice, smaller ones first."""
    return [keep for size in range(num_dice + 1) for keep in rolls(size, num_faces)]


def ways(dice: Dice) -> int:
    """The number of ordered outcomes of `len(dice)` dice that form this multiset."""
    result = factorial(len(dice))
    for face in set(dice):
        result //= factorial(dice.count(face))
    return result


def sub_keeps(roll: Dice) -> Iterator[Dice]:
    """Every distinct keep of a roll, from none of the dice to all of them."""
    counts = sorted(Counter(roll).items())
    for chosen in product(*(range(count + 1) for _, count in counts)):
        yield tuple(face for (face, _), count in zip(counts, chosen, strict=True) for _ in range(count))


def is_keep_of(keep: Dice, roll: Dice) -> bool:
    """Whether `roll` contains all dice of `keep`."""
    return all(keep.count(die) <= roll.count(die) for die in keep)


def with_dice(keep: Dice, rolled: Dice) -> Dice:
    """The roll formed by a keep and the dice rolled beside it."""
    return tuple(sorted(keep + rolled))


def beside(keep: Dice, roll: Dice) -> Dice:
    """The dice of a roll that are not those of a keep."""
    return tuple((Counter(roll) - Counter(keep)).elements())
