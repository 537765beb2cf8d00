"""`Services`: the parts of a running server behind its endpoints."""

from dataclasses import dataclass

from fivedice.server.cluster.heartbeat import Heartbeat
from fivedice.server.cluster.peers import Peers
from fivedice.server.config.limits import ADDRESS_JOBS, HOLDER_JOBS, MAX_ADDRESS_JOBS
from fivedice.server.config.settings import Settings
from fivedice.server.games.dice_counter import DiceCounter
from fivedice.server.games.game_list import GameList
from fivedice.server.games.holder_figures import HolderFigures
from fivedice.server.games.lessons import Lessons
from fivedice.server.games.library import Library
from fivedice.server.games.pictures import Pictures
from fivedice.server.games.pruner import Pruner
from fivedice.server.games.reviews import Reviews
from fivedice.server.identity.holders import Holders
from fivedice.server.live.cluster_sync import ClusterSync
from fivedice.server.live.command_handler import CommandHandler
from fivedice.server.live.event_store import EventStore
from fivedice.server.live.registry import TableRegistry
from fivedice.server.live.withholding import Withholding
from fivedice.server.ops.free_space import FreeSpace
from fivedice.server.ops.jobs import Jobs
from fivedice.server.ops.metrics import Metrics
from fivedice.server.ops.rate_limits import RateLimiter
from fivedice.server.ops.readiness import Readiness
from fivedice.server.ops.storage_guard import StorageGuard
from fivedice.server.solving.advisor import Advisor
from fivedice.server.solving.helper import Helper
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.table.event import Event
from fivedice.solver.saved.kept_tables import solutions_folder
from fivedice.storage.engine.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The parts of one server process."""

    settings: Settings
    database: Database
    holders: Holders
    solutions: SolutionQueue
    advisor: Advisor
    tables: TableRegistry
    command_handler: CommandHandler
    withholding: Withholding
    helper: Helper
    library: Library
    game_list: GameList
    holder_figures: HolderFigures
    reviews: Reviews
    cluster_sync: ClusterSync
    heartbeat: Heartbeat
    dice: DiceCounter
    pruner: Pruner
    lessons: Lessons
    pictures: Pictures
    holder_jobs: Jobs
    """Work over all games of a holder."""
    game_jobs: Jobs
    """Work over one game or position, which does not wait for the former."""
    rate_limiter: RateLimiter
    free_space: FreeSpace
    storage_guard: StorageGuard
    metrics: Metrics
    readiness: Readiness

    @classmethod
    def start(cls, settings: Settings) -> "Services":
        """Open the database and build the rest on it; raises `UnavailableError` or `MalformedError`."""
        metrics = Metrics()
        rate_limiter = RateLimiter(settings.limits)
        database = Database(settings.database_url, serves=True)
        free_space = FreeSpace(database.folder, settings.min_free)
        storage_guard = StorageGuard(rate_limiter, free_space)
        dice = DiceCounter(database)
        holders = Holders(database, settings.clock)
        solutions = SolutionQueue(solutions_folder(), on_finished=metrics.count_solve)
        advisor = Advisor(solutions)
        helper = Helper(on_lost=metrics.helper_losses.inc)
        peers = Peers()

        def on_append(table: str, event: Event) -> None:
            metrics.count_event(str(event.__struct_config__.tag))
            dice.mark(table)

        def on_pause() -> None:
            tables.refresh_idle_timers()

        event_store = EventStore(database, on_append, settings.clock)
        withholding = Withholding(database, settings.clock, settings.withhold)
        heartbeat = Heartbeat(database, settings.clock, on_pause)
        tables = TableRegistry(
            event_store=event_store,
            holders=holders,
            advisor=advisor,
            withholding=withholding,
            settings=settings,
            peers=peers,
            heartbeat=heartbeat,
            rate_limiter=rate_limiter,
        )
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
        metrics.solving.set_function(lambda: solutions.num_waiting)
        metrics.helper_calls.set_function(lambda: helper.num_calls)
        library = Library(database, helper)
        return cls(
            settings=settings,
            database=database,
            holders=holders,
            solutions=solutions,
            advisor=advisor,
            tables=tables,
            command_handler=command_handler,
            withholding=withholding,
            helper=helper,
            library=library,
            game_list=GameList(database),
            holder_figures=HolderFigures(library, helper, solutions),
            reviews=Reviews(library, solutions),
            cluster_sync=ClusterSync(database, peers, tables),
            heartbeat=heartbeat,
            dice=dice,
            pruner=Pruner(database, settings.retention, settings.clock, tables.in_use, tables.forget),
            lessons=Lessons(database, library, solutions, settings.clock),
            pictures=Pictures(solutions, settings.page / "assets"),
            holder_jobs=Jobs(per_holder=HOLDER_JOBS, per_address=ADDRESS_JOBS, max_jobs=MAX_ADDRESS_JOBS),
            game_jobs=Jobs(per_holder=HOLDER_JOBS, per_address=ADDRESS_JOBS, max_jobs=MAX_ADDRESS_JOBS),
            rate_limiter=rate_limiter,
            free_space=free_space,
            storage_guard=storage_guard,
            metrics=metrics,
            readiness=Readiness(database, settings.clock),
        )

    async def close(self) -> None:
        """Stop counting, deleting, solving and computing, leave the cluster, and write what is queued."""
        await self.free_space.close()
        await self.dice.close()
        await self.pruner.close()
        await self.helper.close()
        await self.solutions.close()
        await self.cluster_sync.close()
        await self.heartbeat.close()
        self.database.close()
