"""`Settings`: what is agreed on before a tournament begins."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from fivedice.base.errors import MalformedError
from fivedice.players.pace import DEFAULT_SECONDS, RELAXED_SECONDS, Seconds

Format: TypeAlias = Literal["evening", "swiss", "round_robin", "duplicate", "ladder"]
"""How a round is drawn. "evening": tables at which people meet others than before; "swiss": pairs of people with about
the same points who have not met; "round_robin": everybody meets everybody once; "duplicate": everybody plays alone,
on the same dice; "ladder": there are no rounds, but members challenge those above them."""

TieBreak: TypeAlias = Literal["points", "opponents", "beaten", "wins", "score", "played", "lost"]
"""What places are decided by. "points" of the tables; "opponents": the points of all people that one met; "beaten":
the points of those whom one beat, and half of those with whom one tied; "wins": the tables won, alone or shared;
"score": the sum of all scores; "played": the rounds finished; "lost": the points that decisions lost, fewest first."""

TIE_BREAKS: Mapping[Format, tuple[TieBreak, ...]] = MappingProxyType(
    {
        "evening": ("points", "wins", "score"),
        "swiss": ("points", "opponents", "wins", "score"),
        "round_robin": ("points", "beaten", "wins", "score"),
        "duplicate": ("played", "lost", "score"),
        "ladder": (),
    }
)
"""Of each format, in the order in which they count; people who are equal in all of them share a place. A ladder has
an order of its own, without shared places."""

MAX_ROUNDS = 30
MAX_RULES = 10
MIN_SEATS, MAX_SEATS = 2, 4
MAX_HOURS = 30 * 24
MAX_REACH = 20
MAX_PLAYERS = 500
MAX_ON_SAME_DICE = 200


class Settings(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The settings of a tournament. `rules` are references of rulesets, one for each round, beginning again if there
    are more rounds; `seats` is how many sit at a table, as far as their number allows. A round robin has as many rounds
    as it takes, whatever `rounds` says, and a ladder has none: there each challenge has the next rules."""

    name: Annotated[str, Meta(max_length=640)]
    format: Format = "evening"
    rules: Annotated[list[Annotated[str, Meta(min_length=1, max_length=100)]], Meta(min_length=1, max_length=MAX_RULES)]
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] = 4
    seats: Annotated[int, Meta(ge=MIN_SEATS, le=MAX_SEATS)] = 2
    starts: Annotated[float, Meta(ge=0, le=1e11)]
    """When it is planned to begin, in seconds since 1970."""
    pace: Seconds = DEFAULT_SECONDS
    """The seconds that players have for a turn; in a duplicate, nobody waits for them."""
    hours: Annotated[int, Meta(ge=1, le=MAX_HOURS)] | None = None
    """How long a round of a duplicate can be played; null in other formats."""
    reach: Annotated[int, Meta(ge=1, le=MAX_REACH)] = 3
    """How many places above their own the members of a ladder may challenge."""
    annuls: bool = False
    """Whether the results of somebody who leaves a round robin with less than half of their games count for nobody:
    whoever met them has the points of a player without a table."""

    def check(self) -> None:
        """Raise `MalformedError` if they do not go together."""
        if (self.format == "duplicate") != (self.hours is not None):
            raise MalformedError("hours: want the time of a round for a duplicate, and null for other formats")
        if self.format == "ladder" and self.pace < RELAXED_SECONDS:
            raise MalformedError("pace: want at least an hour for each turn, as a ladder needs it")
        if self.annuls and self.format != "round_robin":
            raise MalformedError("annuls: want false, as in every tournament that is no round robin")
        if self.format != "evening" and self.seats != MIN_SEATS:
            raise MalformedError(f"seats {self.seats}: want 2, as in every tournament of the format {self.format}")

    def rules_of(self, round: int) -> str:
        """The rules of a round, from 1."""
        return self.rules[(round - 1) % len(self.rules)]
