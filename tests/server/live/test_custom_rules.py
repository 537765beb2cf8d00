"""Tables with custom rules: the text is stored apart from their events, and clients get it as before."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from fivedice.base.errors import IllegalError
from fivedice.rulesets.compact import compact_text, text_hash
from fivedice.server.table.history import History, decode_log
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.streams import load_stream
from fivedice.storage.schema import events, rulesets
from tests.server.serving import TINY, Serving, serving

COMMENTED = f"# our rules\n{TINY}"
SOLO = [{"kind": "person", "name": "Ann", "here": True}]


def created(server: Serving, table: str) -> Any:
    """The first event as a process of the server has it in memory."""
    found = server.services.database.read(lambda connection: load_stream(connection, table))
    assert found is not None
    return json.loads(bytes(History(found.entries, found.toml).encoded(0)[0]))


def stored(database: Database) -> dict[str, Any]:
    """The first event of each table as it is stored."""

    def read(connection: Connection) -> dict[str, Any]:
        rows = connection.execute(select(events.c.stream, events.c.body).where(events.c.version == 1))
        return {table: json.loads(body) for table, body in rows}

    return database.read(read)


def test_rematches_refer_to_the_text_of_their_rules(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann = server.visit()
        table = ann.create(SOLO, toml=COMMENTED)
        ann.turn(table)
        rematch = ann.do(table, "rematch", seat=0)["rematch"]
        ann.turn(rematch)
        toml, digest = compact_text(TINY), text_hash(compact_text(TINY)).hex()
        for one in (table, rematch):
            assert (created(server, one)["toml"], created(server, one)["ruleset"]) == (toml, digest)
            assert "toml" not in stored(server.services.database)[one]
            assert stored(server.services.database)[one]["ruleset"] == digest
            assert 'id = "tiny"' in ann.http.get(f"/api/tables/{one}/record").text
        assert server.services.database.read(lambda c: c.execute(select(rulesets.c.toml)).scalars().all()) == [toml]
        assert {game["rules"] for game in ann.get("/api/me")["games"]} == {"tiny.toml"}


def test_another_text_than_that_of_the_event_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann = server.visit()
        table = ann.create(SOLO, toml=TINY)
        body = json.dumps(stored(server.services.database)[table])
    assert [getattr(event, "toml", None) for event in decode_log([body], compact_text(TINY))] == [compact_text(TINY)]
    with pytest.raises(IllegalError, match="is not the one that it was created with"):
        list(decode_log([body], compact_text(TINY.replace("tiny", "tony"))))
