"""Replay of the events of a tournament, strictly: one that the tournament before it does not allow is an error."""

from collections.abc import Iterable

from fivedice.base.errors import IllegalError
from fivedice.tournament.change import Change, Created
from fivedice.tournament.event import Event
from fivedice.tournament.state import Tournament


def start(created: Created) -> Tournament:
    """The tournament at version 1."""
    return Tournament(created.tournament, created.club, created.settings, created.commitment)


def apply(tournament: Tournament, event: Event) -> Tournament:
    """The tournament after one more event; raises `IllegalError` if that is not allowed."""
    if not isinstance(event, Change):
        raise IllegalError("a tournament is created once")
    return event.apply(tournament)


def replay(events: Iterable[Event]) -> Tournament:
    """The tournament after a complete log; raises `IllegalError`."""
    log = iter(events)
    first = next(log, None)
    if not isinstance(first, Created):
        raise IllegalError("the events of a tournament begin with its creation")
    tournament = start(first)
    for event in log:
        tournament = apply(tournament, event)
    return tournament
