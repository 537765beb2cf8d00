"""`Services`: the parts of a running server behind its endpoints."""

from typing import TYPE_CHECKING, TypeVar

from fivedice.daily.days import zone_of
from fivedice.server.clubs.clubs import Clubs
from fivedice.server.clubs.results import Results
from fivedice.server.clubs.same_dice import SameDice
from fivedice.server.games.dailies import Dailies
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.games.game_list import GameList
from fivedice.server.games.grading import Grader
from fivedice.server.games.holder_figures import HolderFigures
from fivedice.server.games.lessons import Lessons
from fivedice.server.games.pruner import Pruner
from fivedice.server.games.reviews import Reviews
from fivedice.server.identity.holders import Holders
from fivedice.server.live.bot_scheduler import LateTables
from fivedice.server.live.command_handler import CommandHandler
from fivedice.server.live.dice_counter import DiceCounter
from fivedice.server.live.event_store import EventStore
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.matchmaker import Matchmaker
from fivedice.server.live.registry import TableRegistry
from fivedice.server.live.reminders import DailyReminders, Reminders
from fivedice.server.ops.background import Background
from fivedice.server.ops.budget import Budget, FreeSpace
from fivedice.server.ops.heartbeat import Heartbeat, Readiness
from fivedice.server.ops.metrics import Metrics
from fivedice.server.settings import Settings
from fivedice.server.solving.computer_players import Advisor, ComputerPlayers
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches
from fivedice.server.table.apply import Step
from fivedice.solver.saved.saved_table import solutions_folder
from fivedice.storage.engine.database import Database

if TYPE_CHECKING:
    from fivedice.server.live.notices import Notices
T = TypeVar("T")


class Services:
    """The parts of one server process."""

    def __init__(self, settings: Settings) -> None:
        """Open the database and build the rest on it; raises `UnavailableError` or `MalformedError`."""
        self.settings, clock = settings, settings.clock
        self.metrics = metrics = Metrics()
        self.database = database = Database(settings.database_url, serves=True)
        self.free_space = FreeSpace(database.folder, settings.min_free)
        self.budget = Budget(settings.rate, self.free_space)
        self.readiness = Readiness(database, clock)
        self.holders = Holders(database, clock)

        self.pool = pool = Pool(metrics.pool_losses.inc)
        self.searches = searches = Searches(solutions_folder(), self._on_solved)
        self.advisor = Advisor(searches)

        zone = zone_of(settings.time_zone)
        self.grader = Grader(database, pool, searches)
        event_store = EventStore(database, self._on_append, clock)
        players = ComputerPlayers(self.advisor, pool)
        self.tables = tables = TableRegistry(event_store, self.holders, self.advisor, players, settings)
        self.command_handler = CommandHandler(event_store, self.holders, self.advisor, settings, self.budget, metrics)
        self.heartbeat = Heartbeat(database, clock, tables.refresh_times)
        self.notices = _notices(database, tables)
        self.late_tables = LateTables(database, tables.open_late, clock)
        self.pruner = Pruner(database, settings.retention, clock, tables.in_use, tables.forget)

        self.game_list = GameList(database, self.grader, tables.find)
        self.dice = DiceCounter(database)
        self.reviews = Reviews(self.grader, pool, searches)
        self.days = days = DrawnDays(database, searches, pool, clock, settings.new_secret, zone)
        self.dailies = Dailies(database, searches, pool, days)
        self.holder_figures = HolderFigures(database, self.grader, searches, self.reviews, days)
        self.lessons = Lessons(database, self.grader, days, self.dailies, clock)

        self.reminders = reminders = Reminders(
            database, tables.find, settings.push_services, settings.new_secret, clock
        )
        self.daily_reminders = DailyReminders(database, reminders, days, clock)
        self.matchmaker = Matchmaker(database, settings, tables, reminders.mark)
        self.clubs = Clubs(tables, event_store, settings, reminders.mark, reminders.mark_round)
        self.results = Results(self.clubs, event_store, tables.find, clock, self.grader.losses)
        self.same_dice = SameDice(tables, database, settings, self.grader, self.clubs)

        self._background = [part for part in vars(self).values() if isinstance(part, Background)]
        metrics.free.set_function(lambda: self.free_space.bytes)
        metrics.deletion_age.set_function(lambda: clock() - self.pruner.swept_at)
        metrics.tables.set_function(lambda: tables.num_live)
        metrics.repeated_writes.set_function(lambda: database.num_repeated)
        metrics.solving.set_function(lambda: searches.num_waiting)
        metrics.pool_calls.set_function(lambda: pool.num_calls)

    def part(self, kind: type[T]) -> T:
        """The part of a type."""
        return next(part for part in vars(self).values() if isinstance(part, kind))

    def _on_solved(self, is_found: bool) -> None:
        self.metrics.solves.labels("found" if is_found else "none").inc()
        self.tables.refresh_values()
        if is_found:
            self.grader.find_values()

    def _on_append(self, live: LiveTable, step: Step) -> None:
        self.metrics.events.labels(step.event.__struct_config__.tag).inc()
        self.dice.add(live, step.event)
        self.reminders.mark(live.id)
        if step.table.has_ended or live.table.has_ended:
            self.grader.find_marked()
            if step.table.created.is_called:
                self.matchmaker.note_end()

    async def start(self) -> None:
        """Announce this process to others, and start the background work."""
        await self.heartbeat.once()
        if self.notices:
            self.notices.start()
        self.searches.start()
        for work in self._background:
            work.start()

    async def close(self) -> None:
        """Stop the background work, and write what is queued."""
        for work in self._background:
            await work.close()
        if self.notices:
            await self.notices.close()
        await self.days.close()
        await self.pool.close()
        await self.searches.close()
        self.database.close()


def _notices(database: Database, tables: TableRegistry) -> "Notices | None":
    """The notices to and from other processes on a database; None on SQLite, which has no others."""
    if not database.is_shared:
        return None
    from fivedice.server.live.notices import Notices  # its driver is installed only where it is used

    return Notices(database, tables)
