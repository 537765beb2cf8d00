"""`Opening`: the seat that begins, and the dice that decided it, if any."""

from collections.abc import Callable
from dataclasses import dataclass

from fivedice.base.errors import UnknownError, suggest

METHODS = ("first", "random", "highest_roll")


@dataclass(frozen=True, slots=True)
class Opening:
    """The seat that begins. For `highest_roll`, `rounds` has the totals of each round, by seat, of those still tied."""

    first: int
    rounds: tuple[dict[int, int], ...] = ()


def choose_opening(
    method: str, num_dice: int, num_faces: int, num_seats: int, roll_die: Callable[[int], int]
) -> Opening:
    """The seat that begins: seat 0, a random one, or that with the highest roll of all dice, where ties are rolled off.

    `roll_die(n)` returns a random whole number from 1 to n. Raises `UnknownError` for any other method.
    """
    if method == "first":
        return Opening(0)
    if method == "random":
        return Opening(roll_die(num_seats) - 1)
    if method != "highest_roll":
        raise UnknownError(f"there is no way {method!r} to choose who begins: {suggest(method, METHODS)}")
    tied = list(range(num_seats))
    rounds: list[dict[int, int]] = []
    while len(tied) > 1:
        totals = {seat: sum(roll_die(num_faces) for _ in range(num_dice)) for seat in tied}
        rounds.append(totals)
        tied = [seat for seat in tied if totals[seat] == max(totals.values())]
    return Opening(tied[0], tuple(rounds))
