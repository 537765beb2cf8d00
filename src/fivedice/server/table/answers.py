"""Answers to commands, and the codes of refusals that clients translate."""

from typing import Literal

from msgspec import Struct

from fivedice.views.action import ActionParts


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
