"""`Services`: what a running server consists of behind its endpoints."""

from dataclasses import dataclass

from fivedice.server.advisor import Advisor
from fivedice.server.dicecounter import DiceCounter
from fivedice.server.holders import Holders
from fivedice.server.journal import Journal
from fivedice.server.lessons import Lessons
from fivedice.server.library import Library
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
    dice: DiceCounter
    lessons: Lessons

    @classmethod
    def start(cls, settings: Settings) -> "Services":
        """Open the database and build the rest on it; raises `UnavailableError` or `MalformedError`."""
        database = Database(settings.database_url)
        holders, solutions = Holders(database), Solutions(solutions_folder())
        dice = DiceCounter(database)
        advisor, journal, up_since = Advisor(solutions), Journal(database), settings.clock()
        journal.appended = dice.mark
        return cls(
            settings,
            database,
            holders,
            solutions,
            advisor,
            Tables(journal, holders, advisor, settings, up_since),
            Referee(journal, holders, advisor, settings, up_since),
            Library(database),
            dice,
            Lessons(database, solutions, settings.clock),
        )

    async def close(self) -> None:
        """Stop solving, and write what waits."""
        await self.dice.close()
        await self.solutions.close()
        self.database.close()
