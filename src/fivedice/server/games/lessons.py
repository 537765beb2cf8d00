"""`Lessons`: costly decisions of finished games and of the daily as exercises, and when each is due again."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING

from fivedice.server.config.limits import MAX_LESSON_GAMES, MAX_LESSON_TRIES, SESSION_LESSONS
from fivedice.server.games import computed
from fivedice.server.games.dailies import Dailies
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.games.library import Game, Library, chunked, solved_groups
from fivedice.server.games.replayed import Key
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.searches import Searches
from fivedice.server.solving.wire import SavedSolution, SolutionGoneError
from fivedice.server.table.state import State
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import ranked_tries
from fivedice.storage.rows.lessons import StoredLesson, answer_lesson, lesson_hash, stored_lessons

if TYPE_CHECKING:
    from fivedice.analysis.learning.lessons import Grade, Lesson


@dataclass(frozen=True)
class FoundLesson:
    """A lesson and its table, empty for an imported game or a try; `due` is None until the first answer."""

    lesson: "Lesson"
    table: str
    due: date | None = None

    @cached_property
    def hash(self) -> bytes:
        """The key of the lesson in the database."""
        position = self.lesson.position
        return lesson_hash(position.ruleset.digest, str(position))


@dataclass(frozen=True, slots=True)
class Session:
    """The lessons to ask now, the numbers of due, new and learnt lessons, and the day on which the next one is due.

    In a replay, all are due that were not answered today, and the others are learnt.
    """

    lessons: Sequence[FoundLesson]
    due: int = 0
    new: int = 0
    learnt: int = 0
    next: date | None = None


class Lessons:
    """Finds the lessons of finished games and tries. All methods must be called on the event loop's thread."""

    def __init__(
        self,
        database: Database,
        library: Library,
        searches: Searches,
        days: DrawnDays,
        dailies: Dailies,
        clock: Callable[[], float],
    ) -> None:
        self._database = database
        self._days = days
        self._dailies = dailies
        self._library = library
        self._searches = searches
        self._clock = clock

    @property
    def today(self) -> date:
        """The current day in UTC."""
        return datetime.fromtimestamp(self._clock(), UTC).date()

    async def of_games(
        self, games: Iterable[Game], whos: Collection[Who], holder: str = ""
    ) -> tuple[list[FoundLesson], float | None]:
        """The lessons of the holder's seats in these games, costliest first, and the progress of solving their rules.

        The progress, from 0 to 1, is None if nothing is being solved. Rules that cannot be solved have no lessons.
        """
        finished = [game for game in games if game.seats and game.state in (State.OVER, State.CLOSED)]
        groups, progress = await solved_groups(finished[:MAX_LESSON_GAMES], self._searches, whos)
        found: list[FoundLesson] = []
        for group, ruleset in groups:
            # Prefetched: the page explains each answer with it.
            self._searches.is_found("breakdown", ruleset, whos)
            try:
                with self._searches.using(ruleset) as saved:
                    known = await self._of_group(group, holder, saved)
            except SolutionGoneError:
                progress = 0.0
                continue
            for game in group:
                found += known.get(game.key, ())
        return await _each_once(found), progress

    async def of_holder(
        self, holder: str, whos: Collection[Who], *, since: date | None = None
    ) -> tuple[list[FoundLesson], float | None]:
        """The same of all games and tries of a holder from a day of the server on."""
        games = await self._library.games(holder)
        if since:
            games = [game for game in games if self._days.day_of(game.facts.began) >= since]
        found, progress = await self.of_games(games, whos, holder)
        return await self._with_tries(found, progress, holder, whos, since)

    async def without_table(self, holder: str, whos: Collection[Who]) -> tuple[list[FoundLesson], float | None]:
        """The same of all imported games and tries of a holder."""
        games = [game for game in await self._library.games(holder) if not game.table]
        return await self._with_tries(*await self.of_games(games, whos, holder), holder, whos)

    async def _with_tries(
        self,
        found: list[FoundLesson],
        progress: float | None,
        holder: str,
        whos: Collection[Who],
        since: date | None = None,
    ) -> tuple[list[FoundLesson], float | None]:
        """These lessons and those of the holder's latest tries."""
        job = partial(ranked_tries, holder=holder, since=since.isoformat() if since else "", most=MAX_LESSON_TRIES)
        for stored, answers in await self._database.fetched(job):
            try:
                missed = await self._dailies.missed(stored, answers, whos)
            except SolutionGoneError:
                missed = None
            if missed is None:
                progress = progress or 0.0
            else:
                found += [FoundLesson(one, "") for one in missed]
        return await _each_once(found), progress

    async def session(self, holder: str, found: Sequence[FoundLesson]) -> Session:
        """Choose the lessons to ask a holder today: due ones, longest overdue first, then new ones."""
        stored = await self._database.fetched(lambda connection: stored_lessons(connection, holder))
        due, new, learnt = [], [], []
        today = self.today
        async for part in chunked(found):
            for one in part:
                known = stored.get(one.hash)
                if known is None:
                    new.append(one)
                elif known.due <= today:
                    due.append(FoundLesson(one.lesson, one.table, known.due))
                else:
                    learnt.append(known.due)
        due.sort(key=lambda one: one.due or self.today)
        return Session(
            lessons=[*due, *new][:SESSION_LESSONS],
            due=len(due),
            new=len(new),
            learnt=len(learnt),
            next=min(learnt, default=None),
        )

    async def replay(self, holder: str, found: Sequence[FoundLesson]) -> Session:
        """Choose the lessons of a replay, in which a holder answers each once today: the costliest first."""
        stored = await self._database.fetched(lambda connection: stored_lessons(connection, holder))
        left: list[FoundLesson] = []
        async for part in chunked(found):
            for one in part:
                known = stored.get(one.hash)
                if known is None or known.answered < self.today:
                    left.append(FoundLesson(one.lesson, one.table, known.due if known else None))
        return Session(left[:SESSION_LESSONS], due=len(left), learnt=len(found) - len(left))

    async def answer(self, holder: str, found: FoundLesson, grade: "Grade", day: date | None = None) -> date:
        """Store the grade of a holder's answer; returns the day on which the lesson is due again.

        An answer of a `day` counts unless the lesson has been answered since, so it counts once however often it is
        sent. On the day itself, an accepted one still counts after one that was not.
        """
        today = self.today
        given = min(day or today, today)

        def reschedule(known: StoredLesson | None) -> StoredLesson:
            from fivedice.analysis.learning.lessons import Memory, after_answer

            if day and known and known.answered >= given:
                was_missed = known.due == known.answered
                if known.answered > given or not (was_missed and grade.is_accepted):
                    return known
            before = Memory(known.stability, known.difficulty, known.answered) if known else None
            memory, due = after_answer(before, grade, given)
            return StoredLesson(memory.stability, memory.difficulty, memory.answered, due)

        job = partial(answer_lesson, holder=holder, hash=found.hash, next_of=reschedule)
        return (await self._database.written(job)).due

    async def _of_group(
        self, games: Sequence[Game], holder: str, solution: SavedSolution
    ) -> dict[Key, tuple[FoundLesson, ...]]:
        """The lessons of games under the rules of a solution."""
        tables = {game.key: game.table for game in games}

        def keep(key: Key, lessons: "tuple[Lesson, ...]") -> tuple[FoundLesson, ...]:
            return tuple(FoundLesson(lesson, tables[key]) for lesson in lessons)

        return await self._library.results(holder, games, computed.lessons, keep, solution)


async def _each_once(found: list[FoundLesson]) -> list[FoundLesson]:
    """The lessons, costliest first; of those of one position the first."""
    first: dict[bytes, FoundLesson] = {}
    async for part in chunked(sorted(found, key=lambda one: -one.lesson.loss)):
        for one in part:
            first.setdefault(one.hash, one)
    return list(first.values())
