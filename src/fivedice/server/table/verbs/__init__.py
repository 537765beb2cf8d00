"""The verbs of a table, each a command and an event; the list below names them all.

A verb's command decides on a step in `decide`, and its event makes the next table in `apply`. An accepted command is
exactly one event, and the number of an event is the table's version after it: the first, `Created`, is version 1.
"""

from fivedice.server.table.event import Created
from fivedice.server.table.verbs.begin import AddNonce, NonceAdded, RolledOff, RollOff, Sat, Sit
from fivedice.server.table.verbs.end import Close, Closed, Rematch, Rematched, Resign, Resigned, TimedOut, Undo, Undone
from fivedice.server.table.verbs.play import Announce, Announced, Enter, Entered, Roll, Rolled, Score, Scored

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
