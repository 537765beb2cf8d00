"""Limits of an address: tokens and stored bytes fill evenly, whatever the clock says, and nobody can fill the disk."""

import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from fivedice.base.errors import UnavailableError
from fivedice.game.record import Record, Seat
from fivedice.rulesets import parse_ruleset
from fivedice.server.identity.holders import COOKIE
from fivedice.server.limits import BURST_SECONDS, DAY_BYTES, EVENT_BYTES, MAX_COUNTED_ADDRESSES, MAX_IMPORT_BYTES
from fivedice.server.ops import budget
from fivedice.server.ops.budget import Buckets, Budget, FreeSpace, TooFastError, address_of
from fivedice.storage.rows.holders import new_secret
from tests import clients
from tests.repository import ROOT
from tests.server.serving import TINY, TWO, Clock, Serving, serving

NO_DISK = FreeSpace(None, 0)


def test_a_bucket_allows_a_burst_and_then_its_rate_and_what_exceeds_it_leaves_a_debt() -> None:
    clock = Clock()
    buckets = Buckets(3.0, 0.5, clock)
    assert [buckets.take("ann", 1) for _ in range(4)] == [0, 0, 0, 2.0]
    clock.now += 1.5
    assert buckets.take("ann", 1) == 0.5
    clock.now += 0.5
    assert buckets.take("ann", 1) == 0
    assert buckets.take("ben", 3) == 0, "each key has its own"
    buckets = Buckets(10.0, 1.0, clock)
    assert buckets.take("ann", 30) == 0
    assert buckets.take("ann", 1) == 21
    buckets.charge("ben", 12)
    assert buckets.take("ben", 1) == 3


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0.1, 4)), max_size=60))
def test_nobody_takes_more_than_the_capacity_and_what_has_flowed_in(uses: list[tuple[float, float]]) -> None:
    clock = Clock()
    clock.now, taken, buckets = 0.0, 0.0, Buckets(4.0, 0.5, clock)
    for pause, amount in uses:
        clock.now += pause
        if seconds := buckets.take("ann", amount):
            clock.now += seconds + 1e-6
            assert buckets.take("ann", amount) == 0
        taken += amount
        assert taken <= 4.0 + clock.now * 0.5 + 1e-3


def test_the_addresses_that_took_nothing_for_the_longest_time_are_forgotten() -> None:
    clock = Clock()
    buckets = Buckets(1.0, 0.001, clock)
    for number in range(MAX_COUNTED_ADDRESSES):
        assert buckets.take(f"address {number}", 1) == 0
    assert buckets.take("address 0", 1) > 0
    buckets.charge("address 0", 0)
    assert buckets.take("one more", 1) == 0
    assert buckets.take("address 1", 1) == 0, "it was forgotten"
    assert buckets.take("address 0", 1) > 0


def test_stored_bytes_are_counted_for_a_day_and_the_reason_is_said() -> None:
    clock = Clock()
    budget = Budget(20.0, NO_DISK, clock)
    budget.store("ann", DAY_BYTES)
    with pytest.raises(TooFastError, match="this address has stored as much as it may in a day: wait 3 h") as caught:
        budget.store_more("ann", DAY_BYTES // 10)
    assert caught.value.seconds == pytest.approx(8_640)
    clock.now += 8_641
    budget.store_more("ann", DAY_BYTES // 10)
    assert DAY_BYTES > 3 * MAX_IMPORT_BYTES
    for _ in range(int(20 * BURST_SECONDS)):
        budget.spend("ben", 1)
    with pytest.raises(TooFastError, match="too many requests from this address: wait 1 s"):
        budget.spend("ben", 1)
    Budget(0.0, NO_DISK).spend("ben", 1e9)


@pytest.mark.parametrize("days", [-400, 400])
def test_a_budget_does_not_depend_on_the_systems_clock(days: int, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(1 / BURST_SECONDS, NO_DISK)
    assert budget.wait("ann", 1) == 0
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + days * 86_400)
    assert budget.wait("ann", 1) == pytest.approx(BURST_SECONDS, abs=1)


def test_a_network_of_ipv6_counts_as_one_address() -> None:
    def key(address: str) -> str:
        return address_of({"client": (address, 1)})

    assert key("2001:db8:1:1::1") == key("2001:db8:1:ff:2::1") == "2001:db8:1::/56"
    assert key("2001:db8:1:100::1") != key("2001:db8:1:1::1")
    assert key("::ffff:192.0.2.1") == key("192.0.2.1") == "192.0.2.1"
    assert address_of({"client": None}) == "unknown"


def test_there_are_at_most_forty_limits_each_with_its_reason() -> None:
    text = (ROOT / "src/fivedice/server/limits.py").read_text(encoding="utf-8")
    lines = re.findall("^[A-Z_]+ +=.*$", text, re.MULTILINE)
    assert 20 < len(lines) <= 40
    assert [line for line in lines if not re.search(" # .{10}", line)] == []


def read(server: Serving, query: str) -> int:
    """The number that a query finds in the database of a server."""
    return int(server.services.database.read(lambda connection: connection.execute(text(query)).scalar_one()))


def num_bytes(server: Serving) -> int:
    return read(server, "PRAGMA page_count") * read(server, "PRAGMA page_size")


def record_with_rules(number: int) -> str:
    """The record of another game each time, under rules with 50,000 characters of prose that is not the same twice."""
    chance = random.Random(number)
    rules = parse_ruleset(f"notes = {[chance.randbytes(250).hex() for _ in range(100)]}\n{TINY}", "tiny.toml")
    return str(Record.start(rules, (Seat("Eve", "human"),), f"2026-11-21T10:00:{number:02}+00:00").roll((1, 2)))


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
            body = {"text": record_with_rules(number)}
            assert http.post("/api/me/records", json=body).status_code == 401
            http.cookies.set(COOKIE, new_secret(), domain="127.0.0.1")
            answer = http.post("/api/me/records", json=body)
            if answer.status_code != 200:
                refused.append(answer)
        assert num_bytes(server) - before <= 400_000 * 1.5, "its pages are not full"
        assert read(server, "SELECT count(*) FROM holders") == 20 - len(refused), "who does not return leaves nothing"
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
