"""Commands: what a client asks of a table. Each carries an id of the client's own and the version it was made against.

The same id twice gets the same answer and changes nothing the second time. A command made against another version than
the table's is refused as stale: the client catches up and lets its user decide again.
"""

from typing import Annotated

from msgspec import Meta, Struct

CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Version = Annotated[int, Meta(ge=1, le=1_000_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=11)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
BoxId = Annotated[str, Meta(min_length=1, max_length=80)]
Kept = Annotated[list[bool], Meta(max_length=12)]


class Command(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What all commands have. `seat` is the seat it is made for; whoever sends it must hold that seat."""

    id: CommandId
    version: Version


class Sit(Command, frozen=True, tag="sit"):
    """Take an open seat under a name, or change the name of one's own."""

    seat: SeatNumber
    name: Name


class AddNonce(Command, frozen=True, tag="add_nonce"):
    """Add a nonce to the dice: 1 to 64 hexadecimal digits, before the first roll; a watcher's has no seat."""

    nonce: Annotated[str, Meta(pattern=r"^[0-9a-f]{1,64}$")]
    seat: SeatNumber | None = None


class Roll(Command, frozen=True, tag="roll"):
    """Roll the dice that are not kept: `kept` has one entry for each place, and is empty for the first roll."""

    seat: SeatNumber
    kept: Kept
    anyway: bool = False
    """Do it although the tutor would question it."""


class Score(Command, frozen=True, tag="score"):
    """Fill a box."""

    seat: SeatNumber
    box: BoxId
    scratch: bool = False
    anyway: bool = False


class Undo(Command, frozen=True, tag="undo"):
    """Take the last score back; until the next roll."""

    seat: SeatNumber


class StandIn(Command, frozen=True, tag="stand_in"):
    """Have a computer player act for a silent seat (or for one's own): for `turns` turns, 0 until it returns."""

    seat: SeatNumber
    player: Annotated[str, Meta(max_length=40)] = "greedy"
    turns: Annotated[int, Meta(ge=0, le=1)] = 0


class Return(Command, frozen=True, tag="return"):
    """Decide again for one's own seat."""

    seat: SeatNumber


class Close(Command, frozen=True, tag="close"):
    """End the table for all: any seat may, while its game has not begun; later only when every other seat is silent."""

    seat: SeatNumber


class Rematch(Command, frozen=True, tag="rematch"):
    """Begin again with the same players, when the game is over: the seat after the last beginner begins."""

    seat: SeatNumber


AnyCommand = Sit | AddNonce | Roll | Score | Undo | StandIn | Return | Close | Rematch


class Accepted(Struct, frozen=True, tag_field="type", tag="accepted"):
    """The command is durable: it is event `version` of the table."""

    id: str
    version: int


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """The command changed nothing.

    `reason`: "stale" (catch up first), "illegal" (the rules or the table do not allow it), "not_yours" (the seat is
    held by somebody else), "costly" (the tutor asks: send it again, under a new id, with `anyway`), "malformed",
    "too_fast", "unavailable" (the server cannot store now: try again with the same id).
    """

    id: str
    version: int
    reason: str
    detail: str
    loss: float | None = None
    """For "costly": what the action costs, in points of expected final score."""
    best: str | None = None
    """For "costly": the best action, in notation."""


AnyAnswer = Accepted | Refused
