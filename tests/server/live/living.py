"""The parts of a server without HTTP, for direct tests of its live tables, and another process that writes to them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from fivedice.game.proof import commitment
from fivedice.server.identity.holders import Visitor
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.services import Services
from fivedice.server.settings import Settings
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.history import encode
from fivedice.server.table.verbs.begin import NonceAdded
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.holders import new_secret
from tests.server.scripted import SECRET, people
from tests.server.serving import Clock

TABLE = "a7Qm2x"


class Living:
    """The parts of one process. Ann holds both seats of `TABLE`; Eve is somebody else."""

    def __init__(self, services: Services, clock: Clock) -> None:
        self.services = services
        self.clock = clock
        self.event_store = services.tables._event_store
        self.ann = self.eve = Visitor(new_secret(), None)

    async def begin(self, **wanted: Any) -> LiveTable:
        services, now = self.services, self.clock()
        created = create(NewTable(people("Ann", "Ben"), **wanted), TABLE, commitment(SECRET), now)
        live = await services.tables.create(created, SECRET, Visitor(new_secret(), None), [0, 1])
        [holder] = live.holders[0]
        self.ann, self.eve = Visitor(new_secret(), holder), Visitor(new_secret(), None)
        return live

    async def write_remotely(self, version: int, body: str = "") -> None:
        """Write an event as another process does, by default a nonce; this one may not understand it."""
        first = (await self.services.tables.find(TABLE)).history.newest.command if version == 2 else ""
        nonce = encode(NonceAdded(at=self.clock(), seat=None, nonce=f"{version:02x}")).decode()
        before = first or f"remote-{version - 1}"
        stored = StoredEvent(TABLE, version, f"remote-{version}", self.clock(), body or nonce, before)
        assert await self.services.database.appended(stored)

    async def tell_remotely(self, version: int) -> None:
        """Write an event as another process does, which tells this one, and take it over."""
        await self.write_remotely(version)
        self.services.tables.on_notice(TABLE, version)
        await self.services.tables.find(TABLE)


async def received(subscriber: Subscriber) -> list[Any]:
    found: list[Any] = []
    async for message in subscriber.messages(quiet=0.05):
        if not message:
            break
        found.append(msgspec.json.decode(message))
    return found


@asynccontextmanager
async def processes(num: int, url: str, folder: Path, **settings: Any) -> AsyncIterator[list[Services]]:
    """The parts of several processes on a database."""
    found = [Services(Settings(url, page=folder, **settings)) for _ in range(num)]
    try:
        yield found
    finally:
        for services in found:
            await services.tables.close()
            await services.close()
