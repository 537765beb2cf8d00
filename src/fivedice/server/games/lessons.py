"""`Lessons`: the dearest decisions of games, asked again; what a holder answered is kept, and when it is due again."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import TYPE_CHECKING

from fivedice.server.games.library import YOU, Game, as_you
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.state import State
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.lessons import StoredLesson, answer_lesson, lesson_hash, stored_lessons

if TYPE_CHECKING:
    from fivedice.analysis.lessons import Grade, Lesson
    from fivedice.solver.solution import Solution

MAX_GAMES = 200
"""Games whose decisions are asked again, those played at last."""

SESSION = 10
"""Lessons that are asked at once: ten minutes' worth."""

MAX_KNOWN = 2_000
"""Games whose lessons are kept in memory."""


@dataclass(frozen=True, slots=True)
class FoundLesson:
    """A lesson and the table that it is from, empty for an imported game; `due` is None until it was answered."""

    lesson: "Lesson"
    table: str
    due: date | None = None

    @property
    def hash(self) -> bytes:
        """What names it."""
        position = self.lesson.position
        return lesson_hash(position.ruleset.digest, str(position))


@dataclass(frozen=True, slots=True)
class Session:
    """What to ask now, and how many lessons are due, new, or learnt; `next` is the day on which one of these is due."""

    lessons: Sequence[FoundLesson]
    due: int
    new: int
    learnt: int
    next: date | None


class Lessons:
    """Finds lessons of games that have ended. All methods belong to the event loop's thread."""

    def __init__(self, database: Database, solutions: SolutionQueue, clock: Callable[[], float]) -> None:
        self._database = database
        self._solutions = solutions
        self._clock = clock
        self._known: OrderedDict[tuple[str, tuple[int, ...]], tuple[Lesson, ...]] = OrderedDict()

    @property
    def today(self) -> date:
        """The day by the server's clock, in UTC: lessons are due by days."""
        return datetime.fromtimestamp(self._clock(), UTC).date()

    async def of_games(self, games: Iterable[Game]) -> tuple[list[FoundLesson], float | None]:
        """The lessons of games at the seats that they name, and how much is done, 0 to 1, of solving the rules of the
        others; None where nothing is to be solved. Rules that cannot be solved have no lessons."""
        groups: dict[str, list[Game]] = defaultdict(list)
        for game in [game for game in games if game.seats and game.state in (State.OVER, State.CLOSED)][:MAX_GAMES]:
            groups[game.record.ruleset.digest].append(game)
        found: list[FoundLesson] = []
        shares: list[float] = []
        for group in groups.values():
            ruleset = group[0].record.ruleset
            solution = self._solutions.solution(ruleset)
            if solution:
                self._solutions.breakdown(ruleset)  # whoever has answered will want to know why
                for game in group:
                    found += [FoundLesson(lesson, game.table) for lesson in await self._of_game(game, solution)]
            elif not self._solutions.refusal(ruleset):
                shares.append(self._solutions.share(ruleset) or 0.0)
        found.sort(key=lambda one: -one.lesson.loss)
        return list({one.hash: one for one in reversed(found)}.values())[::-1], min(shares, default=None)

    async def session(self, holder: str, found: Sequence[FoundLesson]) -> Session:
        """Of these lessons those to ask a holder today: what is due, the longest first, then what is new."""
        stored = await asyncio.to_thread(self._database.read, lambda connection: stored_lessons(connection, holder))
        due, new, learnt = [], [], []
        for one in found:
            known = stored.get(one.hash)
            if known is None:
                new.append(one)
            elif known.due <= self.today:
                due.append(FoundLesson(one.lesson, one.table, known.due))
            else:
                learnt.append(known.due)
        due.sort(key=lambda one: one.due or self.today)
        return Session([*due, *new][:SESSION], len(due), len(new), len(learnt), min(learnt, default=None))

    async def answer(self, holder: str, found: FoundLesson, given: "Grade") -> date:
        """Write down a holder's answer; the day on which the lesson is due again."""
        today = self.today

        def next_of(known: StoredLesson | None) -> StoredLesson:
            from fivedice.analysis.memory import Memory, after_answer

            before = Memory(known.stability, known.difficulty, known.answered) if known else None
            memory, due = after_answer(before, given, today)
            return StoredLesson(memory.stability, memory.difficulty, memory.answered, due)

        job = partial(answer_lesson, holder=holder, hash=found.hash, next_of=next_of)
        return (await asyncio.wrap_future(self._database.write(job))).due

    async def _of_game(self, game: Game, solution: "Solution") -> "tuple[Lesson, ...]":
        key = game.table or str(game.record), game.seats
        if key not in self._known:
            self._known[key] = await in_pool("games", _lessons_of, game, solution)
            if len(self._known) > MAX_KNOWN:
                self._known.popitem(last=False)
        return self._known[key]


def _lessons_of(game: Game, solution: "Solution") -> "tuple[Lesson, ...]":
    from fivedice.analysis.lessons import lessons
    from fivedice.analysis.review import review

    reviewed = review(solution, as_you(game.record, game.seats))
    return tuple(lessons([reviewed], lambda seat: seat.name == YOU))
