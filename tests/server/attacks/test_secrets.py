"""Secrets of dice before the end, of browsers and of seats: no response or log contains them."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert

from fivedice.game.proof import commitment
from fivedice.storage.schema import streams
from tests.server.log_lines import LogLines, log_lines
from tests.server.reader import Reader, ask_everything, forms
from tests.server.serving import SECRET, TWO, serving
from tests.waiting import TIMEOUT_SECONDS


@pytest.fixture
def lines() -> Iterator[LogLines]:
    """All log lines, at the lowest level of the server."""
    with log_lines(level="debug") as found:
        yield found


def test_no_secret_is_in_the_log_and_that_of_dice_in_no_reply_before_the_end(tmp_path: Path, lines: LogLines) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("<head></head>")
    with serving(tmp_path, page=tmp_path / "web") as server:
        ann, ben, eve = (server.visit() for _ in range(3))
        table = ann.create([TWO[0], {"kind": "greedy"}, {"kind": "person"}])
        reader = Reader(ann, eve)
        ask_everything(eve, reader, table=table, asked="yahtzee - - r3")
        ben.do(table, "sit", seat=2, name="Ben")
        ann.do(table, "roll", seat=0, kept=[])
        ask_everything(ann, reader, table=table, asked=ann.view(table)["line"])
        for path in ("/", f"/t/{table}", "/health", "/ready", "/metrics", "/..%2f..%2fetc/passwd"):
            eve.http.get(path)
        for browser in (ann, eve):
            with browser.socket(table) as socket:
                for text in ("{}", "[", '{"type":"close","id":"12345678","version":1,"seat":0}', "x" * 9_000):
                    socket.connection.send(text)
                    reader.heard.append(json.dumps(socket.receive()))
                reader.heard.append(json.dumps(socket.update))
        assert len(reader.heard) > 150
        assert commitment(SECRET) in "".join(reader.heard), "the reader hears the commitment"
        assert not reader.has_secret(SECRET)
        link = ann.post(f"/api/tables/{table}/seats/0/link")["secret"]
        claimed = eve.http.post(f"/api/tables/{table}/claim", json={"secret": link})
        assert claimed.json() == {"seat": 0}
        exported = ann.post("/api/me/export")
        assert eve.send_import("/api/me/import", json=exported).status_code == 200
        assert eve.http.post(f"/api/tables/{table}/claim?secret={link}", json={"secret": "A" * 43}).status_code == 403
        assert eve.http.post(f"/api/tables/{table}/claim", content=f'{{"secret":"{link}}}').status_code == 400
        for browser, seat in ((ben, 2), (eve, 0)):
            browser.do(table, "resign", seat=seat)
        assert ann.view(table)["proof"]["secret"] == SECRET.hex(), "it was not the end before"
        keys = [browser.http.cookies["fivedice"] for browser in (ann, ben, eve)]
    logged = lines.getvalue()
    assert table in logged
    assert '"event": "request"' in logged
    assert '"event": "stopped"' in logged
    shown = [*keys, link, exported["key"], *forms(SECRET)]
    assert [secret for secret in shown if secret in logged] == []


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
