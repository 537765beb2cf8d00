"""Searches, one at a time in their order, and computer players, who play once what they need is found."""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fivedice.base.errors import IllegalError, UnavailableError
from fivedice.players import KINDS, make_player, needs_solution
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.ops.budget import TooFastError
from fivedice.server.solving import searches as module
from fivedice.server.solving import solved
from fivedice.server.solving.computer_players import Advisor, ComputerPlayers
from fivedice.server.solving.pool import Pool, SavedSolution, SolutionGoneError
from fivedice.server.solving.searches import AHEAD, SOLUTION, Searches
from fivedice.server.solving.solved import Deadline, TooSlowError, kept, kept_solution
from fivedice.server.table.available import COMPUTERS, available_here
from fivedice.server.table.state import ruleset_of
from fivedice.solver.saved.saved_table import MOST_PLAYED
from fivedice.solver.saved.store import BREAKDOWN
from fivedice.solver.saved.store import SOLUTION as VALUES
from fivedice.solver.solution import Solution
from tests.server.serving import serving_with_cache
from tests.solutions import breakdown_of, solution_of
from tests.waiting import wait_for, wait_for_async

EVE, ANN = "192.0.2.1", "192.0.2.2"
FIND = solved.find


def find_after(file: Path, *args: Any) -> None:
    while not file.exists():
        time.sleep(0.02)
    FIND(*args)


def never_find(*_: Any) -> None:
    time.sleep(60)


def die(*_: Any) -> None:
    """End the process, as the system does where memory is short."""
    os._exit(9)


def custom(number: int) -> Ruleset:
    return ruleset_of(f"crag[rolls={3 + number}]")


@pytest.fixture
def ended() -> list[bool]:
    return []


@pytest.fixture
async def searches(tmp_path: Path, ended: list[bool]) -> AsyncIterator[Searches]:
    """Searches with an empty folder."""
    searches = Searches(tmp_path, ended.append)
    yield searches
    await searches.close()


async def test_what_is_saved_is_loaded_and_all_else_found_and_told_once(searches: Searches, ended: list[bool]) -> None:
    crag = load_ruleset("crag")
    assert searches.solution(crag, ANN) is None
    await searches.find(crag, address=ANN)
    assert searches.solution(crag, ANN)
    assert ended == [True]
    await searches.find(crag, "breakdown", ANN)
    assert ended == [True, True]
    assert searches.num_waiting == 0
    again = Searches(Path(searches.saved(crag).folder), ended.append)
    assert again.solution(crag, ANN) is None
    await wait_for_async(lambda: len(ended) == 3, "the saved one is told, too")
    assert again.solution(crag, ANN)
    await again.close()


async def test_one_search_runs_at_a_time_and_one_waits_for_an_address(
    searches: Searches, ended: list[bool], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(solved, "find", partial(find_after, tmp_path / "begin"))
    first = asyncio.create_task(searches.find(custom(0), address=EVE))
    await wait_for_async(lambda: searches._turn.locked(), "the first search runs")
    assert searches.solution(custom(1), ANN) is None
    assert searches.solution(load_ruleset("crag"), EVE) is None, "shipped rules always wait in the queue"
    with pytest.raises(TooFastError, match="for this address already"):
        await searches.find(custom(2), address=EVE)
    with monkeypatch.context() as patch:
        patch.setattr(module, "FIND_SECONDS", 0.1)
        with pytest.raises(UnavailableError, match="take longer to find: try again in a minute"):
            await searches.find(custom(0), address=EVE)
    (tmp_path / "begin").touch()
    await searches.find(custom(1), address=ANN)
    assert first.done(), "they are found in their order"
    assert searches.solution(custom(2), EVE) is None, "it is sought now"
    await searches.find(custom(2), address=EVE)
    assert ended == [True] * 4


async def test_a_search_whose_process_dies_fails_with_a_sentence_and_may_be_repeated(
    searches: Searches, ended: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solved, "find", die)
    with pytest.raises(IllegalError, match="cannot be solved at the moment: no advice is available"):
        await searches.find(custom(0), address=EVE)
    assert ended == [False]
    monkeypatch.setattr(solved, "find", FIND)
    with pytest.raises(IllegalError, match="at the moment"):
        await searches.find(custom(0), address=EVE)
    for search in searches._searches.values():
        search.retry_at = 0.0
    await searches.find(custom(0), address=EVE)


async def test_a_search_that_is_too_slow_after_its_first_step_is_refused(
    searches: Searches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CUSTOM_SOLVE_SECONDS", 0.0)
    with pytest.raises(IllegalError, match="was not solved within 0 seconds: no advice is available"):
        await searches.find(custom(0), address=EVE)
    deadline = Deadline(0.0)
    deadline(1, 10)
    with pytest.raises(TooSlowError, match="more than 0 seconds"):
        deadline(2, 10)


async def test_shipped_rules_are_solved_ahead_and_give_way_to_what_somebody_asks_for(
    searches: Searches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: list[bool]
) -> None:
    monkeypatch.setattr(module, "AHEAD_SECONDS", 0.0)
    monkeypatch.setattr(module, "MOST_PLAYED", ("crag",))
    monkeypatch.setattr(module, "AHEAD", ("cheerio",))
    monkeypatch.setattr(solved, "find", never_find)
    searches.start()
    await wait_for_async(lambda: searches._ahead is not None, "it begins")
    monkeypatch.setattr(solved, "find", FIND)
    await searches.find(custom(0), address=ANN)
    wanted = [load_ruleset(id) for id in ("crag", "cheerio")]
    await wait_for_async(lambda: all(VALUES.path(one, tmp_path).exists() for one in wanted), "both are solved")
    assert ended == [True], "nobody waited for them"
    other = Searches(tmp_path)
    other.start()
    await asyncio.sleep(0.1)
    assert other._ahead is None, "one process on a machine does it"
    await other.close()


async def test_what_somebody_asks_for_is_found_before_what_already_waits_to_be_solved_ahead(
    searches: Searches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, looked_for = list[str](), list[str]()
    find_anew, is_saved = Searches._find_anew, module.is_saved

    async def noted(self: Searches, search: module._Search) -> None:
        found.append(str(search.ruleset))
        await find_anew(self, search)

    def seen(search: module._Search, folder: Path) -> bool:
        looked_for.append(str(search.ruleset))
        return is_saved(search, folder)

    monkeypatch.setattr(module, "MOST_PLAYED", ("crag",))
    monkeypatch.setattr(solved, "find", partial(find_after, tmp_path / "begin"))
    monkeypatch.setattr(module, "is_saved", seen)
    monkeypatch.setattr(Searches, "_find_anew", noted)
    assert searches.solution(custom(0), ANN) is None
    await wait_for_async(lambda: found, "the first search runs")
    searches.start()
    await wait_for_async(lambda: "crag" in looked_for, "the one ahead waits for its end")
    assert searches.solution(custom(1), EVE) is None
    (tmp_path / "begin").touch()
    await wait_for_async(lambda: "crag" in found, "it is over")
    assert found == [str(custom(0)), str(custom(1)), "crag"]


async def test_who_asks_for_what_is_solved_ahead_gets_the_result_of_that_search(
    searches: Searches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_PLAYED", ("crag",))
    searches.start()
    ahead = await wait_for_async(lambda: searches._ahead, "it begins")
    await searches.find(load_ruleset("crag"), address=ANN)
    assert (ahead.done(), ahead.cancelled()) == (True, False)
    assert searches.solution(load_ruleset("crag"), ANN) is not None


def test_all_shipped_rules_that_can_be_solved_are_solved_ahead() -> None:
    solvable = {load_ruleset(id).digest for id in ruleset_ids() if not available_here(load_ruleset(id)).solution}
    assert {load_ruleset(id).digest for id in MOST_PLAYED + AHEAD} == solvable


async def test_without_a_folder_that_can_be_written_what_is_found_is_kept_until_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (full := tmp_path / "full").write_text("no folder")
    searches, crag = Searches(full / "solutions"), load_ruleset("crag")
    await searches.find(crag, "breakdown")
    assert f"nothing can be saved in {full / 'solutions'}" in caplog.text
    folder = searches.saved(crag).folder
    before = {*searches._tasks}
    searches.start()
    assert searches._tasks <= before, "then nothing is solved ahead"
    assert sorted(os.path.splitext(name)[1] for name in os.listdir(folder)) == [".breakdown", ".solution"]
    await searches.close()
    assert not Path(folder).exists()


async def test_custom_rules_are_forgotten_with_all_values(searches: Searches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solved, "MAX_CACHED_SOLUTIONS", 1)
    await searches.find(custom(0), "moments", ANN)
    await searches.find(custom(0), SOLUTION, ANN)
    folder = Path(searches.saved(custom(0)).folder)
    assert len(list(folder.iterdir())) == 2
    await searches.find(custom(1), SOLUTION, ANN)
    assert [file.name.split("-")[0] for file in folder.iterdir()] == [custom(1).digest]
    assert not searches.is_found("moments", custom(0), ANN)


async def test_a_damaged_file_is_deleted_and_what_it_had_is_found_again(searches: Searches, tmp_path: Path) -> None:
    crag = solution_of("crag")
    ruleset, saved = crag.ruleset, SavedSolution(crag.ruleset, str(tmp_path))
    with pytest.raises(SolutionGoneError, match="the solution of crag was deleted"):
        kept_solution(saved)
    values, damaged = VALUES.save(ruleset, crag, tmp_path), BREAKDOWN.save(crag, breakdown_of("crag"), tmp_path)
    for file in (values, damaged):
        file.write_bytes(file.read_bytes()[:-8])
    await searches.find(ruleset)
    assert VALUES.load(ruleset, tmp_path) is not None
    await searches.find(ruleset, "breakdown")
    gone = pytest.raises(SolutionGoneError, match="the breakdown of crag was deleted")
    with gone, searches.using(ruleset) as there:
        kept(BREAKDOWN, there)
    assert not damaged.exists()
    assert not searches.is_found("breakdown", ruleset), "it is searched again"


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
        assert (found[0], set(found)) == ("sought", {"sought", None})
        assert [seat["preparing"] for seat in view["seats"]] == [None, None]


async def test_what_a_player_needs_is_searched_once_or_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searches, pool = Searches(tmp_path), Pool()
    players, crag = ComputerPlayers(Advisor(searches), pool), load_ruleset("crag")
    try:
        found = {kind: players.preparing(kind, crag, ANN) for kind in ("random", "greedy", "target_42")}
        assert found == {"random": None, "greedy": None, "target_42": "sought"}
        assert searches.num_waiting == 1
        await wait_for_async(lambda: players.preparing("target_42", crag, ANN) is None, "it is found")
        assert {players.preparing(kind, crag, ANN) for kind in COMPUTERS} == {None}
        assert [file.suffix for file in tmp_path.iterdir()] == [".solution"]
        monkeypatch.setattr(solved, "find", die)
        other = ruleset_of("crag[rounds=2]")
        assert players.preparing("optimal", other, ANN) == "sought"
        await wait_for_async(lambda: players.preparing("optimal", other, ANN) == "failed", "the search has failed")
    finally:
        await pool.close()
        await searches.close()
