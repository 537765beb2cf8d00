"""Secrets of dice before the end, of browsers and of seats: no response or log contains them."""

import base64
import json
import logging
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import insert

from fivedice.game.proof import commitment
from fivedice.server.live.live_table import LiveTable
from fivedice.storage.schema import streams
from tests.server.log_lines import LogLines, log_lines
from tests.server.serving import SECRET, TINY, Browser, Serving, cookie_value, serving
from tests.waiting import TIMEOUT_SECONDS

SEATS: list[dict[str, object]] = [{"kind": "person", "name": "Ann", "here": True}, {"kind": "greedy"}]


def forms(secret: bytes) -> list[str]:
    """The encodings of a secret."""
    encoded = [base64.b64encode(secret).decode(), base64.urlsafe_b64encode(secret).decode()]
    hexadecimal, numbers = secret.hex(), repr(list(secret))[1:-1]
    texts = [hexadecimal, hexadecimal.upper(), repr(secret)[2:-1], numbers, str(int.from_bytes(secret)), *encoded]
    return [text.rstrip("=") for text in texts]


@pytest.fixture
def lines() -> Iterator[LogLines]:
    """All log lines, at the lowest level of the server."""
    with log_lines(level="debug") as found:
        yield found


class Listener:
    """Records all responses of the server."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def __call__(self, response: httpx.Response) -> None:
        response.read()
        self.heard.append(repr(response.headers).encode() + response.content)

    def knows(self, secret: bytes) -> list[str]:
        """The encodings of a secret that responses contained."""
        everything = b"\n".join(self.heard)
        return [form for form in forms(secret) if form.encode() in everything] + ["raw"] * (secret in everything)


def attack(browser: Browser, server: Serving, table: str) -> None:
    """Send every valid request and many invalid ones."""
    schema = browser.get("/api/schema")
    for path, operations in schema["paths"].items():
        for method in operations:
            at = path.replace("{table}", table).replace("{seat}", "0")
            for query in (f"?since=0&rules=true&line=yahtzee+-+-+r3&table={table}", "?since=-1&line=%00"):
                if at.endswith("/stream"):
                    continue
                for body in (
                    (None, b'{"type":"roll"}', b'{"secret":"' + b"A" * 43 + b'"}') if method == "post" else (None,)
                ):
                    browser.http.request(method, f"{at}{query}", content=body)
    for path in (
        "/",
        f"/t/{table}",
        "/health",
        "/ready",
        "/metrics",
        "/..%2f..%2fetc/passwd",
    ):
        browser.http.get(path)
    commands: list[dict[str, Any]] = [
        {"type": "roll", "seat": 0, "kept": [True]},
        {"type": "roll", "seat": 1, "kept": []},
        {"type": "score", "seat": 0, "box": "nonsense"},
        {"type": "undo", "seat": 0},
        {"type": "add_nonce", "nonce": "00", "seat": 0},
        {"type": "close", "seat": 0},
        {"type": "rematch", "seat": 0},
        {"type": "roll_off", "seat": 0},
    ]
    for command in commands:
        live = server.services.tables._live[table]
        assert isinstance(live, LiveTable)
        if command["type"] != "close" or live.table.has_begun:
            browser.send(table, **command)


def test_the_secret_of_the_dice_is_revealed_only_at_the_end(tmp_path: Path, lines: LogLines) -> None:
    listener = Listener()
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("<head></head>")
    with serving(tmp_path, page=tmp_path / "web") as server:
        ann, ben, eve = (server.visit() for _ in range(3))
        other = [{"kind": "person"}]
        table = ann.create([*SEATS, *other])
        eve.http.event_hooks["response"].append(listener)
        ann.http.event_hooks["response"].append(listener)
        attack(eve, server, table)
        ben.do(table, "sit", seat=2, name="Ben")
        ann.do(table, "roll", seat=0, kept=[])
        attack(ann, server, table)
        for browser in (ann, eve):
            with browser.socket(table) as socket:
                for text in ("{}", "[", '{"type":"close","id":"12345678","version":1,"seat":0}', "x" * 9_000):
                    socket.connection.send(text)
                    listener.heard.append(json.dumps(socket.receive()).encode())
                listener.heard.append(json.dumps(socket.update).encode())
        assert len(listener.heard) > 150
        assert listener.knows(SECRET) == []
        assert commitment(SECRET).encode() in b"".join(listener.heard), "the listener records the commitment"
        logged = lines.getvalue()
        assert '"event": "request"' in logged
        assert [form for form in forms(SECRET) if form in logged] == []


def test_internal_errors_reveal_no_secret(tmp_path: Path, lines: LogLines) -> None:
    """A database error names its statement and could name the parameters, including the secret."""
    with serving(tmp_path) as server:
        ann = server.visit()
        table = ann.create()
        row = {"id": table, "kind": "table", "secret": SECRET, "created": 0.0, "active": 0.0}
        failing = server.services.database.write(lambda connection: connection.execute(insert(streams).values(row)))
        error = failing.exception(TIMEOUT_SECONDS)
        assert "UNIQUE" in str(error)
        logging.getLogger("fivedice").error("it failed", exc_info=error)
    assert "UNIQUE" in lines.getvalue()
    assert [form for form in forms(SECRET) if form in f"{error!r} {error} {lines.getvalue()}"] == []


def test_the_log_contains_no_secret_of_a_game(tmp_path: Path, lines: LogLines) -> None:
    dice = secrets.token_bytes(32)
    with serving(tmp_path, new_secret=lambda: dice) as server:
        ann, phone = server.visit(), server.visit()
        table = ann.create([{"kind": "person", "name": "Ann", "here": True}], rules="x", toml=TINY)
        seat = ann.http.post(f"/api/tables/{table}/seats/0/link").json()["secret"]
        claimed = phone.http.post(f"/api/tables/{table}/claim", json={"secret": seat})
        assert claimed.json() == {"seat": 0}
        exported = ann.http.post("/api/me/export").json()
        assert phone.send_import("/api/me/import", json=exported).status_code == 200
        assert phone.http.post(f"/api/tables/{table}/claim?secret={seat}", json={"secret": "A" * 43}).status_code == 403
        assert phone.http.post(f"/api/tables/{table}/claim", content=f'{{"secret":"{seat}}}').status_code == 400
        with phone.socket(table) as socket:
            assert socket.send("roll", seat=0, kept=[])["type"] == "accepted"
            assert socket.send("score", seat=0, box="any")["type"] == "accepted"
        assert ann.view(table)["proof"]["secret"] == dice.hex(), "the game is over"
        keys = [browser.http.cookies["fivedice"] for browser in (ann, phone)]
        assert cookie_value(claimed.headers) == keys[1]
    logged = lines.getvalue()
    assert table in logged
    assert '"event": "stopped"' in logged
    shown = [*keys, seat, exported["key"], *forms(dice)]
    assert [secret for secret in shown if secret in logged] == []
