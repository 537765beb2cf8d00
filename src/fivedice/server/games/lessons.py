"""`Lessons`: costly decisions of finished games and of the daily as exercises, and when each is due again."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial

from fivedice.analysis.lessons import Grade, Lesson, after_answer
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.record_lines import began_at
from fivedice.rulesets import load_ruleset
from fivedice.server.games.dailies import Dailies
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.games.grading import Grader
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.state import ruleset_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.held_grades import HeldLesson, game_lessons, held_lessons
from fivedice.storage.rows.lessons import StoredLesson, answer_lesson, lesson_hash, stored_lessons

MAX_LESSON_GAMES = 200
"""Games that lessons are taken from, the most recent ones."""

MAX_LESSON_TRIES = 40
"""Tries of the daily, likewise."""

SESSION_LESSONS = 10
"""Lessons in one session: about ten minutes."""


async def read_lesson(held: HeldLesson) -> Lesson:
    """The lesson with its position."""
    ruleset = await in_rules_thread(ruleset_of, held.rules, held.toml)
    return Lesson(parse_position(held.line, ruleset), parse_action(held.chosen), held.loss)


@dataclass(frozen=True, slots=True)
class Session:
    """The lessons to ask now, the numbers of due, new and learnt lessons, and the day on which the next one is due.

    In a replay, all are due that were not answered today, and the others are learnt.
    """

    lessons: Sequence[HeldLesson]
    due: int = 0
    new: int = 0
    learnt: int = 0
    next: date | None = None


@dataclass(eq=False)
class Lessons:
    """Finds the lessons of finished games and tries. All methods must be called on the event loop's thread."""

    _database: Database
    _grader: Grader
    _days: DrawnDays
    _dailies: Dailies
    _clock: Callable[[], float]

    @property
    def today(self) -> date:
        """The current day in UTC."""
        return datetime.fromtimestamp(self._clock(), UTC).date()

    async def of_table(self, id: str, seats: Collection[int]) -> list[HeldLesson]:
        """The lessons at some seats of a table that is graded, costliest first."""
        found = await self._database.fetched(partial(game_lessons, table=id, seats=seats))
        return _each_once(found)

    async def of_holder(
        self, holder: str, address: str, *, since: date | None = None, with_tables: bool = True
    ) -> list[HeldLesson]:
        """The lessons in a holder's latest games and tries from a day of the server on, or only in imported games and
        tries, costliest first. Games whose rules have no values yet, which are then sought for an address, have none.
        """
        await self._grader.read_games_of(holder)
        read = partial(held_lessons, holder=holder, num_games=MAX_LESSON_GAMES, with_tables=with_tables)
        held, waiting = await self._database.fetched(read)
        for rules in waiting:
            self._grader.seek(await in_rules_thread(ruleset_of, *rules), address)
        found = [one for one in held if not since or self._days.day_of(began_at(one.began)) >= since]
        for line, chosen, loss in await self._dailies.missed(holder, since, MAX_LESSON_TRIES):
            ruleset = load_ruleset(line.partition(" ")[0])
            hash = lesson_hash(ruleset.digest, line)
            found.append(HeldLesson(hash, line, chosen, loss, table="", began="", rules=str(ruleset)))
        return _each_once(found)

    async def session(self, holder: str, found: Sequence[HeldLesson]) -> Session:
        """Choose the lessons to ask a holder today: due ones, longest overdue first, then new ones."""
        stored = await self._database.fetched(lambda connection: stored_lessons(connection, holder))
        due, new, learnt = [], [], []
        today = self.today
        for one in found:
            _, again = stored.get(one.hash, (None, None))
            if again is None:
                new.append(one)
            elif again <= today:
                due.append(replace(one, due=again))
            else:
                learnt.append(again)
        due.sort(key=lambda one: one.due or self.today)
        return Session(
            lessons=[*due, *new][:SESSION_LESSONS],
            due=len(due),
            new=len(new),
            learnt=len(learnt),
            next=min(learnt, default=None),
        )

    async def replay(self, holder: str, found: Sequence[HeldLesson]) -> Session:
        """Choose the lessons of a replay, in which a holder answers each once today: the costliest first."""
        stored = await self._database.fetched(lambda connection: stored_lessons(connection, holder))
        left: list[HeldLesson] = []
        for one in found:
            memory, due = stored.get(one.hash, (None, None))
            if memory is None or memory.answered < self.today:
                left.append(replace(one, due=due))
        return Session(left[:SESSION_LESSONS], due=len(left), learnt=len(found) - len(left))

    async def answer(self, holder: str, found: HeldLesson, grade: Grade, day: date | None = None) -> date:
        """Store the grade of a holder's answer; returns the day on which the lesson is due again.

        An answer of a `day` counts unless the lesson has been answered since, so it counts once however often it is
        sent. On the day itself, an accepted one still counts after one that was not.
        """
        today = self.today
        given = min(day or today, today)

        def reschedule(known: StoredLesson | None) -> StoredLesson:
            memory, due = known or (None, None)
            if day and known and memory and memory.answered >= given:
                was_missed = due == memory.answered
                if memory.answered > given or not (was_missed and grade.is_accepted):
                    return known
            return after_answer(memory, grade, given)

        job = partial(answer_lesson, holder=holder, hash=found.hash, next_of=reschedule)
        return (await self._database.written(job))[1]


def _each_once(found: Iterable[HeldLesson]) -> list[HeldLesson]:
    """The lessons, costliest first; of those of one position the first."""
    first: dict[bytes, HeldLesson] = {}
    for one in sorted(found, key=lambda one: -one.loss):
        first.setdefault(one.hash, one)
    return list(first.values())
