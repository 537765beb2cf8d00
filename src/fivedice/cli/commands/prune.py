"""`fivedice prune`: deletes old games that are no longer used from a server's database, or says which."""

import asyncio
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from fivedice.cli.commands.backup import why_unavailable
from fivedice.cli.progress import shown_progress
from fivedice.cli.text.output import Flag, Several, fail, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fivedice.server.config.retention import Retention, Rule
    from fivedice.storage.engine.database import Database
    from fivedice.storage.rows.pruning import Freed


def prune(
    *,
    database_url: str | None = None,
    keep: Several = (),
    dry_run: Flag = False,
    confirm: Flag = False,
    json: Flag = False,
) -> None:
    """Delete from a server's database what its retention rules do not keep.

    `fivedice serve` does the same every hour. A running server of a PostgreSQL database can go on serving; one of a
    SQLite file must be stopped, except for --dry-run. Ctrl-C stops after the transaction in progress: what was deleted
    until then stays deleted, and everything else is complete.

    Parameters
    ----------
    database_url
        The database, as for `fivedice serve`.
    keep
        How many days to keep something that is not used, such as unfinished=30d, or finished=0 for ever. The names are
        new, unfinished, finished, imported and browsers. Can be repeated. Give the same as to `fivedice serve`.
    dry_run
        Delete nothing, and print what would be deleted.
    confirm
        Say that the clock is right, so that the time in which no server ran counts, too, and that more than a tenth of
        all tables may be deleted at once.
    json
        Print JSON.
    """
    # Imported here: the base install has no database.
    from fivedice.server.config.retention import parse_keep
    from fivedice.storage.engine.database import Database, UnavailableError, default_url
    from fivedice.storage.engine.sqlite_files import ServedError

    retention, url = parse_keep(keep), database_url or default_url()
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
        freed, unread, free = _prune(database, retention, dry_run, confirm)
    except UnavailableError as error:
        fail(str(error))
    finally:
        database.close()
    if json:
        print_json(_data(retention, freed, unread, free, dry_run))
    else:
        print("\n".join(_lines(retention, freed, unread, free, dry_run)))


def _prune(
    database: "Database", retention: "Retention", is_dry: bool, is_confirmed: bool
) -> "tuple[dict[str, Freed], int, int | None]":
    """What was deleted by each rule, the number of tables that were skipped because no server has read their newest
    events, and the bytes of a SQLite file that are free. Exits if a person must confirm what would be deleted."""
    import time

    from fivedice.server.games.dice_counter import DiceCounter
    from fivedice.server.games.pruner import needs_confirmation, num_due, prune
    from fivedice.storage.rows.life import GRACE_SECONDS, lived_until, trust
    from fivedice.storage.rows.pruning import Freed, free_bytes, num_unread

    total = {rule.name: Freed() for rule in retention.rules}
    with shown_progress() as progress:

        def on_freed(rule: "Rule", freed: Freed, gone: "Sequence[str]") -> None:
            total[rule.name] += freed
            progress(f"{'Looking for' if is_dry else 'Deleting'} {rule.what}", None)

        if not is_dry:
            progress("Reading new events", None)
            asyncio.run(DiceCounter(database, rest=0.0).sweep())
        now, clock = database.read(lived_until), time.time()
        if now is None or is_confirmed:
            now = max(clock, now or clock)
        due, num = num_due(database, retention, now)
        if needs_confirmation(due, num) and not is_confirmed:
            sentence = _unconfirmed(due, num)
            if not is_dry:
                fail(f"{sentence}. Nothing was deleted: if the clock and --keep are right, repeat it with --confirm")
            print(f"fivedice: {sentence}; without --confirm nothing is deleted.", file=sys.stderr)
        if clock - now > GRACE_SECONDS:
            days = (clock - now) / 86_400
            print(
                f"fivedice: the last {days:,.0f} days by this clock do not count, because no server has seen them "
                "pass; --confirm counts them.",
                file=sys.stderr,
            )
        if is_confirmed and not is_dry:
            database.write(partial(trust, now=now)).result()
        if database.is_shared:
            from fivedice.server.live.notices import tell_once

            database.on_commit(partial(tell_once, database.arguments))
        prune(database, retention, now, on_freed, is_dry=is_dry)
    return total, database.read(num_unread), database.read(free_bytes)


def _unconfirmed(due: int, num: int) -> str:
    return f"{due:,} of {num:,} tables, more than a tenth, would be deleted at once"


def _lines(retention: "Retention", total: "dict[str, Freed]", unread: int, free: int | None, is_dry: bool) -> list[str]:
    lines = []
    for rule in retention.rules:
        freed = total[rule.name]
        if not rule.days:
            lines.append(f"{'kept':>12}  {rule.what}: for ever")
            continue
        num = {"imported": freed.records, "browsers": _num_browsers(total)}.get(rule.name, freed.tables)
        lines.append(f"{num:>12,}  {rule.what}: {rule.days} days or more since {rule.since}")
    events = sum(freed.events for freed in total.values())
    megabytes = sum(freed.text_bytes for freed in total.values()) / 1e6
    verb = "would be deleted" if is_dry else "deleted"
    lines.append(f"In total, {events:,} event{'s'[: events != 1]} and {megabytes:,.1f} MB of text {verb}.")
    if free is not None and not is_dry:
        lines.append(f"The file keeps its size; {free / 1e6:,.1f} MB of it are free for new games.")
    if unread:
        tables = f"{unread:,} table{'s'[: unread != 1]}"
        lines.append(f"{tables} not examined: no server has read their newest events yet.")
    return lines


def _num_browsers(total: "dict[str, Freed]") -> int:
    """Browsers are deleted with their last game, too."""
    return sum(freed.holders for freed in total.values())


def _data(
    retention: "Retention", total: "dict[str, Freed]", unread: int, free: int | None, is_dry: bool
) -> dict[str, Any]:
    return {
        "is_dry": is_dry,
        "rules": [
            {
                "name": rule.name,
                "days": rule.days,
                "tables": total[rule.name].tables,
                "events": total[rule.name].events,
                "records": total[rule.name].records,
                "browsers": total[rule.name].holders,
                "text_bytes": total[rule.name].text_bytes,
            }
            for rule in retention.rules
        ],
        "unread_tables": unread,
        "free_bytes": free,
    }
