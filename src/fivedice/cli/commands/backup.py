"""`fivedice backup`: a server's database as one file."""

from pathlib import Path

from fivedice.cli.text.output import Flag, fail, print_json, prints
from fivedice.views.printed import BackupView


@prints(BackupView)
def backup(file: str, /, *, database_url: str | None = None, force: Flag = False, json: Flag = False) -> None:
    """Back up a server's database to one file, even while games are in progress.

    The backup is portable: `fivedice restore` can load it into SQLite or PostgreSQL. The file appears only when it is
    complete. It contains the secrets of dice and seats, so protect it as you protect the database. A file that exists
    is not overwritten.

    Parameters
    ----------
    file
        The file to write. A name that ends in .gz is compressed.
    database_url
        The database, as for `fivedice serve`.
    force
        Overwrite the file if it exists.
    json
        Print JSON.
    """
    # Imported here: the base install has no database.
    from fivedice.storage.backup import backup as write
    from fivedice.storage.engine.database import UnavailableError, default_url

    url = database_url or default_url()
    try:
        rows = write(url, Path(file), replace=force)
    except FileExistsError:
        fail(f"{file} already exists: give a new name, or pass --force to overwrite it")
    except UnavailableError as error:
        fail(why_unavailable(error, url))
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror or error}")
    if json:
        print_json(BackupView(file, rows))
    else:
        print(f"{rows:,} row{'s'[: rows != 1]} written to {file}")


def why_unavailable(error: Exception, url: str) -> str:
    """The sentence of an `UnavailableError`, with what to do about a file that is missing."""
    from fivedice.storage.engine.database import sqlite_file

    path = sqlite_file(url)
    if path is None or path.exists():
        return str(error)
    return f"{error}; fivedice serve creates it, and --database-url names another"
