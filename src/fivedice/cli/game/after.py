"""What can follow a game: a new one, its review, or lessons."""

from collections.abc import Callable
from typing import TypeAlias

from fivedice.cli.game.command_words import AFTER, command_names
from fivedice.cli.game.session import Session
from fivedice.cli.language import chosen, say
from fivedice.game.record import Record

ReviewLines: TypeAlias = Callable[[Record], None]
"""Prints the review of a game."""


def after_game(session: Session) -> dict[str, str]:
    """What can follow a game, by its key: no review where its rules cannot be solved."""
    return {key: what for key, what in AFTER.items() if what != "review" or not session.no_solution}


def choices_after(session: Session) -> str:
    """A sentence on what to type at the end of a game."""
    abouts = {
        "new game": say("n for a new game"),
        "review": say("v to review this one"),
        "learn": say("l to learn from your games"),
    }
    choices = [abouts[what] for what in after_game(session).values()]
    if session.can_undo:
        choices.append(say("{undo} to take back your last score", undo=command_names("undo")[0]))
    return say("Press Enter to finish, or type {choices}.", choices=chosen().listed_or(choices))
