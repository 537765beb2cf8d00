"""The seat that begins: the first, a random one, or that with the highest roll."""

from collections.abc import Callable, Iterable

import pytest

from fivedice.errors import UnknownError
from fivedice.game.opening import choose_opening


def scripted(values: Iterable[int]) -> Callable[[int], int]:
    left = iter(values)
    return lambda sides: next(left)


def test_by_default_the_first_seat_begins() -> None:
    assert choose_opening("first", 5, 6, 4, scripted([])).first == 0


def test_a_random_seat_begins() -> None:
    assert choose_opening("random", 5, 6, 4, scripted([3])).first == 2


def test_the_highest_total_of_all_dice_begins() -> None:
    opening = choose_opening("highest_roll", 5, 6, 2, scripted([1, 1, 1, 1, 1, 6, 1, 1, 1, 1]))
    assert (opening.first, opening.rounds) == (1, ({0: 5, 1: 10},))


def test_only_the_tied_seats_roll_again() -> None:
    dice = [*([6] * 5), *([1] * 5), *([6] * 5), *([2] * 5), *([3] * 5)]
    opening = choose_opening("highest_roll", 5, 6, 3, scripted(dice))
    assert (opening.first, opening.rounds) == (2, ({0: 30, 1: 5, 2: 30}, {0: 10, 2: 15}))


def test_an_unknown_method_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownError, match=r"no way 'oldest' .* first, random, highest_roll"):
        choose_opening("oldest", 5, 6, 2, scripted([]))
