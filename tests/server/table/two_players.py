"""A game of two people, and commands for it."""

from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Event
from fivedice.server.table.verbs.begin import AddNonce
from fivedice.server.table.verbs.end import time_out
from tests.server.scripted import Live, Scripted, people

ANN, BOB = frozenset({0}), frozenset({1})
DICE = {(turn, roll): "33456" for turn in range(30) for roll in range(3)}


def two_players(pace: int | None = 60) -> Live:
    """Ann and Bob at yahtzee; every roll shows 33456."""
    return Live(NewTable(seats=people("Ann", "Bob"), pace=pace), chance=Scripted(DICE))


def run_out(game: Live, put_off: float = 0.0) -> Event:
    """Let the clock of the person to move run out, and return what follows."""
    due = game.table.due
    assert due is not None
    game.now = due + put_off
    step = time_out(game.table, game.now, game.now)
    assert step is not None
    game.append(step.event)
    return step.event


def nonce(game: Live, seat: int | None, text: str = "0f") -> AddNonce:
    return game.command(AddNonce, seat=seat, nonce=text)
