"""`Context`: all that a decision depends on besides the club or tournament and the command."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """`member` is the sender's number in the club, None if they are not in it, and `members` names all who are.

    `seed` is that of the next round, and `new_table` returns the id of a new table.
    """

    now: float
    member: int | None = None
    is_organiser: bool = False
    members: Mapping[int, str]
    seed: str = ""
    new_table: Callable[[], str] = str
