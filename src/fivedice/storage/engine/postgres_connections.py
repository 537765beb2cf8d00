"""`PostgresConnections`: the open PostgreSQL connections of a process, which shutdown can close while they wait."""

import os
import socket
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from sqlalchemy import Engine, event

if TYPE_CHECKING:
    import psycopg


class PostgresConnections:
    """The connections of the engines that are watched."""

    def __init__(self) -> None:
        self.is_cut = False
        self._open: WeakSet[psycopg.Connection[Any]] = WeakSet()
        self._lock = Lock()

    def watch(self, engine: Engine) -> None:
        """From now on, all connections of an engine."""
        event.listen(engine, "connect", self._add, insert=True)  # before whoever asks it something

    def cut(self) -> None:
        """Cut all of them, and whichever are made later: their statements fail, and no other way to end them is as
        sure, for it must not need the server. Called in any thread."""
        with self._lock:
            self.is_cut = True
            lines = list(self._open)
        for line in lines:
            _hang_up(line)

    def _add(self, line: "psycopg.Connection[Any]", _: object) -> None:
        with self._lock:
            self._open.add(line)
        if self.is_cut:
            _hang_up(line)


def _hang_up(line: "psycopg.Connection[Any]") -> None:
    import psycopg

    # One that is closed by now keeps nobody waiting.
    with suppress(psycopg.OperationalError, OSError), socket.socket(fileno=os.dup(line.fileno())) as end:
        end.shutdown(socket.SHUT_RDWR)
