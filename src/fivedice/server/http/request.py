"""`StrictRequest`: a request that checks its JSON body against the handler's type without converting values; and the
language that a client accepts.

Litestar's own request accepts the text "1" for the number 1, and 1 for true.
"""

from functools import lru_cache
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import ValidationException

from fivedice.base.errors import MalformedError
from fivedice.base.language import LANGUAGES
from fivedice.server.replies.endpoint import read_json


class StrictRequest(Request[None, None, State]):
    """A request whose JSON body has the type of the handler's `data` parameter."""

    async def json(self) -> Any:
        """Decode the body; raises `ValidationException`."""
        field = self.route_handler.parsed_data_field
        body = await self.body()
        try:
            return read_json(_decoder(field.annotation if field else Any), body)
        except MalformedError as error:
            raise ValidationException(f"the body: {error}") from None


def accepted_language(header: str) -> str:
    """The first language of an `Accept-Language` header that there are messages for; English if there is none."""
    weighted: list[tuple[float, str]] = []
    for item in header[:200].split(","):
        tag, _, weight = item.strip().partition(";q=")
        try:
            weighted.append((-float(weight or 1), tag.lower().split("-")[0]))
        except ValueError:
            continue
    return next((tag for _, tag in sorted(weighted, key=lambda found: found[0]) if tag in LANGUAGES), "en")


@lru_cache(maxsize=256)
def _decoder(type: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type)
