"""The seats of a new game, from the text of `--seats`, with the name of the person at this terminal."""

import getpass
from collections.abc import Sequence

from fivedice.errors import IllegalError, MalformedError, shown
from fivedice.game.position import MAX_SEATS
from fivedice.game.record import Seat, is_seat_name, parse_seat

_SYSTEM_ACCOUNTS = ("root", "nobody", "user", "app")
"""Login names, as in containers, that say nothing about the person."""


def parse_seats(text: str, name: str | None = None) -> list[Seat]:
    """The seats with unique names; raises `MalformedError` or `IllegalError`.

    A `human` without a name is called `name`, or by the name of the login. Further ones are Player 2, and so on.
    """
    if name is not None and not is_seat_name(name):
        raise MalformedError(f"--name {shown(name)}: want 1 to 40 visible characters")
    items = [item.strip() for item in text.split(",")]
    seats = [parse_seat(item) for item in items]
    if len(seats) > MAX_SEATS:
        raise IllegalError(f"--seats names {len(seats)} players: a game has 1 to {MAX_SEATS}")
    unnamed = [index for index, item in enumerate(items) if item == "human"]
    for number, index in enumerate(unnamed, start=1):
        own = name or (login_name() if len(unnamed) == 1 else "Player 1")
        seats[index] = Seat(own if number == 1 else f"Player {number}", "human")
    return _distinct(seats)


def login_name() -> str:
    """The name of the login, as a name in records; `You` if it says nothing."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):  # no name in the environment, and no entry for the user
        return "You"
    return name if is_seat_name(name) and name not in _SYSTEM_ACCOUNTS else "You"


def _distinct(seats: Sequence[Seat]) -> list[Seat]:
    """The seats with unique names: a second `greedy` becomes `greedy2`."""
    result: list[Seat] = []
    for seat in seats:
        number, name = 1, seat.name
        while any(name == other.name for other in result):
            number += 1
            name = f"{seat.name}{number}"
        result.append(Seat(name, seat.kind))
    return result
