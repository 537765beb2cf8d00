"""Empty databases at the current schema. The migrations run once in a process, because they cost as much as a test."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from fivedice.storage.engine.database import Database
from fivedice.storage.migrate import newest_schema
from fivedice.storage.schema import metadata
from tests.waiting import wait_for

OpenDatabase = Callable[..., Database]


@cache
def _migrated() -> bytes:
    """An SQLite file that the migrations have created."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        Database(f"sqlite:///{path}").close()
        return path.read_bytes()


def empty_sqlite(folder: Path) -> str:
    """The URL of the database in a folder, which is created if it does not exist."""
    path = folder / "fivedice.db"
    if not path.exists():
        path.write_bytes(_migrated())
    return f"sqlite:///{path}"


def empty_postgres(server: str) -> str:
    """The URL of a PostgreSQL whose rows are deleted, or its schema if that is not the current one."""
    if not _has_current_schema(server):
        drop_schema(server)
        Database(server).close()
        return server
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"TRUNCATE {', '.join(metadata.tables)} RESTART IDENTITY".encode())
    return server


def drop_schema(server: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")


def wait_for_lock(server: str) -> None:
    """Return once a statement waits for a lock of another session."""
    with psycopg.connect(server, autocommit=True) as connection:
        waiting = "SELECT FROM pg_locks WHERE NOT granted"
        wait_for(lambda: connection.execute(waiting).fetchone() is not None, "a statement waits for a lock")


def _has_current_schema(server: str) -> bool:
    with psycopg.connect(server) as connection:
        names = {name for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
        if names != {*metadata.tables, "alembic_version"}:
            return False
        found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return found == [(newest_schema(),)]
