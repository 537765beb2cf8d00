"""`fivedice prune`: deletes old games from a server's database, or says how many are old."""

import asyncio
import sys
from functools import partial
from typing import TYPE_CHECKING

from fivedice.cli.commands.backup import why_unavailable
from fivedice.cli.progress import shown_progress
from fivedice.cli.text.output import Flag, Whole, fail, print_json, prints
from fivedice.views.printed import PrunedView

if TYPE_CHECKING:
    from fivedice.server.config.settings import Retention
    from fivedice.storage.engine.database import Database
    from fivedice.storage.rows.pruning import Num


@prints(PrunedView)
def prune(
    *,
    database_url: str | None = None,
    keep_unfinished: Whole = 90,
    keep_finished: Whole = 365,
    dry_run: Flag = False,
    confirm: Flag = False,
    json: Flag = False,
) -> None:
    """Delete from a server's database games and browsers that are not used any more.

    `fivedice serve` does the same every hour. A running server of a PostgreSQL database can go on serving; one of a
    SQLite file must be stopped, except for --dry-run. Ctrl-C stops after the transaction in progress: what was deleted
    until then stays deleted, and everything else is complete.

    Parameters
    ----------
    database_url
        The database, as for `fivedice serve`.
    keep_unfinished
        For how many days to keep a game since it was last played, if it is not over; 0 is for ever. Give the same as
        to `fivedice serve`.
    keep_finished
        The same for a game that is over, and for a browser that does not come back. Accounts and members of clubs keep
        theirs.
    dry_run
        Delete nothing, and print what would be deleted.
    confirm
        Say that the clock is right, so that the time in which no server ran counts, too.
    json
        Print JSON.
    """
    # Imported here: the base install has no database.
    from fivedice.server.config.settings import Retention
    from fivedice.storage.engine.database import Database, UnavailableError, default_url
    from fivedice.storage.engine.sqlite_files import ServedError
    from fivedice.storage.rows.pruning import free_bytes, num_unread

    retention, url = Retention(keep_unfinished, keep_finished), database_url or default_url()
    try:
        database = Database(url, changes=False)  # neither creates nor migrates one
        if not dry_run:
            database.close()
            database = Database(url, serves=True)
    except UnavailableError as error:
        fail(why_unavailable(error, url))
    except ServedError:
        fail("a server uses this SQLite file, and deletes old games itself: stop it first, or use --dry-run")
    try:
        num = _prune(database, retention, dry_run, confirm)
        unread, free = database.read(num_unread), database.read(free_bytes)
    except UnavailableError as error:
        fail(str(error))
    finally:
        database.close()
    if json:
        print_json(PrunedView(dry_run, *num, unread_tables=unread, free_bytes=free))
        return
    print(f"{num.unfinished:>12,}  unfinished games: {_age(keep_unfinished)}")
    print(f"{num.finished:>12,}  finished games: {_age(keep_finished)}")
    print(f"{num.browsers:>12,}  browsers without a game: {_age(keep_finished)}")
    print("Nothing was deleted." if dry_run else "They are deleted.")
    if free is not None and not dry_run:
        print(f"The file keeps its size; {free / 1e6:,.1f} MB of it are free for new games.")
    if unread:
        tables = f"{unread:,} table{'s'[: unread != 1]}"
        print(f"{tables} not examined: no server has read their newest events yet.")


def _age(days: int) -> str:
    return f"not used for {days:,} days" if days else "kept for ever"


def _prune(database: "Database", retention: "Retention", is_dry: bool, is_confirmed: bool) -> "Num":
    """What was deleted, or would be."""
    import time

    from fivedice.server.games.dice_counter import DiceCounter
    from fivedice.server.games.pruner import ages, prune, summed
    from fivedice.storage.rows.life import GRACE_SECONDS, lived_until, trust
    from fivedice.storage.rows.pruning import num_old

    with shown_progress() as progress:
        if not is_dry:
            progress("Reading new events", None)
            asyncio.run(DiceCounter(database, rest=0.0).sweep())
        now, clock = database.read(lived_until), time.time()
        if now is None or is_confirmed:
            now = max(clock, now or clock)
        old = ages(retention, now)
        if clock - now > GRACE_SECONDS:
            days = (clock - now) / 86_400
            print(
                f"fivedice: the last {days:,.0f} days by this clock do not count, because no server has seen them "
                "pass; --confirm counts them.",
                file=sys.stderr,
            )
        if is_dry:
            return database.read(partial(num_old, ages=old))
        if is_confirmed:
            database.write(partial(trust, now=now)).result()
        if database.is_shared:
            from fivedice.server.live.notices import tell_once

            database.on_commit(partial(tell_once, database.arguments))
        progress("Deleting", None)
        deleted: list[Num] = []
        prune(database, old, lambda num, _: deleted.append(num))
    return summed(deleted)
