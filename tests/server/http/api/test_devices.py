"""The devices that hold a seat, and the links to it: listed and revoked by any device that holds the seat."""

from collections.abc import Callable
from typing import Any

from fivedice.server.http.api.seats import NEW_DEVICE_SECONDS
from fivedice.server.http.api.transfer import EXPORT_SECONDS
from fivedice.server.identity.holders import LINK_SECONDS, SEEN_SECONDS
from tests.server.serving import Browser, Clock
from tests.waiting import wait_for

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
    assert ben.send_import("/api/me/import", json=exported).json()["seats"] > 0
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
