"""PostgreSQL as it is reached from here: a connection that hangs is given up in seconds, and a commit is durable."""

from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, text

from fivedice.errors import MalformedError

PATIENCE: dict[str, object] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds; the others are seconds
}
"""For `psycopg.connect`, unless the URL says otherwise: without it a host that vanished holds a writer for minutes."""

LOCK_SECONDS = 4.0
"""How long a statement waits for what another session has locked: every table of this process waits behind it."""

START_LOCK_SECONDS = 60.0
"""How long a start waits for another process that brings the schema forward."""

LOCK_NOT_AVAILABLE = "55P03"
"""The SQLSTATE of a statement that waited for so long."""

# Only where it is off: on, and the stronger settings of those who replicate, stay.
_DURABLE = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"

# Only where there is none: whoever runs the database may have chosen another.
_PATIENT = "SELECT set_config('lock_timeout', %s, false) WHERE current_setting('lock_timeout') = '0'"

SERVING = 0x66_69_76_66
"""The advisory lock that every serving process shares, so that nobody replaces what it serves."""


def may_replace(connection: Connection) -> bool:
    """Whether no process serves a PostgreSQL database; until the end of the transaction none begins to.

    A SQLite file has its `SqliteLock`.
    """
    if connection.dialect.name != "postgresql":
        return True
    return bool(connection.execute(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": SERVING}).scalar())


def postgres_engine(url: URL, size: int, *, starts: bool = False) -> Engine:
    """An engine of so many connections, each looked at before it is used again; raises `MalformedError`.

    One that `starts` a process waits longer for other sessions.
    """
    try:
        engine = create_engine(
            url,
            pool_size=size,
            max_overflow=0,
            pool_pre_ping=True,
            connect_args=patience(url),
            hide_parameters=True,  # errors would tell secrets to the log
        )
    except ImportError:
        raise MalformedError("PostgreSQL needs its driver: pip install 'fivedice[postgres]'") from None

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _: object) -> None:
        connection.execute(_DURABLE)
        seconds = START_LOCK_SECONDS if starts else LOCK_SECONDS
        connection.execute(_PATIENT, [f"{seconds * 1_000:.0f}"])
        connection.commit()

    return engine


def patience(url: URL) -> dict[str, object]:
    """What of `PATIENCE` a URL leaves open."""
    return {key: value for key, value in PATIENCE.items() if key not in url.query}
