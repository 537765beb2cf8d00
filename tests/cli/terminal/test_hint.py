"""The hint of the terminal game: what it says, what it follows, when it closes, and how its solution is obtained."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from fivedice.analysis.advice import advise
from fivedice.cli.game.session import Session
from fivedice.cli.solutions import Progress, Warn
from fivedice.cli.terminal.background_solve import Solve, Solving, solution_for
from fivedice.cli.terminal.hint import label
from fivedice.cli.terminal.status import Words
from fivedice.game.action import Action, Keep, Score
from fivedice.players import make_player
from fivedice.rulesets import load_ruleset
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from tests.cli.terminal.test_terminal import Played, Scripted, after, never_asked, new_session, play


async def solved(game: Played) -> None:
    """Wait for the thread that obtains the solution, and for what the screen makes of it."""
    await asyncio.to_thread(game.app._hint.solving.join)
    await game.settle()


def hinted(game: Played) -> list[str]:
    """The lines of the hint with single spaces, without its title."""
    title, *lines = game.app.query_one(Words).paragraphs[-1].plain.splitlines()
    assert title == "Final score to expect"
    return [" ".join(line.split()) for line in lines]


def said(game: Played, action: Action) -> str:
    """What the hint should say of an action, found by the advice that commands give."""
    ruleset = game.session.position.ruleset
    advised = advise(solve(ruleset), game.session.position).of(action)
    return f"{label(action, ruleset)} {advised.value:.1f} " + (f"−{advised.loss:.1f}" if advised.loss else "best")


def is_open(game: Played) -> bool:
    return "Final score to expect" in game.words


def stuck(begun: Event, release: Event) -> Solve:
    """A solver that stops at 43 % until it is released."""

    def obtain(session: Session, progress: Progress, warn: Warn) -> Solution:
        progress(f"Solving {session.record.ruleset}", 0.43)
        begun.set()
        release.wait()
        return solution_for(session, progress, warn)

    return obtain


def failing(error: Exception) -> Solve:
    def obtain(session: Session, progress: Progress, warn: Warn) -> Solution:
        raise error

    return obtain


def test_it_shows_the_three_best_actions_as_advice_has_them_in_the_words_of_the_screen() -> None:
    async def test(game: Played) -> None:
        await game.press("r h")
        await solved(game)
        position = game.session.position
        every = Keep(position.dice)
        actions = [a.action for a in advise(solve(position.ruleset), position).actions if a.action != every]
        assert hinted(game)[:3] == [said(game, action) for action in actions[:3]]
        assert len(hinted(game)) == 4

    play(new_session("crag", dice="445"), test)


def test_what_the_marks_and_the_cursor_choose_is_shown_below_with_its_cost_and_follows_them() -> None:
    async def test(game: Played) -> None:
        await game.press("r h")
        await solved(game)
        assert game.chosen == "Ones"
        assert hinted(game)[3:] == [f"▸{said(game, Score('ones'))}"]
        await game.press("1 3")
        assert hinted(game)[3:] == [f"▸{said(game, Keep((4, 5)))}", f"▸{said(game, Score('ones'))}"]
        await game.press("1 down down down")
        assert hinted(game)[3:] == [f"▸{said(game, Keep((5,)))}", f"▸{said(game, Score('fours'))}"]
        await game.press("u")
        assert hinted(game)[3:] == [f"▸{said(game, Score('fours'))}"]

    play(new_session("crag", dice="445"), test)


def test_a_keep_of_every_die_which_only_wastes_a_roll_is_neither_advised_nor_counted() -> None:
    async def test(game: Played) -> None:
        await game.press("r 1 2 3 h")
        await solved(game)
        assert "keep 445" not in " ".join(hinted(game))
        assert len(hinted(game)) == 4

    play(new_session("crag", dice="445"), test)


def test_without_a_roll_left_only_boxes_are_weighed() -> None:
    async def test(game: Played) -> None:
        await game.press("r 1 r h")
        await solved(game)
        assert "keep" not in " ".join(hinted(game))
        assert len(hinted(game)) == 4

    play(new_session("crag", dice="445 66"), test)


def test_before_the_first_roll_it_is_the_final_score_to_expect() -> None:
    async def test(game: Played) -> None:
        await game.press("h")
        await solved(game)
        value = solve(load_ruleset("crag")).expected_score
        assert f"Final score to expect: {value:.1f}" in game.words

    play(new_session("crag"), test)


@pytest.mark.parametrize("keys", ["h", "escape", "1 r", "enter", "x enter"])
def test_it_closes_by_its_key_by_escape_by_a_roll_and_by_a_score(keys: str) -> None:
    async def test(game: Played) -> None:
        await game.press("r h")
        await solved(game)
        assert is_open(game)
        await game.press(keys)
        assert not is_open(game)
        await game.press("escape")
        assert not is_open(game)
        await game.press("h")
        assert is_open(game)

    play(new_session("crag", dice="445 66"), test)


def test_it_stays_open_while_a_dear_zero_is_asked_about() -> None:
    async def test(game: Played) -> None:
        await game.press("r h up")
        await solved(game)
        while game.chosen != "Odd Straight":
            await game.press("up")
        await game.press("enter")
        assert "Write 0 in Odd Straight?" in game.words
        assert hinted(game)[-1] == f"▸{said(game, Score('odd_straight'))}"

    play(new_session("crag", dice="445"), test)


def test_its_key_is_shown_when_a_person_decides_and_does_nothing_for_computer_players() -> None:
    async def test(game: Played) -> None:
        assert "h hint" in game.screen[-1]
        await game.press("r")
        assert "h hint" in game.screen[-1]
        await game.press("enter")
        assert game.session.position.seat == 1
        assert "h hint" not in game.screen[-1]
        await game.press("h")
        assert not game.app._hint.is_open
        await game.press("question_mark")
        assert "a hint: the best actions, and what yours costs" in game.text

    play(new_session("crag", "Ann=human,greedy"), test, pace=60)


def test_the_game_goes_on_while_the_rules_are_solved_and_then_the_hint_is_there() -> None:
    begun, release = Event(), Event()

    async def test(game: Played) -> None:
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

    play(new_session("crag"), test, solve=stuck(begun, release))


def test_whoever_leaves_does_not_wait_for_the_solver_and_the_solver_stops() -> None:
    begun, release = Event(), Event()

    async def test(game: Played) -> None:
        await game.press("r h")
        await asyncio.to_thread(begun.wait)
        await game.press("q q")

    game = play(new_session("crag"), test, solve=stuck(begun, release))
    assert len(game.records) == 1
    release.set()
    solving = game.app._hint.solving
    solving.join()
    assert solving.solution is None


def test_rules_too_large_to_solve_are_said_to_be_in_words_and_have_no_hint_key_then() -> None:
    async def test(game: Played) -> None:
        await game.press("r h")
        await solved(game)
        assert "Triple Yahtzee is too large to solve: there are no hints for it." in game.words
        assert "GiB" not in game.text
        assert "h hint" not in game.screen[-1]
        await game.press("1 r")
        assert "too large" not in game.words

    play(new_session("triple_yahtzee"), test)


def test_a_cache_that_cannot_be_written_is_warned_of_in_the_game_which_hints_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path / "file"))

    async def test(game: Played) -> None:
        await game.press("r h")
        await solved(game)
        assert "The solution cannot be saved in " in game.words
        assert "it is kept in memory for now." in game.words
        assert len(hinted(game)) == 4
        await game.press("h h")
        assert "cannot be saved" not in game.words
        assert len(hinted(game)) == 4

    play(new_session("crag"), test)
    assert capfd.readouterr().err == ""


def test_a_damaged_solution_is_warned_of_and_solved_again(own_cache: Path) -> None:
    async def test(game: Played) -> None:
        await game.press("h")
        await solved(game)

    play(new_session("crag"), test)
    [file] = own_cache.iterdir()
    file.write_bytes(file.read_bytes()[:-8])

    async def again(game: Played) -> None:
        await test(game)
        assert "it is truncated or of other rules; solving again." in game.words
        assert "Final score to expect: " in game.words

    play(new_session("crag"), again)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (RuntimeError("no locator\nand a long story"), "There are no hints, for the solver fails here: no locator"),
        (MemoryError(), "Crag is too large to solve: there are no hints for it."),
    ],
)
def test_a_solver_that_fails_costs_the_hints_and_not_the_game(error: Exception, sentence: str) -> None:
    async def test(game: Played) -> None:
        await game.press("r h")
        await solved(game)
        assert sentence in game.words
        assert "story" not in game.words
        await game.press("enter r")
        assert game.session.position.card.num_filled == 1

    play(new_session("crag"), test, solve=failing(error))


def test_the_solution_of_an_optimal_player_at_the_table_is_not_obtained_again(own_cache: Path) -> None:
    session, crag = new_session("crag", "Ann=human,optimal=greedy", dice="445"), load_ruleset("crag")
    optimal = make_player("optimal", Scripted(""), never_asked, lambda: solve(crag))
    session.players = (session.players[0], optimal)

    async def test(game: Played) -> None:
        await game.press("r h")
        await solved(game)
        assert len(hinted(game)) == 4

    play(session, test)
    assert not own_cache.exists()


def test_at_80_by_24_all_of_it_is_seen_also_where_a_joker_takes_more_words() -> None:
    session = after(new_session("yahtzee", dice="44444"), ("44444", "yahtzee"), ("44123", "fours"))

    async def test(game: Played) -> None:
        await game.press("r 1 h")
        await solved(game)
        assert "Three of a Kind would take 20 as a joker, and 100 extra." in game.words
        assert len(hinted(game)) == 5
        shown = [" ".join(line.split()) for line in game.screen]
        assert all(any(line in text for text in shown) for line in hinted(game))

    play(session, test)


@pytest.mark.parametrize("size", [(1, 1), (5, 3), (12, 60), (20, 5), (30, 18), (40, 20), (80, 12), (200, 3)])
def test_no_size_of_terminal_breaks_it(size: tuple[int, int]) -> None:
    async def test(game: Played) -> None:
        await game.press("r 1 h")
        await solved(game)
        words = game.app.query_one(Words)
        table = next(paragraph.plain for paragraph in words.paragraphs if "best" in paragraph.plain)
        assert "▸" in game.words
        if size[0] >= 30 and size[1] >= 12:
            assert "best" in game.text
            assert max(len(line) for line in table.splitlines()) <= words.size.width
        await game.pilot.resize_terminal(80, 24)
        await game.settle()
        assert len(hinted(game)) == 5

    play(new_session("crag", "Ann=human,greedy"), test, size=size)


def test_actions_are_named_as_on_the_screen() -> None:
    yatzy = load_ruleset("yatzy_american")
    assert label(Keep(()), yatzy) == "roll all again"
    assert label(Keep((1, 6)), yatzy) == "keep 16"
    assert label(Score("ones", is_scratch=True), yatzy) == "scratch Ones"


def test_solving_is_begun_once_and_told_of_only_when_something_is_new() -> None:
    told: list[str] = []

    def obtain(session: Session, progress: Progress, warn: Warn) -> Solution:
        for share in (0.1, 0.101, 0.102, 0.2):
            progress("Solving", share)
        return solve(session.record.ruleset)

    solving = Solving(new_session("crag"), obtain)
    tell: Callable[[], None] = lambda: told.append(solving.doing)  # noqa: E731
    solving.start(tell)
    solving.join()
    solving.start(tell)
    assert told == ["Solving 10 %", "Solving 20 %", "Solving 20 %"]


def test_a_game_starts_without_the_libraries_of_the_solver() -> None:
    code = (
        "import sys, fivedice.cli.commands.play, fivedice.cli.terminal;"
        " assert not {'numpy', 'numba', 'fivedice.solver'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603
