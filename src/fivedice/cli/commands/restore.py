"""`fivedice restore`: a server's database from a backup."""

from pathlib import Path

from fivedice.cli.text.output import Flag, fail, print_json, prints
from fivedice.views.printed import BackupView


@prints(BackupView)
def restore(file: str, /, *, database_url: str | None = None, replace: Flag = False, json: Flag = False) -> None:
    """Restore a server's database from a backup. A backup of SQLite can be restored to PostgreSQL, and vice versa.

    The backup is restored completely or not at all. Stop the server first.

    Parameters
    ----------
    file
        A file written by `fivedice backup`.
    database_url
        The database, as for `fivedice serve`. It is created if it does not exist.
    replace
        Delete the present contents of the database. Without this option the database must be empty.
    json
        Print JSON.
    """
    # Imported here: the base install has no database.
    from fivedice.storage.backup import restore as read
    from fivedice.storage.engine.database import UnavailableError, default_url

    try:
        rows = read(database_url or default_url(), Path(file), replace=replace)
    except UnavailableError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror or error}")
    if json:
        print_json(BackupView(file, rows))
    else:
        print(f"{rows:,} row{'s'[: rows != 1]} restored from {file}")
