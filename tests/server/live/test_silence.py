"""Idle time counts only while the server is up."""

from pathlib import Path

import httpx

from tests.server.serving import Browser, Clock, serving


def test_idle_time_continues_after_a_downtime_where_it_stopped(tmp_path: Path) -> None:
    clock = Clock()
    cookies = httpx.Cookies()
    table = ""
    for left in (60, 40, 20):
        with serving(tmp_path, clock=clock) as server:
            ben = Browser(server.url)
            ben.http.cookies.update(cookies)
            if not table:
                ann = Browser(server.url)
                table = ann.create([{"kind": "person", "name": "Ann", "here": True}, {"kind": "person"}], silence=60)
                ann.close()
                ben.do(table, "sit", seat=1, name="Ben")
                cookies = ben.http.cookies
            assert ben.view(table)["silent_at"] == clock.now + left
            clock.now += 19
            server.beat()
            refused = ben.send(table, "stand_in", seat=0, player="greedy").json()
            assert (refused["reason"], refused["detail"]) == ("illegal", f"seat 0 may still act for {left - 19} s")
            clock.now += 1
            server.beat()
            if left == 20:
                assert ben.send(table, "stand_in", seat=0, player="greedy").status_code == 200
            ben.close()
        clock.now += 3_600


def test_idle_time_pauses_while_the_machine_is_suspended_and_clients_get_an_update(tmp_path: Path) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock) as server:
        ann = Browser(server.url)
        table = ann.create(silence=60)
        with ann.socket(table) as socket:
            socket.until(1)
            clock.now += 3_600
            server.beat()
            view = socket.receive()["view"]
        assert view["silent_at"] == clock.now + 60
        ann.close()
