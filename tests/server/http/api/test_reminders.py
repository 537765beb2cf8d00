"""Reminders over a fake push service, which decrypts what it gets as a browser does."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey, derive_private_key
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import insert, update

from fivedice.base.errors import UnavailableError
from fivedice.daily.results import Kind
from fivedice.server.live import reminders
from fivedice.server.live.reminders import DailyReminders, Reminders, origin_of
from fivedice.server.settings import PUSH_SERVICES
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import StoredTry, begin_try
from fivedice.storage.rows.reminders import MAX_REMINDED, Reminded, reminded_at, reminded_of
from fivedice.storage.schema import holders
from fivedice.storage.schema import reminders as stored_reminders
from tests.authenticator import decoded, encoded
from tests.reliability.process import free_port
from tests.server.http.api.test_clubs import Club
from tests.server.serving import TINY, TWO, Browser, Clock, Serving, serving
from tests.storage.empty import empty_sqlite
from tests.waiting import wait_for

AUTH = bytes(range(16))
PRIVATE = derive_private_key(7, SECP256R1())
"""What encrypts messages for the browsers of these tests."""
KEY = encoded(PRIVATE.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


class Push:
    """A push service on a port of its own; `messages` are those that came, with their path and headers."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, dict[str, str], Any]] = []
        self.status = 201
        push = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                told = http_ece.decrypt(body, private_key=PRIVATE, auth_secret=AUTH, version="aes128gcm")
                headers = {name.lower(): value for name, value in self.headers.items()}
                push.messages.append((self.path, headers, json.loads(told)))
                self.send_response(push.status)
                if push.status == 302:
                    self.send_header("location", f"{push.origin}/elsewhere")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def to(self, path: str, least: int = 1) -> list[tuple[dict[str, str], Any]]:
        """The messages to an address, with their headers, once there are so many."""
        wait_for(lambda: self.paths.count(path) >= least, f"{path} is reminded")
        return [(headers, told) for to, headers, told in self.messages if to == path]

    @property
    def paths(self) -> list[str]:
        return [path for path, _, _ in self.messages]


@pytest.fixture(scope="module")
def service() -> Iterator[Push]:
    push = Push()
    yield push
    push._server.shutdown()
    push._server.server_close()


@pytest.fixture
def push(service: Push) -> Push:
    service.messages.clear()
    service.status = 201
    return service


@pytest.fixture(scope="module")
def server(service: Push, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reminders.Reminders, "pause", 0.05)
        with serving(tmp_path_factory.mktemp("reminders"), push_services=(service.origin,)) as running:
            yield running


def ask(browser: Browser, address: str, **wanted: Any) -> Any:
    body = {"address": address, "key": KEY, "auth": encoded(AUTH)} | wanted
    return browser.http.post("/api/me/reminders", json=body)


def seated(server: Serving) -> tuple[Browser, Browser, str]:
    """Two browsers with a seat each at a table that has begun; neither is connected."""
    ann, ben = server.visit(), server.visit()
    table = ann.create([TWO[0], {"kind": "person"}], toml=TINY)
    ben.do(table, "sit", seat=1, name="Ben")
    return ann, ben, table


def test_the_player_to_move_is_reminded_once_unless_connected(server: Serving, push: Push) -> None:
    ann, ben, table = seated(server)
    assert ask_daily(ben, f"{push.origin}/quiet").status_code == 204
    assert ask(ben, f"{push.origin}/ben", lang="de").status_code == 204
    assert ask(ann, f"{push.origin}/ann").status_code == 204
    ann.turn(table)
    [(headers, told)] = push.to("/ben")
    assert told == {"title": "Du bist am Zug", "body": "Tiny", "tag": f"fivedice {table}", "path": f"/t/{table}"}
    assert headers["content-encoding"] == "aes128gcm"
    assert 0 < int(headers["ttl"]) <= 86_400
    it_is_signed_by_the_key_that_browsers_are_given(headers, ann.get("/api/reminders/key")["key"], push.origin)
    ben.turn(table, seat=1)
    ben.do(table, "rematch", seat=1)
    wanted = "Ben wants to play another game with you"
    wait_for(lambda: push.to("/ann")[-1][1]["title"] == wanted, "Ann is told of the rematch")
    assert push.to("/ann")[-1][1]["path"] == f"/t/{ann.view(table)['rematch']}"
    assert len(push.to("/ben")) == 1
    assert "/quiet" not in {*push.paths}, "it wants the ten only"


def test_the_players_of_a_round_are_told_that_it_is_drawn(server: Serving, push: Push) -> None:
    club = Club(server.visit, "Ann Ben")
    for name, browser in club.members.items():
        assert ask(browser, f"{push.origin}/{name}").status_code == 204

    for number, settings in enumerate(({}, {"format": "duplicate", "hours": 1}), 1):
        evening, drawn = club.begun(**settings)
        table = drawn["matches"][0]["table"]
        wanted = [("Your table is ready", f"/t/{table}"), ("A round on the same dice begins", f"/tournament/{evening}")]
        for name in club.members:
            told = push.to(f"/{name}", number)[-1][1]
            assert (told["title"], told["path"], told["body"]) == (*wanted[number - 1], "Evening")


def test_who_waits_is_told_once_the_database_can_be_read_again(
    server: Serving, push: Push, monkeypatch: pytest.MonkeyPatch
) -> None:
    club, (ann, ben, table) = Club(server.visit, "Cleo Dan"), seated(server)
    for name, browser in {**club.members, "Ben": ben}.items():
        assert ask(browser, f"{push.origin}/{name}").status_code == 204
    failures = iter(2 * [UnavailableError("the database cannot be used now")])

    def read_at_last(*args: Any, **named: Any) -> list[Reminded]:
        for failure in failures:
            raise failure
        return reminded_of(*args, **named)

    monkeypatch.setattr(reminders, "reminded_of", read_at_last)
    club.begun(format="duplicate", hours=1)
    ann.turn(table)
    for name in ("Ben", "Cleo", "Dan"):
        assert len(push.to(f"/{name}")) == 1


def it_is_signed_by_the_key_that_browsers_are_given(headers: dict[str, str], key: str, origin: str) -> None:
    scheme, _, pairs = headers["authorization"].partition(" ")
    given = dict(pair.strip().split("=", 1) for pair in pairs.split(","))
    assert (scheme, given["k"]) == ("vapid", key)
    signed, _, signature = given["t"].rpartition(".")
    claims = json.loads(decoded(signed.split(".")[1]))
    assert (claims["aud"], claims["sub"][:17]) == (origin, "https://127.0.0.1")
    numbers = [int.from_bytes(decoded(signature)[part : part + 32]) for part in (0, 32)]
    public = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decoded(key))
    public.verify(encode_dss_signature(*numbers), signed.encode(), ECDSA(SHA256()))


def test_nobody_is_reminded_who_is_connected_or_no_longer_wants_it(server: Serving, push: Push) -> None:
    ann, ben, table = seated(server)
    with ann.socket(table) as socket:
        socket.receive()
        assert ask(ann, f"{push.origin}/ann").status_code == 204
        assert ask(ann, f"{push.origin}/phone").status_code == 204
        assert ask(ben, f"{push.origin}/ben").status_code == 204
        for browser, name in ((ann, "phone"), (ben, "ann")):  # Ben can end no reminder of Ann's
            answer = browser.http.delete("/api/me/reminders", params={"address": f"{push.origin}/{name}"})
            assert answer.status_code == 204
        ann.turn(table)
        push.to("/ben")
        assert push.paths == ["/ben"]
        ben.turn(table, seat=1)
    ben.do(table, "rematch", seat=1)
    push.to("/ann")
    assert {*push.paths} == {"/ben", "/ann"}


def test_a_browser_whose_address_changes_is_reminded_as_before(server: Serving, push: Push) -> None:
    ann, ben, table = seated(server)
    assert ask(ben, f"{push.origin}/ben", lang="de").status_code == 204
    for browser, status in ((ann, 404), (ben, 204)):
        assert ask(browser, f"{push.origin}/new", replaces=f"{push.origin}/ben").status_code == status
    for address, is_known in ((f"{push.origin}/ben", False), (f"{push.origin}/new", True)):
        assert ben.get("/api/reminders/key", address=address)["is_known"] is is_known
        assert ann.get("/api/reminders/key", address=address)["is_known"] is False
    ann.turn(table)
    assert push.to("/new")[0][1]["title"] == "Du bist am Zug"
    assert push.paths == ["/new"]


def reminders_of(database: Database, origin: str, clock: Callable[[], float]) -> Reminders:
    return Reminders(database, None, (origin,), lambda: bytes(range(1, 33)), clock)  # type: ignore[arg-type]


def wish(address: str) -> Reminded:
    return Reminded(address, KEY, encoded(AUTH), "en", "https://x.org", True, None, "UTC")


def test_an_address_that_is_refused_for_days_or_not_known_is_forgotten(tmp_path: Path, push: Push) -> None:
    now, address = 1e9, f"{push.origin}/refused"
    ann = wish(address)

    async def send(days: float, status: int) -> bool:
        nonlocal now
        now += days * 86_400
        push.status = status
        known = await database.fetched(partial(reminded_at, address=address, holder="ann"))
        if known:
            await told.send(known, {})
        return await told.is_known("ann", address)

    async def sent() -> list[bool]:
        row = insert(holders).values(id="ann", created=0, seen=0)
        await database.written(lambda connection: connection.execute(row) and None)
        await told.add("ann", ann, now)
        days = [(0, 302), (0, 403), (2, 400), (0.5, 201), (2, 401), (2.9, 403), (0.2, 403)]
        found = [await send(*one) for one in days]
        await told.add("ann", ann, now)
        return [*found, await send(0, 410)]

    with closing(Database(empty_sqlite(tmp_path))) as database:
        told = reminders_of(database, push.origin, lambda: now)
        assert asyncio.run(sent()) == [True, True, True, True, True, True, False, False]
    assert {*push.paths} == {"/refused"}, "no redirection is followed"


def test_a_browser_asks_only_with_a_seat_and_at_a_known_service(server: Serving, push: Push) -> None:
    stranger = server.visit()
    answer = ask(stranger, f"{push.origin}/x")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_yours")
    ann, _, _ = seated(server)
    for wrong in ({"address": f"{push.origin}.x/"}, {"key": "short"}, {"auth": "A" * 21 + "+"}, {"lang": "xx"}):
        answer = ask(ann, **{"address": f"{push.origin}/x", **wrong})
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), wrong


@pytest.mark.parametrize(
    ("address", "is_known"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc", True),
        ("https://db5p.notify.windows.com/w/?token=abc", True),
        ("http://fcm.googleapis.com/fcm/send/abc", False),
        ("https://fcm.googleapis.com:8443/abc", False),
        ("https://fcm.googleapis.com.example.org/abc", False),
        ("https://evilnotify.windows.com/abc", False),
        ("https://x@db5p.notify.windows.com/abc", False),
        ("https://[", False),
        ("https://127.0.0.1\\.notify.windows.com/abc", False),
        ("https://127.0.0.1#.notify.windows.com/abc", False),
        ("https://ex\tample.notify.windows.com/abc", False),
        ("https://db5p.notify.windows.com/abc\n", False),
        ("https://.notify.windows.com/abc", False),
    ],
)
def test_only_the_push_services_of_browsers_are_asked(address: str, is_known: bool) -> None:
    assert (origin_of(address, PUSH_SERVICES) is not None) is is_known


def test_a_failure_is_logged_without_the_secret_path(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    origin = f"http://127.0.0.1:{free_port()}"
    with closing(Database(empty_sqlite(tmp_path))) as database:
        asyncio.run(reminders_of(database, origin, lambda: 0.0).send(wish(f"{origin}/secret"), {}))
    assert f"a reminder was not sent to {origin}: Connection refused" in caplog.text
    assert "secret" not in caplog.text


def test_at_most_ten_browsers_of_a_holder_are_reminded(server: Serving, push: Push) -> None:
    ann, ben, table = seated(server)
    for number in range(MAX_REMINDED + 2):
        assert ask(ben, f"{push.origin}/{number}").status_code == 204
    ann.turn(table)
    wait_for(lambda: len(push.messages) >= MAX_REMINDED, "all are reminded")
    assert sorted(int(path[1:]) for path, _, _ in push.messages) == list(range(2, MAX_REMINDED + 2))


class Morning:
    """A server whose clock is set, on which two processes remind of the daily ten at once.

    It has days of UTC, whose ten is drawn as `is_drawn` says.
    """

    seconds_to_next = 3_600.0

    def __init__(self, server: Serving, clock: Clock) -> None:
        self.server, self._clock, self.is_drawn = server, clock, True
        parts = server.services
        self._processes = [DailyReminders(parts.database, parts.reminders, self, clock) for _ in range(2)]

    @property
    def today(self) -> date:
        return datetime.fromtimestamp(self._clock.now, UTC).date()

    def is_ready(self, kind: str, rules: str) -> bool:
        return self.is_drawn

    def be(self, day: int, hour: int, minute: int = 0) -> None:
        """Set the clock to a day of March 2027 and a time of UTC, and let both processes look twice."""
        self._clock.now = datetime(2027, 3, day, hour, minute, tzinfo=UTC).timestamp()
        for _ in range(2):
            self.server.do(self._look())

    def has_begun(self, browser: Browser, kind: Kind) -> None:
        services, today = self.server.services, self.today.isoformat()
        holder = self.server.do(services.holders.visitor(dict(browser.http.cookies))).holder
        assert holder
        one = StoredTry(f"{kind} {today}", today, kind, "yahtzee", 1, holder, self._clock.now, None, None)
        self.server.do(services.database.written(partial(begin_try, wanted=one)))

    async def _look(self) -> None:
        await asyncio.gather(*(one.work() for one in self._processes))


@pytest.fixture
def morning(push: Push, tmp_path: Path) -> Iterator[Morning]:
    """At 5:00 UTC on 10 March 2027."""
    clock = Clock()
    with serving(tmp_path, push_services=(push.origin,), clock=clock) as running:
        found = Morning(running, clock)
        found.be(10, 5)
        yield found


def ask_daily(browser: Browser, address: str, hour: int = 7, zone: str = "Europe/Berlin", **more: Any) -> Any:
    """Ask to be reminded of the daily ten only."""
    return ask(browser, address, turns=False, hour=hour, zone=zone, **more)


def test_the_ten_is_told_once_a_day_at_the_chosen_hour_in_the_browsers_time_zone(morning: Morning, push: Push) -> None:
    ann, ben = morning.server.visit(), morning.server.visit()
    assert ask_daily(ann, f"{push.origin}/ann", lang="de").status_code == 204
    assert ask_daily(ben, f"{push.origin}/ben", hour=2, zone="America/New_York").status_code == 204
    for hour, minute in ((5, 59), (8, 0)):
        morning.be(10, hour, minute)
        assert push.messages == []
    morning.be(11, 6)
    [(headers, told)] = push.to("/ann")
    assert (told["title"], told["body"]) == ("Die Zehn des Tages", "Du hast die Zehn von heute noch nicht begonnen.")
    assert (told["path"], told["tag"], headers["ttl"]) == ("/daily", "fivedice daily", "3600")
    morning.be(11, 6, 59)
    assert push.paths == ["/ann"]
    morning.be(11, 7)
    assert push.paths == ["/ann", "/ben"]
    morning.be(12, 6, 30)
    assert push.paths == ["/ann", "/ben", "/ann"]
    morning.be(30, 5)  # Berlin's clocks went forward on 28 March
    assert [path for path, _, _ in push.messages[3:]] == ["/ann"]


def test_a_time_zone_that_is_gone_stops_nobody_else(morning: Morning, push: Push) -> None:
    ann, ben, eve = (morning.server.visit() for _ in range(3))
    for name, browser in (("ann", ann), ("ben", ben)):
        assert ask_daily(browser, f"{push.origin}/{name}").status_code == 204
    assert ask_daily(eve, f"{push.origin}/eve", zone="Asia/Calcutta").status_code == 204, "an old name"
    row = update(stored_reminders).where(stored_reminders.c.address == f"{push.origin}/ann").values(zone="Asia/Gone")
    morning.server.services.database.write(lambda c: c.execute(row)).result()
    morning.be(10, 6)
    assert push.paths == ["/ben"]
    assert ask_daily(ann, f"{push.origin}/ann", zone="Asia/Gone").status_code == 404
    assert ask(ann, f"{push.origin}/ann", zone="Asia/Gone").status_code == 204, "turns need no time zone"


def test_a_failure_of_the_database_while_people_are_told_stops_nobody_elses_reminder(
    morning: Morning, push: Push, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("ann", "ben", "eve")
    for name in names:
        assert ask_daily(morning.server.visit(), f"{push.origin}/{name}").status_code == 204
    send, failures = Reminders.send, iter([UnavailableError("the database cannot be used now")])

    async def send_at_last(reminders: Reminders, reminded: Reminded, *args: Any) -> None:
        for failure in failures:
            raise failure
        await send(reminders, reminded, *args)

    monkeypatch.setattr(Reminders, "send", send_at_last)
    morning.be(10, 6)
    assert len(set(push.paths)) == len(push.paths) == len(names) - 1


def test_nobody_is_told_before_the_ten_is_drawn_nor_who_began_or_switched_it_off(morning: Morning, push: Push) -> None:
    ann, ben = morning.server.visit(), morning.server.visit()
    for browser, name in ((ann, "ann"), (ben, "ben")):
        assert ask_daily(browser, f"{push.origin}/{name}").status_code == 204
    morning.has_begun(ann, "ten")
    morning.has_begun(ben, "storm")
    morning.is_drawn = False
    morning.be(10, 6)
    assert push.messages == []
    morning.is_drawn = True
    morning.be(10, 6, 2)
    assert ask_daily(ben, f"{push.origin}/ben").status_code == 204  # again, in the same hour
    morning.be(10, 6, 3)
    assert push.paths == ["/ben"]
    assert ben.http.delete("/api/me/reminders", params={"address": f"{push.origin}/ben"}).status_code == 204
    morning.be(11, 6)
    assert push.paths == ["/ben", "/ann"]
