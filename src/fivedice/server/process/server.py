"""A `Server`: the application behind uvicorn, which takes leave of everyone connected before it stops."""

import asyncio
import gc
import socket
import sys
from collections.abc import Callable
from importlib.metadata import version
from types import FrameType

import structlog
import uvicorn

from fivedice.errors import IllegalError
from fivedice.server.http.app import make_app
from fivedice.server.http.protocol import SocketConnection, connection_class
from fivedice.server.http.proxies import Proxies
from fivedice.server.http.request_log import with_request_log
from fivedice.server.http.security import with_security
from fivedice.server.ops.log import start_log
from fivedice.server.ops.settings import Settings
from fivedice.server.process.shutdown import LATE, ShutdownDeadline
from fivedice.server.services import Services

MAX_MESSAGE = 65_536
"""Bytes of a socket's message; a longer one ends the connection with code 1009."""

COLLECT_AFTER = 20_000
"""Objects made beyond those gone, until the collector looks for cycles among them; Python's 700 is for scripts."""

ANSWER_SECONDS = 5.0
"""How long a stopping server waits for the answers to commands."""

LEAVE_SECONDS = 6
"""How long a stopping server waits for requests under way, and for connections that do not read."""

_log = structlog.get_logger("fivedice.server")


class Server(uvicorn.Server):
    """Serves one process's services; `tell` is called when it can be reached. With a deadline a signal that tells it
    to stop sets that."""

    def __init__(
        self, services: Services, tell: Callable[[], object] = lambda: None, deadline: ShutdownDeadline | None = None
    ) -> None:
        limits, proxies = services.settings.limits, Proxies(services.settings.proxies)
        super().__init__(
            uvicorn.Config(
                with_request_log(with_security(make_app(services), services.rate_limiter), services.metrics),
                http=connection_class(limits.connections if limits else 0, proxies),
                ws=SocketConnection,
                ws_max_size=MAX_MESSAGE,
                ws_per_message_deflate=False,
                lifespan="on",
                log_config=None,
                log_level="warning",
                proxy_headers=bool(proxies.stated),
                forwarded_allow_ips=proxies.stated,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=LEAVE_SECONDS,
            )
        )
        self._services = services
        self._tell = tell
        self._deadline = deadline
        self._stop_metrics: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and tell that."""
        if self._deadline:
            self._deadline.loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started:
            if self._services.settings.metrics_ports:
                self._stop_metrics = self._services.metrics.serve(self._services.settings.metrics_ports)
            _log.info("started", version=version("fivedice"))
            self._tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer the commands under way, say farewell on every socket and stream, finish the rest, and stop.

        Leaves with status `LATE` if something had to be given up.
        """
        _log.info("stopping", connections=len(self.server_state.connections))
        self._services.readiness.is_stopping = True
        self._wait_for("the answers to commands")
        await self._services.command_handler.close(ANSWER_SECONDS)
        self._wait_for("connections to take their last messages")
        await self._services.tables.close()
        self._wait_for("requests under way, or parts of the server, to end")
        await super().shutdown(sockets)
        self._wait_for("threads to end")
        if self._stop_metrics:
            self._stop_metrics()  # not in a thread of the loop's: those may all wait for the database
        self._services.database.cut()  # whoever still reads has nobody to read for
        _log.info("stopped")
        if self._deadline and self._deadline.gave_up:
            sys.exit(LATE)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal: stop, within the deadline."""
        if self._deadline:
            self._deadline.tell()
        super().handle_exit(sig, frame)

    def _wait_for(self, what: str) -> None:
        if self._deadline:
            self._deadline.waiting_for = what


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 is any free one. Raises `IllegalError` where it cannot be had."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise IllegalError(f"cannot listen at {host}, port {port}: {reason}") from None
    # Connections inherit this. asyncio's own loop leaves it out for such a socket, and then the body of an answer waits
    # for the other end to acknowledge its head, which takes it 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address(listening: socket.socket) -> str:
    """The address of a listening socket, as a browser takes it."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(settings: Settings, listening: socket.socket, tell: Callable[[], object] = lambda: None) -> None:
    """Serve until the process is told to stop, which it then has, `STOP_SECONDS` later at the latest.

    Raises `UnavailableError` or `MalformedError` if the database cannot be opened.
    """
    if settings.log:
        start_log(*settings.log)

    def begin() -> None:
        # What is there now stays: the collector, which stops everything, need not look at it again and again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(COLLECT_AFTER, 10, 20)
        tell()

    services = Services.start(settings)
    Server(services, begin, ShutdownDeadline(services.database)).run(sockets=[listening])
