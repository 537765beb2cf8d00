"""Too many requests, messages or connections are limited, without an effect on others."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from fivedice.base.errors import MalformedError, UnknownError
from fivedice.server.config.settings import RateLimits, parse_rate_limits
from fivedice.server.http.api import docs
from fivedice.server.http.app import ENDPOINTS
from fivedice.server.ops.rate_limits import RateLimiter
from fivedice.server.table import decide
from tests import clients
from tests.server.serving import TINY, TWO, Serving, new_id, serving
from tests.waiting import TIMEOUT_SECONDS


@pytest.fixture(scope="module")
def limited(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Serving]]:
    """A kind of request, and a server behind a proxy of which every address may ask twice for that kind."""
    limits = parse_rate_limits([f"{request.param}=2/hour"])
    with serving(tmp_path_factory.mktemp("limited"), limits=limits, proxies=("127.0.0.1",)) as running:
        yield request.param, running


addresses = (f"192.0.2.{number}" for number in range(256))


@pytest.mark.parametrize(
    ("limited", "method", "path", "body"),
    [
        ("requests", "GET", "/api/players", None),
        ("requests", "GET", "/", None),
        ("requests", "POST", "/nothing", None),
        ("work", "POST", "/api/tables", {"seats": TWO}),
        ("work", "GET", "/api/positions?line=yahtzee+-+33456+r2", None),
        ("uploads", "POST", "/api/me/export", None),
        ("work", "POST", "/api/lessons", {}),
        ("uploads", "POST", "/api/rulesets/check", {"toml": TINY}),
        ("uploads", "POST", "/api/tables", {"seats": TWO, "toml": TINY}),
        ("uploads", "POST", "/api/me/import", {}),
        ("uploads", "POST", "/api/me/records", {"text": ""}),
    ],
    indirect=["limited"],
)
def test_every_rate_is_limited(limited: tuple[str, Serving], method: str, path: str, body: object) -> None:
    kind, server = limited
    with clients.Client(base_url=server.url, headers={"x-forwarded-for": next(addresses)}) as http:
        answers = [http.request(method, path, json=body) for _ in range(3)]
        assert 429 not in [answer.status_code for answer in answers[:2]]
        assert answers[2].status_code == 429
        assert answers[2].json()["code"] == "too_fast"
        assert f"too many {kind}" in answers[2].json()["error"]
        assert 3_500 < int(answers[2].headers["retry-after"]) <= 3_600
        assert http.get("/health").status_code == 200, "probes are not limited"


def test_every_endpoint_that_takes_work_has_a_rate() -> None:
    """Those of tables and clubs are answered from memory, and their commands have limits of their own."""
    rates = {one.fn.__name__ for one in ENDPOINTS if any(guard.__name__ == "count" for guard in one.guards or ())}
    assert {one.fn.__name__ for one in ENDPOINTS} - rates == {
        "list_rulesets", "list_hands", "list_players", "show_docs", "health", "ready", "show_lobby",
        "show_table", "show_table_rules", "show_events", "stream_events", "command_table", "keep_dice", "react",
        "show_club", "show_tournament",
    }  # fmt: skip


def test_others_cannot_use_up_the_rate_of_a_seat(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(commands="3/hour")) as server:
        ann, eve = server.visit(), server.visit()
        table = ann.create()
        for _ in range(10):
            assert eve.send(table, "roll", version=1, seat=0, kept=[]).status_code == 403
        id = new_id()
        accepted = ann.send(table, "roll", id=id, seat=0, kept=[])
        assert accepted.status_code == 200
        refused = [ann.send(table, "roll", seat=0, kept=[]) for _ in range(3)]
        assert [answer.json()["reason"] for answer in refused] == ["illegal", "illegal", "too_fast"]
        assert refused[-1].status_code == 429
        with ann.socket(table) as socket:
            assert socket.send("score", seat=0, box="chance")["reason"] == "too_fast", (
                "a socket shares the rate of its seat"
            )
        assert ann.send(table, "roll", id=id, version=1, seat=0, kept=[]).json() == accepted.json()


def test_changes_cannot_grow_the_events_of_a_table_without_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide, "MAX_CHANGES", 4)
    with serving(tmp_path) as server:
        ann = server.visit()
        table = ann.create()
        ann.do(table, "roll", seat=0, kept=[])
        for _ in range(4):
            ann.send(table, "stand_in", seat=1)
            ann.send(table, "return", seat=1)
            ann.send(table, "sit", seat=0, name=f"Ann {new_id()}")
        assert ann.view(table)["version"] == 2 + 2 * 4
        refused = ann.send(table, "sit", seat=0, name="Ann")
        assert (refused.status_code, refused.json()["reason"]) == (400, "illegal")
        assert ann.do(table, "score", seat=0, box="chance")["turn"]["seat"] == 1, "the game continues"


def test_a_flood_of_messages_is_delayed_and_answered_completely(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(messages="10/second")) as server:
        ann = server.visit()
        with ann.socket(ann.create()) as socket:
            socket.receive()
            began = server.services.settings.clock()
            for _ in range(25):
                socket.connection.send('{"type":"ping"}')
            for _ in range(25):
                assert socket.receive() == {"type": "pong"}
            assert server.services.settings.clock() - began > 1


def test_sockets_of_an_address_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(connections=4)) as server:
        ann = server.visit()
        table = ann.create()
        ann.http.close()
        url = f"{server.url.replace('http', 'ws')}/api/tables/{table}/socket"
        with ExitStack() as sockets:
            for _ in range(4):
                sockets.enter_context(clients.connect(url))
            with pytest.raises((InvalidStatus, OSError, EOFError)), clients.connect(url):
                pass
        with clients.connect(url) as socket:
            assert json.loads(socket.recv(timeout=TIMEOUT_SECONDS))["type"] == "update"


def test_connections_are_released() -> None:
    rate_limiter = RateLimiter(RateLimits(connections=1))
    for _ in range(2):
        with rate_limiter.connection("a") as is_first, rate_limiter.connection("a") as is_second:
            assert (is_first, is_second) == (False, True)


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("requests", MalformedError),
        ("requests=", MalformedError),
        ("requests=many", MalformedError),
        ("connections=-1", MalformedError),
        ("connections=0", MalformedError),
        ("requets=5/minute", UnknownError),
    ],
)
def test_an_invalid_limit_is_refused(given: str, kind: type[ValueError]) -> None:
    with pytest.raises(kind, match=r"want|did you mean"):
        parse_rate_limits([given])


def test_one_stranger_cannot_take_all_nonces_of_a_table(tmp_path: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, limits=parse_rate_limits(["nonces=3/hour"])))
        ann, *strangers = [server.visit() for _ in range(6)]
        for browser in (ann, *strangers):
            stack.callback(browser.close)
        table = ann.create()
        with strangers[0].socket(table) as socket:
            assert socket.send("add_nonce", version=1, nonce="00")["version"] == 2
            again = socket.send("add_nonce", version=2, nonce="01")
        assert (again["reason"], again["detail"]) == ("illegal", "you have already added a nonce as a watcher")
        answers = [stranger.send(table, "add_nonce", nonce="02") for stranger in strangers[1:]]
        assert [answer.status_code for answer in answers] == [200, 200, 429, 429], "they share an address"
        for seat in (0, 1):
            assert ann.send(table, "add_nonce", seat=seat, nonce="03").status_code == 200
        other = ann.create()
        assert strangers[4].send(other, "add_nonce", nonce="04").status_code == 200, "each table counts for itself"


def test_the_api_page_is_rendered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as server, clients.Client(base_url=server.url) as http:
        first = http.get("/api/docs")
        monkeypatch.setattr(docs, "docs_page", lambda _: "made again")
        assert http.get("/api/docs").text == first.text
        assert "POST /api/tables" in first.text
