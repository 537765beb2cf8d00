"""`fivedice backup`: all that a server keeps, as one file."""

from pathlib import Path

from fivedice.cli.text.output import Flag, fail, print_json


def backup(file: str, /, *, database_url: str | None = None, json: Flag = False) -> None:
    """Write all that a server keeps to one file, also while it is being played on.

    The file is portable: `fivedice restore` makes a SQLite file or a PostgreSQL database of it. It takes its name only
    once it is whole. It holds the secrets of dice and of seats: keep it as you keep the database.

    Parameters
    ----------
    file
        The file; it is compressed if its name ends in .gz.
    database_url
        The database, as `fivedice serve` takes it.
    json
        Print JSON.
    """
    # Imported here: the other commands do without a database.
    from fivedice.storage.backup.backup import backup as write
    from fivedice.storage.engine.database import UnavailableError, default_url

    try:
        rows = write(database_url or default_url(), Path(file))
    except UnavailableError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror or error}")
    if json:
        print_json({"file": file, "rows": rows})
    else:
        print(f"{file} holds {rows:,} row{'s'[: rows != 1]}")
