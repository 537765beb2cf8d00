"""Two versions beside each other: what a server answers about a table, or a page, of a later one."""

import json
import time
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from fivedice.server.http.pages import RELOAD
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.streams import load_stream
from tests import clients
from tests.server.live.test_event_store import LATER_EVENTS
from tests.server.serving import Browser, Serving, serving
from tests.waiting import TIMEOUT_SECONDS


@pytest.mark.parametrize("is_announced", [True, False])
def test_clients_of_a_table_with_a_later_event_are_sent_elsewhere(server: Serving, is_announced: bool) -> None:
    """A load balancer can tell from the status that another server may answer, and a page from the code.

    Where the event is not announced, a command finds it, and is left to others.
    """
    ann = server.visit()
    table = ann.create()
    roll = {"type": "roll", "id": "a-first-roll", "version": 2, "seat": 0, "kept": []}
    with ann.socket(table) as socket:
        socket.until(1)
        stored = server.services.database.read(lambda connection: load_stream(connection, table))
        assert stored
        later = StoredEvent(table, 2, "later", time.time(), LATER_EVENTS[0], stored.entries[0].command)
        assert server.services.database.append(later).result(TIMEOUT_SECONDS)
        if is_announced:
            server._loop.call_soon_threadsafe(server.services.tables.on_notice, table, 2)
        else:
            socket.connection.send(json.dumps(roll))
        while (message := socket.receive())["type"] != "farewell":
            assert message["type"] != "answer"
        assert socket.closing()[0] == 1012
        assert socket.update["view"]["version"] == 1
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
