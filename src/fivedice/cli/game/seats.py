"""The seats of a new game, from the text of `--seats`, with the name of the person at this terminal."""

import getpass
from collections.abc import Sequence

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.cli.language import chosen, say
from fivedice.game.names import checked_name
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.game.seats import Seat, parse_seats
from fivedice.players import LEVELS, Available, available
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.processors import default_memory_limit
from fivedice.solver.saved.kept_tables import solutions_folder

_SYSTEM_ACCOUNTS = ("root", "nobody", "user", "app")
"""Login names that do not identify a person, as in containers."""

_UNNAMED = Seat("human", "human")


def new_seats(text: str, name: str | None = None) -> list[Seat]:
    """The seats with checked and unique names; raises `MalformedError` or `IllegalError`.

    A `human` without a name is called `name`, or by the name of the login. Further ones are Player 2, and so on. A
    level without a name is called as `LEVELS` says.
    """
    if name is not None:
        try:
            name = checked_name(name)
        except MalformedError as error:
            raise MalformedError(f"--name: {error}") from None
    seats = list(parse_seats(text))
    if len(seats) > MAX_SEATS:
        raise IllegalError(say("--seats names {n} players: a game has 1 to {most}", n=len(seats), most=MAX_SEATS))
    seats = [
        Seat(say(LEVELS[seat.kind].name), seat.kind) if seat.kind in LEVELS and seat.name == seat.kind else seat
        for seat in seats
    ]
    unnamed = [index for index, seat in enumerate(seats) if seat == _UNNAMED]
    for number, index in enumerate(unnamed, start=1):
        own = name or (login_name() if len(unnamed) == 1 else say("Player {number}", number=1))
        seats[index] = Seat(own if number == 1 else say("Player {number}", number=number), "human")
    return _distinct(seats)


def available_here(ruleset: Ruleset) -> Available:
    """What can be had under a ruleset on this machine, where a solution may also be on disk, in the language of the
    command."""
    return available(ruleset, memory_limit=default_memory_limit(), learned_in=solutions_folder(), to=chosen())


def check_players(ruleset: Ruleset, seats: Sequence[Seat]) -> None:
    """Raise `IllegalError` for a player that these rules do not have."""
    found = available_here(ruleset)
    for seat in seats:
        if refusal := found.player(seat.kind):
            raise IllegalError(f"--seats {seat.kind}: {refusal}")


def login_name() -> str:
    """The name of the login, as a name in records; "You" in the language of the command if it says nothing."""
    try:
        name = checked_name(getpass.getuser())
    except (OSError, KeyError, ImportError, MalformedError):  # no name, no entry for the user, or not a name
        return say("You")
    return say("You") if name in _SYSTEM_ACCOUNTS else name


def _distinct(seats: Sequence[Seat]) -> list[Seat]:
    """The seats with checked and unique names: a second `greedy` becomes `greedy2`."""
    result: list[Seat] = []
    for seat in seats:
        number, name = 1, checked_name(seat.name)
        first = name
        while any(name == other.name for other in result):
            number += 1
            name = f"{first}{number}"
        result.append(Seat(name, seat.kind))
    return result
