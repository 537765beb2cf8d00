"""How a player of a level errs: its `Habits`, what is `believed` then of a card, and the `Slips` in a turn.

People see what lies on the table, and err in what is to come. So a belief differs from the exact value in five ways:

- points now count in full, what is to come only by the factor `foresight`: less of it is greed;
- of the difference that the upper total makes, which is the way to a bonus, only the share `pace` is seen;
- a card is misjudged by up to `error` units, by as much each time it comes up;
- what dice of some faces are good for is underrated by up to three times that for each die that is rolled beside them:
  who keeps sixes keeps them all, and hardly anybody breaks up four of a kind, or a straight;
- keeps of several faces are overlooked with the chance `overlooked`, again by their faces.

A *unit* is the mean of points a turn under optimal play, so that the same habits suit all rules. The turn itself is
played perfectly for these beliefs, and a finished game counts as what it is. So small errors matter only where the best
choices are close.

Misjudgements are hashes of the card, the dice and a seed, in whole numbers and exact fractions: plain Python, NumPy and
compiled kernels find the same bits.
"""

from math import inf
from typing import Any, NamedTuple

MASK = 0xFFFFFFFF

LIKED = 0.75
"""Rolling again is liked by this share of the error, about as much as the best of several keeps is underrated, so that
nobody stops much earlier for that."""


class Habits(NamedTuple):
    """How a player errs; those of `Habits()` do not."""

    foresight: float = 1.0
    pace: float = 1.0
    error: float = 0.0
    overlooked: float = 0.0

    @classmethod
    def of(cls, carelessness: float) -> "Habits":
        """All habits of a player from one number: 0 is perfect, and 1 is blind to any bonus.

        >>> Habits.of(0.5)
        Habits(foresight=0.65, pace=0.5, error=0.2, overlooked=0.4)
        """
        habit = min(1.0, carelessness)
        return cls(1.0 - 0.7 * habit, 1.0 - habit, 0.4 * carelessness, 0.8 * habit)


class Slips(NamedTuple):
    """What a turn needs of the habits: the hash of the seed, the most by which a card is misjudged, in points, and the
    chance that one of several faces is overlooked, times 2¹⁶."""

    seed: int
    error: float
    overlooked: int

    @classmethod
    def of(cls, habits: Habits, unit: float, seed: int) -> "Slips":
        """The slips of a player, which `seed` chooses from all with these habits."""
        return cls(mixed(seed & MASK), habits.error * unit, round(habits.overlooked * 2**16))


NO_SLIPS = Slips(0, 0.0, 0)
"""Those of a player who makes none."""


def mixed(number: Any) -> Any:
    """32 bits that depend on all bits of a number of 32 bits; also for arrays of int64, and in kernels."""
    number = ((number >> 16) ^ number) * 0x45D9F3B & MASK
    number = ((number >> 16) ^ number) * 0x45D9F3B & MASK
    return (number >> 16) ^ number


def hash_of(seed: Any, row: Any, place: Any) -> Any:
    """The hash of a place on a card, whose row in the table of values is `row`."""
    return mixed(mixed(seed ^ (row & MASK)) ^ place)


def error_of_keep(slips: Any, row: int, faces: int, rolled: int) -> float:
    """The error in a keep of these faces, as bits, beside which so many dice are rolled, on the card and plane of a row
    of the table of values; also in kernels. Rolling all dice is underrated as much as other keeps are on average."""
    if faces == 0:
        return float((LIKED - rolled) * slips.error)
    hashed = hash_of(slips.seed, row, faces)
    if faces & (faces - 1) != 0 and mixed(hashed) & 0xFFFF < slips.overlooked:
        return -inf
    return float((LIKED - 3.0 * abs(fraction(hashed)) * rolled) * slips.error)


def fraction(hashed: Any) -> Any:
    """A number between −1 and 1 from a hash: the difference of its halves, so that small ones are the likeliest."""
    return ((hashed & 0xFFFF) - (hashed >> 16)) / 65536.0


def believed(habits: Habits, value: Any, middle: Any, error: Any) -> Any:
    """What is believed instead of a value: `middle` is halfway between those of the row's extreme lanes."""
    return habits.foresight * (habits.pace * value + (1.0 - habits.pace) * middle) + error
