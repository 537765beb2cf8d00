"""Nobody can fill the disk: what is stored is counted, and the database grows only as fast as the limits allow."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from fivedice.base.errors import MalformedError
from fivedice.game.record import Record, Seat
from fivedice.rulesets import parse_ruleset
from fivedice.server.config.limits import EVENT_BYTES
from fivedice.server.config.settings import RateLimits
from fivedice.server.identity.visitor import COOKIE
from fivedice.server.ops.rate_limits import RateLimiter, TooFastError, Use
from fivedice.server.ops.storage_guard import FreeSpace
from fivedice.storage.engine.database import UnavailableError
from fivedice.storage.rows.holders import new_secret
from tests import clients
from tests.server.serving import TINY, TWO, Browser, Serving, serving

COMMENTS = "# a comment of 64 characters, of which there are a thousand here.\n" * 950
OVERHEAD = 1.5
"""The pages of the database are not full."""


def num_bytes(server: Serving) -> int:
    """The size of the database file with all changes."""
    with closing(sqlite3.connect(str(server.services.database.url.database))) as connection:
        [[pages]], [[size]] = (connection.execute(f"PRAGMA {name}").fetchall() for name in ("page_count", "page_size"))
    return int(pages * size)


def count(server: Serving, table: str) -> int:
    """The number of rows in a database table."""
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


def play(browser: Browser, table: str) -> None:
    """Play a game of one turn each, with few requests."""
    first = browser.view(table)["first"]
    for version, seat in ((1, first), (3, 1 - first)):
        assert browser.send(table, "roll", version=version, seat=seat, kept=[]).status_code == 200
        assert browser.send(table, "score", version=version + 1, seat=seat, box="any").status_code == 200


def test_imports_with_a_new_key_each_store_no_more_than_one_address_may(tmp_path: Path) -> None:
    """The attack: every request is another browser, so that the limit of records of one browser never applies."""
    limits = RateLimits(uploads="1000/minute", bytes="400000/minute;800000/day", new_browsers="6/minute;1000/day")
    with serving(tmp_path, limits=limits) as server, clients.Client(base_url=server.url) as http:
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
        [minute, _] = limits.windows("bytes")
        assert num_bytes(server) - before <= minute.amount * OVERHEAD
        assert count(server, "holders") == 6, "a browser that does not come back leaves nothing"
        assert {answer.status_code for answer in refused} == {429}
        assert "too many new browsers at this address: 6 per 1 minute are allowed" in refused[0].json()["error"]
        assert 0 < int(refused[0].headers["retry-after"]) <= 60


def test_records_of_the_same_rules_store_and_count_them_once(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(bytes="100000/minute;100000/day")) as server:
        ann = server.visit()
        rules = long_rules(0)
        file: dict[str, Any] = {"fivedice": "export 1", "seats": []}
        file["records"] = [{"text": record_with_rules(number, "# a comment\n" * 900 + rules)} for number in range(8)]
        before = num_bytes(server)
        assert ann.send_import("/api/me/import", json=file).json() == {"records": 8, "seats": 0}
        assert num_bytes(server) - before < 130_000, "without comments, and the rules once"
        assert ann.send_import("/api/me/import", json=file).json() == {"records": 0, "seats": 0}
        games = ann.get("/api/me")["games"]
        assert len(games) == 8
        assert {(game["rules"], game["name"]) for game in games} == {("tiny.toml", "Tiny")}
        exported = ann.http.post("/api/me/export").json()
        assert rules[10:500] in exported["records"][0]["text"]
        assert ann.send_import("/api/me/import", json=exported).json() == {"records": 0, "seats": 0}


def test_rematches_of_a_game_with_long_comments_store_few_bytes_and_are_counted(tmp_path: Path) -> None:
    """The attack: a game of one box for each of two seats, whose rules have 64 KB of comments, again and again."""
    limits = RateLimits()
    [minute, _] = limits.windows("browser_tables")
    with serving(tmp_path, limits=limits) as server:
        eve = server.visit()
        table = eve.create(TWO, toml=TINY + COMMENTS)
        before, num_rematches = num_bytes(server), 0
        while True:
            play(eve, table)
            answer = eve.send(table, "rematch", version=5, seat=0)
            if answer.status_code != 200:
                break
            num_rematches += 1
            table = eve.view(table)["rematch"]
        assert num_rematches == minute.amount
        refused = answer.json()
        assert (answer.status_code, refused["reason"]) == (429, "too_fast")
        assert "too many new tables from this browser: 10 per 1 minute are allowed" in refused["detail"]
        assert 0 < refused["seconds"] <= 60
        assert 0 < int(answer.headers["retry-after"]) <= 60
        with eve.socket(table) as socket:
            assert socket.send("rematch", seat=0)["reason"] == "too_fast", "a socket shares the limit"
        per_game = (num_bytes(server) - before) / num_rematches
        assert per_game < 10_000, "one game stored 65 KB before"
        assert per_game * minute.amount <= limits.windows("bytes")[0].amount
        assert count(server, "rulesets") == 1


def test_tables_of_one_address_are_counted_whichever_browser_makes_them(tmp_path: Path) -> None:
    limits = RateLimits(new_browsers="1000/minute")
    [minute, day] = limits.windows("tables")
    with serving(tmp_path, limits=limits) as server, clients.Client(base_url=server.url) as http:
        before = num_bytes(server)
        answers = []
        for _ in range(minute.amount + 1):
            http.cookies.clear()
            answers.append(http.post("/api/tables", json={"seats": TWO}))
        assert [answer.status_code for answer in answers] == [201] * minute.amount + [429]
        assert "too many new tables from this address: 40 per 1 minute are allowed" in answers[-1].json()["error"]
        assert num_bytes(server) - before <= minute.amount * 4_000
        assert day.amount == 1_000


def test_new_tables_are_counted_with_the_bytes_of_their_games(tmp_path: Path) -> None:
    """Twelve seats, many boxes and rolls: a table that is small at first, and large after its game."""
    huge = "[categories]\n" + "".join(f'c{number} = {{ scorer = "any_dice" }}\n' for number in range(60))
    game = 12 * 60 * 5 * EVENT_BYTES
    with serving(tmp_path, limits=RateLimits(bytes=f"{3 * game // 2}/minute")) as server:
        eve = server.visit()
        wanted = {"seats": [{"kind": "greedy"}] * 12, "toml": f'id = "huge"\ndice = 1\nrolls = 4\n{huge}'}
        statuses = [eve.http.post("/api/tables", json=wanted).status_code for _ in range(3)]
        assert statuses == [201, 429, 429]


def test_links_names_and_undone_scores_are_counted_too(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(browser_bytes="5000/minute")) as server:
        ann = server.visit()
        table = ann.create()
        statuses = [ann.http.post(f"/api/tables/{table}/seats/0/link").status_code for _ in range(30)]
        assert statuses[0] == 201
        assert statuses[-1] == 429
        refused = ann.send(table, "sit", seat=0, name="Anna").json()
        assert refused["reason"] == "too_fast"
        assert "too many bytes to store for this browser" in refused["detail"]
        assert ann.do(table, "roll", seat=0, kept=[])["turn"]["dice"], "the game continues"
        assert ann.do(table, "score", seat=0, box="chance")["turn"]["seat"] == 1


def test_custom_rules_of_everybody_have_a_ceiling(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(all_rules="2/minute")) as server:
        ann = server.visit()
        assert ann.http.post("/api/rulesets/check", json={"toml": TINY}).status_code == 200
        ann.create(toml=TINY)
        answer = ann.http.post("/api/tables", json={"seats": TWO, "toml": TINY})
        assert answer.status_code == 429
        assert "too many custom rules on this server" in answer.json()["error"]
        ann.create()


def test_ceilings_for_everybody_stop_new_tables_and_no_game_in_progress(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(all_tables="1/minute", all_bytes="1000/minute")) as server:
        ann, ben = server.visit(), server.visit()
        table = ann.create([{"kind": "person", "name": "Ann", "here": True}, {"kind": "person"}], casual=True)
        answer = ben.http.post("/api/tables", json={"seats": TWO})
        assert answer.status_code == 429
        assert "too many new tables on this server: 1 per 1 minute are allowed" in answer.json()["error"]
        ben.do(table, "sit", seat=1, name="Ben")
        ann.do(table, "roll", seat=0, kept=[])
        ann.do(table, "score", seat=0, box="chance")
        assert ann.do(table, "undo", seat=0)["turn"]["seat"] == 0


def test_a_use_is_counted_in_all_windows_or_in_none() -> None:
    limiter = RateLimiter(RateLimits(bytes="100/minute;150/day", tables="2/hour"))
    limiter.require_all(Use("bytes", "here", 90), Use("tables", "here"))
    with pytest.raises(TooFastError, match="100 per 1 minute are allowed, wait 60 s"):
        limiter.require_all(Use("tables", "here"), Use("bytes", "here", 11))
    limiter.require_all(Use("bytes", "here", 10), Use("tables", "here"))
    with pytest.raises(TooFastError, match=r"too many new tables from this address: 2 per 1 hour .* wait 60 min"):
        limiter.require("tables", "here")
    limiter.require_all(Use("bytes", "there", 10_000))
    with pytest.raises(TooFastError, match="per 1 minute"):
        limiter.require_all(Use("bytes", "there", 1))


@pytest.mark.parametrize("rate", ["40/minute;many", "40/minute;", "/minute"])
def test_every_window_of_a_rate_must_be_valid(rate: str) -> None:
    with pytest.raises(MalformedError, match="want numbers from 1 and times"):
        RateLimits(tables=rate)


def test_a_full_disk_stops_what_is_new_and_no_game_in_progress(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann = server.visit()
        over, playing = ann.create(toml=TINY), ann.create()
        play(ann, over)
        file = ann.http.post("/api/me/export").json()
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


def test_the_log_says_when_the_disk_is_full_and_when_it_has_space_again(caplog: pytest.LogCaptureFixture) -> None:
    free = [500, 199, 219, 220, 200]
    space = FreeSpace(Path("/"), 200 * 2**20, lambda _: free.pop(0) * 2**20)
    space.require()
    for _ in range(2):
        with pytest.raises(UnavailableError):
            space.require()
    space.require()
    space.require()
    assert [record.getMessage() for record in caplog.records] == [
        "disk almost full, nothing new is created: 199 MB free, want 200 MB",
        "disk has space again: 220 MB free, want 200 MB",
    ]
    FreeSpace(None, 2**63).require()


def test_imports_of_one_browser_are_counted_in_bytes(tmp_path: Path) -> None:
    limits = RateLimits(uploads="1000/minute", imports="1000/minute", bytes="300000/minute;900000/day")
    with serving(tmp_path, limits=limits) as server:
        eve = server.visit()
        before = num_bytes(server)
        answers = [
            eve.send_import("/api/me/records", json={"text": record_with_rules(number, long_rules(number))})
            for number in range(10)
        ]
        statuses = [answer.status_code for answer in answers]
        assert statuses == [200] * 5 + [429] * 5
        assert "too many bytes to store for this address: 300,000 per 1 minute" in answers[-1].json()["error"]
        assert num_bytes(server) - before <= limits.windows("bytes")[0].amount * OVERHEAD


def test_the_slow_window_refuses_what_the_fast_one_allows() -> None:
    limiter = RateLimiter(RateLimits(tables="100/second;3/day"))
    for _ in range(3):
        limiter.require("tables", "here")
    with pytest.raises(TooFastError, match="3 per 1 day are allowed, wait 24 h") as caught:
        limiter.require("tables", "here")
    assert 86_000 < caught.value.seconds <= 86_400
