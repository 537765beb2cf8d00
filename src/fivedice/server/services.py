"""`Services`: what a running server consists of behind its endpoints."""

from dataclasses import dataclass

from fivedice.server.advisor import Advisor
from fivedice.server.holders import Holders
from fivedice.server.journal import Journal
from fivedice.server.library import Library
from fivedice.server.limits import Quota
from fivedice.server.metrics import Metrics
from fivedice.server.readiness import Readiness
from fivedice.server.referee import Referee
from fivedice.server.settings import Settings
from fivedice.server.solutions import Solutions
from fivedice.server.tables import Tables
from fivedice.solver.folder import solutions_folder
from fivedice.storage.database import Database


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
    quota: Quota
    metrics: Metrics
    readiness: Readiness

    @classmethod
    def start(cls, settings: Settings) -> "Services":
        """Open the database and build the rest on it; raises `UnavailableError` or `MalformedError`."""
        database = Database(settings.database_url)
        quota, metrics = Quota(settings.limits), Metrics()
        holders, solutions = Holders(database), Solutions(solutions_folder())
        advisor, journal, up_since = Advisor(solutions), Journal(database, metrics.count_event), settings.clock()
        tables = Tables(journal, holders, advisor, settings, up_since)
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
            Referee(journal, holders, advisor, settings, up_since, quota, metrics),
            Library(database),
            quota,
            metrics,
            Readiness(database, settings.clock),
        )

    async def close(self) -> None:
        """Stop solving, and write what waits."""
        await self.solutions.close()
        self.database.close()
