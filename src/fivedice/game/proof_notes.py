"""What a proof notes of the people in a game.

`UsedHelp` is the help that was on, and what each person did with the tutor's questions; a seat without a question is
left out:

    none
    tutor, seat 0 asked 3 changed 2, seat 2 asked 1 changed 0

`UndoneTurn` is a score or announcement that was taken back; its turn went on with the same dice:

    turn 4, score threes
    turn 4, score threes, after rolls of seat 1, seat 2
    turn 7, announce fours

Turns and seats count from 0, and seats are in ascending order. Those of an undone turn had rolled in between; their
dice came up again afterwards, so the person who went on with the turn had seen them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, cast, get_args

from fivedice.base.errors import IllegalError, MalformedError, UnknownError, shown, suggest
from fivedice.game.action import Announce, Keep, Score
from fivedice.game.notation import parse_action
from fivedice.game.seats import PERSON, Seat
from fivedice.game.turn import Turn
from fivedice.rulesets.ruleset import Ruleset

Help = Literal["none", "after", "tutor", "always"]
"""What a table shows of the exact values during the game, one setting for all its people:

"none" (no values, costs, best actions or chances to win), "after" (the cost of each decision, once it is final),
"tutor" (only a question before a costly decision, which can show the best action), "always" (the value of every action
and the chances to win).
"""

_QUESTIONS = re.compile("seat (0|[1-9][0-9]?) asked ([1-9][0-9]{0,8}) changed (0|[1-9][0-9]{0,8})")
_HELP_FORM = (
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
        raise MalformedError(f"help {shown(text)}: {_HELP_FORM}")
    return UsedHelp(cast("Help", kind), questions)


_UNDONE = re.compile(
    r"turn ([0-9]{1,6}), ((?:score|scratch|announce) [a-z0-9_]+)"
    r"(?:, after rolls of (seat [0-9]{1,3}(?:, seat [0-9]{1,3})*))?"
)
_UNDONE_FORM = (
    "want a turn and an action, as in 'turn 4, score threes', and the seats that had rolled since, in ascending order, "
    "as in 'turn 4, score threes, after rolls of seat 1, seat 2'"
)


@dataclass(frozen=True, slots=True)
class UndoneTurn:
    """The number of a turn, the action that was taken back, and the seats that had rolled since, in ascending order."""

    turn: int
    action: Score | Announce
    rolled: tuple[int, ...] = ()

    def is_foreseen(self, kinds: Sequence[str]) -> bool:
        """Whether a person's seat had rolled since, so that its dice were known before they came up again.

        `kinds` are the kinds of players by seat.
        """
        return any(kinds[seat] == PERSON for seat in self.rolled)

    def check(self, ruleset: Ruleset, seats: Sequence[Seat], turns: Sequence[Turn]) -> None:
        """Raise `IllegalError` or `UnknownError` if this cannot be part of a game with these seats and turns."""
        self.check_numbers(len(seats), len(turns))
        mover = seats[turns[self.turn].seat]
        if mover.kind != PERSON:
            raise IllegalError(f"undone turn {self.turn} is of {mover}, and only a person takes an action back")
        if (box := self.action.box) not in ruleset.box_index:
            raise UnknownError(f"{ruleset} has no box {shown(box)}: {suggest(box, ruleset.box_index)}")

    def check_numbers(self, num_seats: int, num_turns: int) -> None:
        """Raise `IllegalError` if there is no such turn or seat."""
        if self.turn >= num_turns:
            raise IllegalError(f"undone turn {self.turn}: the game has {num_turns} turns, from 0")
        if max(self.rolled, default=0) >= num_seats:
            raise IllegalError(f"undone turn {self.turn}: the seats are 0 to {num_seats - 1}, not {self.rolled[-1]}")

    def __str__(self) -> str:
        """The undone turn as text; `parse_undone_turn` reads it."""
        seats = ", ".join(f"seat {seat}" for seat in self.rolled)
        return f"turn {self.turn}, {self.action}" + (f", after rolls of {seats}" if seats else "")


def parse_undone_turn(text: str) -> UndoneTurn:
    """The undone turn that a text describes; raises `MalformedError`."""
    if found := _UNDONE.fullmatch(text):
        action = parse_action(found[2])
        seats = tuple(sorted({int(number) for number in re.findall("[0-9]+", found[3] or "")}))
        if not isinstance(action, Keep) and str(undone := UndoneTurn(int(found[1]), action, seats)) == text:
            return undone
    raise MalformedError(f"undone {shown(text)}: {_UNDONE_FORM}")
