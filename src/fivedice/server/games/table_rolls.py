"""`count_on`: counts the rolls in the events of a table, from a cursor on. Pure, like a replay.

Only `Rolled` events are rolls: undoing a score rolls no dice, and the opening roll is not part of the game. A computer
player whose turn is taken back rolls the same dice again, so the events after a score are counted once it is final.
Real dice, which people enter, say nothing about those of the server.
"""

from collections.abc import Iterable
from dataclasses import replace

from fivedice.analysis.dice_counts import Rolled, count, rolled_at
from fivedice.base.errors import IllegalError
from fivedice.rulesets.dice import faces_of, format_dice
from fivedice.server.table.created import Created
from fivedice.server.table.event import Event
from fivedice.server.table.state import PERSON, ruleset_of
from fivedice.server.table.verbs import Announced, Closed, Entered, Resigned, Scored, Undone
from fivedice.server.table.verbs import Rolled as RolledEvent
from fivedice.storage.rows.dice_counts import Counted, DiceCursor


def count_on(table: str, before: DiceCursor, events: Iterable[Event]) -> Counted:
    """The cursor and counts after the events that follow a cursor; raises `IllegalError` if they do not fit it.

    The cursor stops before the last score or announcement of a person until a person rolls: it may be taken back.
    """
    after = before
    found: list[Rolled] = []
    undoable: tuple[DiceCursor, int] | None = None  # the cursor and the number of rolls before that score
    for event in events:
        previous, after = after, replace(after, version=after.version + 1)
        match event:
            case Announced():
                undoable = (previous, len(found)) if event.by == PERSON else undoable
            case Undone() if undoable:
                (after, num), undoable = (replace(undoable[0], version=after.version), undoable[1]), None
                del found[num:]
            case Created():
                ruleset = ruleset_of(event.rules, event.toml)
                after = replace(after, faces=ruleset.faces, open_boxes=ruleset.rounds * len(event.seats))
            case Entered():
                undoable = None
            case RolledEvent():
                rolled = _rolled(after, event)
                dice = format_dice(tuple(event.dice)) if event.dice else ""
                after = replace(after, dice=dice, last=rolled.dice[-1] if rolled.dice else after.last)
                found.append(rolled)
                undoable = None if event.by == PERSON else undoable
            case Scored():
                after = replace(after, open_boxes=after.open_boxes - 1)
                undoable = (previous, len(found)) if event.by == PERSON else undoable
            case Undone(turns=turns):
                after = replace(after, open_boxes=after.open_boxes + turns)
            case Resigned(unplayed=unplayed):
                after, undoable = replace(after, open_boxes=after.open_boxes - unplayed), None
            case Closed():
                after = replace(after, open_boxes=0)
    if undoable and after.open_boxes:
        after, num = undoable
        del found[num:]
    return Counted(table, before, after, count(found))


def _rolled(cursor: DiceCursor, event: RolledEvent) -> Rolled:
    dice = tuple(event.dice)
    before = faces_of(cursor.dice) if event.kept else ()
    if event.seat is None or not cursor.faces or (event.kept and len(before) != len(dice)):
        raise IllegalError(f"event {cursor.version}: no roll is possible after the counted events")
    kept = tuple(event.kept) or (False,) * len(dice)
    return rolled_at(dice, kept, before, cursor.last or None, event.seat, event.by == PERSON, cursor.faces)
