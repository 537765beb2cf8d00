"""`AskedTry`: a request about a try of the daily: which one, who asks, and in which language."""

from dataclasses import dataclass
from typing import Annotated

from litestar.di import NamedDependency
from litestar.params import PathParameter, SkipValidation

from fivedice.base.language import Language, language
from fivedice.server.games.dailies import Attempt
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.error_responses import NotYoursError
from fivedice.server.http.handling.params import Lang
from fivedice.server.replies.errors import StaleError
from fivedice.storage.rows.daily import StoredTry

TryId = Annotated[str, PathParameter(description="the id of a try", max_length=32)]


@dataclass(frozen=True, slots=True)
class AskedTry:
    """A try with what it asks, once that is drawn."""

    stored: StoredTry
    attempt: Attempt
    asker: Asker
    lang: str

    @classmethod
    async def load(cls, id: str, asker: Asker, lang: str) -> "AskedTry":
        """The request for the try with an id; raises `UnknownError`."""
        dailies = asker.services.dailies
        stored, answers = await dailies.stored(id)
        return cls(stored, await asker.wait_for(dailies.attempt_of(stored, answers)), asker, lang)

    @property
    def to(self) -> Language:
        """The language of the answer."""
        return language(self.lang)

    @property
    def is_over(self) -> bool:
        """Whether the try takes no more answers."""
        days = self.asker.services.days
        return self.attempt.is_over(days.now, days.today)

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


TheAskedTry = NamedDependency[SkipValidation[AskedTry]]
"""The type of the handler parameter `asked`."""


async def provide_asked_try(id: TryId, asker: TheAsker, lang: Lang = "en") -> AskedTry:
    """The request for the try in its path."""
    return await AskedTry.load(id, asker, lang)
