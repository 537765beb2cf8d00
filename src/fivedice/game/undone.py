"""`UndoneTurn`: a score or announcement that was taken back; its turn went on with the same dice.

    turn 4, score threes
    turn 4, score threes, after rolls of seat 1, seat 2
    turn 7, announce fours

Turns and seats count from 0. The seats are those that had rolled in between; their dice came up again afterwards, so
the person who went on with the turn had seen them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fivedice.base.errors import IllegalError, MalformedError, UnknownError, shown, suggest
from fivedice.game.action import Announce, Keep, Score
from fivedice.game.notation import parse_action
from fivedice.game.seats import PERSON, Seat
from fivedice.game.turn import Turn
from fivedice.rulesets.ruleset import Ruleset

_LINE = re.compile(
    r"turn ([0-9]{1,6}), ((?:score|scratch|announce) [a-z0-9_]+)"
    r"(?:, after rolls of (seat [0-9]{1,3}(?:, seat [0-9]{1,3})*))?"
)
_FORM = (
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
    if found := _LINE.fullmatch(text):
        action = parse_action(found[2])
        seats = tuple(sorted({int(number) for number in re.findall("[0-9]+", found[3] or "")}))
        if not isinstance(action, Keep) and str(undone := UndoneTurn(int(found[1]), action, seats)) == text:
            return undone
    raise MalformedError(f"undone {shown(text)}: {_FORM}")
