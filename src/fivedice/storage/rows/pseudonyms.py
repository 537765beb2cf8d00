"""Names in the events of streams: who has one, and the pseudonyms that take their place."""

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select, update

from fivedice.storage.rows.decisions import rename_seat
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.streams import append_all, empty_seat
from fivedice.storage.schema import events, streams

_NAMING = {"sat": "seat", "joined": "member", "entered": "player"}
"""The types of events that have a name, and the fields that say whose; the first event of a table has all of them."""

_MARKS = ("", *(f" ({number})" for number in range(2, 10_000)))
"""What may follow a pseudonym that somebody has."""


def pseudonym(seat: int) -> str:
    """The name that stays at a seat."""
    return f"Player {seat + 1}"


def named(connection: Connection, name: str) -> tuple[dict[str, set[int]], list[tuple[str, int]]]:
    """Table → the seats that have, or had, a name; and the clubs and games on the same dice with the numbers of those
    who have or had it."""
    text = f'"name":{json.dumps(name, ensure_ascii=False)}'
    having = select(streams.c.id, streams.c.kind, streams.c.parent, events.c.body).join(events)
    tables, members = defaultdict[str, set[int]](set), dict[tuple[str, int], None]()
    for id, kind, parent, body in connection.execute(having.where(events.c.body.contains(text, autoescape=True))):
        numbers = [number for number, one in _named_in(json.loads(body)).items() if one["name"] == name]
        if kind == "table":
            tables[id].update(numbers)
        else:
            members |= dict.fromkeys((parent if kind == "tournament" else id, number) for number in numbers)
    return tables, list(members)


def rename_seats(connection: Connection, table: str, seats: set[int]) -> None:
    """Give seats pseudonyms in the events that have names."""
    for seat in seats:
        rename_seat(connection, table, seat, pseudonym(seat))
    _rename(connection, table, _log_of(connection, table), {seat: pseudonym(seat) for seat in seats})


def anonymise_entry(connection: Connection, game: str, table: str, at: float) -> list[str]:
    """Give who plays at a table a pseudonym in all events of a game on the same dice; return what has changed."""
    entered = (event for _, event in _log_of(connection, game) if event.get("table") == table and "player" in event)
    return [changed for event in entered for changed in anonymise_member(connection, game, event["player"], at)]


def anonymise_member(connection: Connection, group: str, member: int, at: float) -> list[str]:
    """Take a member out of a club or a game on the same dice, with a pseudonym in all events of it and its tournaments;
    return their ids. Each log gets one more event, so that every process learns it."""
    empty_seat(connection, group, member)
    of_group = (streams.c.id == group) | ((streams.c.parent == group) & (streams.c.kind == "tournament"))
    found = select(streams.c.id, streams.c.kind).where(of_group).order_by(streams.c.id).with_for_update()
    kinds = {row.id: row.kind for row in connection.execute(found)}
    logs = {id: _log_of(connection, id) for id in kinds}
    named = (one for log in logs.values() for _, event in log for one in _named_in(event).items())
    taken = {one["name"] for number, one in named if number != member}
    name = next(name for name in (f"Player {member}{mark}" for mark in _MARKS) if name not in taken)
    for id, log in logs.items():
        if _rename(connection, id, log, {member: name}):
            last = {"type": "parted", "at": at, "member": member}
            if kinds[id] != "club":
                last = {"type": "anonymised", "at": at, "player": member, "name": name}
            newest = log[-1][0]
            event = StoredEvent(id, newest.version + 1, f"erased:{newest.version}", at, _json(last), newest.command)
            append_all(connection, [event])
    return list(logs)


_Log = list[tuple[StoredEvent, dict[str, Any]]]


def _log_of(connection: Connection, id: str) -> _Log:
    """The events of a stream, each as it is stored and read."""
    columns = (events.c.stream, events.c.version, events.c.command, events.c.at, events.c.body)
    rows = connection.execute(select(*columns).where(events.c.stream == id).order_by(events.c.version)).all()
    return [(StoredEvent(*row), json.loads(row.body)) for row in rows]


def _rename(connection: Connection, id: str, log: _Log, names: Mapping[int, str]) -> bool:
    """Store events with other names for some numbers; whether any had one."""
    has_any = False
    for stored, event in log:
        if own := {number: one for number, one in _named_in(event).items() if number in names}:
            has_any = True
            for number, one in own.items():
                one["name"] = names[number]
            changed = update(events).where(events.c.stream == id, events.c.version == stored.version)
            connection.execute(changed.values(body=_json(event)))
    return has_any


def _named_in(event: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """Number → what has its name, in an event."""
    if event["type"] == "created":
        return {seat: one for seat, one in enumerate(event.get("seats", ())) if one.get("name")}
    field = _NAMING.get(event["type"])
    return {event[field]: event} if field else {}


def _json(event: dict[str, Any]) -> str:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))
