"""`Seconds`: how long people may think at a turn before a computer player finishes it."""

from typing import Annotated, TypeAlias

from msgspec import Meta

MIN_SECONDS = 10
MAX_SECONDS = 7 * 86_400

DEFAULT_SECONDS = 86_400
"""The default: nobody loses a turn while asleep, and no game waits forever."""

RELAXED_SECONDS = 3_600
"""From which on people come back for each turn, rather than stay at the table."""

Seconds: TypeAlias = Annotated[int, Meta(ge=MIN_SECONDS, le=MAX_SECONDS)]
"""The clock of each turn. It runs while a server does. When it has run out, a computer player finishes the turn; the
second time in a row the seat resigns."""
