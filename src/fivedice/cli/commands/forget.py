"""`fivedice forget`: deletes a person, a name, a club or a table from a server's database, or says what there is."""

import time
from functools import partial
from typing import Literal

from fivedice.cli.commands.backup import why_unavailable
from fivedice.cli.text.output import Flag, fail, print_json, prints
from fivedice.views.printed import ForgottenView

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
    database_url: str | None = None,
    dry_run: Flag = False,
    json: Flag = False,
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
    database_url
        The database, as for `fivedice serve`.
    dry_run
        Delete nothing, and print what there is.
    json
        Print JSON.
    """
    # Imported here: the base install has no database.
    from fivedice.server.identity.look_alike import skeleton
    from fivedice.storage.engine.database import Database, UnavailableError, default_url
    from fivedice.storage.engine.sqlite_files import ServedError
    from fivedice.storage.rows.forgetting import find

    url = database_url or default_url()
    look = partial(find, kind=kind, which=which, skeleton=skeleton(which), at=time.time())
    try:
        database = Database(url, changes=False)  # neither creates nor migrates one
        try:
            found = database.read(look)
            if not dry_run:
                database.close()
                database = Database(url, serves=True)
                if database.is_shared:
                    from fivedice.server.live.notices import tell_once

                    database.on_commit(partial(tell_once, database.arguments))
                database.write(lambda connection: look(connection).delete(connection)).result()
        finally:
            database.close()
    except UnavailableError as error:
        fail(why_unavailable(error, url))
    except ServedError:
        fail("a server uses this SQLite file: stop it first, or use --dry-run")
    if json:
        print_json(ForgottenView(kind, which, not dry_run, found.counts))
        return
    print("\n".join(f"{name}: {num:,}" for name, num in found.counts.items()))
    print("Nothing was deleted." if dry_run else "It is deleted.")
    print(IN_BACKUPS)
