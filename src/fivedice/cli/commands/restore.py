"""`fivedice restore`: a server's database, made of a backup."""

from pathlib import Path

from fivedice.cli.text.output import Flag, fail, print_json


def restore(file: str, /, *, database_url: str | None = None, replace: Flag = False, json: Flag = False) -> None:
    """Make a server's database of a backup, of the same kind or of the other: so a server moves to PostgreSQL.

    It is restored whole or not at all. No server may be using the database.

    Parameters
    ----------
    file
        What `fivedice backup` wrote.
    database_url
        The database, as `fivedice serve` takes it; it is made if there is none.
    replace
        Lose all that the database holds now. Without this it must be empty.
    json
        Print JSON.
    """
    # Imported here: the other commands do without a database.
    from fivedice.storage.backup.backup import restore as read
    from fivedice.storage.engine.database import UnavailableError, default_url

    try:
        rows = read(database_url or default_url(), Path(file), replace=replace)
    except UnavailableError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror or error}")
    if json:
        print_json({"file": file, "rows": rows})
    else:
        print(f"{rows:,} row{'s'[: rows != 1]} restored from {file}")
