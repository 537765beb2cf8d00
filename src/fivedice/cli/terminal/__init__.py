"""The game in the terminal: score cards on the left, dice and messages on the right."""

from collections.abc import Callable, Sequence

from fivedice.cli.game.session import Session
from fivedice.cli.terminal.app import TerminalGame
from fivedice.cli.text.outcome import outcome
from fivedice.game.record import Record

__all__ = ["TerminalGame", "run_terminal"]


def run_terminal(
    session: Session, save: Callable[[Record], str], pace: float = 0.6, opening: Sequence[str] = ()
) -> None:
    """Play a session until it ends or the player leaves; then print the outcome and where the record is.

    `save` writes a record and returns a sentence with its place; `pace` is the seconds per step of a computer player;
    `opening` has sentences about who begins.
    """
    game = TerminalGame(session, save, pace, opening)
    try:
        game.run()
    finally:
        # Also after a crash of the terminal game, so that an unsaved record is not lost.
        game.save_once()
        if session.record.turns:
            print(outcome(session.record))
            print(game.saved)
