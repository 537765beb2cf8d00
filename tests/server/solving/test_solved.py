"""What worker processes keep of saved artefacts: what is gone or damaged is found again."""

import asyncio
from pathlib import Path

import pytest

from fivedice.rulesets import load_ruleset
from fivedice.server.solving.searches import Searches
from fivedice.server.solving.solved import kept, kept_solution
from fivedice.server.solving.wire import SavedSolution, SolutionGoneError, rules_of
from fivedice.solver.saved.kinds import BREAKDOWN, SOLUTION
from tests.solutions import breakdown_of, solution_of
from tests.waiting import wait_for_async

CRAG = load_ruleset("crag")


async def test_a_damaged_artefact_is_deleted_and_searched_again(tmp_path: Path) -> None:
    crag = solution_of("crag")
    ruleset, saved = crag.ruleset, SavedSolution(rules_of(crag.ruleset), str(tmp_path))
    with pytest.raises(SolutionGoneError, match="the solution of crag was deleted"):
        kept_solution(saved)
    SOLUTION.save(ruleset, crag, tmp_path)
    damaged = BREAKDOWN.save(crag, breakdown_of("crag"), tmp_path)
    damaged.write_bytes(damaged.read_bytes()[:-8])

    searches = Searches(tmp_path)
    try:
        assert BREAKDOWN.is_saved(ruleset, tmp_path)
        while not searches.is_found("breakdown", ruleset):
            await asyncio.sleep(0.01)
        with (
            pytest.raises(SolutionGoneError, match="the breakdown of crag was deleted"),
            searches.using(ruleset) as there,
        ):
            kept(BREAKDOWN, there)
        assert not damaged.exists()
        assert not searches.is_found("breakdown", ruleset), "it is searched again"
    finally:
        await searches.close()


async def test_a_damaged_solution_is_found_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = SOLUTION.save(CRAG, solution_of("crag"), tmp_path)
    file.write_bytes(file.read_bytes()[:-8])
    searches = Searches(tmp_path)
    try:
        await wait_for_async(lambda: searches.solution(CRAG) is not None, "it is solved again")
    finally:
        await searches.close()
    assert "is truncated or of other rules: it is deleted, and found again" in caplog.text
    assert SOLUTION.load(CRAG, tmp_path) is not None


async def test_what_cannot_be_saved_is_kept_in_memory_which_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (full := tmp_path / "full").write_text("no folder")
    searches = Searches(full)
    try:
        for name in ("breakdown", "solution", "breakdown"):
            await wait_for_async(lambda name=name: searches.is_found(name, CRAG), f"the {name} is found")  # type: ignore[misc]
        kept(BREAKDOWN, searches.saved(CRAG))
        assert searches.num_unsaved == 1
    finally:
        await searches.close()
    assert caplog.text.count(f"nothing can be saved in {full} (") == 1
    assert not Path(searches.saved(CRAG).folder).exists(), "it is deleted when the server ends"
