"""`UsedHelp`: the help that was on in a game, and what each person did with the tutor's questions.

    none
    tutor, seat 0 asked 3 changed 2, seat 2 asked 1 changed 0

Seats count from 0, in ascending order; a seat without a question is left out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, cast, get_args

from fivedice.base.errors import IllegalError, MalformedError, shown
from fivedice.game.seats import PERSON, Seat

Help = Literal["none", "after", "tutor", "always"]
"""What a table shows of the exact values during the game, one setting for all its people:

"none" (no values, costs, best actions or chances to win), "after" (the cost of each decision, once it is final),
"tutor" (only a question before a costly decision, which can show the best action), "always" (the value of every action
and the chances to win).
"""

_QUESTIONS = re.compile("seat (0|[1-9][0-9]?) asked ([1-9][0-9]{0,8}) changed (0|[1-9][0-9]{0,8})")
_FORM = (
    f"want one of {', '.join(get_args(Help))}, and the seats that the tutor asked, in ascending order, as in "
    "'tutor, seat 0 asked 3 changed 2'"
)


@dataclass(frozen=True, slots=True)
class Questions:
    """How many actions of a seat the tutor questioned, from one, and how many decisions were then made otherwise."""

    seat: int
    asked: int
    changed: int

    def __str__(self) -> str:
        return f"seat {self.seat} asked {self.asked} changed {self.changed}"


@dataclass(frozen=True, slots=True)
class UsedHelp:
    """The kind of help, and the tutor's questions to the seats that had any, in ascending order."""

    kind: Help
    questions: tuple[Questions, ...] = ()

    @property
    def is_unaided(self) -> bool:
        """Whether nobody was advised before a decision."""
        return self.kind in ("none", "after")

    def check(self, seats: Sequence[Seat]) -> None:
        """Raise `IllegalError` if this cannot be part of a game with these seats."""
        self.check_numbers(len(seats))
        for one in self.questions:
            if seats[one.seat].kind != PERSON:
                raise IllegalError(f"help '{one}': this is {seats[one.seat]}, and the tutor asks only people")

    def check_numbers(self, num_seats: int) -> None:
        """Raise `IllegalError` if there is no such seat, or if more decisions were changed than questioned."""
        for one in self.questions:
            if one.seat >= num_seats:
                raise IllegalError(f"help '{one}': the seats are 0 to {num_seats - 1}")
            if one.changed > one.asked:
                raise IllegalError(f"help '{one}': want no more changed than asked")

    def __str__(self) -> str:
        """The used help as text; `parse_used_help` reads it."""
        return ", ".join([self.kind, *map(str, self.questions)])


def parse_used_help(text: str) -> UsedHelp:
    """The used help that a text describes; raises `MalformedError`."""
    kind, *parts = text.split(", ")
    found = [_QUESTIONS.fullmatch(part) for part in parts]
    questions = tuple(Questions(*map(int, one.groups())) for one in found if one)
    is_ascending = all(left.seat < right.seat for left, right in pairwise(questions))
    if kind not in get_args(Help) or not all(found) or not is_ascending:
        raise MalformedError(f"help {shown(text)}: {_FORM}")
    return UsedHelp(cast("Help", kind), questions)
