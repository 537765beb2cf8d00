"""The seat that begins: the first, a random one, or that with the highest roll."""

from collections.abc import Callable, Iterable

import pytest

from fivedice.base.errors import UnknownError
from fivedice.game.opening import choose_opening


def scripted(values: Iterable[int]) -> Callable[[int], int]:
    left = iter(values)
    return lambda sides: next(left)


@pytest.mark.parametrize(
    ("method", "num_seats", "dice", "first", "rounds"),
    [
        ("first", 4, [], 0, ()),
        ("random", 4, [3], 2, ()),
        ("highest_roll", 2, [1, 1, 1, 1, 1, 6, 1, 1, 1, 1], 1, ({0: 5, 1: 10},)),
        ("highest_roll", 3, [6] * 5 + [1] * 5 + [6] * 5 + [2] * 5 + [3] * 5, 2, ({0: 30, 1: 5, 2: 30}, {0: 10, 2: 15})),
    ],
)
def test_the_first_seat_a_random_one_or_that_with_the_highest_total_after_all_ties_begins(
    method: str, num_seats: int, dice: list[int], first: int, rounds: tuple[dict[int, int], ...]
) -> None:
    opening = choose_opening(method, 5, 6, num_seats, scripted(dice))
    assert (opening.first, opening.rounds) == (first, rounds)


def test_an_unknown_method_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownError, match=r"no way 'oldest' .* first, random, highest_roll"):
        choose_opening("oldest", 5, 6, 2, scripted([]))
