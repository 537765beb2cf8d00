"""A `StrictRequest`: JSON is checked against the type that the handler declares, and nothing is converted.

Litestar's own request would take the text "1" for the number 1, and 1 for true.
"""

from functools import lru_cache
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import ValidationException

from fivedice.errors import MalformedError
from fivedice.server.http.strict_json import read_json


class StrictRequest(Request[None, None, State]):
    """A request whose body is what the handler's `data` declares, or a `ValidationException`."""

    async def json(self) -> Any:
        """The body, decoded."""
        field = self.route_handler.parsed_data_field
        body = await self.body()
        try:
            return read_json(_decoder(field.annotation if field else Any), body)
        except MalformedError as error:
            raise ValidationException(f"the body: {error}") from None


@lru_cache(maxsize=256)
def _decoder(type: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type)
