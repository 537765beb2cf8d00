"""The first answers of a server: they do not wait for the kernels."""

import asyncio
from pathlib import Path
from threading import Event

import pytest

from fivedice.analysis.advice import advise
from fivedice.game.notation import parse_position
from fivedice.server.solving import solved
from fivedice.server.solving.advisor import Advisor
from fivedice.server.solving.searches import Searches
from fivedice.solver.saved.kinds import SOLUTION
from tests.solutions import solution_of
from tests.waiting import TIMEOUT_SECONDS, wait_for_async


def test_a_saved_solution_advises_while_the_kernels_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crag, position = solution_of("crag"), parse_position("crag - 445 r1")
    SOLUTION.save(crag.ruleset, crag, tmp_path)
    are_loaded = Event()
    monkeypatch.setattr(solved, "warm_up", lambda *_: are_loaded.wait())

    async def scenario() -> None:
        solutions, changed = Searches(tmp_path), asyncio.Event()
        advisor = Advisor(solutions)
        try:
            assert advisor.advice(position, on_progress=changed.set) is None
            found = await wait_for_async(lambda: advisor.advice(position), "the values are loaded")
            assert found == advise(crag, position)
            assert solutions.solution(position.ruleset) is None
            await asyncio.wait_for(changed.wait(), TIMEOUT_SECONDS)
        finally:
            are_loaded.set()
        await wait_for_async(lambda: solutions.solution(position.ruleset), "the kernels are loaded")
        assert advisor.advice(position) == advise(crag, position)
        await solutions.close()

    asyncio.run(scenario())
