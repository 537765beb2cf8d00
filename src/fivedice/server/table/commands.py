"""Commands: a client's requests to change a table, and the answers to them.

Each command carries an id chosen by the client and the version of the table it was made against. A command repeated
with its id gets the same answer and changes nothing; another command with that id is refused. A command made against an
older version is refused as stale: the client catches up and lets its user decide again.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from fivedice.game.names import MAX_NAME_CHARACTERS
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.views.action import ActionParts

# $ also matches before a final line break, so (?!\n) excludes it.
CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
Nonce = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[0-9a-f]+(?!\n)$")]
Version = Annotated[int, Meta(ge=1, le=1_000_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
Name = Annotated[str, Meta(max_length=MAX_NAME_CHARACTERS)]
BoxId = Annotated[str, Meta(min_length=1, max_length=81)]
Kept = Annotated[list[bool], Meta(max_length=10)]


class Command(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """The fields of every command. `seat` is the seat that it acts for, which the sender must hold."""

    id: CommandId
    version: Version


class Sit(Command, frozen=True, tag="sit"):
    """Take an open seat under a name, ideally with a nonce for the dice; or rename a seat of one's own."""

    seat: SeatNumber
    name: Name
    nonce: Nonce | None = None


class AddNonce(Command, frozen=True, tag="add_nonce"):
    """Add a nonce to the dice before the first roll: one for each seat, or a watcher's without a seat."""

    nonce: Nonce
    seat: SeatNumber | None = None


class RollOff(Command, frozen=True, tag="roll_off"):
    """Roll for who begins, at a table where the highest roll decides; any seat may, once all seats are taken."""

    seat: SeatNumber


class Roll(Command, frozen=True, tag="roll"):
    """Roll the dice that are not kept. `kept` has one entry for each place; it is empty for the first roll."""

    seat: SeatNumber
    kept: Kept
    anyway: bool = False
    """Skip the tutor's question about a costly action."""


class Score(Command, frozen=True, tag="score"):
    """Fill a box."""

    seat: SeatNumber
    box: BoxId
    scratch: bool = False
    anyway: bool = False


class Announce(Command, frozen=True, tag="announce"):
    """Announce a box after the first roll of a turn, under rules with columns whose boxes are announced."""

    seat: SeatNumber
    box: BoxId
    anyway: bool = False


class Undo(Command, frozen=True, tag="undo"):
    """Take the last score or announcement back, which is possible until the next step at a person's seat or the end.

    A step of a stand-in there ends it, too, since it shows dice of that seat. The steps of computer players in seats of
    their own are taken back with it; they get the same dice again.
    """

    seat: SeatNumber


class StandIn(Command, frozen=True, tag="stand_in"):
    """Let a computer player act for one's own seat or an idle one.

    `turns` is 1 for one turn, or 0 until the person returns.
    Only this command may name a seat that the sender does not hold; the sender must hold another seat at the table.
    """

    seat: SeatNumber
    player: Annotated[str, Meta(max_length=40)] = "greedy"
    turns: Annotated[int, Meta(ge=0, le=1)] = 0


class Return(Command, frozen=True, tag="return"):
    """Take one's own seat back from a computer player."""

    seat: SeatNumber


class Resign(Command, frozen=True, tag="resign"):
    """Give up the game for one's own seat, also when another seat is to move, and while a computer player acts for it.

    The others play on without the seat. If one seat is left, it wins; if no person is left, the game ends as well.
    """

    seat: SeatNumber


class Close(Command, frozen=True, tag="close"):
    """End the table for all: any seat may before the game has begun, and later if every other seat is away.

    A seat is away if it belongs to a computer player, if one acts for it until the person returns, if it resigned, or
    if it is to move and idle.
    """

    seat: SeatNumber


class Rematch(Command, frozen=True, tag="rematch"):
    """Start another game with the same players after the game is over; the next seat begins."""

    seat: SeatNumber


AnyCommand = Sit | AddNonce | RollOff | Roll | Score | Announce | Undo | StandIn | Return | Resign | Close | Rematch


class Accepted(Struct, frozen=True, tag_field="type", tag="accepted"):
    """The command is durable, as event `version` of the table."""

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
    "must_announce",
    "nothing_to_undo",
    "name_taken",
    "still_acts",
    "others_play",
]
"""Why a table does not allow something that a person may reasonably try.

"not_begun" (a seat is free, or nobody has rolled for who begins), "ended", "not_your_turn", "stood_in" (a computer
player acts for the seat), "roll_first" (no dice are rolled in this turn), "no_rolls" (no roll is left), "box_filled",
"box_closed" (by the order of its column, the joker rule or an announcement), "must_announce" (only boxes that must be
announced are open), "nothing_to_undo", "name_taken", "still_acts" (the seat is
not idle yet, but will be in `seconds`), "others_play" (other people are still playing at the table).
"""


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """The command changed nothing; `version` is the table's current version.

    `reason`: "stale" (catch up first), "illegal" (the rules or the table do not allow it), "not_yours" (somebody
    else holds the seat), "costly" (the tutor's question: to confirm, send it under a new id with `anyway`),
    "malformed" (it cannot be read, the table never had that version, or its id belongs to another command of the
    same sender), "too_fast", "unavailable" (the server cannot store it now: try again with the same id).
    """

    id: str
    version: int
    reason: Reason
    detail: str
    loss: float | None = None
    """For "costly": the loss of the action in points of expected final score."""
    best: str | None = None
    """For "costly": the best action, in notation."""
    best_parts: ActionParts | None = None
    """For "costly": the parts of the best action."""
    asked: str | None = None
    """For "costly": the action that the command asked for, in notation."""
    asked_parts: ActionParts | None = None
    """For "costly": the parts of that action."""
    code: Code | None = None
    """For "illegal": the usual reason that applies, for a client to translate; None for any other reason."""
    seconds: float | None = None
    """For "still_acts" and "too_fast": the seconds to wait."""
    gives_away_win: bool | None = None
    """For "costly": true if the best action wins the game at once, so that the loss is no number of points."""


AnyAnswer = Accepted | Refused
