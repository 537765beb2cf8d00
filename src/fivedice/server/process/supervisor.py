"""`Supervisor`: several processes that serve at one address, each started again when it dies, and stopped together."""

import logging
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Thread

from fivedice.server.ops.log import start_log
from fivedice.server.ops.settings import Settings
from fivedice.server.process.server import serve
from fivedice.server.process.shutdown import LATE, STOP_SECONDS
from fivedice.storage.engine.database import UnavailableError

AGAIN_SECONDS = 1.0
"""Before a worker that died is started again: one that cannot live does not use up the machine."""

PATIENCE_SECONDS = STOP_SECONDS + 1
"""How long workers have to stop: a little more than each takes at most by itself."""

ENDED_WELL = (0, -signal.SIGTERM)
"""How a worker ends that has stopped."""

_log = logging.getLogger(__name__)

_context = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class _Worker:
    """A process; `said` gives one sentence when it serves (empty) or cannot, and `lifeline` ends with this process."""

    process: SpawnProcess
    said: Connection
    lifeline: Connection


class Supervisor:
    """Runs `count` processes on a listening socket; `tell` is called once all of them serve."""

    def __init__(self, count: int, settings: Settings, listening: socket.socket, tell: Callable[[], object]) -> None:
        self._count = count
        self._settings = settings
        self._listening = listening
        self._tell = tell
        self._workers: list[_Worker] = []
        self._is_serving = False
        self._is_stopping = False
        self._told, self._telling = _context.Pipe(duplex=False)
        """Ends every wait of this process when it is told to stop."""

    def run(self) -> None:
        """Serve until the process is told to stop, and end all workers then; raises `UnavailableError` if they cannot
        begin. Leaves with status `LATE` where a worker did not end as it should."""
        if self._settings.log:
            start_log(*self._settings.log)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop())
        try:
            for _ in range(self._count):
                self._workers.append(self._start())
            self._await_all()
            if not self._is_stopping:
                self._is_serving = True
                self._tell()
            self._keep_up()
        finally:
            is_late = self._end()
        if is_late:
            sys.exit(LATE)

    def _start(self) -> _Worker:
        said, saying = _context.Pipe(duplex=False)
        lifeline, held = _context.Pipe(duplex=False)
        process = _context.Process(target=_work, args=(self._settings, self._listening, saying, lifeline))
        process.start()
        saying.close()
        lifeline.close()
        return _Worker(process, said, held)

    def _await_all(self) -> None:
        """Wait until all workers serve, or this process is told to stop."""
        for worker in self._workers:
            wait([self._told, worker.said])
            if self._is_stopping:
                return
            try:
                sentence = worker.said.recv()
            except EOFError:
                sentence = "a worker ended before it could serve"
            if sentence:
                raise UnavailableError(sentence)

    def _keep_up(self) -> None:
        while not self._is_stopping:
            wait([self._told, *(worker.process.sentinel for worker in self._workers)])
            if wait([self._told], AGAIN_SECONDS):
                return
            for worker in [worker for worker in self._workers if not worker.process.is_alive()]:
                _log.error("a worker ended (%s): another begins", _cause(worker))
                self._forget(worker)
                self._workers.append(self._start())

    def _forget(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.lifeline.close()
        worker.said.close()

    def _stop(self) -> None:
        """Called by a signal, at any moment: whoever waits does the rest."""
        self._is_stopping = True
        self._telling.send_bytes(b"stop")

    def _end(self) -> bool:
        """End all workers, those that do not stop by force; whether any of those that served did not end well."""
        for worker in self._workers:
            worker.process.terminate()
        until = time.monotonic() + PATIENCE_SECONDS
        for worker in self._workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                _log.error("gave up: worker %s did not stop within %g s", worker.process.pid, PATIENCE_SECONDS)
                worker.process.kill()
                worker.process.join()
        # One that did not serve yet ends as Ctrl-C finds it.
        return self._is_serving and any(worker.process.exitcode not in ENDED_WELL for worker in self._workers)


def _cause(worker: _Worker) -> str:
    code = worker.process.exitcode or 0
    return f"status {code}" if code >= 0 else signal.Signals(-code).name


def _work(settings: Settings, listening: socket.socket, saying: Connection, lifeline: Connection) -> None:
    """What a worker does."""
    Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    try:
        serve(settings, listening, lambda: saying.send(""))
    except (UnavailableError, ValueError) as error:
        saying.send(str(error))
        sys.exit(2)
    except KeyboardInterrupt:  # uvicorn stopped by it, and passes it on
        return


def _end_with(lifeline: Connection) -> None:
    """Stop, as if told to, when the process that started this one is gone."""
    wait([lifeline])
    os.kill(os.getpid(), signal.SIGTERM)
