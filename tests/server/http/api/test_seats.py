"""Seats: taken by link, held by the browser's key, claimed with a secret, left and resumed, and of nobody else."""

from typing import Any

import pytest

from fivedice.server.http.handling.params import COOKIE_SECONDS
from tests.server.serving import TWO, Browser, cookie_value


def test_the_cookie_is_hidden_from_other_sites_and_scripts(ann: Browser) -> None:
    answer = ann.http.post("/api/tables", json={"seats": TWO})
    attributes = {part.strip() for part in answer.headers["set-cookie"].split(";")[1:]}
    assert attributes == {"Path=/", f"Max-Age={COOKIE_SECONDS}", "HttpOnly", "SameSite=lax"}
    assert len(cookie_value(answer.headers)) == 43


def test_a_request_that_says_so_needs_a_cookie_which_its_first_answer_sets(ann: Browser) -> None:
    wanted = {"fivedice-cookie": "required"}
    refused = ann.http.post("/api/tables", json={"seats": TWO}, headers=wanted)
    assert (refused.status_code, refused.json()["code"]) == (401, "no_cookie")
    assert ann.http.post("/api/tables", json={"seats": TWO}, headers=wanted).status_code == 201


def test_a_browser_keeps_its_key_and_viewing_sets_no_cookie(ann: Browser, ben: Browser) -> None:
    table = ann.create()
    key = ann.http.cookies["fivedice"]
    ann.create()
    assert ann.http.cookies["fivedice"] == key
    ben.view(table)
    ben.get("/api/me")
    assert "fivedice" not in ben.http.cookies


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
    assert ben.send_import("/api/me/import", json=stolen).json()["seats"] == 0
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
