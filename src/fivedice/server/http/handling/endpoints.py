"""`handler_of`: how HTTP answers by an `Endpoint`: what a request costs, what its function gets, and the response."""

from inspect import Parameter, Signature
from typing import Annotated, Any, get_args

import litestar
from litestar import Response
from litestar.connection import ASGIConnection
from litestar.enums import RequestEncodingType
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import BodyKwarg, PathParameter, QueryParameter
from litestar.types import Guard
from msgspec import Meta
from msgspec.json import encode

from fivedice.server.config.limits import SENT_BYTES_PER_TOKEN
from fivedice.server.http.handling.asker import Asker, Here
from fivedice.server.http.handling.error_responses import NoCookieError, described
from fivedice.server.http.handling.params import COMPRESSION_OPTION, AnyRequest, visitor_of
from fivedice.server.identity.visitor import has_key
from fivedice.server.ops.budget import address_of
from fivedice.server.replies.asking import Asking, Place
from fivedice.server.replies.endpoint import Endpoint
from fivedice.server.services import Services

Connection = ASGIConnection[Any, Any, Any, Any]


WANTED = "fivedice-cookie"
"""The header of a request that is of use only to a browser that is known again."""

_MADE_BY: dict[str, Any] = {"GET": litestar.get, "POST": litestar.post, "DELETE": litestar.delete}
_LIMITS = ("description", "ge", "le", "min_length", "max_length")


def handler_of(endpoint: Endpoint) -> HTTPRouteHandler:
    """The handler for Litestar."""
    guards = [_costing(endpoint.cost)] if endpoint.cost else []
    path = endpoint.path
    for name, one in endpoint.asked.items():
        kind = "int" if get_args(one.annotation)[0] is int else "str"
        path = path.replace(f"{{{name}}}", f"{{{name}:{kind}}}")
    responses = described(endpoint.errors)
    for status, (kind, words) in endpoint.described.items():
        media_type = endpoint.media_type if status == endpoint.status else "application/json"
        responses[status] = ResponseSpec(kind, generate_examples=False, description=words, media_type=media_type)
    made: HTTPRouteHandler = _MADE_BY[endpoint.method](
        path,
        guards=[*guards, require_cookie] if endpoint.needs_cookie else guards,
        include_in_schema=endpoint.is_described,
        media_type=endpoint.media_type,
        opt={} if endpoint.is_compressed else {COMPRESSION_OPTION: True},
        request_max_body_size=endpoint.max_bytes,
        responses=responses,
        status_code=endpoint.status,
    )(_answering(endpoint))
    return made


def _answering(endpoint: Endpoint) -> Any:
    """The function of a handler, with the signature that Litestar reads requests by."""

    async def answer(request: AnyRequest, **given: Any) -> Response[Any]:
        services: Services = request.app.state.services
        asker = None
        for name, kind in endpoint.needs.items():
            if kind in (Asker, Asking):
                asker = given[name] = Asker(request, services, await visitor_of(request, services))
            elif kind is AnyRequest:
                given[name] = request
            else:
                given[name] = Here(services) if kind is Place else services.part(kind)
        if endpoint.is_long:
            found = await litestar.concurrency.sync_to_thread(endpoint.answer, **given)
        else:
            found = await endpoint.answer(**given)
        if isinstance(found, Response):
            return found
        headers = {}
        if endpoint.pays_for_bytes and asker:
            found = found if isinstance(found, bytes) else encode(found)
            services.budget.charge(asker.address, len(found) / SENT_BYTES_PER_TOKEN)
        if endpoint.saved_as:
            headers["content-disposition"] = f'attachment; filename="{endpoint.saved_as.format_map(given)}"'
        cookies = asker.new_cookies() if asker and (endpoint.needs_cookie or endpoint.renews_cookie) else []
        return Response(
            found, status_code=endpoint.status, media_type=endpoint.media_type, headers=headers, cookies=cookies
        )

    asked = [Parameter("request", Parameter.KEYWORD_ONLY, annotation=AnyRequest)]
    asked += [
        one.replace(
            kind=Parameter.KEYWORD_ONLY,
            annotation=_described(one.annotation, is_in_path=f"{{{name}}}" in endpoint.path),
        )
        for name, one in endpoint.asked.items()
    ]
    if endpoint.body:
        asked.append(
            Parameter(
                "data",
                Parameter.KEYWORD_ONLY,
                annotation=Annotated[endpoint.body, BodyKwarg(media_type=RequestEncodingType.JSON)],
            )
        )
    returned = endpoint.returned
    answer.__signature__ = Signature(asked, return_annotation=returned)  # type: ignore[attr-defined]
    answer.__annotations__ = {one.name: one.annotation for one in asked} | {"return": returned}
    answer.__name__, answer.__doc__ = endpoint.name, endpoint.answer.__doc__
    return answer


def _described(annotation: Any, *, is_in_path: bool) -> Any:
    """The annotation of a parameter as Litestar has it."""
    kind, *metas = get_args(annotation)
    limits = {
        name: value
        for one in metas
        if isinstance(one, Meta)
        for name in _LIMITS
        if (value := getattr(one, name)) is not None
    }
    return Annotated[kind, PathParameter(**limits) if is_in_path else QueryParameter(**limits)]


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
