"""Rolls and keeps: multisets of dice as ascending tuples, and the number of ways to roll them.

A *roll* is a multiset of all the dice, a *keep* the multiset retained from one.
As text, both are digits in ascending order (faces are 1 to 9); the empty keep is `-`.

>>> parse_dice("33456")
(3, 3, 4, 5, 6)
>>> len(rolls(5, 6)), len(keeps(5, 6))
(252, 462)
>>> sum(ways(roll) for roll in rolls(5, 6)) == 6**5
True
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial
from typing import TypeAlias

from fivedice.errors import MalformedError, shown

Dice: TypeAlias = tuple[int, ...]

MAX_DICE = 10
"""The most dice of a ruleset."""

MAX_FACES = 9
"""The most faces of a die: a face is one digit of the notation."""


@lru_cache(maxsize=4_096)
def parse_dice(text: str) -> Dice:
    """Dice from digits in ascending order, or `-` for none; raises `MalformedError`."""
    if text == "-":
        return ()
    if not text or not text.isascii() or not text.isdigit() or "0" in text:
        raise MalformedError(f"dice {shown(text)}: write the faces as digits 1 to 9, as in 33456, or - for no dice")
    if len(text) > MAX_DICE:
        raise MalformedError(f"dice {shown(text)}: {len(text):,} dice are too many: {MAX_DICE} at most")
    dice = tuple(int(digit) for digit in text)
    if list(dice) != sorted(dice):
        ascending = "".join(sorted(text))
        raise MalformedError(f"dice {shown(text)} are not in ascending order: write {ascending!r}")
    return dice


def format_dice(dice: Dice) -> str:
    """The digits of ascending dice, `-` for none."""
    return "".join(map(str, dice)) or "-"


def rolls(num_dice: int, num_faces: int) -> list[Dice]:
    """Every multiset of exactly `num_dice` dice, in lexicographic order."""
    return list(combinations_with_replacement(range(1, num_faces + 1), num_dice))


def keeps(num_dice: int, num_faces: int) -> list[Dice]:
    """Every multiset of at most `num_dice` dice, smaller ones first."""
    return [keep for size in range(num_dice + 1) for keep in rolls(size, num_faces)]


def ways(dice: Dice) -> int:
    """The number of ordered outcomes of `len(dice)` dice that form this multiset."""
    result = factorial(len(dice))
    for count in Counter(dice).values():
        result //= factorial(count)
    return result


def sub_keeps(roll: Dice) -> Iterator[Dice]:
    """Every distinct keep of a roll, from none of the dice to all of them."""
    counts = sorted(Counter(roll).items())
    for chosen in product(*(range(count + 1) for _, count in counts)):
        yield tuple(face for (face, _), count in zip(counts, chosen, strict=True) for _ in range(count))


def is_keep_of(keep: Dice, roll: Dice) -> bool:
    """Whether `roll` contains all dice of `keep`."""
    return not Counter(keep) - Counter(roll)


def with_dice(keep: Dice, rolled: Dice) -> Dice:
    """The roll formed by a keep and the dice rolled beside it."""
    return tuple(sorted(keep + rolled))
