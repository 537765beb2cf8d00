"""`request` answers as the HTTP interface of a server does; `Browser` is what the page's worker calls with texts."""

import os
import re
import time
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from fivedice.base.errors import MalformedError
from fivedice.local import endpoints
from fivedice.local.endpoints import ONLY_ONLINE, LocalAsker
from fivedice.local.service import LocalEvent, LocalService, Reply
from fivedice.server.replies import games, positions, rules
from fivedice.server.replies.endpoint import ERRORS, Endpoint, endpoints_of, error_reply, read_json
from fivedice.solver.saved.portable import read, read_parts

_encode = msgspec.json.Encoder().encode
_events: Callable[[str], list[LocalEvent]] = msgspec.json.Decoder(list[LocalEvent]).decode

ENDPOINTS = endpoints_of(endpoints, games, positions, rules)
"""All that a browser answers."""


def request(service: LocalService, method: str, target: str, body: str = "") -> Reply:
    """The reply to a request, with the status that a server gives it; 404 for what only a server answers."""
    parts = urlsplit(target)
    try:
        for endpoint in ENDPOINTS:
            pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", endpoint.path)
            if endpoint.method == method and (found := re.fullmatch(pattern, parts.path)):
                query = dict(parse_qsl(parts.query, keep_blank_values=True))
                named = {name: unquote(value) for name, value in found.groupdict().items()}
                return _answered(endpoint, LocalAsker(service), query | named, body)
        raise ONLY_ONLINE
    except msgspec.MsgspecError as error:
        return Reply(*error_reply(MalformedError(str(error))))
    except tuple(ERRORS) as error:
        return Reply(*error_reply(error))


def _answered(endpoint: Endpoint, asker: LocalAsker, asked: dict[str, str], body: str) -> Reply:
    given = msgspec.structs.asdict(msgspec.convert(asked, endpoint.asked_type, strict=False))
    if endpoint.body:
        given["data"] = read_json(msgspec.json.Decoder(endpoint.body), body)
    content = endpoint.answer(**dict.fromkeys(endpoint.needs, asker), **given)
    if not endpoint.is_long:
        content = _result(content)
    return content if isinstance(content, Reply) else Reply(endpoint.status, content)


def _result(work: Coroutine[Any, Any, Any]) -> Any:
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("nothing in a browser waits")


class Browser:
    """A service with the browser's random source and its clock."""

    def __init__(self) -> None:
        self.service = LocalService(os.urandom, time.time)

    def request(self, method: str, target: str, body: str) -> str:
        """The `Reply` to a request."""
        return _text(request(self.service, method, target, body))

    def keep(self, digest: str, file: bytes) -> None:
        """Take the portable file of the rules with a digest, which is read when its values are needed first."""
        self.service.values.keep(digest, lambda: read(file))

    def keep_parts(self, digest: str, file: bytes) -> None:
        """Take the portable breakdown of the rules with a digest, likewise."""
        self.service.values.keep_parts(digest, lambda: read_parts(file))

    def restore(self, events: str) -> None:
        """Take a table from its stored events; raises `ValueError` if they do not replay."""
        self.service.restore(_events(events))

    def forget(self, table: str) -> None:
        """Drop a table whose events could not be stored."""
        self.service.forget(table)

    def wait(self) -> float | None:
        """The seconds until the next step of a computer player, 0 if it is due; None if none is to act."""
        due = self.service.due()
        return None if due is None else max(0.0, due[1] - self.service.clock())

    def step(self) -> str:
        """The `Reply` after the step of a computer player that is due."""
        due = self.service.due()
        return _text(Reply() if due is None else self.service.step(due[0]))


def _text(reply: Reply) -> str:
    return _encode(reply).decode()
