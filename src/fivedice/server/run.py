"""A `Server`: the application behind uvicorn, which takes leave of everyone connected before it stops."""

import gc
import socket
from collections.abc import Callable

import uvicorn

from fivedice.errors import IllegalError
from fivedice.server.app import make_app
from fivedice.server.guard import guard
from fivedice.server.services import Services
from fivedice.server.settings import Settings

MAX_MESSAGE = 65_536
"""Bytes of a socket's message; a longer one ends the connection with code 1009."""

COLLECT_AFTER = 20_000
"""Objects made beyond those gone, until the collector looks for cycles among them; Python's 700 is for scripts."""

LEAVE_SECONDS = 10
"""How long a stopping server waits for requests under way."""


class Server(uvicorn.Server):
    """Serves one process's services; `started` is called when it can be reached."""

    def __init__(self, services: Services, tell: Callable[[], object] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                guard(make_app(services)),
                http="httptools",
                ws="websockets-sansio",
                ws_max_size=MAX_MESSAGE,
                ws_per_message_deflate=False,
                lifespan="on",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=LEAVE_SECONDS,
            )
        )
        self._services = services
        self._tell = tell

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and tell that."""
        await super().startup(sockets)
        if self.started:
            self._tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say farewell on every socket and stream, then finish what was asked for, and stop."""
        await self._services.tables.close()
        await super().shutdown(sockets)


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 is any free one. Raises `IllegalError` where it cannot be had."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise IllegalError(f"cannot listen at {host}, port {port}: {reason}") from None


def address(listening: socket.socket) -> str:
    """The address of a listening socket, as a browser takes it."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(settings: Settings, listening: socket.socket, tell: Callable[[], object] = lambda: None) -> None:
    """Serve until the process is told to stop.

    Raises `UnavailableError` or `MalformedError` if the database cannot be opened.
    """

    def begin() -> None:
        # What is there now stays: the collector, which stops everything, need not look at it again and again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(COLLECT_AFTER, 10, 20)
        tell()

    Server(Services.start(settings), begin).run(sockets=[listening])
