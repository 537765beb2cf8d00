"""The game in the terminal: score cards on the left, dice and messages on the right."""

from collections.abc import Sequence

from fivedice.cli.game.ending import ending
from fivedice.cli.game.session import Session
from fivedice.cli.language import say
from fivedice.cli.terminal.app import TerminalGame
from fivedice.cli.terminal.palette import choose_palette
from fivedice.cli.terminal.screens import Review

__all__ = ["TerminalGame", "run_terminal"]


def run_terminal(session: Session, pace: float = 0.6, opening: Sequence[str] = (), review: Review | None = None) -> str:
    """Play a session until it ends or the player leaves; then print the result and where the record is.

    `pace` is the seconds per step of a computer player; `opening` has sentences about who begins; `review` computes
    the review of the game. Returns what the player chose at the end, as `PlainGame.after`.
    """
    game = TerminalGame(session, pace, opening, choose_palette(), review=review)
    try:
        return game.run() or ""
    finally:
        # Also after a crash of the terminal game, so that a record that could not be saved is not lost.
        session.save()
        if session.record.turns:
            print(ending(session).headline if session.is_over else say("The game is not finished."))
            print(session.saved.sentence)
