"""`WithheldWatch`: shows values again at open tables once the game that withheld them has ended or rests."""

import asyncio
from weakref import WeakKeyDictionary

from fivedice.server.config.limits import WITHHELD_CHECK_SECONDS
from fivedice.server.live.broadcast import Broadcaster
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.subscriber import Subscriber


class WithheldWatch:
    """Asks the database from time to time whether values are still withheld, between `start` and `close`.

    A game may end in another process, and nothing happens when it begins to rest, so no event can tell.
    """

    def __init__(self, broadcaster: Broadcaster) -> None:
        self._broadcaster = broadcaster
        self._told: WeakKeyDictionary[Subscriber, tuple[LiveTable, str | None, str]] = WeakKeyDictionary()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to ask in the background."""
        self._task = asyncio.create_task(self._run())

    def close(self) -> None:
        """Stop asking."""
        if self._task:
            self._task.cancel()

    def note(self, subscriber: Subscriber, live: LiveTable, holder: str | None, withheld: str | None) -> None:
        """Remember because of which game a connection to a table was just sent no values; None if it was sent them."""
        if withheld is None:
            self._told.pop(subscriber, None)
        else:
            self._told[subscriber] = live, holder, withheld

    async def look(self) -> None:
        """Send a new view to each connection for which another game withholds values now, or none does."""
        for subscriber, (live, holder, told) in list(self._told.items()):
            if await self._broadcaster.withheld(live, holder) != told:
                subscriber.update_since(live.table.version)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(WITHHELD_CHECK_SECONDS)
            await self.look()
