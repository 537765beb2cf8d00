"""Scorers: pure functions, by name, each of which finds the dice of one combination in a roll.

A scorer takes ascending dice and keyword parameters and returns the dice that match: those with the highest sum if
there is a choice, and `()` if the roll does not match. The category (`fivedice.ruleset.Category`) determines what a
match pays: fixed points, the total of all dice, or the sum of the matched dice.

>>> full_house((3, 3, 3, 5, 5))
(3, 3, 3, 5, 5)
>>> pairs((2, 2, 3, 3, 6), n=1)
(3, 3)
>>> straight((1, 2, 3, 4, 6), length=4)
(1, 2, 3, 4)
"""

from collections import Counter
from collections.abc import Callable, Sequence

from fivedice.dice import Dice

Colours = Sequence[Sequence[int]]
"""The faces of each colour; empty for dice without colours."""


def sum_of_face(dice: Dice, *, face: int) -> Dice:
    """The dice that show `face`."""
    return tuple(die for die in dice if die == face)


def any_dice(dice: Dice) -> Dice:
    """All the dice."""
    return dice


def n_of_a_kind(dice: Dice, *, n: int) -> Dice:
    """`n` equal dice."""
    return _groups(dice, (n,), distinct=True, colours=())


def pairs(dice: Dice, *, n: int, distinct: bool = True, same_colour: bool = False, colours: Colours = ()) -> Dice:
    """`n` pairs: of different faces if `distinct`, all of one colour if `same_colour`."""
    return _groups(dice, (2,) * n, distinct=distinct, colours=colours if same_colour else ())


def full_house(
    dice: Dice,
    *,
    large: int = 3,
    small: int = 2,
    distinct: bool = True,
    same_colour: bool = False,
    colours: Colours = (),
) -> Dice:
    """`large` equal dice and `small` equal dice: of different faces if `distinct`, of one colour if `same_colour`."""
    return _groups(dice, (large, small), distinct=distinct, colours=colours if same_colour else ())


def straight(dice: Dice, *, length: int = 0, faces: Sequence[str] = ()) -> Dice:
    """`length` consecutive faces, or the faces of one of the given digit strings."""
    shown = set(dice)
    if length:
        wanted = [tuple(range(low, low + length)) for low in sorted(shown, reverse=True)]
    else:
        wanted = sorted((tuple(map(int, run)) for run in faces), key=sum, reverse=True)
    return next((run for run in wanted if shown.issuperset(run)), ())


def flush(dice: Dice, *, colours: Colours = ()) -> Dice:
    """All the dice, if one colour covers them."""
    return dice if any(set(dice) <= set(colour) for colour in colours) else ()


def sum_is(dice: Dice, *, total: int, of_a_kind: int = 1) -> Dice:
    """All the dice, if they add up to `total` and at least `of_a_kind` of them are equal."""
    return dice if sum(dice) == total and max(Counter(dice).values()) >= of_a_kind else ()


def _groups(dice: Dice, sizes: Sequence[int], *, distinct: bool, colours: Colours) -> Dice:
    """The groups of equal dice with these sizes that have the highest sum; `()` if there are none."""
    if colours:
        found = [_groups(_showing(dice, colour), sizes, distinct=distinct, colours=()) for colour in colours]
        return max(found, key=sum)
    best: Dice = ()
    for order in {tuple(sizes), tuple(reversed(sizes))}:  # either all sizes are equal, or there are two
        left, taken, face = Counter(dice), [], max(dice) + 1 if dice else 0
        for size in order:
            limit = face - 1 if distinct else face
            face = next((f for f in range(limit, 0, -1) if left[f] >= size), 0)
            if not face:
                break
            left[face] -= size
            taken += [face] * size
        else:
            best = max(best, tuple(sorted(taken)), key=sum)
    return best


def _showing(dice: Dice, faces: Sequence[int]) -> Dice:
    """The dice that show any of these faces."""
    return tuple(die for die in dice if die in faces)


SCORERS: dict[str, Callable[..., Dice]] = {
    scorer.__name__: scorer
    for scorer in (sum_of_face, any_dice, n_of_a_kind, pairs, full_house, straight, flush, sum_is)
}
"""Every scorer that a ruleset file may name."""
