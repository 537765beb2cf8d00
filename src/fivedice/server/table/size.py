"""How many bytes a table may take in the database, so that they can be counted before they are written."""

from fivedice.ruleset import Ruleset
from fivedice.server.config.limits import EVENT_BYTES, ROW_BYTES, TABLE_BYTES
from fivedice.server.table.created import Created
from fivedice.server.table.event import Event
from fivedice.server.table.event_json import stored_json
from fivedice.server.table.state import Table, ruleset_of
from fivedice.server.table.verbs import Announced, Closed, Rolled, RolledOff, Scored, Undone


def game_bytes(created: Created) -> int:
    """The bytes of a table with its whole game, but without what `change_bytes` counts."""
    ruleset = ruleset_of(created.rules, created.toml)
    num_events = len(created.seats) * ruleset.rounds * _events_per_turn(ruleset)
    own = len(stored_json(created).encode()) + len(created.toml.encode())
    return TABLE_BYTES + own + len(created.seats) * ROW_BYTES + num_events * EVENT_BYTES


def change_bytes(table: Table, event: Event) -> int:
    """The bytes that an event adds to those of `game_bytes`: 0 for the steps of the game itself."""
    match event:
        case Rolled() | Scored() | Announced() | RolledOff() | Closed():
            return 0
        case Undone():
            # The turn of the seat and those of the computer players after it are played again.
            return EVENT_BYTES + len(table.seats) * _events_per_turn(table.ruleset) * EVENT_BYTES
    return EVENT_BYTES + len(stored_json(event).encode())


def _events_per_turn(ruleset: Ruleset) -> int:
    """The most events of one turn: its rolls, an announcement, and its score."""
    return ruleset.rolls + bool(ruleset.announced_boxes) + 1
