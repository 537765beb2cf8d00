"""`Place` and `Asking`: what a server and a browser each do for endpoints that both answer; and their parameters."""

from collections.abc import Callable
from datetime import date
from typing import Annotated, Literal, ParamSpec, Protocol, TypeVar

from msgspec import Meta, Struct

from fivedice.analysis.advice import Advice
from fivedice.game.action import Action
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.game.position import Position
from fivedice.players import Available
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.limits import MAX_POSITION_CHARACTERS
from fivedice.server.table.available import available_here, has_browser_advice
from fivedice.server.table.state import Table
from fivedice.server.table.to_record import TableLog
from fivedice.views.action import AnyAction
from fivedice.views.position import WhyView
from fivedice.views.review import ReviewView

P = ParamSpec("P")
T = TypeVar("T")

TableId = Annotated[str, Meta(description="the table's id, the last part of its link", max_length=64)]
SeatIndex = Annotated[int, Meta(description="the number of a seat", ge=0, le=MAX_SEATS - 1)]
Since = Annotated[int, Meta(description="the version that the client has, or 0", ge=0, le=1_000_000)]
WithRules = Annotated[bool, Meta(description="whether to include the rules")]
OwnSeat = Annotated[
    int | None, Meta(description="the seat whose decisions become lessons; by default all seats of this browser")
]
Lang = Annotated[
    Literal["en", "de", "sv", "da", "nb", "es", "fr"],
    Meta(description="the language of the texts; in da, nb, es and fr only names, with English sentences"),
]
TableParameter = Annotated[
    str, Meta(description="the table whose rules they are, unless these are shipped", max_length=64)
]


class LessonAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a lesson: an action, in notation or in parts.

    `day` is when it was given, if that was without the server (UTC). It then counts unless the lesson has been answered
    since, so that it can be sent again.
    """

    line: Annotated[str, Meta(max_length=MAX_POSITION_CHARACTERS)]
    action: AnyAction
    table: Annotated[str, Meta(max_length=64)] = ""
    day: date | None = None


class KnownTable(Protocol):
    """A table with its events."""

    @property
    def table(self) -> Table:
        """The table at its newest version."""
        ...

    @property
    def log(self) -> TableLog:
        """The events, from which the record is made."""
        ...


class Place:
    """A server or a browser, as endpoints see it that do not depend on who asks."""

    available: Callable[..., Available] = staticmethod(available_here)
    """What can be had under some rules, with reasons in a language."""
    keeps_values: Callable[[Ruleset], bool] = staticmethod(has_browser_advice)
    """Whether a browser has the values of some rules, or can get them."""

    async def find(self, table: str) -> KnownTable:
        """A table; raises `UnknownError`."""
        raise NotImplementedError


class Asking(Place):
    """A request and its sender. The methods of this base class serve a browser; a server overrides them."""

    async def table(self, id: str, since: int = 0) -> KnownTable:
        """A table that they may see; raises `UnknownError`."""
        return await self.find(id)

    async def log_of(self, known: KnownTable) -> TableLog:
        """The events of a table, with its secret if that is told."""
        return known.log

    async def read_rules(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function that reads rules."""
        return function(*args, **kwargs)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function that takes long."""
        return function(*args, **kwargs)

    async def help_at(self, position: Position, *, wants: bool, waits: bool) -> tuple[Advice | None, str, str | None]:
        """Advice on a position if they want it and there are values; else why there will be none; and an unfinished
        table of theirs in which advice is off."""
        raise NotImplementedError

    async def why(self, position: Position, actions: tuple[Action, Action], lang: str) -> WhyView:
        """Why the first action is worth more or less than the second."""
        raise NotImplementedError

    async def review(self, known: KnownTable, lang: str, *, is_whole: bool) -> ReviewView:
        """The review of a finished game, which may be encoded already."""
        raise NotImplementedError
