"""`DuplicateLosses`: what the decisions of games on the same dice lost, from their grades."""

import asyncio
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.games.comparison import Made
from fivedice.server.games.grading import Grader
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.searches import SERVER
from fivedice.server.table.state import Table
from fivedice.server.table.to_record import TableLog
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.decisions import Game, load_losses

if TYPE_CHECKING:
    from fivedice.analysis.learning.grades import GradedGame


class DuplicateLosses:
    """Reads grades. All methods must be called on the event loop's thread; they raise `UnavailableError`, and what is
    None waits for the solution of the rules."""

    def __init__(self, database: Database, grader: Grader) -> None:
        self._database = database
        self._grader = grader

    async def of_tables(
        self, ruleset: Ruleset, tables: Sequence[str], whos: Collection[Who] = SERVER
    ) -> dict[str, float] | None:
        """The points that were lost at each of these tables that is there still, which have ended."""
        await self._grader.read(tables)
        lost, is_whole = await self._database.fetched(partial(load_losses, games=tables))
        if not is_whole and self._grader.progress(ruleset, whos) is not None:
            return None
        return lost

    async def made(self, table: Table, log: TableLog, whos: Collection[Who] = SERVER) -> list[Made] | None:
        """The decisions of a game with their losses."""
        graded = await self._grader.graded(Game(table.id, table.version), table.ruleset, whos)
        return None if graded is None else await asyncio.to_thread(_made, log, graded)


def _made(log: TableLog, graded: "GradedGame") -> list[Made]:
    """The decisions of a game of one seat."""
    from fivedice.analysis.learning.grades import review_of

    record = log.replayed()[1]
    decisions = review_of(record, graded).seats[0].decisions
    after = [*(one.position.card.total for one in decisions[1:]), record.position.cards[0].total]
    return [
        Made(one.turn, one.position, one.position.dice, one.action, one.loss, total)
        for one, total in zip(decisions, after, strict=True)
    ]
