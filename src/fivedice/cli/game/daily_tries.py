"""`DailyTry`: the positions of a day for a person alone in the terminal. `draw` draws them."""

import sys
import time
from collections.abc import Callable, Sequence
from datetime import date
from textwrap import fill

from fivedice.analysis.reviews.marks import verdict
from fivedice.cli.game.command_words import WIDTH
from fivedice.cli.game.questions import invitation, read_action, run, show_position
from fivedice.cli.language import chosen, say
from fivedice.cli.solutions import prepare
from fivedice.daily.choice import candidates_of, choose_ladder, choose_ten
from fivedice.daily.days import RULES, daily_rules, guest_of, number_of
from fivedice.daily.puzzles import Puzzle, is_best, symbol
from fivedice.daily.results import MAX_MISTAKES, STORM_SECONDS, Kind, Share, Tally
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset


class DailyTry:
    """A try of positions that were drawn here, graded here, and ranked by nobody.

    `position` is the next one to decide, None once the try is over.
    """

    def __init__(
        self, kind: Kind, day: date, drawn: Sequence[Puzzle], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._kind, self._day, self._puzzles, self._clock = kind, day, drawn, clock
        self._began = clock()
        self._losses: list[float] = []
        self.position: Position | None = drawn[0].position

    @property
    def heading(self) -> str:
        """Which one of how many, or the time left."""
        if self._kind == "ten":
            return say("{number} of {all}", number=len(self._losses) + 1, all=len(self._puzzles))
        if self._kind == "storm":
            return say("{number}, {seconds} s left", number=len(self._losses) + 1, seconds=round(self._seconds_left))
        return str(len(self._losses) + 1)

    def answer(self, action: Action) -> str:
        """Grade the answer, unless the time is over. Raises `IllegalError`."""
        puzzle = self._puzzles[len(self._losses)]
        loss = puzzle.loss(action)
        if self._kind == "storm" and self._seconds_left <= 0:
            self.position = None
            return say("The time is over.")
        self._losses.append(loss)
        has_ended = Tally.of(self._losses).mistakes == MAX_MISTAKES.get(self._kind)
        is_last = has_ended or len(self._losses) == len(self._puzzles)
        self.position = None if is_last else self._puzzles[len(self._losses)].position
        return verdict(puzzle.position, action, None if is_best(loss) else loss, puzzle.best[0], chosen())

    def result(self) -> list[str]:
        """The line to share; none if the try goes on."""
        if self.position is not None:
            return []
        tally = Tally.of(self._losses)
        is_ten = self._kind == "ten"
        share = Share(
            self._kind,
            number_of(self._day),
            self._puzzles[0].position.ruleset.id,
            tally.best,
            tally.answered if is_ten else 0,
            round(10 * tally.lost) if is_ten else 0,
            tuple(map(symbol, self._losses)) if is_ten else (),
        )
        return [share.line(chosen())]

    @property
    def _seconds_left(self) -> float:
        return self._began + STORM_SECONDS - self._clock()


def rules_here(rules: str | None) -> str:
    """The daily ruleset that is asked for, by default that of the language; raises `UnknownError`."""
    return daily_rules(rules or RULES.get(chosen().tag, RULES["en"]))


def draw(kind: str, day: date, secret: bytes, rules: str | None) -> list[Puzzle]:
    """The ten or the ladder of a day with a secret."""
    found = []
    guest = guest_of(day) if kind == "ten" else ""
    for id in filter(None, (rules_here(rules), guest)):
        solution = prepare(load_ruleset(id))
        print(say("Drawing positions …"), file=sys.stderr)
        found.append(candidates_of(solution, secret, kind))
    return choose_ten(secret, *found) if kind == "ten" else choose_ladder(secret, *found)


def play_try(one: DailyTry) -> int:
    """Ask until the try is over or the player quits; print the result, and return the exit status."""

    def ask_each() -> None:
        while (position := one.position) is not None:
            show_position(position, one.heading)
            print(fill(one.answer(read_action(position)), WIDTH))

    if one.position is not None:
        print(invitation())
    status = run(ask_each)
    for line in one.result():
        print(line)
    return status
