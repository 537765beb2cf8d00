"""`Watcher`: a WebSocket to a table, over which a test sends commands and waits for messages."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from websockets.asyncio.client import ClientConnection

from tests import clients
from tests.reliability.ledger import Json, Notes
from tests.waiting import TIMEOUT_SECONDS


class Watcher:
    """Has the newest update, the seats that are connected, the dice that the player to move keeps, and the answers to
    commands by id."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.update: Json = {}
        self.here: list[int] = []
        self.kept: list[bool] = []
        self.num_events = 0
        self.answers: dict[str, Json] = {}

    async def until(self, condition: Callable[["Watcher"], bool]) -> None:
        """Read messages until the condition holds. Raises `TimeoutError`."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not condition(self):
                self._receive(json.loads(await self._socket.recv()))

    async def until_version(self, version: int) -> None:
        """Read messages until the table has at least this version."""
        await self.until(lambda watcher: watcher.version >= version)

    async def keep(self, kept: list[bool]) -> None:
        """Show the others which dice the player to move keeps."""
        turn = self.update["view"]["turn"]
        await self._socket.send(
            json.dumps({"type": "kept", "seat": turn["seat"], "roll_id": turn["roll_id"], "kept": kept})
        )

    async def send(self, command: Json) -> Json:
        """Send a command and return its answer."""
        await self._socket.send(json.dumps(command))
        await self.until(lambda watcher: command["id"] in watcher.answers)
        return self.answers[command["id"]]

    @property
    def version(self) -> int:
        """The newest version that was received."""
        version: int = self.update["view"]["version"]
        return version

    def _receive(self, message: Json) -> None:
        if message["type"] == "update":
            self.update, self.here = message, message["here"]
            self.num_events += len(message["events"])
        elif message["type"] == "presence":
            self.here = message["here"]
        elif message["type"] == "kept":
            self.kept = message["kept"]
        elif message["type"] == "answer":
            self.answers[message["answer"]["id"]] = message["answer"]


@asynccontextmanager
async def watching(url: str, notes: Notes, seat: int) -> AsyncIterator[Watcher]:
    """Connect to a table on a server with the cookie of a seat."""
    address = f"{url.replace('http', 'ws', 1)}/api/tables/{notes.table}/socket?since=1"
    async with clients.connect_async(
        address, additional_headers={"cookie": notes.cookies[seat]}, close_timeout=0.1
    ) as socket:
        watcher = Watcher(socket)
        await watcher.until(lambda watcher: bool(watcher.update))
        yield watcher
