"""Two versions beside each other: what a server answers about a table, or a page, of a later one."""

import time
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from fivedice.server.http.pages import RELOAD
from fivedice.storage.rows.event import StoredEvent
from tests import clients
from tests.server.live.test_event_store import LATER_EVENTS
from tests.server.serving import Browser, Serving, serving
from tests.waiting import TIMEOUT_SECONDS


def write_later(server: Serving, table: str, body: str) -> StoredEvent:
    """Write an event as a process of a later version does."""
    [(first,)] = server.services.database.read(
        lambda connection: connection.exec_driver_sql("SELECT command FROM events ORDER BY at DESC LIMIT 1").fetchall()
    )
    stored = StoredEvent(table, 2, "later", time.time(), body, first)
    assert server.services.database.append(stored).result(TIMEOUT_SECONDS)
    return stored


@pytest.mark.parametrize("body", LATER_EVENTS)
def test_clients_of_a_table_with_a_later_event_are_sent_elsewhere(tmp_path: Path, body: str) -> None:
    with serving(tmp_path) as server:
        ann = server.visit()
        table = ann.create()
        with ann.socket(table) as socket:
            socket.until(1)
            write_later(server, table, body)
            server._loop.call_soon_threadsafe(server.services.tables.on_notice, table, 2)
            assert socket.closing()[0] == 1012
            assert socket.update["view"]["version"] == 1
        check_all_are_sent_elsewhere(ann, table)


def test_a_command_after_a_later_event_is_left_to_others(tmp_path: Path) -> None:
    """It was not announced: the command finds it."""
    with serving(tmp_path) as server:
        ann = server.visit()
        table = ann.create()
        with ann.socket(table) as socket:
            socket.until(1)
            write_later(server, table, LATER_EVENTS[0])
            socket.connection.send('{"type":"roll","id":"a-first-roll","version":2,"seat":0,"kept":[]}')
            messages: list[dict[str, object]] = []
            while not messages or messages[-1]["type"] != "farewell":
                messages.append(socket.receive())
            assert "answer" not in {message["type"] for message in messages}
        check_all_are_sent_elsewhere(ann, table)


def check_all_are_sent_elsewhere(ann: Browser, table: str) -> None:
    """A load balancer can tell from the status that another server may answer, and a page from the code."""
    roll = {"type": "roll", "id": "a-first-roll", "version": 1, "seat": 0, "kept": []}
    for answer in (
        ann.http.get(f"/api/tables/{table}"),
        ann.http.get(f"/api/tables/{table}/stream"),
        ann.http.post(f"/api/tables/{table}/commands", json=roll),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "reload")
    with pytest.raises(InvalidStatus) as refused:
        ann.socket(table)
    assert refused.value.response.status_code == 503


def test_a_page_learns_which_version_of_it_the_server_has(tmp_path: Path) -> None:
    assets = tmp_path / "web" / "assets"
    assets.mkdir(parents=True)
    (tmp_path / "web" / "index.html").write_text('<script type="module" src="/assets/index-n3-W.js"></script>')
    (assets / "index-n3-W.js").write_text("console.log(1)")
    with serving(tmp_path, page=tmp_path / "web") as server, clients.Client(base_url=server.url) as client:
        for path in ("/", "/api/players", "/assets/index-n3-W.js"):
            assert client.get(path).headers["fivedice-page"] == "index-n3-W.js"
        # The page of another version asked for its script or words here: it is loaded again, and nothing keeps that.
        for path in ("/assets/index-0ld.js", "/assets/de-0ld.js"):
            answer = client.get(path)
            assert (answer.status_code, answer.text, answer.headers["cache-control"]) == (200, RELOAD, "no-store")
        assert client.get("/assets/index-0ld.css").status_code == 404


def test_a_server_without_a_page_has_no_version_of_it(ann: Browser) -> None:
    assert "fivedice-page" not in ann.http.get("/api/players").headers
    assert ann.http.get("/assets/index-0ld.js").status_code == 404
