"""What worker processes keep of saved artefacts: what is gone or damaged is found again."""

from pathlib import Path

import pytest

from fivedice.server.solving.searches import Searches
from fivedice.server.solving.solved import kept, kept_solution
from fivedice.server.solving.worker import SavedSolution, SolutionGoneError
from fivedice.solver.saved.kinds import BREAKDOWN, SOLUTION
from tests.solutions import breakdown_of, solution_of


async def test_a_damaged_artefact_is_deleted_and_searched_again(tmp_path: Path) -> None:
    crag = solution_of("crag")
    ruleset, saved = crag.ruleset, SavedSolution(crag.ruleset, str(tmp_path))
    with pytest.raises(SolutionGoneError, match="the solution of crag was deleted"):
        kept_solution(saved)
    SOLUTION.save(ruleset, crag, tmp_path)
    damaged = BREAKDOWN.save(crag, breakdown_of("crag"), tmp_path)
    damaged.write_bytes(damaged.read_bytes()[:-8])

    searches = Searches(tmp_path)
    try:
        assert BREAKDOWN.is_saved(ruleset, tmp_path)
        await searches.find(ruleset, "breakdown")
        with (
            pytest.raises(SolutionGoneError, match="the breakdown of crag was deleted"),
            searches.using(ruleset) as there,
        ):
            kept(BREAKDOWN, there)
        assert not damaged.exists()
        assert not searches.is_found("breakdown", ruleset), "it is searched again"
    finally:
        await searches.close()
