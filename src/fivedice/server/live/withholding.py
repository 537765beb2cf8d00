"""`Withholding`: the rule that a browser which plays a game that withholds advice, or has not finished a try of today,
gets no exact answers elsewhere. A game on the same dice as others withholds them until it has ended or closed, however
long nobody acts in it.

Positions cannot be compared tightly enough: the same dice with another number of rolls left, or almost the same rules,
tell as much. So the rule does not look at what is asked. It is decided from the stored seats at each question, and so
holds in all processes at once.
"""

from collections.abc import Callable
from datetime import UTC, tzinfo

from sqlalchemy import Connection

from fivedice.daily.days import day_at
from fivedice.daily.results import is_late
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import begun_tries
from fivedice.storage.rows.duplicates import open_entry
from fivedice.storage.rows.tables import withholding_game

DAILY = "daily"
"""What withholds advice instead of a table, whose ids are longer."""


class WithheldError(ValueError):
    """The asker plays the game of `table`, which withholds advice; it is `DAILY` for a try of today."""

    def __init__(self, table: str, minutes: float) -> None:
        super().__init__(
            "you have begun today's daily, /daily: until you have finished it or given it up, this server answers no "
            "question about values"
            if table == DAILY
            else f"you are playing a game that withholds advice, /t/{table}: until it is over, given up or closed, or "
            f"nobody has acted in it for {minutes:g} minutes unless others play the same dice, this server answers no "
            "question about values"
        )
        self.table = table


class Withholding:
    """Finds what withholds advice: games, unless they had no action for `seconds`, and tries of today in a time zone.

    With 0 seconds nothing does.
    """

    def __init__(self, database: Database, clock: Callable[[], float], seconds: float, zone: tzinfo = UTC) -> None:
        self._database = database
        self._clock = clock
        self._seconds = seconds
        self._zone = zone

    async def game(self, holder: str | None, besides: str = "") -> str | None:
        """The table of the game, other than `besides`, that withholds advice from a holder now, or `DAILY`; None if
        nothing does.

        Raises `UnavailableError`.
        """
        if holder is None:
            return None
        now = self._clock()
        day = day_at(now, self._zone)

        def find(connection: Connection) -> str | None:
            if table := withholding_game(connection, holder, now - self._seconds, besides):
                return table
            if self._seconds and (table := open_entry(connection, holder, now, besides)):
                return table
            begun = begun_tries(connection, holder, day.isoformat()) if self._seconds else []
            return DAILY if any(not is_late(one.kind, one.began, now) for one in begun) else None

        return await self._database.fetched(find)

    async def check(self, holder: str | None) -> None:
        """Raise `WithheldError` if a game withholds advice from a holder now, or `UnavailableError`."""
        if table := await self.game(holder):
            raise WithheldError(table, self._seconds / 60)
