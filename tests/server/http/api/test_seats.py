"""Seats: held by a browser's key, claimed with links, left to other devices, and of nobody else."""

from collections.abc import Callable
from typing import Any

import pytest

from fivedice.server.http.api.seats import NEW_DEVICE_SECONDS
from fivedice.server.http.api.transfer import EXPORT_SECONDS
from fivedice.server.http.handling.params import COOKIE_SECONDS
from fivedice.server.identity.holders import LINK_SECONDS, SEEN_SECONDS
from tests.server.serving import TWO, Browser, Clock, cookie_value
from tests.waiting import wait_for


def test_the_cookie_is_hidden_from_others_keeps_its_key_and_is_set_by_no_view(ann: Browser, ben: Browser) -> None:
    table = ann.create()
    key = ann.http.cookies["fivedice"]
    ann.create()
    assert ann.http.cookies["fivedice"] == key
    ben.view(table)
    ben.get("/api/me")
    assert "fivedice" not in ben.http.cookies
    answer = ann.http.post("/api/tables", json={"seats": TWO})
    attributes = {part.strip() for part in answer.headers["set-cookie"].split(";")[1:]}
    assert attributes == {"Path=/", f"Max-Age={COOKIE_SECONDS}", "HttpOnly", "SameSite=lax"}
    assert len(cookie_value(answer.headers)) == 43
    wanted = {"fivedice-cookie": "required"}
    refused = ben.http.post("/api/tables", json={"seats": TWO}, headers=wanted)
    assert (refused.status_code, refused.json()["code"]) == (401, "no_cookie")
    assert ben.http.post("/api/tables", json={"seats": TWO}, headers=wanted).status_code == 201


def test_holding_a_seat_or_another_table_gives_no_right_to_a_seat(ann: Browser, ben: Browser) -> None:
    table, open_table = ann.create(), ann.create([TWO[0], {"kind": "person"}])
    ben.do(open_table, "sit", seat=1, name="Ben")
    commands: list[dict[str, Any]] = [{"type": "sit", "name": "Eve"}, {"type": "roll", "kept": []}, {"type": "close"}]
    with ben.socket(table) as socket:
        for command in commands:
            for at, version in ((open_table, 2), (table, 1)):
                answer = ben.send(at, version=version, seat=0, **command)
                assert (answer.status_code, answer.json()["reason"]) == (403, "not_yours"), command
            assert socket.send(seat=0, **command)["reason"] == "not_yours", command
    assert (ann.view(open_table)["version"], ann.view(table)["version"]) == (2, 1)


def test_only_the_holder_gets_a_seats_secret_and_it_is_valid_at_its_table_only(ann: Browser, ben: Browser) -> None:
    table, other = ann.create(), ann.create()
    assert ben.http.post(f"/api/tables/{table}/seats/0/link").status_code == 403
    secret = ann.http.post(f"/api/tables/{table}/seats/0/link").json()["secret"]
    assert ben.http.post(f"/api/tables/{other}/claim", json={"secret": secret}).status_code == 403
    wrong = ben.http.post(f"/api/tables/{table}/claim", json={"secret": "A" * 43})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "not_yours")
    assert ben.http.post(f"/api/tables/{table}/claim", json={"secret": "short"}).status_code == 400
    assert ann.http.post(f"/api/tables/{table}/seats/12/link").status_code == 400
    stolen = {"fivedice": "export 1", "records": [], "key": secret}
    assert ben.send_import("/api/me/import", json=stolen).json()["tables"] == 0
    assert ben.get(f"/api/tables/{other}")["yours"] == []
    assert ben.http.post(f"/api/tables/{table}/claim", json={"secret": secret}).json() == {"seat": 0}
    assert ben.get(f"/api/tables/{table}")["yours"] == [0], "that seat only"


@pytest.mark.parametrize("key", ["", "A" * 42, "A" * 44, "A" * 43, "../" * 14 + "x", "' OR 1=1 --" + "x" * 32])
def test_a_forged_cookie_holds_no_seat_and_is_replaced_if_it_is_malformed(ann: Browser, ben: Browser, key: str) -> None:
    table = ann.create()
    ben.http.cookies.set("fivedice", key)
    assert ben.get(f"/api/tables/{table}")["yours"] == []
    assert ben.get("/api/me")["games"] == []
    assert ben.send(table, "roll", version=1, seat=0, kept=[]).status_code == 403
    answer = ben.http.post("/api/tables", json={"seats": TWO}, headers={"cookie": f"fivedice={key}"})
    assert (answer.status_code, cookie_value(answer.headers) == key) == (201, key == "A" * 43)


Visit = Callable[[], Browser]


def access(browser: Browser, table: str, seat: int = 0) -> Any:
    return browser.get(f"/api/tables/{table}/seats/{seat}/devices")


def make_link(browser: Browser, table: str, seat: int = 0) -> Any:
    return browser.post(f"/api/tables/{table}/seats/{seat}/link")


def claim(browser: Browser, table: str, link: Any) -> Any:
    return browser.http.post(f"/api/tables/{table}/claim", json=link)


def test_a_link_works_once_and_says_when_it_was_used(ann: Browser, ben: Browser, visit: Visit, clock: Clock) -> None:
    table, link = (table := ann.create()), make_link(ann, table)
    assert link["expires"] == clock.now + LINK_SECONDS
    assert claim(ann, table, link).status_code == 200, "trying it in the own browser does not use it up"
    [listed] = access(ann, table)["links"]
    assert (listed["created"], listed["used"]) == (clock.now, None)
    clock.now += 60
    with ben.socket(table) as socket:
        assert socket.receive()["yours"] == []
        assert claim(ben, table, link).json() == {"seat": 0}
        while socket.update["yours"] != [0]:
            socket.receive()
        assert socket.send("sit", seat=0, name="Ann on the train")["type"] == "accepted"
    assert claim(ben, table, link).json() == {"seat": 0}, "the answer may have been lost"
    refused = claim(visit(), table, link)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_yours")
    assert "no longer works" in refused.json()["error"]
    for browser in (ann, ben):
        [listed] = access(browser, table)["links"]
        assert (listed["used"], listed["expires"]) == (clock.now, link["expires"])


def test_a_link_expires_and_an_exported_one_later(ann: Browser, ben: Browser, clock: Clock) -> None:
    table, link = (table := ann.create()), make_link(ann, table)
    exported = ann.post("/api/me/export")
    clock.now += LINK_SECONDS
    refused = claim(ben, table, link)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_yours")
    assert access(ann, table)["links"] == []
    clock.now += EXPORT_SECONDS - LINK_SECONDS - 1
    assert ben.send_import("/api/me/import", json=exported).json()["tables"] > 0
    assert ben.get(f"/api/tables/{table}")["yours"] == [0, 1]


def test_a_link_is_revoked(ann: Browser, ben: Browser) -> None:
    table, link = (table := ann.create()), make_link(ann, table)
    [listed] = access(ann, table)["links"]
    assert ben.http.delete(f"/api/tables/{table}/seats/0/links/{listed['id']}").status_code == 403
    assert ann.http.delete(f"/api/tables/{table}/seats/1/links/{listed['id']}").status_code == 404
    assert ann.http.delete(f"/api/tables/{table}/seats/0/links/{listed['id']}").status_code == 204
    assert access(ann, table)["links"] == []
    assert claim(ben, table, link).status_code == 403
    assert ben.get(f"/api/tables/{table}")["yours"] == []


def test_a_removed_device_loses_the_seat_at_once(ann: Browser, ben: Browser, clock: Clock) -> None:
    table = ann.create()
    clock.now += 60  # devices are listed in the order in which they got the seat
    link, of_ann = make_link(ann, table), make_link(ann, table)
    assert claim(ben, table, link).status_code == 200
    of_ben = make_link(ben, table)
    with ben.socket(table) as socket:
        socket.until(1)
        assert socket.update["yours"] == [0]
        devices = access(ann, table)["devices"]
        assert [(one["is_this"], one["is_connected"], one["can_remove"]) for one in devices] == [
            (True, False, False),
            (False, True, True),
        ]
        path = f"/api/tables/{table}/seats/0/devices"
        assert ann.http.delete(f"{path}/{devices[0]['id']}").status_code == 403, "the own device"
        assert ann.http.delete(f"{path}/nothing").status_code == 404
        assert ann.http.delete(f"{path}/{devices[1]['id']}").status_code == 204
        while socket.update["yours"]:
            socket.receive()
        assert socket.send("roll", version=1, seat=0, kept=[])["reason"] == "not_yours"
    assert ben.http.get(path).status_code == 403
    for lost in (link, of_ben):
        assert claim(ben, table, lost).status_code == 403, "nor can it come back with its links"
    assert len(access(ann, table)["devices"]) == 1
    assert claim(ben, table, of_ann).status_code == 200, "the link of another device is still valid"


def test_a_new_device_cannot_remove_an_earlier_one_for_a_day(ann: Browser, ben: Browser, clock: Clock) -> None:
    table = ann.create()
    clock.now += 1
    assert claim(ben, table, make_link(ann, table)).status_code == 200
    first = access(ben, table)["devices"][0]
    path = f"/api/tables/{table}/seats/0/devices/{first['id']}"
    assert not first["can_remove"]
    refused = ben.http.delete(path)
    assert (refused.status_code, "less than a day" in refused.json()["error"]) == (403, True)
    clock.now += NEW_DEVICE_SECONDS
    assert access(ben, table)["devices"][0]["can_remove"]
    assert ben.http.delete(path).status_code == 204
    assert ann.get(f"/api/tables/{table}")["yours"] == [1]


def test_a_device_is_seen_when_it_connects(ann: Browser, clock: Clock) -> None:
    table = ann.create()

    def seen() -> Any:
        [device] = access(ann, table)["devices"]
        return device["seen"]

    assert seen() is None
    for pause in (0.0, SEEN_SECONDS):
        clock.now += pause
        with ann.socket(table) as socket:
            socket.until(1)
        wait_for(lambda: seen() == clock.now, "the device is seen")
    clock.now += SEEN_SECONDS / 2
    with ann.socket(table) as socket:
        socket.until(1)
    assert seen() == clock.now - SEEN_SECONDS / 2, "to an hour, so that connections cost no writes"
