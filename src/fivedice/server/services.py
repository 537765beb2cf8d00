"""`Services`: the parts of a running server behind its endpoints."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from fivedice.daily.days import zone_of
from fivedice.server.clubs.clubs import Clubs
from fivedice.server.clubs.logs import ClubLogs
from fivedice.server.clubs.results import Results
from fivedice.server.cluster.bus import Bus, Receiver
from fivedice.server.cluster.heartbeat import Heartbeat
from fivedice.server.cluster.peers import Peers
from fivedice.server.config.settings import Settings
from fivedice.server.games.dailies import Dailies
from fivedice.server.games.daily_counts import DailyCounts
from fivedice.server.games.daily_views import DailyViews
from fivedice.server.games.dice_counter import DiceCounter
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.games.duplicate_losses import DuplicateLosses
from fivedice.server.games.game_list import GameList
from fivedice.server.games.holder_figures import HolderFigures
from fivedice.server.games.lessons import Lessons
from fivedice.server.games.library import Library
from fivedice.server.games.pictures import Pictures
from fivedice.server.games.pruner import Pruner
from fivedice.server.games.ratings import Ratings
from fivedice.server.games.reviews import Reviews
from fivedice.server.identity.holders import Holders
from fivedice.server.live.cluster_sync import ClusterSync
from fivedice.server.live.command_handler import CommandHandler
from fivedice.server.live.daily_reminders import DailyReminders
from fivedice.server.live.duplicates import Duplicates
from fivedice.server.live.event_store import EventStore
from fivedice.server.live.late_tables import LateTables
from fivedice.server.live.matchmaker import Matchmaker
from fivedice.server.live.registry import TableRegistry
from fivedice.server.live.reminders import Reminders
from fivedice.server.live.withholding import Withholding
from fivedice.server.ops.counters import CounterMemory, Counters
from fivedice.server.ops.metrics import Metrics
from fivedice.server.ops.rate_limits import NAMES, RateLimiter
from fivedice.server.ops.readiness import Readiness
from fivedice.server.ops.storage_guard import FreeSpace, StorageGuard
from fivedice.server.solving.advisor import Advisor
from fivedice.server.solving.compute import Compute
from fivedice.server.solving.computer_players import ComputerPlayers
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches
from fivedice.server.solving.worker_process import WorkerProcess
from fivedice.server.table.event import Event
from fivedice.solver.saved.kept_tables import solutions_folder
from fivedice.storage.engine.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The parts of one server process."""

    settings: Settings
    database: Database
    holders: Holders
    searches: Searches
    advisor: Advisor
    tables: TableRegistry
    command_handler: CommandHandler
    withholding: Withholding
    compute: Compute | None
    pool: Pool
    library: Library
    game_list: GameList
    holder_figures: HolderFigures
    reviews: Reviews
    cluster_sync: ClusterSync
    heartbeat: Heartbeat
    days: DrawnDays
    dailies: Dailies
    daily_counts: DailyCounts
    daily_views: DailyViews
    dice: DiceCounter
    ratings: Ratings
    pruner: Pruner
    lessons: Lessons
    pictures: Pictures
    reminders: Reminders
    daily_reminders: DailyReminders
    clubs: Clubs
    results: Results
    late_tables: LateTables
    matchmaker: Matchmaker
    duplicates: Duplicates
    duplicate_losses: DuplicateLosses
    rate_limiter: RateLimiter
    free_space: FreeSpace
    storage_guard: StorageGuard
    metrics: Metrics
    readiness: Readiness

    @classmethod
    def start(cls, settings: Settings, memory: CounterMemory | None = None) -> "Services":
        """Open the database and build the rest on it; raises `UnavailableError` or `MalformedError`.

        `memory` is what the workers of a server share to count together.
        """
        metrics = Metrics()
        counters = Counters(memory or CounterMemory.private(NAMES))
        rate_limiter = RateLimiter(settings.limits, counters)
        database = Database(settings.database_url, serves=True)
        free_space = FreeSpace(database.folder, settings.min_free)
        storage_guard = StorageGuard(rate_limiter, free_space)
        dice = DiceCounter(database)
        holders = Holders(database, settings.clock)
        compute = Compute(settings.compute) if settings.compute else None
        pool = Pool(metrics.pool_losses.inc, counters, (compute or WorkerProcess).start)
        searches = Searches(solutions_folder(), metrics.count_solve, counters, compute)
        advisor = Advisor(searches, pool if compute else None)
        peers = Peers(is_shared=database.is_shared)

        def on_append(table: str, event: Event) -> None:
            metrics.count_event(str(event.__struct_config__.tag))
            dice.mark(table)
            reminders.mark(table)

        def on_pause() -> None:
            tables.refresh_idle_timers()

        event_store = EventStore(database, on_append, settings.clock)
        zone = zone_of(settings.time_zone)
        withholding = Withholding(database, settings.clock, settings.withhold, zone)
        heartbeat = Heartbeat(database, settings.clock, on_pause)
        tables = TableRegistry(
            event_store=event_store,
            holders=holders,
            advisor=advisor,
            players=ComputerPlayers(advisor, pool),
            withholding=withholding,
            settings=settings,
            peers=peers,
            heartbeat=heartbeat,
            rate_limiter=rate_limiter,
        )
        reminders = Reminders(database, tables.find, settings.push_services, settings.new_secret)
        command_handler = CommandHandler(
            event_store=event_store,
            holders=holders,
            advisor=advisor,
            withholding=withholding,
            settings=settings,
            heartbeat=heartbeat,
            rate_limiter=rate_limiter,
            storage_guard=storage_guard,
            metrics=metrics,
        )
        metrics.tables.set_function(lambda: tables.num_live)
        metrics.repeated_writes.set_function(lambda: database.num_repeated)
        metrics.solving.set_function(lambda: searches.num_waiting)
        metrics.pool_calls.set_function(lambda: pool.num_calls)
        library = Library(database, pool)
        days = DrawnDays(database, searches, pool, settings.clock, settings.new_secret, zone)
        dailies = Dailies(database, searches, pool, days)
        daily_counts = DailyCounts(database, days)
        club_logs = ClubLogs(database)
        duplicate_losses = DuplicateLosses(database, library, pool, searches)
        return cls(
            settings=settings,
            database=database,
            holders=holders,
            searches=searches,
            advisor=advisor,
            tables=tables,
            command_handler=command_handler,
            withholding=withholding,
            compute=compute,
            pool=pool,
            library=library,
            game_list=GameList(database, library),
            holder_figures=HolderFigures(library, pool, searches, days, dailies),
            reviews=Reviews(pool, searches),
            cluster_sync=ClusterSync(database, peers, tables, metrics, _bus(database, settings.messages)),
            heartbeat=heartbeat,
            days=days,
            dailies=dailies,
            daily_counts=daily_counts,
            daily_views=DailyViews(days, dailies, daily_counts, database),
            dice=dice,
            ratings=Ratings(database),
            pruner=Pruner(database, settings.retention, settings.clock, tables.in_use, tables.forget),
            lessons=Lessons(database, library, searches, days, dailies, settings.clock),
            pictures=Pictures(pool, searches, settings.page / "assets"),
            reminders=reminders,
            daily_reminders=DailyReminders(database, reminders, days, settings.clock),
            clubs=Clubs(club_logs, settings, reminders.mark, reminders.mark_round),
            results=Results(club_logs, tables.find, settings.clock, duplicate_losses.of_tables),
            late_tables=LateTables(database, tables.open_late, settings.clock),
            matchmaker=Matchmaker(database, settings, reminders.mark),
            duplicates=Duplicates(database, settings),
            duplicate_losses=duplicate_losses,
            rate_limiter=rate_limiter,
            free_space=free_space,
            storage_guard=storage_guard,
            metrics=metrics,
            readiness=Readiness(database, settings.clock),
        )

    async def close(self) -> None:
        """Leave the cluster, stop counting, solving and computing, and write what is queued."""
        await self.pruner.close()
        await self.cluster_sync.close()
        await self.free_space.close()
        await self.dice.close()
        await self.ratings.close()
        await self.reminders.close()
        await self.daily_reminders.close()
        await self.results.close()
        await self.late_tables.close()
        await self.days.close()
        await self.pool.close()
        await self.searches.close()
        if self.compute:
            await self.compute.close()
        await self.heartbeat.close()
        self.database.close()


def _bus(database: Database, messages: str) -> Callable[[Receiver], Bus] | None:
    """What carries messages between the processes on a database; None if there is only one."""
    if not database.is_shared:
        return None
    # Imported here because their drivers are installed only where they are used.
    if messages:
        from fivedice.server.cluster.nats_bus import NatsBus

        return partial(NatsBus, messages)
    from fivedice.server.cluster.postgres_bus import PostgresBus

    return partial(PostgresBus, database.arguments)
