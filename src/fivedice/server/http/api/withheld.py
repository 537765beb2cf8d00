"""`Withheld`: the games in progress of an asker whose tables allow no advice now, and their positions."""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from fivedice.errors import UnknownError
from fivedice.game.position import Position
from fivedice.server.config.limits import MAX_WITHHELD_TABLES
from fivedice.server.http.api.asker import Asker
from fivedice.server.http.error_responses import NoAdviceError
from fivedice.server.live.live_table import LiveTable
from fivedice.server.ops.rate_limits import address_of
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.to_record import record_of
from fivedice.server.table.withheld import is_withheld, withholds_advice
from fivedice.storage.rows.tables import tables_of

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution


class Withheld:
    """The tables of one asker that withhold advice now."""

    def __init__(self, asker: Asker, tables: Sequence[LiveTable], own: Collection[str]) -> None:
        """`own` are the ids of those at which the asker plays for certain. Others may share the asker's address, so
        their tables withhold no more than decisions that were or must be made there."""
        self._asker = asker
        self._tables = tables
        self._own = own

    @classmethod
    async def of(cls, asker: Asker, table: str = "") -> "Withheld":
        """Those at which the asker's browser or address plays, and `table`, if the request names one.

        Raises `UnavailableError`.
        """
        services, holder = asker.services, asker.visitor.holder
        own = {table} - {""}
        if holder is not None:
            held = await asyncio.to_thread(
                services.database.read, lambda connection: tables_of(connection, holder, MAX_WITHHELD_TABLES)
            )
            own |= {one.id for one in held}
        nearby = services.seat_addresses.tables(address_of(asker.request.scope))
        found: list[LiveTable] = []
        for id in sorted(own.union(nearby)):
            with suppress(UnknownError):  # it was deleted since
                live = await services.tables.find(id)
                if withholds_advice(live.table):
                    found.append(live)
        return cls(asker, found, own)

    async def tables_with(self, position: Position) -> list[LiveTable]:
        """The tables that withhold advice on a position; none until its rules are solved, since there is no advice."""
        same = [live for live in self._tables if live.table.ruleset.digest == position.ruleset.digest]
        solution = self._asker.services.solutions.solution(position.ruleset) if same else None
        if solution is None:
            return []
        return [live for live in same if await self._is_withheld(live, position, solution)]

    async def check(self, position: Position) -> None:
        """Raise `NoAdviceError` if a table withholds advice on a position."""
        if await self.tables_with(position):
            raise NoAdviceError

    async def _is_withheld(self, live: LiveTable, asked: Position, solution: "Solution") -> bool:
        table, events, secret = live.table, live.history.events(), live.secret
        is_exact = live.id not in self._own

        def decide() -> bool:
            # Imported here: analysis needs NumPy, which a server without advice never loads.
            from fivedice.analysis.advice import state_index

            decisions = record_of(table, events, secret).decisions() if table.help == "none" else ()
            earlier = (position for _, position, _ in decisions)
            return is_withheld(table, asked, lambda card: state_index(solution, card), earlier, is_exact=is_exact)

        key = live.id, table.version, str(asked), is_exact
        return await self._asker.one_game("withheld", lambda: in_pool("records", decide), *key)
