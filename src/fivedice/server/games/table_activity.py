"""`activity_after`: the stage of a table, and when a person last acted at it, from its events. Pure, like a replay."""

from collections.abc import Iterable

from fivedice.errors import IllegalError
from fivedice.server.table.event import Event
from fivedice.server.table.state import PERSON
from fivedice.server.table.verbs import Announced, Closed, Resigned, Rolled, RolledOff, Scored
from fivedice.storage.rows.activity import Activity, Stage


def activity_after(before: Activity | None, events: Iterable[Event], *, has_open_boxes: bool) -> Activity:
    """The activity after the events that follow `before`; all events of the table if that is None.

    Raises `IllegalError` if there is neither an activity nor an event.
    """
    stage, active = (before.stage, before.active) if before else (Stage.NEW, None)
    acted = False
    is_over = stage is Stage.OVER
    for event in events:
        match event:
            case Rolled() | RolledOff() if stage is Stage.NEW:
                stage = Stage.BEGUN
            case Scored() | Resigned():
                is_over = not has_open_boxes
            case Closed():
                is_over = False
        if active is None or is_by_person(event):
            active = event.at if active is None else max(active, event.at)
            acted = before is not None
    if active is None:
        raise IllegalError("it has no events")
    return Activity(Stage.OVER if is_over else stage, active, acted)


def is_by_person(event: Event) -> bool:
    """Whether a person caused an event, not a computer player or the server. The creation of a table counts."""
    match event:
        case Rolled(by=by) | Scored(by=by) | Announced(by=by):
            return by == PERSON
        case Closed(seat=seat):
            return seat is not None
    return True
