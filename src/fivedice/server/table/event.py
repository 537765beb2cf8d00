"""`Event`: an append-only fact of a table.

Events replay to the state of a table. They contain all randomness and time, so that replay is deterministic. They are
stored as JSON: a new field needs a default, and fields are never renamed.
"""

from msgspec import Struct


class Event(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """The fields of every event: `at` in seconds since 1970, and the seat that it belongs to, if any."""

    at: float
    seat: int | None = None

    @property
    def changer(self) -> int | None:
        """The seat whose person renamed it, undid a score, or changed who decides there; None for all other events.

        The rules bound the number of rolls and scores in a game, but not of these changes. All other events are bounded
        by the rules and these changes together.
        """
        return None

    @property
    def sender(self) -> str | None:
        """Who caused it, as in `Command.sender`; None if the server did."""
        return None if self.seat is None else str(self.seat)
