"""The review of a finished game inside the interface."""

import asyncio
import threading

import pytest
from rich.text import Text

from fivedice.cli.commands.play import _review
from fivedice.cli.progress import Progress
from fivedice.game.record import Record
from tests.cli.terminal.terminal_game import Played, nearly_over, new_session, play_on, playing
from tests.waiting import wait_for_async


async def reviewed(game: Played) -> None:
    """Play to the end, press v, and wait for the review."""
    await play_on(game)
    await game.press("v")
    for thread in threading.enumerate():
        if thread.name == "review":
            await asyncio.to_thread(thread.join)
    await game.settle()


def numbered_lines(record: Record, width: int, report: Progress) -> list[Text]:
    report("Counting", 0.5)
    return [Text(f"line {number}") for number in range(1, 61)]


@pytest.mark.parametrize("key", ["v", "escape", "q"])
async def test_v_shows_the_review_with_scrolling_and_comes_back_to_the_ended_game(key: str) -> None:
    async with playing(nearly_over(new_session("crag")), review=numbered_lines) as game:
        await reviewed(game)
        assert "line 1" in game.screen[0]
        assert "line 60" not in game.text
        assert "Esc back" in game.screen[-1]
        await game.press("pagedown pagedown pagedown end")
        await wait_for_async(lambda: "line 60" in game.text, "Textual has scrolled, with an animation")
        await game.settle()
        await game.press(key)
        assert "n new game" in game.screen[-1]
        await game.press("v escape n")
        assert game.app.return_value == "new game"


@pytest.mark.usefixtures("shared_cache")
async def test_the_review_is_that_of_the_command_with_every_turn() -> None:
    async with playing(nearly_over(new_session("crag")), review=_review) as game:
        await reviewed(game)
        assert "lost in decisions" in game.text
        assert "Ann" in game.text
        await game.press("escape q")


async def test_a_review_that_fails_says_why_and_leads_back_and_rules_that_cannot_be_solved_have_none() -> None:
    def fail(record: Record, width: int, report: Progress) -> list[Text]:
        raise MemoryError("no room\nand a long story")

    async with playing(nearly_over(new_session("crag")), review=fail) as game:
        await reviewed(game)
        assert "There is no review, because the solver failed: no room" in game.text
        assert "story" not in game.text
        await game.press("escape q")
        assert not game.app.is_running
    async with playing(nearly_over(new_session("triple_yahtzee[rounds=3]")), review=fail) as game:
        await play_on(game)
        assert "v review" not in game.screen[-1]
        await game.press("v")
        assert "n new game" in game.screen[-1]
