"""`DiceCounter`: counts the rolls at the tables of this process, and adds the counts to the database every minute."""

from functools import partial
from typing import Any

from fivedice.analysis.dice_counts import Rolled, count, rolled_at
from fivedice.server.live.live_table import LiveTable
from fivedice.server.ops.background import Repeated
from fivedice.server.table.event import Event
from fivedice.server.table.history import History
from fivedice.server.table.state import PERSON
from fivedice.server.table.verbs.play import Rolled as RolledEvent
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.server import add_counts

DICE_COUNT_SECONDS = 60.0
"""Between two rounds of adding counts."""


class DiceCounter(Repeated):
    """Counts each roll once. What a process has counted since it last added is lost if it is killed or cannot add,
    whatever the dice showed."""

    pause = DICE_COUNT_SECONDS
    failure = "the dice of a minute are not counted"

    def __init__(self, database: Database) -> None:
        self._database = database
        self._rolled: list[Rolled] = []

    def add(self, live: LiveTable, event: Event) -> None:
        """Count the next event of a table, which is durable, if it is a roll."""
        if rolled := new_roll(live.history, event):
            self._rolled.append(rolled)

    async def close(self) -> None:
        """Stop, and add what is counted."""
        await super().close()
        await self.once()

    async def work(self) -> None:
        """Add the counts; raises `UnavailableError`."""
        rolled, self._rolled = self._rolled, []
        if rolled:
            await self._database.written(partial(add_counts, counts=count(rolled)))


def new_roll(history: History[Any], event: Event) -> Rolled | None:
    """The next event of a table as a roll to count; None if it is none, or the dice are not new.

    A computer player whose turn is taken back rolls the same dice again; those of a duplicate are the same at other
    tables. Real dice, which people enter, say nothing about those of the server.
    """
    table, turn = history.table, history.table.turn
    if not isinstance(event, RolledEvent) or event.is_real or event.seat is None or table.created.duplicate:
        return None
    is_person, last = event.by == PERSON, None
    if not is_person and turn.number <= table.replayed:
        return None
    if turn.rolled_at and isinstance(before := history.event_at(turn.rolled_at), RolledEvent):
        last = next((die for die, kept in zip(before.dice[::-1], _kept(before)[::-1], strict=True) if not kept), None)
    return rolled_at(tuple(event.dice), _kept(event), turn.places, last, event.seat, is_person, table.ruleset.faces)


def _kept(event: RolledEvent) -> tuple[bool, ...]:
    return tuple(event.kept) or (False,) * len(event.dice)
