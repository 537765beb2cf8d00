"""Reads the hint of a terminal game in tests."""

import asyncio

from fivedice.cli.terminal.hint import TITLE
from fivedice.cli.terminal.status import Messages
from tests.cli.terminal.terminal_game import Played


async def solved(game: Played) -> None:
    """Wait for the thread that obtains the solution, and for the screen."""
    await asyncio.to_thread(game.app._hint.solving.join)
    await game.settle()


def hinted(game: Played) -> list[str]:
    """The lines of the hint's table with single spaces."""
    _, title, *lines = game.app.query_one(Messages).paragraphs[-1].plain.splitlines()
    assert title == TITLE
    return [" ".join(line.split()) for line in lines]
