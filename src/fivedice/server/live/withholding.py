"""`Withholding`: the rule that a browser which plays a game that withholds advice gets no exact answers elsewhere.

Positions cannot be compared tightly enough: the same dice with another number of rolls left, or almost the same rules,
tell as much. So the rule does not look at what is asked. It is decided from the stored seats at each question, and so
holds in all processes at once.
"""

from collections.abc import Callable

from fivedice.storage.engine.database import Database
from fivedice.storage.rows.tables import withholding_game


class WithheldError(ValueError):
    """The asker plays the game of `table`, which withholds advice."""

    def __init__(self, table: str, minutes: float) -> None:
        super().__init__(
            f"you are playing a game that withholds advice, /t/{table}: until it is over, given up or closed, or "
            f"nobody has acted in it for {minutes:g} minutes, this server answers no question about values"
        )
        self.table = table


class Withholding:
    """Finds the games that withhold advice. A game without an action for `seconds` withholds none."""

    def __init__(self, database: Database, clock: Callable[[], float], seconds: float) -> None:
        self._database = database
        self._clock = clock
        self._seconds = seconds

    async def game(self, holder: str | None, besides: str = "") -> str | None:
        """The table of the game, other than `besides`, that withholds advice from a holder now; None if none does.

        Raises `UnavailableError`.
        """
        if holder is None:
            return None
        since = self._clock() - self._seconds
        return await self._database.fetched(lambda connection: withholding_game(connection, holder, since, besides))

    async def check(self, holder: str | None) -> None:
        """Raise `WithheldError` if a game withholds advice from a holder now, or `UnavailableError`."""
        if table := await self.game(holder):
            raise WithheldError(table, self._seconds / 60)
