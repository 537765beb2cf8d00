"""Compares what clients were shown with the events in the database, replayed from the beginning.

A running server makes each view from the previous table and one event; it must be the view of a table that is made from
all its events at once. The same holds for the record of a game.
"""

import msgspec

from fivedice.game.record import parse_record
from fivedice.server.table.apply import apply, replay
from fivedice.server.table.event import Event
from fivedice.server.table.history import decode_log
from fivedice.server.table.state import Table
from fivedice.server.table.to_record import record_of
from fivedice.server.table.view import view
from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import Ledger, view_digest

TEXTS = "SELECT streams.id, rulesets.toml FROM streams JOIN rulesets ON rulesets.hash = streams.ruleset"


def decoded_events(database: TargetDatabase) -> dict[str, list[Event]]:
    """Table id → its events, in order, with the text of rules that are not shipped."""
    texts: dict[str, str] = dict(database.select(TEXTS))
    logs = database.logs("table").items()
    return {table: list(decode_log((body for _, _, body in log), texts.get(table, ""))) for table, log in logs}


def check_views(ledger: Ledger, database: TargetDatabase) -> int:
    """Compare every view that was shown with the replayed events; return how many there were."""
    logs, secrets, num = decoded_events(database), database.secrets(), 0
    for id, notes in ledger.notes.items():
        table: Table | None = None
        for event in logs.get(id, []):
            table = replay([event]) if table is None else apply(table, event)
            shown = notes.views.get(table.version)
            num += shown is not None
            if shown not in (None, view_digest(msgspec.to_builtins(view(table, secret=secrets[id])))):
                ledger.wrong.append(f"table {id}: version {table.version} was not shown as its events replay")
    return num


def check_records(ledger: Ledger, database: TargetDatabase, records: dict[str, str]) -> None:
    """Compare the server's records (table → text) with those of the replayed events, and replay them too."""
    logs, secrets = decoded_events(database), database.secrets()
    for id, text in records.items():
        events = logs.get(id, [])
        table, secret = replay(events), secrets[id]
        is_told = not table.created.duplicate or secret.hex() in text  # `DuplicatePlayer` checks when it is told
        record = record_of(table, events, secret if is_told else None)
        if text != str(record) or parse_record(text).position != record.position:
            ledger.wrong.append(f"table {id}: its record is not that of its events")
