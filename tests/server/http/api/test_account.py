"""Accounts over HTTP: a name that lasts, passkeys, sessions and deletion, and attacks on them."""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from fivedice.server.http.api.account import CHALLENGE_SECONDS
from fivedice.server.identity.passkeys import NOT_VALID
from fivedice.storage.backup import backup
from fivedice.storage.rows.own_data import erase_holder, own_data
from fivedice.storage.schema import holders, seat_holders
from tests.authenticator import Authenticator
from tests.server.http.api.test_clubs import Club
from tests.server.serving import TINY, TWO, Browser, Clock, Serving, serving
from tests.storage.empty import empty_postgres
from tests.waiting import wait_for

Visit = Callable[[], Browser]


@pytest.fixture
def visit(server: Serving) -> Visit:
    """Browsers that know the server as localhost, and have a cookie."""
    return lambda: visiting(server)


def visiting(server: Serving) -> Browser:
    browser = server.visit()
    browser.http.base_url = httpx.URL(origin(browser))
    ask(browser, "session/options")
    return browser


def origin(browser: Browser) -> str:
    return browser.url.replace("127.0.0.1", "localhost")


def ask(browser: Browser, path: str, **body: Any) -> httpx.Response:
    """Send what the page sends; a browser without a cookie gets one first."""
    answer = browser.http.post(f"/api/account/{path}", json=body)
    return browser.http.post(f"/api/account/{path}", json=body) if answer.status_code == 401 else answer


def options(browser: Browser, path: str, **body: Any) -> Any:
    answer = ask(browser, f"{path}/options", **body)
    assert answer.status_code == 200, answer.text
    return answer.json()["options"]


def register(browser: Browser, name: str) -> tuple[Authenticator, Any]:
    """A new passkey of an account, which is created under the name if there is none."""
    device = Authenticator(origin(browser))
    answer = ask(browser, "passkeys", credential=device.create(options(browser, "passkeys", name=name)))
    assert answer.status_code == 201, answer.text
    return device, answer.json()


def sign_in(browser: Browser, device: Authenticator) -> httpx.Response:
    return ask(browser, "session", credential=device.sign(options(browser, "session")))


def account(browser: Browser) -> Any:
    return browser.get("/api/account")


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


def test_a_browser_keeps_its_games_under_a_name_and_another_device_moves_its_own_in(visit: Visit) -> None:
    phone, laptop = visit(), visit()
    first, second = phone.finished(), laptop.finished()
    device, made = register(phone, "Ann Lasting")
    assert (made["name"], len(made["passkeys"]), len(made["sessions"])) == ("Ann Lasting", 1, 1)
    assert len(made["code"]) == 23
    assert [game["table"] for game in phone.get("/api/me")["games"]] == [first], "with the new cookie"
    assert sign_in(laptop, device).status_code == 200
    for browser in (phone, laptop):
        assert {game["table"] for game in browser.get("/api/me")["games"]} == {first, second}
    assert account(phone)["code"] is None, "it is shown once"
    assert sorted(one["is_this"] for one in account(laptop)["sessions"]) == [False, True]


def test_a_second_passkey_works_when_the_first_is_removed(visit: Visit) -> None:
    ann = visit()
    first, _ = register(ann, "Ann Second")
    second, made = register(ann, "ignored")
    assert (made["name"], len(made["passkeys"]), made["code"]) == ("Ann Second", 2, None)
    assert urlsafe_b64encode(first.id).decode() in {one["id"] for one in made["passkeys"]}
    removed = ann.http.delete(f"/api/account/passkeys/{urlsafe_b64encode(first.id).decode()}")
    assert removed.status_code == 204
    unknown = "this server does not know the passkey: its account may have been deleted"
    assert refusal(sign_in(visit(), first)) == (403, unknown)
    assert sign_in(visit(), second).json()["name"] == "Ann Second"


def test_a_printed_code_works_once_and_is_replaced(visit: Visit) -> None:
    ann, other = visit(), visit()
    _, made = register(ann, "Ann Printed")
    found = ask(other, "recover", code=made["code"].lower().replace("-", " "))
    assert found.json()["name"] == "Ann Printed"
    assert refusal(ask(visit(), "recover", code=made["code"])) == (403, "no account has this code")
    renewed = ask(ann, "code").json()["code"]
    assert ask(visit(), "recover", code=found.json()["code"]).status_code == 403
    assert ask(visit(), "recover", code=renewed).status_code == 200


def test_of_two_who_want_a_name_at_once_one_gets_it(visit: Visit) -> None:
    both = [visit(), visit()]
    answers = [(browser, options(browser, "passkeys", name="Once")) for browser in both]
    made = [ask(one, "passkeys", credential=Authenticator(origin(one)).create(given)) for one, given in answers]
    assert sorted(answer.status_code for answer in made) == [201, 400]


def test_a_name_that_looks_like_anothers_is_refused_until_that_has_changed(visit: Visit) -> None:
    ann, ben = visit(), visit()
    register(ann, "Former")
    register(ben, "Taken")
    taken = 400, "this name, or one that looks like it, belongs to somebody else: choose another"
    assert refusal(ask(ann, "name", name="Tаken")) == taken, "with a Cyrillic letter"
    assert refusal(ask(visit(), "passkeys/options", name="TAKEN")) == taken
    assert ask(ann, "name", name="Later").json()["name"] == "Later"
    assert ask(ben, "name", name="Former").json()["name"] == "Former"
    assert refusal(ask(visit(), "name", name="Nobody")) == (403, "this browser is not signed in to an account")


def test_a_challenge_is_answered_once_in_time_and_by_the_browser_that_asked(visit: Visit, clock: Clock) -> None:
    ann, thief = visit(), visit()
    device, _ = register(ann, "Ann Challenged")
    answer = device.sign(options(thief, "session"))
    late = device.sign(options(ann, "session"))
    stolen = ask(visit(), "session", credential=answer)
    assert stolen.status_code == 403, "of another browser"
    assert ask(thief, "session", credential=answer).status_code == 200
    again = ask(thief, "session", credential=answer)
    assert refusal(again) == (403, "this answer is too late, was used before or is not of this browser: try again")
    clock.now += CHALLENGE_SECONDS + 1
    assert ask(ann, "session", credential=late).status_code == 403


def test_a_passkey_of_another_site_or_another_key_is_refused(visit: Visit) -> None:
    ann, thief = visit(), visit()
    device, _ = register(ann, "Ann Phished")
    elsewhere = Authenticator("http://localhost.example")
    elsewhere.id, elsewhere._key = device.id, device._key
    assert refusal(sign_in(thief, elsewhere)) == (403, NOT_VALID), "signed for another origin"
    other = Authenticator(origin(thief))
    other.id = device.id
    assert sign_in(thief, other).status_code == 403, "signed with another key"
    assert account(thief)["name"] is None
    assert ask(thief, "session", credential={"response": {}}).status_code == 400


def test_a_session_is_revoked_by_its_account_only(visit: Visit) -> None:
    phone, laptop, thief = visit(), visit(), visit()
    device, _ = register(phone, "Ann Revoking")
    register(thief, "Mallory")
    sign_in(laptop, device)
    other = next(one for one in account(phone)["sessions"] if not one["is_this"])
    path = f"/api/account/sessions/{other['id']}"
    assert refusal(thief.http.delete(path)) == (404, "this account has no such session")
    table = laptop.create([TWO[0]], toml=TINY)
    with laptop.socket(table) as socket:
        socket.until(1)
        assert phone.http.delete(path).status_code == 204
        assert account(laptop)["name"] is None
        assert laptop.http.get("/api/me").json()["games"] == []
        socket.connection.send('{"type":"roll","id":"too-late","version":1,"seat":0,"kept":[]}')
        assert socket.closing()[1] == "this browser was signed out; connect again"
    assert [one["is_this"] for one in account(phone)["sessions"]] == [True]


def test_signing_in_replaces_a_key_that_somebody_planted(visit: Visit) -> None:
    ann, victim, thief = visit(), visit(), visit()
    device, _ = register(ann, "Ann Planted")
    for key, value in thief.http.cookies.items():
        victim.http.cookies.set(key, value, domain="localhost.local", path="/")
    assert sign_in(victim, device).status_code == 200
    assert account(thief)["name"] is None


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_export_has_what_is_stored_and_after_deletion_the_name_is_nowhere(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    wanted = {"database_url": empty_postgres(request.getfixturevalue("postgres"))} if kind == "postgres" else {}
    name, pseudonym = "Annegret", "Player 1"
    with serving(tmp_path, **wanted) as server:
        ann, ben = visiting(server), visiting(server)
        alone = ann.finished()
        device, _ = register(ann, name)
        ask(ann, "passkeys/options", name=name)  # a challenge that is never answered
        table = ann.create([{"kind": "person", "name": name, "here": True}, {"kind": "person"}], toml=TINY)
        ben.do(table, "sit", seat=1, name="Ben")
        ann.post("/api/lobby/seats", name=name, rules="yatzy", seconds=86_400)
        ben.post("/api/lobby/seats", name="Ben", rules="yacht", seconds=86_400)
        assert ann.post("/api/lobby/seats", name=name, rules="yacht", seconds=86_400)["table"]
        ben.post("/api/lobby/blocked", table=table, seat=0, name=name)
        club = Club(lambda: ann, "")
        first, second = club.schedule(), club.schedule()
        for browser, one in ((ann, name), (ben, pseudonym)):
            assert club.send(browser, "join", name=one).status_code == 200
            assert club.ask(browser, first, "enter").status_code == 200
        club.organise(first, "draw")
        for command in ("enter", "leave"):
            assert club.ask(ann, second, command).status_code == 200

        database = server.services.database
        stored = database.read(
            lambda c: own_data(c, c.execute(select(holders.c.id).where(holders.c.name.is_not(None))).scalar_one())
        )
        assert stored["holders"][0]["name"] == name
        assert {"passkeys", "keys", "seat_holders", "open_seats"} <= set(stored)
        assert not any("holder" in row or "hash" in row for rows in stored.values() for row in rows)

        assert ann.http.delete("/api/me").status_code == 204
        [left] = ann.get("/api/me")["games"]  # that of the tournament
        assert (account(ann)["name"], left["seats"][left["yours"][0]]["name"][:6]) == (None, "Player")
        assert sign_in(visiting(server), device).status_code == 403
        wait_for(lambda: ben.http.get(f"/api/tables/{alone}").status_code == 404, "the game played alone is deleted")
        assert [seat["name"] for seat in ben.view(table)["seats"]] == [pseudonym, "Ben"]
        backup(database.url.render_as_string(hide_password=False), tmp_path / "after.jsonl")
        assert name not in (tmp_path / "after.jsonl").read_text()
        shown = ben.get(f"/api/tournaments/{first}")
        assert [(one["name"], one["is_in"]) for one in shown["players"]] == [("Player 1 (2)", False), (pseudonym, True)]
        assert [one["name"] for one in ben.get(f"/api/clubs/{club.id}")["members"]] == [pseudonym]
        assert ben.get(f"/api/tournaments/{second}")["players"] == []

        cleo = visiting(server)
        own = select(seat_holders.c.holder).where(seat_holders.c.stream == cleo.create(TWO[:1]))
        database.write(lambda c: erase_holder(c, c.execute(own).scalar_one(), 0.0)).result()  # by another process
        assert cleo.http.post("/api/me/export").status_code == 503
        assert cleo.post("/api/me/export")["key"] is None


def test_passkeys_need_a_name_of_the_server_and_its_port(server: Serving) -> None:
    browser = server.visit()
    assert browser.get("/api/account")["is_possible"] is False
    sentence = "passkeys need https and a name: open this page under the name of the server"
    assert refusal(ask(browser, "passkeys/options", name="Ann")) == (400, sentence)
    browser.http.headers["host"] = "localhost:1"  # of another program, whose page had a passkey sign
    sentence = "passkeys need the port of this server, or that of https: open this page there"
    assert refusal(ask(browser, "session/options")) == (400, sentence)


def test_two_processes_on_postgresql_share_challenges_and_sessions(postgres: str, tmp_path: Path) -> None:
    url = empty_postgres(postgres)
    with serving(tmp_path, database_url=url) as one, serving(tmp_path, database_url=url) as other:
        here, there = visiting(one), visiting(other)
        # The same browser at the other process, whose page has another port in this test.
        for key, value in here.http.cookies.items():
            there.http.cookies.set(key, value, domain="localhost.local", path="/")
        device = Authenticator(origin(there))
        answer = ask(there, "passkeys", credential=device.create(options(here, "passkeys", name="Ann")))
        assert answer.status_code == 201, answer.text
        late = device.create(options(here, "passkeys", name="Ben"))
        assert ask(there, "passkeys", credential=late).status_code == 403
        device.origin = origin(here)
        assert sign_in(here, device).json()["name"] == "Ann"
        assert len(account(there)["sessions"]) == 2


def test_a_passkey_on_two_devices_signs_in_and_its_account_says_so(ann: Browser, ben: Browser, visit: Visit) -> None:
    device, _ = register(ann, "Ann")
    for _ in range(2):
        assert sign_in(ben, device).status_code == 200
    assert [one["copied"] for one in account(ben)["passkeys"]] == [None]
    device.signs = 0  # the other device has a counter of its own
    [one] = sign_in(visit(), device).json()["passkeys"]
    assert one["copied"] is not None
