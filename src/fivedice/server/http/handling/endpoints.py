"""`handler_of`: how HTTP answers by an `Endpoint`: what a request costs, what its function gets, and the response."""

from functools import lru_cache
from inspect import Parameter, Signature
from typing import Annotated, Any, get_args

import litestar
import msgspec
from litestar import Request, Response
from litestar.concurrency import sync_to_thread
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.enums import RequestEncodingType
from litestar.exceptions import ValidationException
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import BodyKwarg, PathParameter, QueryParameter
from litestar.types import Guard

from fivedice.base.errors import MalformedError
from fivedice.server.http.handling.asker import Asker, Here
from fivedice.server.http.handling.error_responses import NoCookieError, described
from fivedice.server.http.handling.params import UNCOMPRESSED, AnyRequest, visitor_of
from fivedice.server.identity.holders import has_key
from fivedice.server.limits import SENT_BYTES_PER_TOKEN
from fivedice.server.ops.budget import address_of
from fivedice.server.replies.asking import Asking, Place
from fivedice.server.replies.endpoint import JSON, Endpoint, read_json
from fivedice.server.services import Services

Connection = ASGIConnection[Any, Any, Any, Any]


WANTED = "fivedice-cookie"
"""The header of a request that is of use only to a browser that is known again."""

_MADE_BY: dict[str, Any] = {"GET": litestar.get, "POST": litestar.post, "DELETE": litestar.delete}
_LIMITS = ("description", "ge", "le", "min_length", "max_length")


def handler_of(endpoint: Endpoint) -> HTTPRouteHandler:
    """The handler for Litestar, which reads requests by the signature of a function that it makes."""
    path, asked = endpoint.path, dict[str, Any](request=AnyRequest)
    guards = [_costing(endpoint.cost)] if endpoint.cost else []
    defaults = {name: one.default for name, one in endpoint.asked.items()}
    for name, one in endpoint.asked.items():
        kind, *metas = get_args(one.annotation)
        limits = {limit: getattr(meta, limit) for meta in metas for limit in _LIMITS}
        is_in_path = f"{{{name}}}" in path
        asked[name] = Annotated[kind, (PathParameter if is_in_path else QueryParameter)(**limits)]
        path = path.replace(f"{{{name}}}", f"{{{name}:{'int' if kind is int else 'str'}}}")
    if endpoint.body:
        asked["data"] = Annotated[endpoint.body, BodyKwarg(media_type=RequestEncodingType.JSON)]

    async def answer(**given: Any) -> Response[Any]:
        return await _answer(endpoint, **given)

    answer.__name__, answer.__doc__ = endpoint.name, endpoint.answer.__doc__
    answer.__annotations__ = {**asked, "return": endpoint.returned}
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=defaults.get(name, Parameter.empty), annotation=annotation)
        for name, annotation in asked.items()
    ]
    answer.__signature__ = Signature(parameters, return_annotation=endpoint.returned)  # type: ignore[attr-defined]
    responses = described(endpoint.errors)
    for status, (result, words) in endpoint.described.items():
        media_type = endpoint.media_type if status == endpoint.status else JSON
        responses[status] = ResponseSpec(result, generate_examples=False, description=words, media_type=media_type)
    made: HTTPRouteHandler = _MADE_BY[endpoint.method](
        path,
        guards=[*guards, require_cookie] if endpoint.needs_cookie else guards,
        include_in_schema=endpoint.is_described,
        media_type=endpoint.media_type,
        opt={} if endpoint.is_compressed else UNCOMPRESSED,
        request_max_body_size=endpoint.max_bytes,
        responses=responses,
        status_code=endpoint.status,
    )(answer)
    return made


async def _answer(endpoint: Endpoint, request: AnyRequest, **given: Any) -> Response[Any]:
    """The response to a request, by the function with what it needs."""
    services: Services = request.app.state.services
    asker = None
    for name, kind in endpoint.needs.items():
        if kind in (Asker, Asking):
            asker = given[name] = Asker(request, services, await visitor_of(request, services))
        elif kind is AnyRequest:
            given[name] = request
        else:
            given[name] = Here(services) if kind is Place else services.part(kind)
    found = await (sync_to_thread(endpoint.answer, **given) if endpoint.is_long else endpoint.answer(**given))
    if isinstance(found, Response):
        return found
    if endpoint.pays_for_bytes and asker:
        found = found if isinstance(found, bytes) else msgspec.json.encode(found)
        services.budget.charge(asker.address, len(found) / SENT_BYTES_PER_TOKEN)
    headers, name = {}, endpoint.saved_as.format_map(given)
    if name:
        headers["content-disposition"] = f'attachment; filename="{name}"'
    cookies = asker.new_cookies() if asker and endpoint.renews_cookie else []
    return Response(
        found, status_code=endpoint.status, media_type=endpoint.media_type, headers=headers, cookies=cookies
    )


class StrictRequest(Request[None, None, State]):
    """A request whose JSON body has the type of the handler's `data` parameter. Litestar's own request accepts the text
    "1" for the number 1, and 1 for true."""

    async def json(self) -> Any:
        """Decode the body; raises `ValidationException`."""
        field = self.route_handler.parsed_data_field
        body = await self.body()
        try:
            return read_json(_decoder(field.annotation if field else Any), body)
        except MalformedError as error:
            raise ValidationException(f"the body: {error}") from None


@lru_cache(maxsize=256)
def _decoder(type: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type)


def _costing(tokens: float) -> Guard:
    """A guard that makes an address pay for a request which is costly to answer; it raises `TooFastError`."""

    async def pay(connection: Connection, _: BaseRouteHandler) -> None:
        connection.app.state.services.budget.spend(address_of(connection.scope), tokens)

    return pay


async def require_cookie(connection: Connection, _: BaseRouteHandler | None = None) -> None:
    """Raise `NoCookieError` without a cookie; the response sets one."""
    if not has_key(connection.cookies):
        raise NoCookieError(
            "this needs a cookie, so that your browser finds it again: repeat the request with the one that is now set"
        )


async def require_wanted_cookie(connection: Connection, handler: BaseRouteHandler) -> None:
    """Raise `NoCookieError` without a cookie if the request says that it needs one, as those of the page do."""
    if connection.headers.get(WANTED) == "required":
        await require_cookie(connection, handler)
