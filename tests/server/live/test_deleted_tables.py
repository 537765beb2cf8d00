"""Tables that are deleted by the retention rules while this server has them in memory."""

from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed

from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.server.games.pruner import Num
from fivedice.server.table.state import ruleset_of
from fivedice.storage.rows.deletion import delete_tables
from fivedice.storage.schema import holders, streams
from tests.server.serving import TINY, Clock, Serving, serving
from tests.waiting import TIMEOUT_SECONDS, wait_for


@pytest.fixture
def server(tmp_path: Path, clock: Clock) -> Iterator[Serving]:
    """A server whose time the test advances."""
    with serving(tmp_path, clock=clock) as running:
        yield running


DAY = 86_400.0


def sweep(server: Serving) -> Num:
    """Let time pass, and prune, which in production timers do."""
    server.services.heartbeat._late = inf
    server.beat()
    return server.do(server.services.pruner.sweep())


def test_a_deleted_table_is_unknown_and_its_record_stays_valid(server: Serving, clock: Clock) -> None:
    ann = server.visit()
    table = ann.finished()
    record = ann.http.get(f"/api/tables/{table}/record").text
    server.do(server.services.dice.work())
    clock.now += 366 * DAY
    assert sweep(server).finished == 1
    wait_for(lambda: ann.http.get(f"/api/tables/{table}").status_code == 404, "the table is dropped from memory")
    assert ann.http.get(f"/api/tables/{table}").json()["error"] == f"there is no table {table!r}"
    assert ann.send(table, "rematch", version=3, seat=0).status_code == 404
    assert ann.get("/api/me")["games"] == []
    assert ann.get("/api/dice")["dice"] > 0, "its dice stay counted"
    assert verify_record(parse_record(record, ruleset_of)).problems == (), "the proof needs no server"
    assert ann.create(toml=TINY), "the server goes on"


def test_the_visit_of_a_browser_is_stored(tmp_path: Path, clock: Clock) -> None:
    with serving(tmp_path, clock=clock) as running:
        ann = running.visit()
        ann.create(toml=TINY)
        key = ann.http.cookies["fivedice"]
    clock.now += 9 * DAY
    with serving(tmp_path, clock=clock) as running:
        again = running.visit()
        again.http.cookies.set("fivedice", key)
        again.get("/api/me")
        read = running.services.database.read
        wait_for(lambda: read(lambda c: c.execute(select(holders.c.seen)).scalar()) == clock.now, "the visit is stored")


def test_a_table_that_another_process_deletes_disconnects_its_clients(server: Serving, clock: Clock) -> None:
    ann = server.visit()
    table = ann.create(toml=TINY)
    delete = server.services.database.write
    with ann.socket(table) as socket:
        socket.until(1)
        deleted = delete(lambda c: delete_tables(c, clock.now + 1, 5, ended=False)).result(TIMEOUT_SECONDS)
        assert deleted == [table]
        answer = socket.send("roll", seat=0, kept=[])
        assert (answer["type"], answer["reason"]) == ("refused", "unavailable")
        assert answer["detail"] == "this table is no longer in the database"
        with pytest.raises(ConnectionClosed):
            list(iter(socket.receive, None))
    assert ann.http.get(f"/api/tables/{table}").status_code == 404
    assert server.services.database.read(lambda c: c.execute(select(streams.c.id)).all()) == []
