"""What an operator does with a server's database: `fivedice backup`, `restore`, `grade`, `forget` and `doctor`."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from fivedice.base.errors import IllegalError, MalformedError, UnavailableError, shown
from fivedice.cli.options import DatabaseUrl, Flag, Json
from fivedice.cli.text.output import counted, fail, prints, show
from fivedice.solver.saved.saved_table import check_cache, solutions_folder
from fivedice.views.printed import BackupView, ForgottenView, GradedView
from fivedice.views.printed import CheckedPartView as Checked

if TYPE_CHECKING:
    from fivedice.storage.engine.database import Database


@contextmanager
def _opened(database_url: str | None, when_served: str, *, changes: bool) -> Iterator["Database"]:
    """A database that is there, also to change it unless a server uses its file: `when_served` says so."""
    from sqlalchemy.exc import IntegrityError

    from fivedice.storage.engine.database import Database, default_url
    from fivedice.storage.engine.sqlite_files import ServedError

    url = database_url or default_url()
    try:
        database = Database(url, changes=False)  # neither creates nor migrates one
        if changes:
            database.close()
            database = Database(url, serves=True)
        with closing(database):
            yield database
    except UnavailableError as error:
        fail(_why_unavailable(error, url))
    except ServedError:
        fail(when_served)
    except IntegrityError:  # beside servers on PostgreSQL
        fail("somebody has just changed what this is about: try again")


@prints(BackupView)
def backup(file: str, /, *, database_url: DatabaseUrl = None, force: Flag = False, json: Json = False) -> None:
    """Back up a server's database to one file, even while games are in progress.

    The backup is portable: `fivedice restore` can load it into SQLite or PostgreSQL. The file appears only when it is
    complete. It contains the secrets of dice and seats, so protect it as you protect the database. A file that exists
    is not overwritten.

    Parameters
    ----------
    file
        The file to write. A name that ends in .gz is compressed.
    force
        Overwrite the file if it exists.
    """
    # Imported here: the base install has no database.
    from fivedice.storage.backup import backup as write
    from fivedice.storage.engine.database import default_url

    url = database_url or default_url()
    try:
        rows = write(url, Path(file), replace=force)
    except FileExistsError:
        fail(f"{file} already exists: give a new name, or pass --force to overwrite it")
    except UnavailableError as error:
        fail(_why_unavailable(error, url))
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror or error}")
    show(BackupView(file, rows), [f"{counted(rows, 'row')} written to {file}"], json=json)


def _why_unavailable(error: Exception, url: str) -> str:
    """The sentence of an `UnavailableError`, with what to do about a file that is missing."""
    from fivedice.storage.engine.database import sqlite_file

    path = sqlite_file(url)
    if path is None or path.exists():
        return str(error)
    return f"{error}; fivedice serve creates it, and --database-url names another"


@prints(BackupView)
def restore(file: str, /, *, database_url: str | None = None, replace: Flag = False, json: Json = False) -> None:
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
    """
    # Imported here: the base install has no database.
    from fivedice.storage.backup import restore as read
    from fivedice.storage.engine.database import default_url

    try:
        rows = read(database_url or default_url(), Path(file), replace=replace)
    except UnavailableError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror or error}")
    show(BackupView(file, rows), [f"{counted(rows, 'row')} restored from {file}"], json=json)


@prints(GradedView)
def grade(*, database_url: DatabaseUrl = None, json: Json = False) -> None:
    """Grade all finished games and imported records in a server's database again, by the values that are saved here.

    A server grades each game as soon as it is over; this makes the same grades from nothing, for reviews, figures,
    lessons and results. Stop a server of a SQLite file first.
    """
    # Imported here: the base install has no database.
    from fivedice.server.games.grading import grade_again

    with _opened(database_url, "a server uses this SQLite file: stop it first", changes=True) as database:
        num = grade_again(database)
    show(GradedView(num), [f"{counted(num, 'game')} graded"], json=json)


IN_BACKUPS = (
    "Backups that were made before still have it, and so do records that others have exported: delete or replace "
    "those, too."
)


@prints(ForgottenView)
def forget(
    kind: Literal["person", "name", "club", "table"],
    which: str,
    /,
    *,
    database_url: DatabaseUrl = None,
    dry_run: Flag = False,
    json: Json = False,
) -> None:
    """Delete a person's data, a name, a club or a table from a server's database.

    A server of a SQLite file must be stopped, except for --dry-run. Backups are not changed.

    Parameters
    ----------
    kind
        A person, with all that *Delete everything* on the page deletes; a name, which becomes a pseudonym at all tables
        and in all clubs; a club with its tournaments, or one tournament; or a table.
    which
        The name of the person's account, or a seat of theirs as TABLE:SEAT, from 0; the name; or the id in the address
        of the club or the table.
    dry_run
        Delete nothing, and print what there is.
    """
    # Imported here: the base install has no database.
    from fivedice.server.identity.look_alike import skeleton
    from fivedice.storage.rows.deletion import find
    from fivedice.storage.rows.open_seats import count_change

    served = "a server uses this SQLite file: stop it first, or use --dry-run"
    look = partial(find, kind=kind, which=which, skeleton=skeleton(which), at=time.time())
    with _opened(database_url, served, changes=False) as database:
        found = database.read(look)
    if not dry_run:
        with _opened(database_url, served, changes=True) as database:
            if database.is_shared:  # its servers have to know
                from fivedice.server.live.notices import tell_once

                database.on_commit = partial(tell_once, database.arguments)
            database.write(lambda connection: look(connection).delete(connection)).result()
            database.write(count_change).result()
    counts = (f"{name}: {num:,}" for name, num in found.counts.items())
    lines = [*counts, "Nothing was deleted." if dry_run else "It is deleted.", IN_BACKUPS]
    show(ForgottenView(kind, which, not dry_run, found.counts), lines, json=json)


CLOCK_SECONDS = 60.0
"""A difference of clocks that needs attention."""


@prints(list[Checked])
def doctor(*, database_url: DatabaseUrl = None, url: str = "", json: Json = False) -> None:
    """Check what a server needs: database, schema, folder for solutions, clock, and its address behind a proxy.

    It changes nothing, and a server may be running. The exit status is 1 if something needs attention.

    Parameters
    ----------
    url
        The address of the running server as people know it, such as https://dice.example.org; without it, neither the
        address nor its proxy is checked.
    """
    # Imported here: the base install has no database.
    from fivedice.storage.engine.database import default_url

    if url and not url.startswith(("http://", "https://")):
        raise MalformedError(f"--url {shown(url)}: want an address such as https://dice.example.org")
    found = [*_database(database_url or default_url()), _cache(), *(_address(url.rstrip("/")) if url else ())]
    show(found, (f"{'ok' if one.is_well else '!!'}  {one.what}: {one.about}" for one in found), json=json)
    sys.exit(not all(one.is_well for one in found))


def _database(url: str) -> Iterator[Checked]:
    from fivedice.storage.engine.database import Database

    try:
        with closing(Database(url, changes=False)) as database:
            clock = _clock(database)
            yield Checked("database", True, f"{database.version}, {database.url.render_as_string(hide_password=True)}")
            yield Checked("schema", True, "it is that of this version")
            yield clock
    except UnavailableError as error:
        yield Checked("database", False, str(error))
    except IllegalError as error:
        yield Checked("database", True, "it can be read")
        yield Checked("schema", False, str(error))


def _clock(database: "Database") -> Checked:
    from sqlalchemy import text

    from fivedice.storage.rows.server import lived_until

    now, until = time.time(), database.read(lived_until)
    if until is not None and now < until - CLOCK_SECONDS:
        return Checked("clock", False, f"it is {until - now:,.0f} s behind the last time that a server has stored")
    if database.is_shared:
        of_database = database.read(lambda c: float(c.execute(text("SELECT extract(epoch FROM now())")).scalar_one()))
        if abs(of_database - now) > CLOCK_SECONDS:
            return Checked("clock", False, f"it differs from that of PostgreSQL by {abs(of_database - now):,.0f} s")
    return Checked("clock", True, time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now)))


def _cache() -> Checked:
    folder = solutions_folder()
    try:
        check_cache()
    except IllegalError as error:
        return Checked("solutions", False, str(error))
    if not os.access(folder, os.W_OK):
        return Checked("solutions", False, f"{folder} is read-only: what is not there is kept in memory")
    return Checked("solutions", True, f"{folder}, {shutil.disk_usage(folder).free // 10**6:,} MB free")


def _address(url: str) -> Iterator[Checked]:
    try:
        status, _ = _ask(Request(f"{url}/ready"))  # noqa: S310 - http or https
        known, answer = _ask(Request(f"{url}/api/players"))  # noqa: S310
        _, cookie = _ask(Request(f"{url}/api/account/session/options", b"{}", {"content-type": "application/json"}))  # noqa: S310
    except (OSError, HTTPException, ValueError) as error:  # as of a port where something else listens, or of a typo
        why = getattr(error, "reason", None) or (error if isinstance(error, OSError) else repr(error))
        yield Checked("address", False, f"{url} cannot be reached: {why}")
        return
    yield Checked("address", status == 200, f"{url}/ready answers {status}")
    yield Checked("name", known == 200, "the server answers to it" if known == 200 else "name it with --allow-host")
    if url.startswith("https:"):
        is_told = "__Host-fivedice" in (cookie.headers.get("set-cookie") or "")
        remedy = "the server does not know that people use https: name the proxy with --proxy, and let it set "
        yield Checked(
            "proxy", is_told, "the server knows that people use https" if is_told else f"{remedy}X-Forwarded-Proto"
        )
        is_strict = "strict-transport-security" in answer.headers
        yield Checked(
            "HSTS", is_strict, "browsers use https only" if is_strict else "the proxy does not send it, see contrib/"
        )


def _ask(request: Request) -> tuple[int, "HTTPResponse | HTTPError"]:
    try:
        with urlopen(request, timeout=10) as answer:  # noqa: S310
            return answer.status, answer
    except HTTPError as error:
        error.close()
        return error.code, error
