"""A browser answers every request that a server answers, too, with the same bytes, but for what only servers have."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest

from fivedice.local import browser as local
from fivedice.local.service import LocalEvent, LocalService
from fivedice.server.http.app import ENDPOINTS
from fivedice.server.replies.endpoint import Endpoint
from fivedice.server.table.history import decode
from tests.local.played import keep_tables, new_service
from tests.server.serving import TINY, Browser, Serving, serving_with_cache
from tests.solutions import breakdown_of, portable_tables, shared_cache, solution_of

BY_NAME = {(one.method, one.path): one for one in ENDPOINTS}
BOTH = [one for one in local.ENDPOINTS if (one.method, one.path) in BY_NAME]

OWN_WAY = {
    "create_table": "a table has an id of its own",
    "command_table": "conformance tests play games",
    "keep_dice": "nothing is shown to others",
    "stream_events": "a server sends events as they come",
    "answer_lesson": "the page adds what was chosen in the game",
    "grade_archived": "the page adds the position",
}
"""What a browser answers otherwise, and why that cannot be compared here."""

LINE = "crag - 445 r1"
ASKED: dict[str, list[dict[str, Any]]] = {
    "show_position": [{"line": LINE}, {"line": LINE, "advice": "false"}, {"line": "crag"}, {"line": "none - 445 r1"}],
    "change_position": [
        {"data": {"line": LINE, "dice": [1, 1, 2], "rolls_left": 1}},
        {"data": {"line": LINE, "dice": [1, 1], "rolls_left": 1}},
    ],
    "play_steps": [{"data": {"line": LINE, "steps": [{"after": 0, "action": {"verb": "score", "box": "crag"}}]}}],
    "explain_action": [
        {"line": LINE, "action": "keep 44", "instead": "score fives", "lang": lang} for lang in ("en", "de", "sv")
    ],
    "list_rulesets": [{"lang": "de"}],
    "choose_options": [{"data": {"rules": "yatzy", "options": {}}}, {"data": {"rules": "none"}}],
    "show_rules": [{"ref": "yahtzee[joker=free]"}, {"ref": "yahtzee[joker=none]"}],
    "show_sample": [{"ref": "crag"}, {"table": "TABLE"}, {}],
    "explain_rules": [{"ref": "crag", "lang": "sv"}, {"table": "TABLE"}],
    "check_ruleset": [{"data": {"toml": TINY}}, {"data": {"toml": "dice = 0"}}],
    "list_players": [{"lang": "sv"}],
    "show_table": [{"table": "TABLE"}, {"table": "TABLE", "rules": "true"}, {"table": "none"}],
    "show_events": [{"table": "TABLE", "since": "3"}, {"table": "TABLE", "since": "9999"}],
    "show_table_rules": [{"table": "TABLE"}],
    "show_record": [{"table": "TABLE"}],
    "list_best_turns": [{"table": "TABLE"}],
    "show_review": [{"table": "TABLE", "whole": "true", "lang": lang} for lang in ("en", "de", "sv")],
    "check_points": [{"data": {"text": "a letter"}}],
    "list_table_lessons": [{"table": "TABLE"}, {"table": "TABLE", "seat": "0"}],
}
"""Requests by the name of the endpoint."""

OF_SERVERS = {"available", "browser_advice", "now", "here", "has_odds"}
"""What a browser has otherwise."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    breakdown_of("crag")
    with serving_with_cache(shared_cache(tmp_path_factory)) as running:
        yield running


@pytest.fixture(scope="module")
def places(server: Serving) -> tuple[Browser, LocalService, str]:
    """A browser, a service with the same table, and the id of that, whose game is over."""
    ann, service = server.visit(), new_service(1)
    table = ann.finished(rules="crag", help="after")

    async def log() -> Any:
        return (await server.services.tables.find(table)).log

    found = server.do(log())
    events = [
        LocalEvent(table, number, "", decode(body).at, body.decode(), "" if number > 1 else found.secret.hex())
        for number, body in enumerate(found.events, 1)
    ]
    service.restore(events)
    keep_tables(service, solution_of("crag").ruleset.digest, *portable_tables("crag", is_rounded=False))
    return ann, service, table


def compared(content: Any) -> Any:
    """What both have in common, in their order; plain Python adds in another order than compiled code."""
    if isinstance(content, dict):
        return [(key, compared(value)) for key, value in content.items() if key not in OF_SERVERS]
    if isinstance(content, float):
        return round(content, 9)
    return [compared(one) for one in content] if isinstance(content, list) else content


def test_every_endpoint_of_both_is_asked() -> None:
    assert {one.name for one in BOTH} == {*ASKED, *OWN_WAY}


@pytest.mark.parametrize("endpoint", [one for one in BOTH if one.name in ASKED], ids=lambda one: one.name)
def test_both_answer_with_the_same_bytes(places: tuple[Browser, LocalService, str], endpoint: Endpoint) -> None:
    ann, service, table = places
    for asked in ASKED[endpoint.name]:
        named = {name: table if value == "TABLE" else value for name, value in asked.items() if name != "data"}
        path = endpoint.path.format_map(named)
        query = urlencode({name: value for name, value in named.items() if f"{{{name}}}" not in endpoint.path})
        body = json.dumps(asked["data"]) if "data" in asked else None
        answer = ann.http.request(
            endpoint.method, f"{path}?{query}", content=body, headers={"content-type": "application/json"}
        )
        reply = local.request(service, endpoint.method, f"{path}?{query}", body or "")
        assert (reply.status, asked) == (answer.status_code, asked), (answer.text, reply.content)
        if isinstance(reply.content, str):
            assert reply.content == answer.text
        else:
            own, other = msgspec.json.encode(reply.content), answer.content
            assert own == other or compared(json.loads(own)) == compared(json.loads(other)), asked
