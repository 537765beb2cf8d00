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
    """The open connections of the watched engines."""

    def __init__(self) -> None:
        self.is_cut = False
        self._open: WeakSet[psycopg.Connection[Any]] = WeakSet()
        self._lock = Lock()

    def watch(self, engine: Engine) -> None:
        """Track all connections that an engine makes from now on."""
        event.listen(engine, "connect", self._add, insert=True)  # before any listener that executes a statement

    def cut(self) -> None:
        """Close all open connections, and every later one as soon as it is made: their statements fail.

        The sockets are shut down directly, since any other way needs an answer from the database. Thread-safe.
        """
        with self._lock:
            self.is_cut = True
            connections = list(self._open)
        for connection in connections:
            _shut_down(connection)

    def _add(self, connection: "psycopg.Connection[Any]", _: object) -> None:
        with self._lock:
            self._open.add(connection)
        if self.is_cut:
            _shut_down(connection)


def _shut_down(connection: "psycopg.Connection[Any]") -> None:
    import psycopg

    # A connection that is already closed blocks nothing.
    with suppress(psycopg.OperationalError, OSError), socket.socket(fileno=os.dup(connection.fileno())) as end:
        end.shutdown(socket.SHUT_RDWR)
