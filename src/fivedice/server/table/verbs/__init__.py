"""The verbs of a table, each in one file with its command and its event; the list below names them all.

A verb's command decides on a step in `decide`, and its event makes the next table in `apply`. An accepted command is
exactly one event, and the number of an event is the table's version after it: the first, `Created`, is version 1.
"""

from fivedice.server.table.created import Created
from fivedice.server.table.verbs.add_nonce import AddNonce, NonceAdded
from fivedice.server.table.verbs.announce import Announce, Announced
from fivedice.server.table.verbs.close import Close, Closed
from fivedice.server.table.verbs.enter import Enter, Entered
from fivedice.server.table.verbs.rematch import Rematch, Rematched
from fivedice.server.table.verbs.resign import Resign, Resigned
from fivedice.server.table.verbs.roll import Roll, Rolled
from fivedice.server.table.verbs.roll_off import RolledOff, RollOff
from fivedice.server.table.verbs.score import Score, Scored
from fivedice.server.table.verbs.sit import Sat, Sit
from fivedice.server.table.verbs.time_out import TimedOut
from fivedice.server.table.verbs.undo import Undo, Undone

AnyCommand = Sit | AddNonce | RollOff | Roll | Enter | Score | Announce | Undo | Resign | Close | Rematch

AnyEvent = (
    Created
    | Sat
    | NonceAdded
    | RolledOff
    | Rolled
    | Entered
    | Scored
    | Announced
    | Undone
    | Resigned
    | Closed
    | Rematched
    | TimedOut
)

__all__ = [
    "AddNonce",
    "Announce",
    "Announced",
    "AnyCommand",
    "AnyEvent",
    "Close",
    "Closed",
    "Created",
    "Enter",
    "Entered",
    "NonceAdded",
    "Rematch",
    "Rematched",
    "Resign",
    "Resigned",
    "Roll",
    "RollOff",
    "Rolled",
    "RolledOff",
    "Sat",
    "Score",
    "Scored",
    "Sit",
    "TimedOut",
    "Undo",
    "Undone",
]
