"""`Command`: a client's request to change a table.

Each command carries an id chosen by the client and the version of the table it was made against. A command repeated
with its id gets the same answer and changes nothing; another command with that id is refused. A command made against an
older version is refused as stale: the client catches up and lets its user decide again.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from fivedice.game.names import MAX_NAME_CHARACTERS
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.game.proof import TableDice
from fivedice.rulesets.dice import MAX_DICE, MAX_FACES
from fivedice.server.table.apply import Step
from fivedice.server.table.event import Event
from fivedice.server.table.state import Table
from fivedice.server.table.tutor import LossOf, Questions


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The sender's seats, the time, the dice, and what else a decision depends on."""

    holds: frozenset[int]
    """The seats that the sender holds."""
    now: float
    """Seconds since 1970."""
    chance: TableDice
    """The dice of the table. They depend only on the turn, the number of the roll and the place of the die."""
    num_changes: Counter[int]
    """How many changes, as `Event.changer` says, each seat has made."""
    rematch: str
    """The id for a rematch."""
    num_watcher_nonces: int = 0
    """How many nonces the sender has added as a watcher."""
    loss_of: LossOf | None = None
    """The tutor's loss function."""
    questions: Questions = field(default_factory=Questions)
    """The tutor's questions so far; `decide` adds those that it asks."""
    look_of: Callable[[str], str] = str.casefold
    """What is the same for all names that people take for each other."""
    is_blocked: bool = False
    """Whether one of the other players wants no more games with the sender, or the sender none with them."""


# $ also matches before a final line break, so (?!\n) excludes it.
CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
Nonce = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[0-9a-f]+(?!\n)$")]
Version = Annotated[int, Meta(ge=1, le=1_000_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
Name = Annotated[str, Meta(max_length=MAX_NAME_CHARACTERS)]
BoxId = Annotated[str, Meta(min_length=1, max_length=81)]
Kept = Annotated[list[bool], Meta(max_length=MAX_DICE)]
Faces = Annotated[list[Annotated[int, Meta(ge=1, le=MAX_FACES)]], Meta(min_length=1, max_length=MAX_DICE)]


class Command(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """The fields of every command."""

    becomes: ClassVar[type[Event]]
    """The event of an accepted command."""
    id: CommandId
    version: Version

    def may_act(self, table: Table, holds: frozenset[int]) -> bool:
        """Whether a sender who holds these seats may send it."""
        raise NotImplementedError

    def decide(self, table: Table, context: Context) -> Step:
        """The step that it asks for; raises `IllegalError`, `MalformedError` or `UnknownError` with the reason."""
        raise NotImplementedError

    def asks_for(self, event: Event) -> bool:
        """Whether an event of its sender is exactly what it asks for: the same values in each field.

        `version` and `anyway` are not compared: they say when and how the command was sent, but not what it does.
        """
        shared = set(self.__struct_fields__).intersection(event.__struct_fields__)
        is_same = all(getattr(self, name) == getattr(event, name) for name in shared)
        return isinstance(event, self.becomes) and is_same

    def sender(self, holds: frozenset[int], watcher: str) -> str:
        """The sender of a command that may be carried out: a seat, or `watcher`."""
        raise NotImplementedError


class SeatCommand(Command, frozen=True):
    """A command of a seat. `seat` is the seat that it acts for, which the sender must hold."""

    seat: SeatNumber

    def may_act(self, table: Table, holds: frozenset[int]) -> bool:
        """Whether a sender who holds these seats may act for its seat."""
        return self.seat in holds

    def sender(self, holds: frozenset[int], watcher: str) -> str:
        """Its seat."""
        return str(self.seat)
