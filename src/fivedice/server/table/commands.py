"""Commands: what a client asks of a table. Each carries an id of the client's own and the version it was made against.

The same id twice gets the same answer and changes nothing the second time. A command made against another version than
the table's is refused as stale: the client catches up and lets its user decide again.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from fivedice.game.position import MAX_SEATS

# (?!\n) because $ also matches before a line break at the end.
CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
Nonce = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[0-9a-f]+(?!\n)$")]
Version = Annotated[int, Meta(ge=1, le=1_000_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
BoxId = Annotated[str, Meta(min_length=1, max_length=81)]
Kept = Annotated[list[bool], Meta(max_length=10)]


class Command(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What all commands have. `seat` is the seat it is made for; whoever sends it must hold that seat."""

    id: CommandId
    version: Version


class Sit(Command, frozen=True, tag="sit"):
    """Take an open seat under a name, at best with a nonce for the dice; or change the name of one's own."""

    seat: SeatNumber
    name: Name
    nonce: Nonce | None = None


class AddNonce(Command, frozen=True, tag="add_nonce"):
    """Add a nonce to the dice, before any is rolled: once for each seat; a watcher's has no seat."""

    nonce: Nonce
    seat: SeatNumber | None = None


class RollOff(Command, frozen=True, tag="roll_off"):
    """Roll for who begins, where the highest roll does: any seat, once all are taken."""

    seat: SeatNumber


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
    """Have a computer player act for one's own seat, or for a silent one: for `turns` turns, 0 until it returns.

    The one command for a seat that one does not hold; it takes holding another at the table.
    """

    seat: SeatNumber
    player: Annotated[str, Meta(max_length=40)] = "greedy"
    turns: Annotated[int, Meta(ge=0, le=1)] = 0


class Return(Command, frozen=True, tag="return"):
    """Decide again for one's own seat."""

    seat: SeatNumber


class Close(Command, frozen=True, tag="close"):
    """End the table for all: any seat may, while its game has not begun; later only when every other seat is away.

    A seat is away if it is a computer player's, if one acts for it until it returns, or if it is to move and silent.
    """

    seat: SeatNumber


class Rematch(Command, frozen=True, tag="rematch"):
    """Begin again with the same players, when the game is over: the seat after the last beginner begins."""

    seat: SeatNumber


AnyCommand = Sit | AddNonce | RollOff | Roll | Score | Undo | StandIn | Return | Close | Rematch


class Accepted(Struct, frozen=True, tag_field="type", tag="accepted"):
    """The command is durable: it is event `version` of the table."""

    id: str
    version: int


Reason = Literal["stale", "illegal", "not_yours", "costly", "malformed", "too_fast", "unavailable"]

Code = Literal[
    "not_begun",
    "ended",
    "not_your_turn",
    "stood_in",
    "roll_first",
    "no_rolls",
    "box_filled",
    "box_closed",
    "nothing_to_undo",
    "name_taken",
    "still_acts",
    "others_play",
]
"""Why a table does not allow what a person may well try.

"not_begun" (seats are free, or nobody has yet rolled for who begins), "ended", "not_your_turn", "stood_in" (a computer
player acts for the seat), "roll_first" (no dice are rolled in this turn), "no_rolls" (none is left), "box_filled",
"box_closed" (by the order of its column or the joker rule), "nothing_to_undo", "name_taken", "still_acts" (the seat is
not silent yet, but will be in `seconds`), "others_play" (who may want to go on with a table that one would end).
"""


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """The command changed nothing; `version` is the table's now.

    `reason`: "stale" (catch up first), "illegal" (the rules or the table do not allow it), "not_yours" (the seat is
    held by somebody else), "costly" (the tutor asks: send it again, under a new id, with `anyway`), "malformed" (it
    cannot be read, or the table never had that version), "too_fast", "unavailable" (the server cannot store now: try
    again with the same id).
    """

    id: str
    version: int
    reason: Reason
    detail: str
    loss: float | None = None
    """For "costly": what the action costs, in points of expected final score."""
    best: str | None = None
    """For "costly": the best action, in notation."""
    code: Code | None = None
    """For "illegal": which of the usual reasons it is, for a client to say in its own words; None for any other."""
    seconds: float | None = None
    """For "still_acts": how long to wait."""


AnyAnswer = Accepted | Refused
