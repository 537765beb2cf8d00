"""Replay of a table's events: `start` a table, `apply` one event, or `replay` them all.

Replay is strict: an event that the rules or the table before it do not allow raises `IllegalError`. So a damaged log,
or one written by a faulty program, is found before play continues.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from fivedice.base.errors import IllegalError, shown
from fivedice.game.position import Position
from fivedice.server.table.available import available_here
from fivedice.server.table.event import Created, Event
from fivedice.server.table.state import HIGHEST_ROLL, LiveTurn, Seat, Table, ruleset_of


class Change(Event, frozen=True):
    """An event that changes a table, as all but its creation do."""

    def apply(self, table: Table) -> Table:
        """The table after this event; raises `ValueError` if the rules or the table do not allow it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Step:
    """An event that follows a table, and the table after it."""

    event: Event
    table: Table

    @classmethod
    def of(cls, table: Table, event: Event) -> "Step":
        """The step that `apply` makes of an event."""
        return cls(event, apply(table, event))


def replay(events: Iterable[Event]) -> Table:
    """Return the table after a complete log; raises `IllegalError` at the first event that is not allowed."""
    log = iter(events)
    first = next(log, None)
    if not isinstance(first, Created):
        raise IllegalError("the events of a table begin with its creation")
    table = start(first)
    for event in log:
        table = apply(table, event)
    return table


def apply(table: Table, event: Event) -> Table:
    """Return the table after one more event; raises `IllegalError` if the event is not allowed."""
    try:
        if not isinstance(event, Change):
            raise IllegalError("a table is created once")
        return event.apply(table)
    except ValueError as error:
        raise IllegalError(f"event {table.version + 1} of table {table.id}: {error}") from None


def start(created: Created) -> Table:
    """Return the table at version 1; raises `IllegalError`, `UnknownError` or `MalformedError` if it is unplayable."""
    ruleset = ruleset_of(created.rules, created.toml)
    if ruleset.digest != created.digest:
        raise IllegalError(
            f"table {created.table}: the digest of {created.rules} is {ruleset.digest}, "
            f"but the table was created with {created.digest}"
        )
    first = None if created.first == HIGHEST_ROLL else _first(created.first)
    here = (index for index, seat in enumerate(created.seats) if seat.name and not created.is_called)
    table = Table(
        created=created,
        ruleset=ruleset,
        here=available_here(ruleset),
        version=1,
        seats=tuple(Seat(seat.kind, seat.name) for seat in created.seats),
        turn=LiveTurn(0, Position.start(ruleset, len(created.seats), first or 0)),
        first=first,
        come=frozenset(here),
    )
    return table.but(since=created.at) if table.has_clock else table


def _first(text: str) -> int:
    if not text.isdecimal():
        raise IllegalError(f"first {shown(text)}: want the number of a seat, or {HIGHEST_ROLL}")
    return int(text)
