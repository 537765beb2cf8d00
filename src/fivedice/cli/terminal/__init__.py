"""The game in the terminal: score cards on the left, dice and the words of the moment on the right."""

from collections.abc import Callable, Sequence

from fivedice.cli.game.session import Session
from fivedice.cli.terminal.app import TerminalGame
from fivedice.cli.text.outcome import outcome
from fivedice.game.record import Record

__all__ = ["TerminalGame", "run_terminal"]


def run_terminal(
    session: Session, save: Callable[[Record], str], pace: float = 0.6, opening: Sequence[str] = ()
) -> None:
    """Play a session to its end or until the person leaves; then say once more how it went and where the record is.

    `save` writes a record and says in a sentence where it is; `pace` is how many seconds a step of a computer player
    takes; `opening` are sentences about who begins.
    """
    game = TerminalGame(session, save, pace, opening)
    try:
        game.run()
    finally:
        # Also when the terminal game failed: a record that is not written yet must not be lost with it.
        game.save_once()
        if session.record.turns:
            print(outcome(session.record))
            print(game.saved)
