"""`Pace`: how long people may think, and who decides for them after that."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

MIN_PACE_SECONDS = 10
MAX_PACE_SECONDS = 7 * 86_400

RELAXED_SECONDS = 3_600
"""A clock a turn from which on a game is relaxed, and players may nudge."""


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock for each person: `seconds` for every turn, or for all turns of the game together.

    It runs during the person's own turns, while the service is up. When it has run out, `player`, a computer player,
    finishes the turn. If that happens twice in a row, the seat resigns.
    """

    per: Literal["turn", "game"]
    seconds: Annotated[int, Meta(ge=MIN_PACE_SECONDS, le=MAX_PACE_SECONDS)]
    player: Annotated[str, Meta(max_length=40)] = "greedy"

    @property
    def is_relaxed(self) -> bool:
        """Whether people come back for each turn, rather than stay at the table."""
        return self.per == "turn" and self.seconds >= RELAXED_SECONDS
