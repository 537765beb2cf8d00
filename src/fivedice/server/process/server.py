"""`Server`: the application in uvicorn, which notifies connected clients before it stops."""

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from queue import SimpleQueue
from time import sleep
from types import FrameType

import structlog
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from fivedice.server.http.app import give_services, make_app
from fivedice.server.http.hosts import Hosts, network
from fivedice.server.http.pages import page_version
from fivedice.server.http.request_log import with_request_log
from fivedice.server.http.security import with_security
from fivedice.server.http.websocket import SocketConnection
from fivedice.server.limits import MAX_MESSAGE_BYTES
from fivedice.server.ops.heartbeat import READY_TIMEOUT_SECONDS
from fivedice.server.ops.log import flush_log, start_log
from fivedice.server.services import Services
from fivedice.server.settings import Settings

ANSWER_SECONDS = 5.0
"""How long the shutdown waits for answers to commands in progress."""

LAST_REQUESTS_SECONDS = 0.5
"""How long requests are answered that were on their way when the process had to stop."""

GRACEFUL_SECONDS = 6
"""How long the shutdown waits for requests in progress and for clients that do not read."""

GC_THRESHOLD = 20_000
"""Net allocations between two garbage collections; Python's default of 700 costs a server much time."""

SWITCH_SECONDS = 0.0005
"""How long a computing thread keeps the interpreter while the event loop waits for it, several times for an action.
Python's default is 5 ms."""

STOP_SECONDS = 17.0
"""How long the whole shutdown may take: less than the usual 20 s of a service manager."""

LATE = 1
"""Exit status of a process that could not finish its work in time."""

_log = structlog.get_logger("fivedice.server")


class ShutdownDeadline:
    """Ends a stopping process after a fixed time, even if it hangs: starts with `start`, and calls `end` with an exit
    status when the time is over.

    No acknowledged command is lost, because commands are durable before they are acknowledged. The deadline runs in a
    thread, because a blocked event loop runs no timers.
    """

    def __init__(self, end: Callable[[int], object] = os._exit) -> None:
        self.waiting_for = "the start"
        """What the shutdown waits for now, for the log."""
        self._end = end
        self._started: SimpleQueue[None] = SimpleQueue()
        threading.Thread(target=self._watch, name="deadline", daemon=True).start()

    def start(self) -> None:
        """Start the deadline. Reentrant, because signal handlers call it."""
        self._started.put(None)

    def _watch(self) -> None:
        self._started.get()
        sleep(STOP_SECONDS)
        _log.error("shutdown timed out", waiting_for=self.waiting_for, seconds=STOP_SECONDS)
        flush_log()
        self._end(LATE)


class Server(uvicorn.Server):
    """Serves the services of one process; calls `on_ready` when it accepts connections.

    A stop signal starts the deadline, if there is one.
    """

    def __init__(
        self,
        services: Services,
        on_ready: Callable[[], object] = lambda: None,
        deadline: ShutdownDeadline | None = None,
    ) -> None:
        settings = services.settings
        proxies = [network(one) for one in settings.proxies]
        application = make_app()
        give_services(application, services)
        app = with_security(
            application, services.budget, Hosts(settings.hosts), page_version(settings.page), lambda: self.should_exit
        )
        super().__init__(
            uvicorn.Config(
                with_request_log(app, services.metrics),
                http=HttpToolsProtocol,
                ws=SocketConnection,
                ws_max_size=MAX_MESSAGE_BYTES,
                ws_per_message_deflate=False,
                lifespan="on",
                log_config=None,
                log_level="warning",
                proxy_headers=bool(proxies),
                forwarded_allow_ips=proxies,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=GRACEFUL_SECONDS,
            )
        )
        self._services = services
        self._on_ready = on_ready
        self._deadline = deadline
        self._stop_metrics: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and call `on_ready`."""
        await super().startup(sockets)
        if self.started:
            settings = self._services.settings
            if settings.metrics_port is not None:
                self._services.metrics.ready.set_function(partial(self._is_ready, asyncio.get_running_loop()))
                self._stop_metrics = self._services.metrics.serve(settings.metrics_host, settings.metrics_port)
            self._log_start(sockets or [])
            self._on_ready()

    def _log_start(self, sockets: Sequence[socket.socket]) -> None:
        database = self._services.database
        _log.info(
            "started",
            version=version("fivedice"),
            database=f"{database.version}: {database.url.render_as_string(hide_password=True)}",
            addresses=[f"{name[0]} {name[1]}" for name in (one.getsockname() for one in sockets)],
        )

    def _is_ready(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Whether the server is ready, for a thread that serves metrics."""
        asked = asyncio.run_coroutine_threadsafe(self._services.readiness.check(), loop)
        try:
            return asked.result(2 * READY_TIMEOUT_SECONDS).ready
        except TimeoutError:
            return False

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nothing more, answer what is in progress, send a farewell on every WebSocket and stream, and stop.

        Nothing is refused: a client connects again, to another process if there is one, and sends it what it has no
        answer to.
        """
        _log.info("stopping", connections=len(self.server_state.connections))
        began = asyncio.get_running_loop().time()
        for server in self.servers:
            server.close()
        self._services.tables.say_farewell()
        self._set_waiting_for("answers to commands")
        await self._services.command_handler.close(ANSWER_SECONDS)
        self._set_waiting_for("clients to read their last messages")
        await self._services.tables.close()
        await self._answer_last_requests(began)
        self._set_waiting_for("requests in progress, background services or the database")
        await super().shutdown(sockets)
        self._set_waiting_for("threads")
        if self._stop_metrics:
            self._stop_metrics()  # on this thread, because all executor threads may be waiting for the database
        _log.info("stopped")
        flush_log()  # a signal that ends this process now would lose the line

    async def _answer_last_requests(self, since: float) -> None:
        """Wait for requests that are on their way; their responses close their connections."""
        clock = asyncio.get_running_loop().time
        while clock() < since + LAST_REQUESTS_SECONDS:
            if not any(isinstance(one, HttpToolsProtocol) for one in self.server_state.connections):
                return
            await asyncio.sleep(LAST_REQUESTS_SECONDS / 10)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a stop signal."""
        if self._deadline:
            self._deadline.start()
        super().handle_exit(sig, frame)

    def _set_waiting_for(self, step: str) -> None:
        if self._deadline:
            self._deadline.waiting_for = step


def stop_at_hangup() -> None:
    """Let a closed terminal (SIGHUP) stop this process as SIGTERM does, unless it ignores that, as under `nohup`."""
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))


def serve(
    settings: Settings, listening: Sequence[socket.socket], on_ready: Callable[[], object] = lambda: None
) -> None:
    """Serve until the process is told to stop; it then exits within `STOP_SECONDS`.

    Raises `UnavailableError` or `MalformedError` if the database cannot be opened.
    """
    if settings.log:
        start_log(*settings.log)

    def ready() -> None:
        # Objects that exist now live as long as the process: exclude them from garbage collection.
        gc.collect()
        gc.freeze()
        gc.set_threshold(GC_THRESHOLD, 10, 20)
        sys.setswitchinterval(SWITCH_SECONDS)
        on_ready()

    stop_at_hangup()
    services = Services(settings)
    Server(services, ready, ShutdownDeadline()).run(sockets=list(listening))
