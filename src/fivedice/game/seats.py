"""The seats of a record, on one line: `Ann=human,greedy`, or `"Ann, the 1st":human,"Ben":human,greedy`.

`Opening` is the one that begins, and the dice that decided it, if any.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fivedice.base.errors import MalformedError, UnknownError, shown, suggest
from fivedice.game.names import checked_name, is_name

PERSON = "human"
"""The kind of a person in a record; all other kinds are computer players."""

_PLAIN_NAME = re.compile(r"[^\s,=:][^,=:\n\r]{0,39}")
_QUOTED = r'"(?:[^"\\]|\\["\\])*"'
_KIND = "[a-z_]{1,40}[0-9]{0,5}"
_QUOTED_SEAT = re.compile(rf"({_QUOTED}):({_KIND})")
_ITEM = re.compile(rf'(?:^|,)((?:{_QUOTED}|[^,"])*)')


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat: the name of its player and the kind of player."""

    name: str
    kind: str

    def __str__(self) -> str:
        """The seat in the notation of `parse_seat`."""
        return self._written(in_quotes=not self._is_plain)

    @property
    def is_person(self) -> bool:
        """Whether a person plays it."""
        return self.kind == PERSON

    @property
    def _is_plain(self) -> bool:
        """Whether the name needs no quotes: 1 to 40 printable characters without commas, equals signs or colons."""
        return bool(_PLAIN_NAME.fullmatch(self.name)) and self.name.isprintable()

    def _written(self, *, in_quotes: bool) -> str:
        if self.name == self.kind:
            return self.name
        if not in_quotes:
            return f"{self.name}={self.kind}"
        escaped = self.name.replace("\\", r"\\").replace('"', r"\"")
        return f'"{escaped}":{self.kind}'


def parse_seat(text: str) -> Seat:
    """A seat from `KIND`, `NAME=KIND` or `"NAME":KIND`; raises `MalformedError`.

    In quotes, a name may contain commas, equals signs and colons; `"` and the backslash follow a backslash.
    """
    text = text.strip()
    if quoted := _QUOTED_SEAT.fullmatch(text):
        seat = Seat(re.sub(r"\\(.)", r"\1", quoted[1][1:-1]), quoted[2])
        is_valid = is_name(seat.name)
    else:
        name, equals, kind = text.partition("=")
        seat = Seat(name, kind if equals else name)
        is_valid = seat._is_plain or (is_name(name) and not set(",:") & set(name))
    is_kind = bool(re.fullmatch(_KIND, seat.kind))
    if is_kind and not is_valid:
        checked_name(seat.name)  # raises the reason, unless it is a comma or a colon without quotes
    if not (is_kind and is_valid):
        raise MalformedError(f'seat {shown(text)}: want a kind of player, or NAME=KIND as in Ann=human, or "NAME":KIND')
    return seat


def format_seats(seats: Sequence[Seat]) -> str:
    """Seats as in `Ann=human,greedy`, or as in `"Ann, the 1st":human,"Ben":human,greedy`.

    If one name needs quotes, all have them. Without quotes there is no colon, so the two forms cannot be confused, and
    a name such as `"Ann"` is written as it was before there were quotes.
    """
    in_quotes = not all(seat._is_plain for seat in seats)
    return ",".join(seat._written(in_quotes=in_quotes) for seat in seats)


def parse_seats(text: str) -> tuple[Seat, ...]:
    """The seats that `format_seats` wrote; raises `MalformedError`."""
    items = _ITEM.findall(text) if ":" in text else text.split(",")
    if ",".join(items) != text:
        raise MalformedError(f"seats {shown(text)}: a quote is not closed")
    return tuple(map(parse_seat, items))


def kinds_of(text: str) -> tuple[str, ...]:
    """The kinds of players in what `format_seats` wrote, also if a name or a kind is not valid."""
    seats = re.sub(_QUOTED, "", text) if ":" in text else text
    return tuple(re.split("[=:]", seat)[-1] for seat in seats.split(","))


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
