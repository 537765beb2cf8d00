"""Games on the same dice for many people as JSON, and two of them compared. Entries are numbered from 1."""

from typing import Literal, TypeAlias

import msgspec

from fivedice.views.action import ActionParts
from fivedice.views.daily import ResultView

EntryState: TypeAlias = Literal["playing", "finished", "given_up", "late"]
"""What became of somebody's game; "late" is one that had not ended when the time had passed."""


class DuplicateEntryView(msgspec.Struct, frozen=True):
    """Somebody's game. `table`, `score`, `lost` and `rank` are null for whoever may not see it yet.

    `lost` is in points, and null while it is computed; it and `rank` are null for a game that was not finished.
    """

    number: int
    name: str
    state: EntryState
    is_yours: bool
    table: str | None
    score: int | None
    lost: float | None
    rank: int | None


class DuplicateView(msgspec.Struct, frozen=True):
    """A game on the same dice for up to `seats` people, until it `closes`: at its time, or once all have ended theirs.

    The entries are in the order of ranks, by the points that decisions lost. `shows_all` is whether you may see them
    all: once you have finished yours, or it has closed. `commitment` is the SHA-256 of the secret of the dice, and
    `secret` that itself, in hexadecimal digits, null until it has closed. `is_approximate` is whether what decisions
    lost is only known about. `tournament` is the id of the tournament of which it is a round, null for others.
    `may_enter` is whether you may play in it, and do not yet. Times are in seconds since 1970.
    """

    id: str
    version: int
    rules: str
    rules_name: str
    seats: int
    opened: float
    closes: float
    is_closed: bool
    shows_all: bool
    commitment: str
    secret: str | None
    is_approximate: bool
    may_enter: bool
    your_table: str | None
    entries: list[DuplicateEntryView]
    tournament: str | None = None
    tournament_name: str = ""


class OwnDuplicateView(msgspec.Struct, frozen=True):
    """A game on the same dice in which this browser has an entry."""

    id: str
    rules_name: str
    closes: float
    is_closed: bool
    seats: int
    num_entries: int
    num_ended: int


class EnteredView(msgspec.Struct, frozen=True):
    """The table of your game on the same dice."""

    table: str


class ComparedDecisionView(msgspec.Struct, frozen=True):
    """A decision of one of two games on the same dice: the turn from 1, the dice, the choice and its loss.

    `total` is the total of the card after it.
    """

    turn: int
    rolls_left: int
    dice: list[int]
    action: str
    action_parts: ActionParts
    loss: float
    total: int


class ComparedPairView(msgspec.Struct, frozen=True):
    """The decisions of two games at the same turn and roll; null where one of them made none.

    `gain` is the loss of the second minus that of the first. `sentence` tells the difference where both had to decide
    the same position and chose otherwise; it is empty elsewhere.
    """

    first: ComparedDecisionView | None
    second: ComparedDecisionView | None
    is_same_position: bool
    gain: float
    sentence: str


class DuplicateComparisonView(msgspec.Struct, frozen=True):
    """Two entries, decision by decision. After they have chosen differently, their cards differ: then
    `is_same_position` is false, and only the dice that both rolled are the same. Sentences are there if the first is
    yours."""

    first: DuplicateEntryView
    second: DuplicateEntryView
    pairs: list[ComparedPairView]


class ComparisonView(msgspec.Struct, frozen=True):
    """Your daily game beside another one on the same dice, decision by decision. `second` is null for perfect play."""

    first: ResultView
    second: ResultView | None
    second_lost: float
    second_score: int
    pairs: list[ComparedPairView]
