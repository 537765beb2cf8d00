"""`Tables`: the live tables of this process; every change of a table goes through here, one at a time for each table.

A table lives in memory from the first time somebody looks at it, and is forgotten when nobody does. An event is
stored before anyone hears of it. Where the database holds an event that this process has not seen, because another
process wrote it or because a commit failed half-way, the table is read again and the command judged again.
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping

import msgspec
from sqlalchemy import Connection

from fivedice.errors import UnknownError, shown
from fivedice.server.advisor import Advisor
from fivedice.server.bots import bot_step, is_bots_turn
from fivedice.server.commands import Accepted, AnyAnswer, AnyCommand, Refused, Rematch
from fivedice.server.creation import rematch_of
from fivedice.server.events import AnyEvent, Created, Rematched, Sat
from fivedice.server.feed import Feed
from fivedice.server.holders import Holders, ensure_holder
from fivedice.server.judge import Refusal, judge
from fivedice.server.livetable import LiveTable
from fivedice.server.news import FAREWELL, News
from fivedice.server.settings import Settings
from fivedice.server.view import view
from fivedice.server.views import TableView
from fivedice.server.visitor import Visitor
from fivedice.storage.database import Database, UnavailableError
from fivedice.storage.games import create_table, hold_seat, load_table
from fivedice.storage.writer import Entry, append_entries

MAX_LIVE = 2_000
"""Tables that are kept in memory although nobody is connected and nothing is to happen at them."""

AGAIN = 1.0
"""Seconds until a computer player tries again, where the database could not be used."""

_encode = msgspec.json.Encoder().encode


class Tables:
    """Finds, creates and changes tables. All methods belong to the event loop's thread."""

    def __init__(self, database: Database, holders: Holders, advisor: Advisor, settings: Settings) -> None:
        self._database = database
        self._holders = holders
        self._advisor = advisor
        self._settings = settings
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False
        self.up_since = settings.clock()
        self.news = News(self.look, settings.clock)

    async def find(self, id: str) -> LiveTable:
        """The table of this name; raises `UnknownError`, or `UnavailableError` where it cannot be read."""
        live = self._live.get(id)
        if live is None:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
            live = await asyncio.shield(self._loading[id])
        if id in self._live:
            self._live.move_to_end(id)
        return live
