"""Idle time begins anew when the server is back."""

from pathlib import Path

import pytest

from fivedice.server.config.settings import SteadyClock
from tests.server.serving import Clock, serving


def test_idle_time_begins_anew_after_a_downtime(tmp_path: Path) -> None:
    clock, ben, table = Clock(), None, ""
    for number in range(3):
        with serving(tmp_path, clock=clock) as server:
            ben = server.visit(ben)
            if not table:
                ann = server.visit()
                table = ann.create([{"kind": "person", "name": "Ann", "here": True}, {"kind": "person"}], silence=60)
                ben.do(table, "sit", seat=1, name="Ben")
            assert ben.view(table)["silent_at"] == clock.now + 60
            for seconds in (29, 30):
                clock.now += seconds
                server.beat()
            refused = ben.send(table, "stand_in", seat=0, player="greedy").json()
            assert (refused["reason"], refused["detail"]) == ("illegal", "seat 0 may still act for 1 s")
            if number == 2:
                clock.now += 1
                assert ben.send(table, "stand_in", seat=0, player="greedy").status_code == 200
        clock.now += 3_600


def test_idle_time_pauses_while_the_machine_is_suspended_and_clients_get_an_update(tmp_path: Path) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock) as server:
        ann = server.visit()
        table = ann.create(silence=60)
        with ann.socket(table) as socket:
            socket.until(1)
            clock.now += 3_600
            server.beat()
            view = socket.receive()["view"]
        assert view["silent_at"] == clock.now + 60


JUMP = 400 * 86_400.0


@pytest.mark.parametrize("jump", [-JUMP, JUMP])
def test_a_jump_of_the_systems_clock_changes_nobodys_waiting(tmp_path: Path, jump: float) -> None:
    """While the server runs; a fake clock stands for the one that cannot be set."""
    wall, running = Clock(), Clock()
    with serving(tmp_path, clock=SteadyClock(wall, running)) as server:
        ann, ben = server.visit(), server.visit()
        table = ann.create([{"kind": "person", "name": "Ann", "here": True}, {"kind": "person"}], silence=60)
        ben.do(table, "sit", seat=1, name="Ben")
        silent_at = ben.view(table)["silent_at"]
        wall.now += jump
        server.beat()
        assert ben.view(table)["silent_at"] == silent_at
        for seconds in (20, 20, 19):
            running.now += seconds
            server.beat()
        refused = ben.send(table, "stand_in", seat=0, player="greedy").json()
        assert refused["detail"] == "seat 0 may still act for 1 s"
        running.now += 1
        assert ben.send(table, "stand_in", seat=0, player="greedy").status_code == 200


@pytest.mark.parametrize("jump", [-JUMP, JUMP])
def test_after_a_restart_with_another_time_nobody_is_idle_at_once_and_nobody_never(tmp_path: Path, jump: float) -> None:
    """The first server has the right time, the second a wrong one, the third the right one again."""
    clock, ben = Clock(), None
    tables: list[str] = []
    for change in (0.0, jump, 600.0 - jump):
        clock.now += change
        with serving(tmp_path, clock=clock) as server:
            ben = server.visit(ben)
            for table in tables:
                assert ben.view(table)["silent_at"] == clock.now + 60
            ann = server.visit()
            new = ann.create([{"kind": "person", "name": "Ann", "here": True}, {"kind": "person"}], silence=60)
            ben.do(new, "sit", seat=1, name="Ben")
            tables.append(new)
            clock.now += 20
            server.beat()
            if change == 600.0 - jump:
                assert ben.send(tables[0], "stand_in", seat=0, player="greedy").json()["code"] == "still_acts"
                clock.now += 20
                server.beat()
                clock.now += 20
                for table in tables:
                    assert ben.send(table, "stand_in", seat=0, player="greedy").status_code == 200


@pytest.mark.parametrize("jump", [-JUMP, JUMP])
def test_computer_players_continue_after_a_restart_with_another_time(tmp_path: Path, jump: float) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock, pace=60.0) as before:
        ann = before.visit()
        table = ann.create([{"kind": "greedy"}, {"kind": "person", "name": "Ann", "here": True}])
        assert ann.view(table)["version"] == 1
    clock.now += jump
    with serving(tmp_path, clock=clock) as after:
        ann = after.visit()
        with ann.socket(table) as socket:
            while socket.until(1)["turn"]["seat"] == 0:
                socket.receive()
