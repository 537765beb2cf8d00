"""Events: the facts of a table, append-only; the table is what they replay to.

An accepted command is exactly one event, and the number of an event is the table's version after it: the first,
`Created`, is version 1. Events hold all that chance and time decided, so that replaying them asks nobody anything.
They are stored as JSON; a field added later needs a default, and none is ever renamed.
"""

from typing import Literal

from msgspec import Struct

AdviceMode = Literal["never", "after", "always"]


class Event(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """What all events have: `at` in seconds since 1970, and the seat it belongs to, where it belongs to one."""

    at: float
    seat: int | None = None


class NewSeat(Struct, frozen=True, omit_defaults=True):
    """A seat as the table was created: `kind` is "person" or a kind of computer player; an open seat has no name."""

    kind: str
    name: str = ""


class Created(Event, frozen=True, tag="created"):
    """The table: its rules (notation's reference, or the text of a TOML file), seats and settings.

    `commitment` is the SHA-256 of the dice's secret. The secret itself is no part of the events: they are public.
    """

    table: str
    rules: str
    digest: str
    """The rules' digest: the table is not replayed by other rules of the same name."""
    commitment: str
    seats: list[NewSeat]
    toml: str = ""
    first: str = "0"
    """The seat that begins, or "highest_roll": then the dice of the opening decide, in a `RolledOff`."""
    advice: AdviceMode = "never"
    """"after" is after each decision."""
    tutor: float = 0.0
    """A decision that costs more points than this is questioned first; 0 asks never."""
    silence: int = 0
    """Seconds without an action after which the others may have a computer player act for a seat; 0 is never."""
    previous: str = ""
    """The table that this one is the rematch of."""


class Sat(Event, frozen=True, tag="sat"):
    """A person took an open seat, with a nonce of theirs or without, or gave their seat another name."""

    name: str
    nonce: str = ""


class NonceAdded(Event, frozen=True, tag="nonce_added"):
    """A seat, or a watcher, added a nonce of its own to the dice before any was rolled: hexadecimal digits."""

    nonce: str


class RolledOff(Event, frozen=True, tag="rolled_off"):
    """All seats rolled for who begins. `rounds` has the total of each seat, None for those no longer tied."""

    rounds: list[list[int | None]]
    first: int


class Rolled(Event, frozen=True, tag="rolled"):
    """The dice after a roll, in their places, and which of them had been kept (empty for the first roll of a turn)."""

    dice: list[int]
    kept: list[bool]
    by: str = "person"
    """"person", or the kind of the computer player that decided."""


class Scored(Event, frozen=True, tag="scored"):
    """A box was filled, which ended the turn. After the last one the game is over and the secret is shown."""

    box: str
    points: int
    bonus: int = 0
    scratch: bool = False
    by: str = "person"


class Undone(Event, frozen=True, tag="undone"):
    """A seat took its score back before anyone rolled: its turn goes on with the same dice."""


class StoodIn(Event, frozen=True, tag="stood_in"):
    """A computer player acts for a seat: for one turn (`turns` is 1) or until the person returns (0).

    `asked_by` is the seat that asked for it, where that was not the seat's own person.
    """

    player: str
    turns: int = 0
    asked_by: int | None = None


class Returned(Event, frozen=True, tag="returned"):
    """The person of a seat decides again."""


class Closed(Event, frozen=True, tag="closed"):
    """The table ended before its game, by a seat or by the server; nothing is played on, and the secret is shown."""


class Rematched(Event, frozen=True, tag="rematched"):
    """The same players begin again at another table."""

    table: str


AnyEvent = Created | Sat | NonceAdded | RolledOff | Rolled | Scored | Undone | StoodIn | Returned | Closed | Rematched


def changer(event: AnyEvent) -> int | None:
    """The seat whose person changed what might have stayed: a name, a score, or who decides there; None for the rest.

    A game ends after so many rolls and scores, but does not bound these; what they bring with them, a score made again
    or others' call for a computer player, is bounded by them and by the game.
    """
    match event:
        case Sat(seat=seat) | Undone(seat=seat) | Returned(seat=seat) | StoodIn(seat=seat, asked_by=None):
            return seat
    return None
