"""`DuplicateLosses`: what the decisions of games on the same dice lost, from their grades."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from fivedice.base.errors import IllegalError
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.games.comparison import Made
from fivedice.server.games.grading import Grader
from fivedice.server.table.state import Table
from fivedice.server.table.to_record import TableLog
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.decisions import Game, load_losses

if TYPE_CHECKING:
    from fivedice.analysis.learning.grades import GradedGame


class DuplicateLosses:
    """Reads grades. All methods must be called on the event loop's thread; they raise `UnavailableError`, and what is
    None has to wait for values of the rules."""

    def __init__(self, database: Database, grader: Grader) -> None:
        self._database = database
        self._grader = grader

    async def of_tables(self, ruleset: Ruleset, tables: Sequence[str], address: str = "") -> dict[str, float] | None:
        """The points that were lost at each of these tables that is there still, which have ended."""
        await self._grader.read(tables)
        lost, is_whole = await self._database.fetched(partial(load_losses, games=tables))
        if not is_whole and self._grader.seek(ruleset, address):
            return None
        return lost

    async def made(self, table: Table, log: TableLog, address: str) -> list[Made]:
        """The decisions of a game with their losses; raises `IllegalError` if the rules cannot be solved."""
        graded = await self._grader.graded(Game(table.id, table.version), table.ruleset, address)
        if graded is None:
            raise IllegalError(f"{table.ruleset.name} cannot be solved: no losses are known")
        return await asyncio.to_thread(_made, log, graded)


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
