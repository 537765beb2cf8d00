"""PostgreSQL engines: connections that hang time out within seconds, and commits are durable."""

import select
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

from fivedice.storage.schema import SERVING

if TYPE_CHECKING:
    import psycopg

TIMEOUTS: dict[str, object] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds; the others are seconds
}
"""Defaults for `psycopg.connect`, which a URL may override: without them a lost host blocks the writer for minutes."""

LOCK_SECONDS = 4.0
"""How long a statement waits for a lock of another session: every table of this process waits behind it."""

START_LOCK_SECONDS = 60.0
"""How long a starting process waits for another one that is migrating the schema."""

UNTESTED_SECONDS = 1.0
"""How soon after its last use the writer's connection is reused without a test, which takes as long as a statement, if
it looks open."""

LOCK_NOT_AVAILABLE = "55P03"
"""The SQLSTATE of a statement that has waited for a lock too long."""

TRY_AGAIN = ("40P01", "40001")
"""The SQLSTATEs of a transaction that PostgreSQL asks to repeat: a deadlock, and a failed serialization."""

# Changes only `off`: the default and the stronger settings for replication are kept.
_SET_DURABLE = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)

# Changes only the default of no timeout: the operator of the database may have set one.
_SET_LOCK_TIMEOUT = "SELECT set_config('lock_timeout', %s, false) WHERE current_setting('lock_timeout') = '0'"


def hold_serving_lock(connection: Any, _: object) -> None:
    """Hold the lock of all serving processes as long as a new connection of a driver is open."""
    connection.execute("SELECT pg_advisory_lock_shared(%s)", [SERVING])
    connection.commit()


def postgres_engine(url: URL, size: int, *, starts: bool = False) -> Engine:
    """An engine with `size` connections, each tested before it is reused.

    With `starts`, statements wait as long for locks as a starting process may.
    """
    engine = create_engine(
        url,
        pool_size=size,
        max_overflow=0,
        pool_pre_ping=True,
        connect_args=default_timeouts(url),
        hide_parameters=True,  # errors would put secrets in the log
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _: object) -> None:
        connection.execute(_SET_DURABLE)
        seconds = START_LOCK_SECONDS if starts else LOCK_SECONDS
        connection.execute(_SET_LOCK_TIMEOUT, [f"{seconds * 1_000:.0f}"])
        connection.commit()

    return engine


class HeldConnection:
    """One connection of an engine, which is held between transactions of one thread.

    To take it from the pool and to return it takes three times as long as to append an event.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._used = 0.0

    @contextmanager
    def begin(self, *, autocommit: bool) -> Iterator[Connection]:
        """The connection in a transaction, or with `autocommit`, in which the driver commits each statement by itself:
        one round trip and not three. It is tested first if it was idle, and dropped if anything is raised."""
        connection = self._tested()
        try:
            if (driver := _driver(connection)).autocommit != autocommit:
                driver.autocommit = autocommit
            with nullcontext() if autocommit else connection.begin():
                yield connection
        except BaseException:
            self._connection = None
            connection.invalidate()
            connection.close()
            raise
        self._used = monotonic()

    def close(self) -> None:
        """Return it to the pool."""
        if self._connection:
            if not (driver := _driver(self._connection)).closed:
                driver.autocommit = False
            self._connection.close()
            self._connection = None

    def _tested(self) -> Connection:
        if self._connection:
            driver, has_rested = _driver(self._connection), monotonic() - self._used > UNTESTED_SECONDS
            if has_rested or driver.closed or _has_input(driver.fileno()):
                self.close()
        # The pool tests it.
        self._connection = self._connection or self._engine.connect()
        return self._connection


def _driver(connection: Connection) -> "psycopg.Connection[Any]":
    found: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
    return found


def _has_input(socket: int) -> bool:
    """Whether the server has closed an idle connection, or says that it will."""
    if not hasattr(select, "poll"):  # on Windows
        return True
    waiting = select.poll()
    waiting.register(socket, select.POLLIN)
    return bool(waiting.poll(0))


def default_timeouts(url: URL) -> dict[str, object]:
    """Those of `TIMEOUTS` that a URL does not set itself."""
    return {key: value for key, value in TIMEOUTS.items() if key not in url.query}
