"""`NatsBus`: a `Bus` of subjects of a NATS server, on one connection.

NATS stores nothing. It closes a connection whose client reads too slowly, and each batch of lines is followed by a
question that it answers when it has read them; so whatever is lost is followed by a new connection, which is a gap.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fivedice.base.errors import MalformedError, shown
from fivedice.base.extras import needs_extra
from fivedice.server.cluster.bus import PEERS, Bus, Receiver
from fivedice.server.config.limits import BUS_ANSWER_SECONDS, BUS_CHECK_SECONDS
from fivedice.server.config.shards import shard_of

with needs_extra("fivedice serve --messages", "nats"):
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.aio.subscription import Subscription
    from nats.errors import Error as NatsError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_log = logging.getLogger(__name__)

_LOSSES = (NatsError, OSError, TimeoutError)


class NatsBus(Bus):
    """Connects to the server at an address of the form `nats://USER:PASSWORD@HOST:PORT/SUBJECTS`.

    All its subjects begin with the last part, or with `fivedice`: processes on another database must have another.
    """

    losses = _LOSSES

    def __init__(self, address: str, receiver: Receiver) -> None:
        super().__init__(receiver)
        self._address, self._subjects = _parsed(address)
        self._wanted = frozenset({PEERS})

    def listen(self, channels: Iterable[str]) -> None:
        """Listen to these channels and `PEERS`, and to no others."""
        self._wanted = frozenset({PEERS, *channels})
        self._has_work.set()

    def _connections(self) -> Mapping[str, Callable[[], Awaitable[str]]]:
        return {"messages from and to": self._exchange}

    async def _exchange(self) -> str:
        """Send and receive until the connection is lost, which it returns or raises."""
        failures: list[Exception] = []
        listening: dict[str, Subscription] = {}

        async def on_error(error: Exception) -> None:
            failures.append(error)
            self._has_work.set()

        try:
            async with _connected(self._address, on_error) as client:
                while not failures:
                    before = frozenset(listening)
                    for channel in self._wanted - before:
                        listening[channel] = await client.subscribe(
                            self._subjects + channel, cb=self._receive, pending_msgs_limit=0, pending_bytes_limit=0
                        )
                    for channel in before - self._wanted:
                        await listening.pop(channel).unsubscribe()
                    for channel, text in self._taken():
                        await client.publish(self._subjects + channel, text.encode())
                    await client.rtt(BUS_ANSWER_SECONDS)  # type: ignore[arg-type]  # also raises if it is frozen
                    if before != frozenset(listening):
                        self._on_listening(frozenset(listening), before)
                    self._on_sent()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(BUS_CHECK_SECONDS):
                            await self._has_work.wait()
                raise failures[0]
        finally:
            self._on_deaf()

    async def _receive(self, message: Msg) -> None:
        self._receiver.on_lines(message.subject.removeprefix(self._subjects), message.data.decode().split("\n"))


def send_once(address: str, lines: Sequence[str]) -> None:
    """Announce lines about tables, for a process that serves none. An error is logged: servers find out by themselves
    when they use the tables."""
    server, subjects = _parsed(address)

    async def send() -> None:
        async with _connected(server, _ignore) as client:
            for line in lines:
                await client.publish(subjects + shard_of(line.partition(" ")[0]), line.encode())
            await client.rtt(BUS_ANSWER_SECONDS)  # type: ignore[arg-type]

    try:
        asyncio.run(send())
    except _LOSSES as error:
        _log.warning("the servers on this database were not told what has changed: %s", error)


def check_address(address: str) -> None:
    """Raises `MalformedError` if this cannot be the address of a NATS server."""
    _parsed(address)


def _parsed(address: str) -> tuple[str, str]:
    """The address of a server without its last part, and what its subjects begin with."""
    wanted = re.fullmatch(r"((?:nats|tls)://[^/\s?#]+)/?([A-Za-z0-9_-]*)", address)
    try:
        if wanted and urlsplit(address).hostname and urlsplit(address).port != 0:
            return wanted[1], f"{wanted[2] or 'fivedice'}."
    except ValueError:  # no such port
        pass
    raise MalformedError(
        f"messages {shown(re.sub('//.*@', '//…@', address))}: want nats://HOST:PORT or tls://HOST:PORT"
    )


async def _ignore(error: Exception) -> None:
    """Do nothing: an error is raised, too."""


@asynccontextmanager
async def _connected(address: str, on_error: Callable[[Exception], Awaitable[None]]) -> "AsyncIterator[Client]":
    """A connection that is never made again by itself, because the library would not tell what was lost.

    It receives nothing that it has sent itself.
    """
    client, refusals = Client(), []

    async def note(error: Exception) -> None:
        refusals.append(error)
        await on_error(error)

    try:
        async with asyncio.timeout(BUS_ANSWER_SECONDS):
            try:
                await client.connect(
                    address, error_cb=note, allow_reconnect=False, max_reconnect_attempts=1, reconnect_time_wait=0,
                    no_echo=True,
                )  # fmt: skip
            except NatsError as error:
                raise refusals[0] if refusals else error from None
        yield client
    finally:
        with suppress(*_LOSSES):
            async with asyncio.timeout(BUS_ANSWER_SECONDS):
                await client.close()
