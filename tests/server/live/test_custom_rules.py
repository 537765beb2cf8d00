"""Tables with custom rules: the text is stored apart from their events, and clients get it as before."""

import json

import pytest
from sqlalchemy import select

from fivedice.base.errors import IllegalError
from fivedice.rulesets.compact import compact_text, text_hash
from fivedice.server.table.history import History, decode_log
from fivedice.storage.rows.streams import StoredStream, load_stream
from fivedice.storage.schema import rulesets
from tests.server.serving import TINY, TWO, Browser, Serving

COMMENTED = f"# our rules\n{TINY}"
SOLO = TWO[:1]


def stored(server: Serving, table: str) -> StoredStream:
    found = server.services.database.read(lambda connection: load_stream(connection, table))
    assert found is not None
    return found


def test_rematches_refer_to_the_text_of_their_rules(server: Serving, ann: Browser) -> None:
    table = ann.create(SOLO, toml=COMMENTED)
    ann.turn(table)
    rematch = ann.do(table, "rematch", seat=0)["rematch"]
    ann.turn(rematch)
    toml, digest = compact_text(TINY), text_hash(compact_text(TINY)).hex()
    for one in (table, rematch):
        found = stored(server, one)
        created = json.loads(bytes(History(found.entries, found.toml).encoded(0)[0]))
        assert (created["toml"], created["ruleset"]) == (toml, digest)
        assert json.loads(found.entries[0].body) == {name: created[name] for name in created if name != "toml"}
        assert 'id = "tiny"' in ann.http.get(f"/api/tables/{one}/record").text
    assert server.services.database.read(lambda c: c.execute(select(rulesets.c.toml)).scalars().all()) == [toml]
    assert {game["rules"] for game in ann.get("/api/me")["games"]} == {"tiny.toml"}
    with pytest.raises(IllegalError, match="is not the one that it was created with"):
        list(decode_log([found.entries[0].body], compact_text(TINY.replace("tiny", "tony"))))
