"""`Balancer`: an address in front of several servers, as a load balancer provides it."""

import asyncio
import random
import threading
from collections.abc import Sequence
from contextlib import suppress

from tests.waiting import TIMEOUT_SECONDS


class Balancer:
    """Forwards each connection to one of `ports`, in random order, or to the next if one refuses it."""

    def __init__(self, ports: Sequence[int] = (), seed: int = 1) -> None:
        self.ports = list(ports)
        self.num_lost = 0
        """How many connections all servers refused."""
        self._rng = random.Random(seed)
        self._connections: set[asyncio.Task[None]] = set()

    def __enter__(self) -> "Balancer":
        started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(started)), daemon=True)
        self._thread.start()
        assert started.wait(TIMEOUT_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(TIMEOUT_SECONDS)

    async def _serve(self, started: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._forward, "127.0.0.1", 0)
        self.port: int = server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        started.set()
        await self._stop.wait()
        server.close()
        for connection in list(self._connections):
            connection.cancel()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._connections.add(task)
        try:
            for port in self._rng.sample(self.ports, len(self.ports)):
                try:
                    its_reader, its_writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    continue
                await asyncio.gather(_copy(reader, its_writer), _copy(its_reader, writer))
                return
            self.num_lost += 1
        except asyncio.CancelledError:  # the balancer stops
            pass
        finally:
            writer.close()
            self._connections.discard(task)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.close()
