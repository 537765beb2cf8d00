"""`Services`: what a running server consists of behind its endpoints."""

from dataclasses import dataclass

from fivedice.server.cluster.heartbeat import Heartbeat
from fivedice.server.cluster.peers import Peers
from fivedice.server.games.dice_counter import DiceCounter
from fivedice.server.games.lessons import Lessons
from fivedice.server.games.library import Library
from fivedice.server.identity.holders import Holders
from fivedice.server.live.cluster_sync import ClusterSync
from fivedice.server.live.command_handler import CommandHandler
from fivedice.server.live.event_store import EventStore
from fivedice.server.live.registry import TableRegistry
from fivedice.server.ops.metrics import Metrics
from fivedice.server.ops.rate_limits import RateLimiter
from fivedice.server.ops.readiness import Readiness
from fivedice.server.ops.settings import Settings
from fivedice.server.solving.advisor import Advisor
from fivedice.server.solving.queue import SolutionQueue
from fivedice.solver.cache_folder import solutions_folder
from fivedice.storage.engine.database import Database


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one server process."""

    settings: Settings
    database: Database
    holders: Holders
    solutions: SolutionQueue
    advisor: Advisor
    tables: TableRegistry
    command_handler: CommandHandler
    library: Library
    cluster_sync: ClusterSync
    heartbeat: Heartbeat
    dice: DiceCounter
    lessons: Lessons
    rate_limiter: RateLimiter
    metrics: Metrics
    readiness: Readiness

    @classmethod
    def start(cls, settings: Settings) -> "Services":
        """Open the database and build the rest on it; raises `UnavailableError` or `MalformedError`."""
        rate_limiter, metrics = RateLimiter(settings.limits), Metrics()
        database = Database(settings.database_url, serves=True)
        holders, solutions = Holders(database), SolutionQueue(solutions_folder())
        advisor, event_store = Advisor(solutions), EventStore(database, metrics.count_event)
        peers, heartbeat = Peers(), Heartbeat(database, settings.clock)
        tables, dice = TableRegistry(event_store, holders, advisor, settings, peers, heartbeat), DiceCounter(database)
        event_store.appended = dice.mark
        heartbeat.paused = tables.paused
        metrics.tables.set_function(lambda: tables.num_live)
        metrics.solving.set_function(lambda: solutions.num_waiting)
        solutions.finished = metrics.count_solve
        return cls(
            settings,
            database,
            holders,
            solutions,
            advisor,
            tables,
            CommandHandler(event_store, holders, advisor, settings, heartbeat, rate_limiter, metrics),
            Library(database),
            ClusterSync(database, peers, tables),
            heartbeat,
            dice,
            Lessons(database, solutions, settings.clock),
            rate_limiter,
            metrics,
            Readiness(database, settings.clock),
        )

    async def close(self) -> None:
        """Stop counting and solving, leave the other processes, and write what waits."""
        await self.dice.close()
        await self.solutions.close()
        await self.cluster_sync.close()
        await self.heartbeat.close()
        self.database.close()
