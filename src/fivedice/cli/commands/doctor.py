"""`fivedice doctor`: whether a server has what it needs, one line for each thing."""

import sys
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import TYPE_CHECKING
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from fivedice.base.errors import MalformedError, shown
from fivedice.cli.options import DatabaseUrl, Json
from fivedice.cli.text.output import prints, show
from fivedice.views.printed import CheckedPartView as Checked

if TYPE_CHECKING:
    from fivedice.storage.engine.database import Database

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
    from fivedice.base.errors import IllegalError
    from fivedice.storage.engine.database import Database, UnavailableError

    try:
        database = Database(url, changes=False)
    except UnavailableError as error:
        yield Checked("database", False, str(error))
        return
    except IllegalError as error:
        yield Checked("database", True, "it can be read")
        yield Checked("schema", False, str(error))
        return
    try:
        yield Checked("database", True, f"{database.version}, {database.url.render_as_string(hide_password=True)}")
        yield Checked("schema", True, "it is that of this version")
        yield _clock(database)
    finally:
        database.close()


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
    import os
    import shutil

    from fivedice.base.errors import IllegalError
    from fivedice.solver.saved.kept_tables import check_cache, solutions_folder

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
    except (URLError, OSError) as error:
        yield Checked("address", False, f"{url} cannot be reached: {getattr(error, 'reason', None) or error}")
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
