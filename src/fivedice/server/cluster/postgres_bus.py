"""`PostgresBus`: a `Bus` of LISTEN and NOTIFY, on two connections of its own to the database.

Notifications are sent in transactions that do nothing else. PostgreSQL lets only one transaction with a notification
commit at a time, so those that store something must have none.
"""

import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing

import psycopg
from psycopg import AsyncConnection, sql

from fivedice.server.cluster.bus import PEERS, Bus, Receiver
from fivedice.server.config.limits import PEER_EXPIRY_SECONDS
from fivedice.server.config.shards import shard_of

_PREFIX = "fivedice_"

_SEND = "SELECT pg_notify(channel, lines) FROM unnest(%s::text[], %s::text[]) AS sent (channel, lines)"

_log = logging.getLogger(__name__)


class PostgresBus(Bus):
    """Connects with the given arguments of `psycopg.connect`. A connection that receives nothing for
    `PEER_EXPIRY_SECONDS` is closed: every process sends something more often, and receives its own lines, too."""

    losses = (psycopg.Error, OSError)

    def __init__(self, arguments: Mapping[str, object], receiver: Receiver) -> None:
        super().__init__(receiver)
        self._arguments = {**arguments, "autocommit": True}
        self._own = f"own_{secrets.token_hex(8)}"
        """A channel on which this process wakes itself, to listen to others."""
        self._wanted = frozenset({PEERS, self._own})
        self._sender = 0
        """The id of the backend that sends for this process."""

    def listen(self, channels: Iterable[str]) -> None:
        """Listen to these channels and `PEERS`, and to no others."""
        wanted = frozenset({PEERS, self._own, *channels})
        if wanted != self._wanted:
            self._wanted = wanted
            self.send(self._own, "")

    def _connections(self) -> Mapping[str, Callable[[], Awaitable[str]]]:
        return {"listening to": self._listen, "sending to": self._send}

    async def _connect(self) -> AsyncConnection[tuple[object, ...]]:
        return await AsyncConnection.connect(**self._arguments)  # type: ignore[arg-type]

    async def _listen(self) -> str:
        """Receive until nothing has come for too long, which it returns."""
        listening: frozenset[str] = frozenset()
        try:
            async with await self._connect() as connection:
                while True:
                    if listening != self._wanted:
                        before, listening = listening, self._wanted
                        changes = [("LISTEN", listening - before), ("UNLISTEN", before - listening)]
                        await connection.execute(sql.SQL("; ").join(_statements(changes)))
                        self._on_listening(listening, before)
                    if not await self._receive(connection):
                        return f"nothing received for {PEER_EXPIRY_SECONDS:g} seconds"
        finally:
            self._on_deaf()

    async def _receive(self, connection: AsyncConnection[tuple[object, ...]]) -> bool:
        """Receive until there are others to listen to, or nothing has come for too long; whether something has."""
        has_received = False
        async with aclosing(connection.notifies(timeout=PEER_EXPIRY_SECONDS)) as messages:
            async for message in messages:
                has_received = True
                channel = message.channel.removeprefix(_PREFIX)
                if channel == self._own:
                    return True
                if message.pid != self._sender:
                    self._receiver.on_lines(channel, message.payload.split("\n"))
        return has_received

    async def _send(self) -> str:
        """Send what is queued, until the connection is lost, which raises."""
        async with await self._connect() as connection:
            if self._sender:  # lines may have been lost with the last connection
                self._receiver.on_gap()
            self._sender = connection.info.backend_pid
            while True:
                await self._has_work.wait()
                messages = [(_PREFIX + channel, text) for channel, text in self._taken()]
                await connection.execute(_SEND, [list(column) for column in zip(*messages, strict=True)])
                self._on_sent()


def send_once(arguments: Mapping[str, object], lines: Sequence[str]) -> None:
    """Announce lines about tables, for a process that serves none. An error is logged: servers find out by themselves
    when they use the tables."""
    channels = [_PREFIX + shard_of(line.partition(" ")[0]) for line in lines]
    try:
        with psycopg.connect(**{**arguments, "autocommit": True}) as connection:  # type: ignore[arg-type]
            connection.execute(_SEND, [channels, list(lines)])
    except psycopg.Error as error:
        _log.warning("the servers on this database were not told what has changed: %s", error)


def _statements(changes: Iterable[tuple[str, Iterable[str]]]) -> list[sql.Composable]:
    return [
        sql.SQL(verb + " {}").format(sql.Identifier(_PREFIX + channel))
        for verb, channels in changes
        for channel in sorted(channels)
    ]
