"""Too many requests and messages are limited, without an effect on others."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fivedice.server.config.limits import BURST_SECONDS, UPLOAD_TOKENS, WORK_TOKENS
from fivedice.server.http.app import ENDPOINTS
from tests import clients
from tests.server.serving import TINY, TWO, Serving, serving


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server behind a proxy, of which every address has tokens for two uploads."""
    rate = 2 * (UPLOAD_TOKENS + 1) / BURST_SECONDS
    with serving(tmp_path_factory.mktemp("limited"), rate=rate, proxies=("127.0.0.1",)) as running:
        tokens = running.services.budget._tokens
        assert tokens
        tokens._clock = lambda: 0.0  # no bucket fills while a busy machine asks
        yield running


addresses = (f"192.0.2.{number}" for number in range(256))


@pytest.mark.parametrize(
    ("cost", "method", "path", "body"),
    [
        (1, "GET", "/api/players", None),
        (1, "GET", "/", None),
        (1, "POST", "/nothing", None),
        (1 + WORK_TOKENS, "POST", "/api/lessons", {}),
        (1 + WORK_TOKENS, "GET", "/api/positions?line=yahtzee+-+33456+r2", None),
        (1 + UPLOAD_TOKENS, "POST", "/api/me/export", None),
        (1 + UPLOAD_TOKENS, "POST", "/api/rulesets/check", {"toml": TINY}),
        (1 + UPLOAD_TOKENS, "POST", "/api/me/import", {}),
        (1 + UPLOAD_TOKENS, "POST", "/api/me/records", {"text": ""}),
        (1 + WORK_TOKENS + UPLOAD_TOKENS, "POST", "/api/tables", {"seats": TWO, "toml": TINY}),
    ],
)
def test_every_request_costs_what_it_takes(limited: Serving, cost: int, method: str, path: str, body: object) -> None:
    allowed = 2 * (UPLOAD_TOKENS + 1) // cost
    with clients.Client(base_url=limited.url, headers={"x-forwarded-for": next(addresses)}) as http:
        answers = [http.request(method, path, json=body) for _ in range(allowed + 1)]
        assert 429 not in [answer.status_code for answer in answers[:allowed]]
        assert answers[-1].status_code == 429
        assert answers[-1].json()["code"] == "too_fast"
        assert "too many requests from this address: wait" in answers[-1].json()["error"]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= BURST_SECONDS
        assert http.get("/health").status_code == 200, "probes are not limited"


def test_every_endpoint_that_takes_work_costs_more() -> None:
    """Those of tables and clubs are answered from memory, and pay for the bytes of their answers."""
    assert {one.name for one in ENDPOINTS if not one.cost} == {
        "list_rulesets", "list_players", "health", "ready", "show_lobby",
        "show_table", "show_table_rules", "show_events", "stream_events", "command_table", "keep_dice", "react",
        "show_club", "show_tournament", "stream_versions",
    }  # fmt: skip


def test_a_flood_of_messages_is_delayed_and_answered_completely(tmp_path: Path) -> None:
    with serving(tmp_path, rate=0.5) as server:
        ann = server.visit()
        with ann.socket(ann.create()) as socket:
            socket.receive()
            began = server.services.settings.clock()
            for _ in range(138):
                socket.connection.send('{"type":"ping"}')
            for _ in range(138):
                assert socket.receive() == {"type": "pong"}
            assert server.services.settings.clock() - began > 1
