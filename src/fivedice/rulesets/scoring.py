"""Scorers: pure functions, by name, each of which finds the dice of one combination in a roll.

A scorer takes ascending dice and keyword parameters and returns the dice that match: those with the highest sum if
there is a choice, and `()` if the roll does not match. The category (`fivedice.rulesets.box.Category`) determines what
a match pays: fixed points, the total of all dice, or the sum of the matched dice.

>>> full_house((3, 3, 3, 5, 5))
(3, 3, 3, 5, 5)
>>> pairs((2, 2, 3, 3, 6), n=1)
(3, 3)
>>> straight((1, 2, 3, 4, 6), length=4)
(1, 2, 3, 4)
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from fivedice.rulesets.dice import Dice, faces_of, rolls

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
        wanted = sorted((faces_of(run) for run in faces), key=sum, reverse=True)
    return next((run for run in wanted if shown.issuperset(run)), ())


def listed(dice: Dice, *, hands: Sequence[str]) -> Dice:
    """The dice of one of the given hands, digit strings in which faces may repeat.

    >>> listed((2, 2, 2, 2, 5), hands=("11116", "22225"))
    (2, 2, 2, 2, 5)
    """
    shown = Counter(dice)
    wanted = sorted((faces_of(hand) for hand in hands), key=sum, reverse=True)
    return next((hand for hand in wanted if Counter(hand) <= shown), ())


def flush(dice: Dice, *, colours: Colours = ()) -> Dice:
    """All the dice, if one colour covers them."""
    return dice if any(set(dice) <= set(colour) for colour in colours) else ()


def sum_is(dice: Dice, *, total: int, of_a_kind: int = 1) -> Dice:
    """All the dice, if they add up to `total` and at least `of_a_kind` of them are equal."""
    return dice if sum(dice) == total and max(Counter(dice).values()) >= of_a_kind else ()


def poker_hand(dice: Dice, *, sides: int = 6, straight_first: bool = False) -> Dice:
    """All the dice; `poker_rank` is what they are worth."""
    return dice


def poker_rank(dice: Dice, *, sides: int = 6, straight_first: bool = False) -> int:
    """The place of a roll among all rolls of these dice with `sides` faces as hands of poker, from 1 for the lowest.

    Hands are compared by their kind, then by the faces of their groups, larger groups first, then by the other faces.
    Straights are below full houses, or with `straight_first` above them. No two different rolls are equal.

    >>> poker_rank((1, 2, 3, 4, 6)), poker_rank((2, 3, 4, 5, 6)), poker_rank((6, 6, 6, 6, 6))
    (1, 186, 252)
    """
    return _poker_ranks(len(dice), sides, straight_first)[dice]


def hand_of(dice: Dice) -> tuple[int, ...]:
    """The kind of a hand: the sizes of its groups of equal dice, largest first; empty for a straight."""
    if len(set(dice)) == len(dice) and dice[-1] - dice[0] == len(dice) - 1:
        return ()
    return tuple(sorted(Counter(dice).values(), reverse=True))


def hand_kinds(num_dice: int, sides: int, *, straight_first: bool = False) -> list[tuple[tuple[int, ...], int, int]]:
    """The kinds of hands, highest first, each with its lowest and its highest rank."""
    ranks: dict[tuple[int, ...], list[int]] = {}
    for roll, rank in _poker_ranks(num_dice, sides, straight_first).items():
        ranks.setdefault(hand_of(roll), []).append(rank)
    return sorted(((kind, min(found), max(found)) for kind, found in ranks.items()), key=lambda kind: -kind[1])


@lru_cache(maxsize=16)
def _poker_ranks(num_dice: int, sides: int, straight_first: bool) -> dict[Dice, int]:
    def order(roll: Dice) -> tuple[tuple[int, ...], tuple[int, ...]]:
        # A straight of five dice is between (3, 1, 1) and (3, 2), or between (3, 2) and (4, 1).
        straight = (num_dice - 2, 2, 1) if straight_first else (num_dice - 2, 1, 2)
        counts = Counter(roll)
        return hand_of(roll) or straight, tuple(sorted(counts, key=lambda face: (counts[face], face), reverse=True))

    return {roll: rank for rank, roll in enumerate(sorted(rolls(num_dice, sides), key=order), start=1)}


def _groups(dice: Dice, sizes: Sequence[int], *, distinct: bool, colours: Colours) -> Dice:
    """The groups of equal dice with these sizes that have the highest sum; `()` if there are none."""
    if colours:
        shown = (tuple(die for die in dice if die in colour) for colour in colours)
        return max((_groups(one, sizes, distinct=distinct, colours=()) for one in shown), key=sum)
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


SCORERS: dict[str, Callable[..., Dice]] = {
    scorer.__name__: scorer
    for scorer in (sum_of_face, any_dice, n_of_a_kind, pairs, full_house, straight, listed, flush, sum_is, poker_hand)
}
"""Every scorer that a ruleset file may name."""
