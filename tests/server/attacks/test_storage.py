"""Nobody can fill the disk: what is stored is counted, and the database grows only as fast as the limits allow."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from fivedice.base.errors import UnavailableError
from fivedice.game.record import Record, Seat
from fivedice.rulesets import parse_ruleset
from fivedice.server.config.limits import EVENT_BYTES
from fivedice.server.identity.holders import COOKIE
from fivedice.server.ops import budget
from fivedice.server.ops.budget import FreeSpace
from fivedice.storage.rows.holders import new_secret
from tests import clients
from tests.server.serving import TINY, TWO, Serving, serving

OVERHEAD = 1.5
"""The pages of the database are not full."""


def num_bytes(server: Serving) -> int:
    with closing(sqlite3.connect(str(server.services.database.url.database))) as connection:
        [[pages]], [[size]] = (connection.execute(f"PRAGMA {name}").fetchall() for name in ("page_count", "page_size"))
    return int(pages * size)


def count(server: Serving, table: str) -> int:
    with closing(sqlite3.connect(str(server.services.database.url.database))) as connection:
        [[found]] = connection.execute(f"SELECT count(*) FROM {table}").fetchall()  # noqa: S608
    return int(found)


def record_with_rules(number: int, toml: str) -> str:
    """The record of another game each time, under rules of its own."""
    rules = parse_ruleset(toml, "tiny.toml")
    return str(Record.start(rules, (Seat("Eve", "human"),), "2026-11-21T10:00:00+00:00").roll((1, 2))).replace(
        "2026-11-21T10:00", f"2026-11-{1 + number // 24:02}T{number % 24:02}:00"
    )


def long_rules(number: int) -> str:
    """Rules with 50,000 characters of prose that is not the same twice."""
    chance = random.Random(number)
    return f"notes = {[chance.randbytes(250).hex() for _ in range(100)]}\n{TINY}"


@contextmanager
def limited(folder: Path, day_bytes: int) -> Iterator[Serving]:
    """A server at which each address may store so many bytes in a day."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(budget, "DAY_BYTES", day_bytes)
        with serving(folder, rate=1_000.0) as server:
            yield server


def test_imports_with_a_new_key_each_store_no_more_than_one_address_may(tmp_path: Path) -> None:
    """The attack: every request is another browser, so that no limit of a browser applies."""
    with limited(tmp_path, 400_000) as server, clients.Client(base_url=server.url) as http:
        before = num_bytes(server)
        refused: list[httpx.Response] = []
        for number in range(20):
            http.cookies.clear()
            text = record_with_rules(number, long_rules(number))
            assert http.post("/api/me/records", json={"text": text}).status_code == 401
            http.cookies.set(COOKIE, new_secret(), domain="127.0.0.1")
            answer = http.post("/api/me/records", json={"text": text})
            if answer.status_code != 200:
                refused.append(answer)
        assert num_bytes(server) - before <= 400_000 * OVERHEAD
        assert count(server, "holders") == 20 - len(refused), "a browser that does not come back leaves nothing"
        assert {answer.status_code for answer in refused} == {429}
        assert "this address has stored as much as it may in a day: wait" in refused[0].json()["error"]
        assert 0 < int(refused[0].headers["retry-after"]) <= 86_400


def test_new_tables_are_counted_with_the_bytes_of_their_games(tmp_path: Path) -> None:
    """Twelve seats, many boxes and rolls: a table that is small at first, and large after its game."""
    huge = "[categories]\n" + "".join(f'c{number} = {{ scorer = "any_dice" }}\n' for number in range(60))
    game = 12 * 60 * 5 * EVENT_BYTES
    with limited(tmp_path, 3 * game // 2) as server:
        eve = server.visit()
        wanted = {"seats": [{"kind": "greedy"}] * 12, "toml": f'id = "huge"\ndice = 1\nrolls = 4\n{huge}'}
        statuses = [eve.http.post("/api/tables", json=wanted).status_code for _ in range(3)]
        assert statuses == [201, 429, 429]


def test_links_names_rematches_and_undone_scores_are_counted_too(tmp_path: Path) -> None:
    with limited(tmp_path, 60_000) as server:
        ann = server.visit()
        table, over = ann.create(), ann.finished()
        statuses = [ann.http.post(f"/api/tables/{table}/seats/0/link").status_code for _ in range(200)]
        assert statuses[0] == 201
        assert statuses[-1] == 429
        for refused in (ann.send(table, "sit", seat=0, name="Anna").json(), ann.send(over, "rematch", seat=0).json()):
            assert refused["reason"] == "too_fast"
            assert "this address has stored as much" in refused["detail"]
        assert ann.do(table, "roll", seat=0, kept=[])["turn"]["dice"], "the game continues"
        assert ann.do(table, "score", seat=0, box="chance")["turn"]["seat"] == 1


def test_a_full_disk_stops_what_is_new_and_no_game_in_progress(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann = server.visit()
        over, playing = ann.finished(), ann.create()
        file = ann.post("/api/me/export")
        free_space: Any = server.services.free_space
        floor, free_space._floor = free_space._floor, 2**63
        for path, body in (
            ("/api/tables", {"seats": TWO}),
            ("/api/me/import", file),
            ("/api/me/records", {"text": "a game"}),
            ("/api/me/export", None),
            (f"/api/tables/{playing}/seats/0/link", None),
        ):
            answer = ann.http.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), path
            assert "the disk of this server is almost full" in answer.json()["error"]
        refused = ann.send(over, "rematch", seat=0)
        assert (refused.status_code, refused.json()["reason"]) == (503, "unavailable")
        assert ann.view(over)["rematch"] is None
        ann.do(playing, "roll", seat=0, kept=[])
        assert ann.do(playing, "score", seat=0, box="chance")["turn"]["seat"] == 1
        assert ann.do(playing, "undo", seat=0)["turn"]["seat"] == 0
        free_space._floor = floor
        assert ann.do(over, "rematch", seat=0)["rematch"]


def test_the_log_says_that_the_disk_is_full(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    FreeSpace(tmp_path, 0).require()
    FreeSpace(None, 2**63).require()
    with pytest.raises(UnavailableError):
        FreeSpace(tmp_path, 2**63).require()
    [line] = [record.getMessage() for record in caplog.records]
    assert line.startswith("disk almost full, nothing new is created: ")
