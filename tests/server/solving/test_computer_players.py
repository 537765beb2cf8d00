"""Every kind of computer player plays at tables, once what it plays by is found; until then its seat says so."""

import random
from pathlib import Path

import pytest

from fivedice.players import KINDS, make_player, needs_solution
from fivedice.rulesets import load_ruleset
from fivedice.server.solving import solved
from fivedice.server.solving.computer_players import Advisor, ComputerPlayers
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import SOLUTION, Searches
from fivedice.server.table.available import COMPUTERS, available_here
from fivedice.server.table.state import ruleset_of
from fivedice.solver.solution import Solution
from tests.server.serving import serving_with_cache
from tests.server.solving import late
from tests.solutions import solution_of
from tests.waiting import wait_for, wait_for_async

ANN = "192.0.2.1"


@pytest.mark.parametrize("kind", [*KINDS, "target_42"])
def test_a_server_finds_the_tables_that_a_player_asks_for(kind: str) -> None:
    asked = []

    def solve() -> Solution:
        asked.append(SOLUTION)
        return solution_of("crag")

    make_player(kind, random.Random(1), solve)
    assert bool(asked) == needs_solution(kind)


def test_every_kind_plays_a_game_to_its_end_at_a_table(solved_cache: Path) -> None:
    kinds = [*(kind for kind in COMPUTERS if not available_here(load_ruleset("crag")).player(kind)), "target_42"]
    with serving_with_cache(solved_cache) as server:
        ann = server.visit()
        for some in (kinds[:9], kinds[9:]):
            table = ann.create([{"kind": kind} for kind in some], rules="crag[rounds=2]")
            wait_for(lambda table=table: ann.view(table)["state"] == "over", "they have played", seconds=240)  # type: ignore[misc]
            view = ann.view(table)
            assert [seat["kind"] for seat in view["seats"]] == some
            assert not any(seat["preparing"] for seat in view["seats"])
            record = ann.http.get(f"/api/tables/{table}/record").text
            assert all(kind in record for kind in some), "a record names the kinds"


def test_a_seat_says_that_its_player_prepares_and_the_game_goes_on_after_that(tmp_path: Path) -> None:
    """The cache is empty, so the table of Crag is computed first."""
    with serving_with_cache(tmp_path / "cache") as server:
        ann = server.visit()
        table = ann.create([{"kind": "optimal"}, {"kind": "person", "name": "Ann", "here": True}], rules="crag")
        with ann.socket(table) as socket:
            view = socket.until(1)
            found = []
            while view["turn"]["seat"] == 0:
                found.append(view["seats"][0]["preparing"])
                socket.receive()
                view = socket.update["view"]
        assert set(found) == {"sought", None}
        assert found[0] == "sought"
        assert view["seats"][0]["preparing"] is None
        assert view["seats"][1]["preparing"] is None


async def test_what_a_player_needs_is_searched_once_or_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searches, pool = Searches(tmp_path), Pool()
    players, crag = ComputerPlayers(Advisor(searches), pool), load_ruleset("crag")
    try:
        assert [players.preparing(kind, crag, ANN) for kind in ("random", "greedy", "target_42")] == [
            None,
            None,
            "sought",
        ]
        assert searches.num_waiting == 1
        await wait_for_async(lambda: players.preparing("target_42", crag, ANN) is None, "it is found")
        assert {players.preparing(kind, crag, ANN) for kind in COMPUTERS} == {None}
        assert [file.suffix for file in tmp_path.iterdir()] == [".solution"]
        monkeypatch.setattr(solved, "find", late.die)
        other = ruleset_of("crag[rounds=2]")
        assert players.preparing("optimal", other, ANN) == "sought"
        await wait_for_async(lambda: players.preparing("optimal", other, ANN) == "failed", "the search has failed")
    finally:
        await pool.close()
        await searches.close()
