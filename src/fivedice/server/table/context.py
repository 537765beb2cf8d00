"""`Context`: all that a decision about a command depends on besides the table and the command."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from fivedice.server.table.state import Table
from fivedice.server.table.tutor import LossOf, Questions


class Chance(Protocol):
    """The dice of one table, derived from its secret and its nonces: `fivedice.game.proof.TableDice`.

    They depend only on the turn, the number of the roll and the place of the die, never on who decides.
    """

    def die(self, turn: int, roll: int, index: int, faces: int) -> int:
        """The face that a place shows if it is rolled in this roll of this turn."""
        ...

    def opening(self) -> Callable[[int], int]:
        """A source of random numbers for the opening roll: each call returns a number from 1 to its argument."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The sender's seats, the time, the dice, and what else a decision depends on."""

    holds: frozenset[int]
    """The seats that the sender holds."""
    now: float
    """Seconds since 1970."""
    chance: Chance
    """The dice of the table."""
    table_at: Callable[[int], Table]
    """Returns the table at an earlier version."""
    num_changes: Callable[[int, int], int]
    """Returns how many changes, as `Event.changer` says, a seat had made up to a version."""
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
