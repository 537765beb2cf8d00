"""The hint of the terminal game: its contents, when it opens and closes, and solving for it in the background."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from threading import Event

import pytest

from fivedice.analysis.advice import advise
from fivedice.base.extras import missing_kernels
from fivedice.cli.progress import shown_progress
from fivedice.cli.terminal.hint import TITLE, Hint, Values, label, values_for
from fivedice.game.action import Action, Keep, Score
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solve import solve
from tests.cli.terminal.terminal_game import Played, hinted, nearly_over, new_session, playing, solved, with_turns
from tests.solutions import solution_of

pytestmark = pytest.mark.usefixtures("shared_cache")


def hint_line(game: Played, action: Action) -> str:
    """The hint's line on an action, computed by `advise`."""
    ruleset = game.session.position.ruleset
    advised = advise(solution_of(str(ruleset)), game.session.position).of(action)
    return f"{label(action, ruleset)} {advised.value:.1f} " + (f"−{advised.loss:.1f}" if advised.loss else "best")


def is_open(game: Played) -> bool:
    return TITLE in game.words or "On average, you will end with" in game.words


async def test_it_shows_the_three_best_actions_and_below_the_chosen_ones_with_their_costs_also_of_a_zero() -> None:
    async with playing(new_session("crag", dice="445")) as game:
        await game.press("r h")
        await solved(game)
        position = game.session.position
        keep_all = Keep(position.dice)
        advice = advise(solution_of("crag"), position)
        actions = [one.action for one in advice.actions if one.action != keep_all]
        assert hinted(game)[:3] == [hint_line(game, action) for action in actions[:3]]
        best = f"Best: {label(advice.best.action, position.ruleset)}."
        assert f"{best} {TITLE}" in " ".join(game.words.split()), "a sentence says what is best"
        assert game.chosen == "Crag"
        assert hinted(game)[3:] == [f"▸{hint_line(game, Score('crag'))}"]
        await game.press("1 3")
        assert hinted(game)[3:] == [f"▸{hint_line(game, Keep((4, 5)))}", f"▸{hint_line(game, Score('crag'))}"]
        loss = round(advice.of(Keep((4, 5))).loss)
        assert f"{best} Keep 45 costs you about {loss} points." in game.words
        await game.press("1 down down down down")
        assert hinted(game)[3:] == [f"▸{hint_line(game, Keep((5,)))}", f"▸{hint_line(game, Score('fours'))}"]
        await game.press("u")
        assert hinted(game)[3:] == [f"▸{hint_line(game, Score('fours'))}"]
        while game.chosen != "Odd Straight":
            await game.press("down")
        await game.press("enter")
        assert "Write 0 in Odd Straight?" in game.words
        assert hinted(game)[-1] == f"▸{hint_line(game, Score('odd_straight'))}"
    labels = [label(action, load_ruleset("yatzy_american")) for action in (Keep(()), Score("ones", is_scratch=True))]
    assert labels == ["roll all again", "scratch Ones"]


async def test_it_closes_by_its_key_by_escape_by_a_roll_and_by_a_score() -> None:
    async with playing(new_session("crag", dice="445 66 445")) as game:
        await game.press("r h")
        await solved(game)
        for keys in ("h", "escape", "1 r", "enter", "r x enter"):
            assert is_open(game)
            await game.press(keys)
            assert not is_open(game)
            await game.press("escape")
            assert not is_open(game)
            await game.press("h")
        assert is_open(game)


async def test_its_key_works_only_on_a_human_turn() -> None:
    async with playing(new_session("crag", "Ann=human,greedy"), pace=60) as game:
        assert "h hint" in game.screen[-1]
        await game.press("r")
        assert "h hint" in game.screen[-1]
        await game.press("enter")
        assert game.session.position.seat == 1
        assert "h hint" not in game.screen[-1]
        await game.press("h")
        assert not game.app._hint.is_open
        await game.press("question_mark")
        assert "show the best actions and what yours costs" in game.text


async def test_it_fits_80_by_24_even_with_a_joker() -> None:
    session = with_turns(new_session("yahtzee", dice="44444"), ("44444", "yahtzee"), ("44123", "fours"))
    async with playing(session) as game:
        await game.press("r 1")
        assert "Large Straight would score 40 (as a joker, 100 bonus)." in game.words
        await game.press("h")
        await solved(game)
        assert "Best: Large Straight. Keep 4 costs you about " in game.words
        assert len(hinted(game)) == 5
        shown = [" ".join(line.split()) for line in game.screen]
        assert all(any(line in text for text in shown) for line in hinted(game))


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
    async with playing(nearly_over(new_session("yamb")), size=(120, 40)) as game:
        await game.press("r 2 h")
        await solved(game)
        assert game.session.position.card.must_announce  # so that the marked die cannot be kept yet
        assert hinted(game)[-1].startswith("▸announce ")


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
