"""`Supervisor`: runs worker processes on the same listening sockets, replaces dead ones, and stops them together.

The tables are divided among the workers by their numbers; one that replaces another has its number.
"""

import logging
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Thread

from fivedice.server.config.limits import WORKER_RETRY_SECONDS, WORKER_STOP_SECONDS
from fivedice.server.config.settings import Settings
from fivedice.server.config.shards import shards_of
from fivedice.server.ops.counters import CounterMemory
from fivedice.server.ops.log import start_log
from fivedice.server.ops.rate_limits import NAMES
from fivedice.server.process.routing import Routes, mail
from fivedice.server.process.server import serve, stop_at_hangup
from fivedice.server.process.shutdown import LATE
from fivedice.storage.engine.database import UnavailableError

CLEAN_EXITS = (0, -signal.SIGTERM)
"""Exit codes of a worker that stopped in time."""

_log = logging.getLogger(__name__)

_context = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class _Worker:
    """A worker process and its number, from 0.

    `status` receives one sentence: empty when the worker is ready, else why it cannot start. The worker stops when
    `lifeline` closes, which happens at the latest when this process dies.
    """

    number: int
    process: SpawnProcess
    status: Connection
    lifeline: Connection


class Supervisor:
    """Runs `count` workers; calls `on_ready` once all of them accept connections."""

    def __init__(
        self, count: int, settings: Settings, listening: Sequence[socket.socket], on_ready: Callable[[], object]
    ) -> None:
        self._count = count
        self._settings = settings
        self._listening = listening
        self._on_ready = on_ready
        self._inboxes, self._outboxes = mail(count)
        self._memory = CounterMemory.shared(NAMES, count)
        self._workers: list[_Worker] = []
        self._is_ready = False
        self._signals, self._signal_sender = _context.Pipe(duplex=False)
        """Has something to read as soon as a stop signal has arrived, which ends every wait of this process."""

    def run(self) -> None:
        """Serve until a stop signal, then stop all workers.

        Raises `UnavailableError` if a worker cannot start. Exits with status `LATE` if a worker did not stop cleanly.
        """
        if self._settings.log:
            start_log(*self._settings.log)
        # Python's C code writes to the pipe at once. A handler in Python could be delayed by a wait that has just
        # begun; an empty one is needed so that the signal does not end this process.
        os.set_blocking(self._signal_sender.fileno(), False)
        signal.set_wakeup_fd(self._signal_sender.fileno())
        for stop in (signal.SIGTERM, signal.SIGINT):
            signal.signal(stop, lambda *_: None)
        stop_at_hangup()
        try:
            for number in range(self._count):
                self._workers.append(self._start(number))
            self._wait_until_ready()
            if not self._signals.poll():
                self._is_ready = True
                self._on_ready()
            self._replace_dead()
        finally:
            is_clean = self._stop()
        if not is_clean:
            sys.exit(LATE)

    def _start(self, number: int) -> _Worker:
        status, status_sender = _context.Pipe(duplex=False)
        lifeline, lifeline_holder = _context.Pipe(duplex=False)
        routes = Routes(number, self._inboxes[number], self._outboxes) if self._inboxes else None
        settings = replace(self._settings, shards=shards_of(number, self._count)) if routes else self._settings
        process = _context.Process(
            target=_run_worker,
            args=(settings, self._listening, routes, replace(self._memory, worker=number), status_sender, lifeline),
        )
        process.start()
        status_sender.close()
        lifeline.close()
        return _Worker(number, process, status, lifeline_holder)

    def _wait_until_ready(self) -> None:
        """Wait until all workers are ready or a signal arrives."""
        for worker in self._workers:
            if self._signals in wait([self._signals, worker.status]):
                return
            try:
                sentence = worker.status.recv()
            except EOFError:
                sentence = "a worker exited before it was ready"
            if sentence:
                raise UnavailableError(sentence)

    def _replace_dead(self) -> None:
        while not self._signals.poll():
            wait([self._signals, *(worker.process.sentinel for worker in self._workers)])
            if self._signals.poll(WORKER_RETRY_SECONDS):
                return
            for worker in [worker for worker in self._workers if not worker.process.is_alive()]:
                _log.error("worker %s exited (%s); starting another", worker.process.pid, _cause(worker))
                self._remove(worker)
                self._workers.append(self._start(worker.number))

    def _remove(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.lifeline.close()
        worker.status.close()

    def _stop(self) -> bool:
        """Stop all workers, and kill those that do not stop in time; returns whether all stopped cleanly."""
        for worker in self._workers:
            worker.process.terminate()
        deadline = time.monotonic() + WORKER_STOP_SECONDS
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.is_alive():
                _log.error("worker %s did not stop within %g s; killing it", worker.process.pid, WORKER_STOP_SECONDS)
                worker.process.kill()
                worker.process.join()
        # A worker that was not ready yet exits with any status after Ctrl-C.
        return not self._is_ready or all(worker.process.exitcode in CLEAN_EXITS for worker in self._workers)


def _cause(worker: _Worker) -> str:
    """How a worker has ended, and why it could not start, if it said so."""
    code, sentence = worker.process.exitcode or 0, ""
    with suppress(EOFError):
        while worker.status.poll():
            sentence = worker.status.recv() or sentence
    ended = f"status {code}" if code >= 0 else signal.Signals(-code).name
    return f"{ended}: {sentence}" if sentence else ended


def _run_worker(
    settings: Settings,
    listening: Sequence[socket.socket],
    routes: Routes | None,
    memory: CounterMemory,
    status: Connection,
    lifeline: Connection,
) -> None:
    """The main function of a worker."""
    Thread(target=_stop_after, args=(lifeline,), daemon=True).start()
    try:
        serve(settings, listening, lambda: status.send(""), routes, memory)
    except (UnavailableError, ValueError) as error:
        status.send(str(error))
        sys.exit(2)
    except KeyboardInterrupt:  # uvicorn stops on it, then raises it again
        return


def _stop_after(lifeline: Connection) -> None:
    """Send this process a stop signal when the supervisor dies."""
    wait([lifeline])
    os.kill(os.getpid(), signal.SIGTERM)
