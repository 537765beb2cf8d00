"""`Workers`: several processes that serve at one address, each started again when it dies, and stopped together."""

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

from fivedice.server.run import serve
from fivedice.server.settings import Settings
from fivedice.storage.database import UnavailableError

AGAIN_SECONDS = 1.0
"""Before a worker that died is started again: one that cannot live does not use up the machine."""

_log = logging.getLogger(__name__)

_context = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class _Worker:
    """A process; `said` gives one sentence when it serves (empty) or cannot, and `lifeline` ends with this process."""

    process: SpawnProcess
    said: Connection
    lifeline: Connection


class Workers:
    """Runs `count` processes on a listening socket; `tell` is called once all of them serve."""

    def __init__(self, count: int, settings: Settings, listening: socket.socket, tell: Callable[[], object]) -> None:
        self._count = count
        self._settings = settings
        self._listening = listening
        self._tell = tell
        self._workers: list[_Worker] = []
        self._is_stopping = False

    def run(self) -> None:
        """Serve until the process is told to stop; raises `UnavailableError` if the workers cannot begin."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop())
        self._workers = [self._start() for _ in range(self._count)]
        try:
            for worker in self._workers:
                self._await(worker)
            if not self._is_stopping:
                self._tell()
            self._keep_up()
        finally:
            self._stop()
            for worker in self._workers:
                worker.process.join()

    def _start(self) -> _Worker:
        said, saying = _context.Pipe(duplex=False)
        lifeline, held = _context.Pipe(duplex=False)
        process = _context.Process(target=_work, args=(self._settings, self._listening, saying, lifeline))
        process.start()
        saying.close()
        lifeline.close()
        return _Worker(process, said, held)

    def _await(self, worker: _Worker) -> None:
        try:
            sentence = worker.said.recv()
        except EOFError:
            sentence = "a worker ended before it could serve"
        if sentence and not self._is_stopping:
            raise UnavailableError(sentence)

    def _keep_up(self) -> None:
        while not self._is_stopping:
            wait([worker.process.sentinel for worker in self._workers])
            if not self._is_stopping:
                time.sleep(AGAIN_SECONDS)
            dead = [worker for worker in self._workers if not worker.process.is_alive()]
            for worker in dead:
                self._workers.remove(worker)
                worker.lifeline.close()
                worker.said.close()
                if not self._is_stopping:
                    _log.error("a worker ended (%s): another begins", _cause(worker))
                    self._workers.append(self._start())
        self._stop()  # also whoever was started while the signal came

    def _stop(self) -> None:
        self._is_stopping = True
        for worker in self._workers:
            worker.process.terminate()


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
