"""A `Watcher`: one socket to a table, whose messages a test waits for and whose commands it sends."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from websockets.asyncio.client import ClientConnection, connect

from tests.reliability.ledger import Json, Notes

SECONDS = 15


class Watcher:
    """Knows the newest update of its connection, and what its commands were answered."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.update: Json = {}
        self.here: list[int] = []
        self.num_events = 0
        self.answers: dict[str, Json] = {}

    async def until(self, condition: Callable[["Watcher"], bool]) -> None:
        """Read messages until something is so; raises `TimeoutError`."""
        async with asyncio.timeout(SECONDS):
            while not condition(self):
                self._take(json.loads(await self._socket.recv()))

    async def until_version(self, version: int) -> None:
        """Read messages until one shows this version of the table, or a later one."""
        await self.until(lambda watcher: watcher.version >= version)

    async def send(self, command: Json) -> Json:
        """The answer to a command."""
        await self._socket.send(json.dumps(command))
        await self.until(lambda watcher: command["id"] in watcher.answers)
        return self.answers[command["id"]]

    @property
    def version(self) -> int:
        """The newest version that it was shown."""
        version: int = self.update["view"]["version"]
        return version

    def _take(self, message: Json) -> None:
        if message["type"] == "update":
            self.update, self.here = message, message["here"]
            self.num_events += len(message["events"])
        elif message["type"] == "presence":
            self.here = message["here"]
        elif message["type"] == "answer":
            self.answers[message["answer"]["id"]] = message["answer"]


@asynccontextmanager
async def watching(url: str, notes: Notes, seat: int) -> AsyncIterator[Watcher]:
    """A connection of a seat's browser to a server."""
    address = f"{url.replace('http', 'ws', 1)}/api/tables/{notes.table}/socket?since=1"
    async with connect(address, additional_headers={"cookie": notes.cookies[seat]}, close_timeout=0.1) as socket:
        watcher = Watcher(socket)
        await watcher.until(lambda watcher: bool(watcher.update))
        yield watcher
