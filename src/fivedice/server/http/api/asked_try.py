"""`AskedTry`: a request about a try of the daily: which one, who asks, and in which language."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from litestar import Response
from litestar.di import NamedDependency
from litestar.params import PathParameter, SkipValidation

from fivedice.base.language import Language, language
from fivedice.server.games.dailies import Attempt
from fivedice.server.http.api.reports import solving_response
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.error_responses import NotYoursError
from fivedice.server.http.handling.params import Lang
from fivedice.server.replies.errors import StaleError
from fivedice.server.services import Services
from fivedice.storage.rows.daily import StoredTry
from fivedice.views.answers import SolvingView

TryId = Annotated[str, PathParameter(description="the id of a try", max_length=32)]


@dataclass(frozen=True, slots=True)
class AskedTry:
    """`attempt` is None while its positions are being drawn or solved."""

    stored: StoredTry
    attempt: Attempt | None
    asker: Asker
    lang: str

    @classmethod
    async def load(cls, id: str, asker: Asker, lang: str) -> "AskedTry":
        """The request for the try with an id; raises `UnknownError`."""
        dailies = asker.services.dailies
        stored, answers = await dailies.stored(id)
        return cls(stored, await dailies.attempt_of(stored, answers, asker.whos), asker, lang)

    @property
    def to(self) -> Language:
        """The language of the answer."""
        return language(self.lang)

    @property
    def is_over(self) -> bool:
        """Whether the try takes no more answers."""
        days = self.asker.services.days
        return self.attempt is not None and self.attempt.is_over(days.now, days.today)

    async def is_own(self) -> bool:
        """Whether the try belongs to who asks."""
        return self.stored.holder == self.asker.visitor.holder

    async def require_own(self) -> None:
        """Raise `NotYoursError` unless it does."""
        if not await self.is_own():
            raise NotYoursError("this try belongs to another browser")

    def require_over(self) -> None:
        """Raise `StaleError` unless the try is over."""
        if not self.is_over:
            raise StaleError("this try is not over yet: it has no result")

    def solving(self) -> Response[Any]:
        """The 202 response with the progress of what is missing; raises `IllegalError` if it cannot be had."""
        return solving(self.asker.services, date.fromisoformat(self.stored.day), self.stored.kind, self.stored.rules)


TheAskedTry = NamedDependency[SkipValidation[AskedTry]]
"""The type of the handler parameter `asked`."""


async def provide_asked_try(id: TryId, asker: TheAsker, lang: Lang = "en") -> AskedTry:
    """The request for the try in its path."""
    return await AskedTry.load(id, asker, lang)


def solving(services: Services, day: date, kind: str, rules: str) -> Response[Any]:
    """The 202 response while something of a day is drawn, or its rules are solved; raises `IllegalError`."""
    if progress := services.days.progress(day, kind, rules):
        return Response(SolvingView(progress), status_code=202)
    ruleset, _ = services.days.refusal(day, rules)
    return solving_response(services.searches, ruleset)
