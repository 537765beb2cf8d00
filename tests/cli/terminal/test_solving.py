"""Solving for hints in the background: progress, failures, and leaving early."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from threading import Event

import pytest

from fivedice.base.extras import missing_kernels
from fivedice.cli.progress import shown_progress
from fivedice.cli.terminal.hint import Hint, Values, values_for
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solve import solve
from tests.cli.terminal.terminal_game import hinted, new_session, playing, solved


async def test_chances_to_win_are_shown_after_a_hint_and_change_with_the_turn_once_there_are_kernels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing(new_session("crag", seats="Ann=human,Ben=human")) as game:
        await game.press("r")
        assert "Chances to win" not in game.words
        await game.press("h")
        await solved(game)
        await game.press("h")
        assert "Chances to win: Ann 50 %, Ben 50 %." in game.words
        await game.press("enter")
        assert "Chances to win: Ann 50 %" not in game.words
        assert "Chances to win: Ann " in game.words

    def missing(solution: object) -> None:
        raise missing_kernels()

    monkeypatch.setattr("fivedice.cli.solutions.estimator_of", missing)
    async with playing(new_session("crag", seats="Ann=human,Ben=human")) as game:
        await game.press("r h")
        await solved(game)
        assert "Best: " in game.words
        assert "not known" not in game.words


async def test_the_game_continues_during_a_solve_and_leaving_stops_it() -> None:
    begun, release = Event(), Event()

    def stuck(ruleset: Ruleset) -> Values:
        with shown_progress() as progress:
            progress(f"Solving {ruleset}", 0.43)
            begun.set()
            release.wait()
            progress(f"Solving {ruleset}", 1.0)
            return values_for(ruleset)

    async with playing(new_session("crag"), solve=stuck) as game:
        await game.press("r h")
        await asyncio.to_thread(begun.wait)
        await game.settle()
        assert "Solving crag 43 %" in game.words
        await game.press("1 r enter r")
        assert game.session.position.card.num_filled == 1
        assert "Solving crag 43 %" in game.words
        await game.press("h")
        assert "Solving" not in game.words
        await game.press("h")
        assert "Solving crag 43 %" in game.words
        release.set()
        await solved(game)
        assert len(hinted(game)) == 4
    begun.clear()
    release.clear()
    async with playing(new_session("crag"), solve=stuck) as game:
        await game.press("r h")
        await asyncio.to_thread(begun.wait)
        await game.press("q q")
    assert len(game.records) == 1
    release.set()
    solving = game.app._hint
    solving.join()
    assert solving.solution is None


async def test_a_ruleset_too_large_to_solve_has_approximate_hints() -> None:
    async with playing(new_session("triple_yahtzee")) as game:
        await game.press("r h")
        await solved(game)
        assert len(hinted(game)) == 4
        assert all("≈" in line for line in hinted(game))
        assert "too large" not in game.words


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (RuntimeError("no locator\nand a long story"), "No hints are available, because the solver failed: no locator"),
        (MemoryError(), "There is too little memory to solve Crag: there are no hints."),
    ],
)
async def test_the_game_continues_if_the_solver_fails(error: Exception, sentence: str) -> None:
    def failing(ruleset: Ruleset) -> Values:
        raise error

    async with playing(new_session("crag"), solve=failing) as game:
        await game.press("r h")
        await solved(game)
        assert sentence in game.words
        assert "story" not in game.words
        await game.press("enter r")
        assert game.session.position.card.num_filled == 1


def test_solving_starts_once_and_reports_only_changes() -> None:
    reported: list[str] = []

    def obtain(ruleset: Ruleset) -> Values:
        with shown_progress() as progress:
            for share in (0.1, 0.101, 0.102, 0.2):
                progress("Solving", share)
        return solve(ruleset)

    solving = Hint(new_session("crag"), obtain)
    notify: Callable[[], None] = lambda: reported.append(solving.progress)  # noqa: E731
    solving.start(notify)
    solving.join()
    solving.start(notify)
    assert reported == ["Solving 10 %", "Solving 20 %", "Solving 20 %"]


def test_a_game_starts_without_importing_the_solver() -> None:
    code = (
        "import sys, fivedice.cli.commands.play, fivedice.cli.terminal;"
        " assert not {'numpy', 'numba', 'fivedice.solver.solution'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603
