"""`Services`: what a running server consists of behind its endpoints."""

from dataclasses import dataclass

from fivedice.server.cluster.heartbeat import Heartbeat
from fivedice.server.cluster.peers import Peers
from fivedice.server.games.dice_counter import DiceCounter
from fivedice.server.games.lessons import Lessons
from fivedice.server.games.library import Library
from fivedice.server.identity.holders import Holders
from fivedice.server.live.cluster_sync import Exchange
from fivedice.server.live.command_handler import Referee
from fivedice.server.live.event_store import Journal
from fivedice.server.live.registry import Tables
from fivedice.server.ops.metrics import Metrics
from fivedice.server.ops.rate_limits import Quota
from fivedice.server.ops.readiness import Readiness
from fivedice.server.ops.settings import Settings
from fivedice.server.solving.advisor import Advisor
from fivedice.server.solving.queue import Solutions
from fivedice.solver.store_folder import solutions_folder
from fivedice.storage.engine.database import Database


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one server process."""

    settings: Settings
    database: Database
    holders: Holders
    solutions: Solutions
    advisor: Advisor
    tables: Tables
    referee: Referee
    library: Library
    exchange: Exchange
    heartbeat: Heartbeat
    dice: DiceCounter
    lessons: Lessons
    quota: Quota
    metrics: Metrics
    readiness: Readiness

    @classmethod
    def start(cls, settings: Settings) -> "Services":
        """Open the database and build the rest on it; raises `UnavailableError` or `MalformedError`."""
        quota, metrics = Quota(settings.limits), Metrics()
        database = Database(settings.database_url, serves=True)
        holders, solutions = Holders(database), Solutions(solutions_folder())
        advisor, journal = Advisor(solutions), Journal(database, metrics.count_event)
        peers, heartbeat = Peers(), Heartbeat(database, settings.clock)
        tables, dice = Tables(journal, holders, advisor, settings, peers, heartbeat), DiceCounter(database)
        journal.appended = dice.mark
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
            Referee(journal, holders, advisor, settings, heartbeat, quota, metrics),
            Library(database),
            Exchange(database, peers, tables),
            heartbeat,
            dice,
            Lessons(database, solutions, settings.clock),
            quota,
            metrics,
            Readiness(database, settings.clock),
        )

    async def close(self) -> None:
        """Stop counting and solving, leave the other processes, and write what waits."""
        await self.dice.close()
        await self.solutions.close()
        await self.exchange.close()
        await self.heartbeat.close()
        self.database.close()
