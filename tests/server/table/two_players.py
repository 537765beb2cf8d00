"""A game of two people, and commands for it."""

from fivedice.server.table.create import NewTable
from fivedice.server.table.verbs import AddNonce, Close, Rematch, Resign, Return, RollOff, StandIn
from tests.server.scripted import Live, Scripted, people

ANN, BOB = frozenset({0}), frozenset({1})
DICE = {(turn, roll): "33456" for turn in range(30) for roll in range(3)}


def two_players(silence: int = 60) -> Live:
    """Ann and Bob at yahtzee; every roll shows 33456."""
    return Live(NewTable(seats=people("Ann", "Bob"), silence=silence), chance=Scripted(DICE))


def stand_in(game: Live, seat: int, player: str = "greedy", turns: int = 0) -> StandIn:
    """A command to let a computer player act for a seat."""
    return StandIn(id=game.new_id(), version=game.table.version, seat=seat, player=player, turns=turns)


def return_to(game: Live, seat: int) -> Return:
    """A command to take a seat back from a computer player."""
    return Return(id=game.new_id(), version=game.table.version, seat=seat)


def close(game: Live, seat: int) -> Close:
    """A command to end the table."""
    return Close(id=game.new_id(), version=game.table.version, seat=seat)


def nonce(game: Live, seat: int | None, text: str = "0f") -> AddNonce:
    """A command to add a nonce."""
    return AddNonce(id=game.new_id(), version=game.table.version, seat=seat, nonce=text)


def roll_off(game: Live, seat: int) -> RollOff:
    """A command to roll for who begins."""
    return RollOff(id=game.new_id(), version=game.table.version, seat=seat)


def resign(game: Live, seat: int) -> Resign:
    """A command to give up."""
    return Resign(id=game.new_id(), version=game.table.version, seat=seat)


def rematch(game: Live, seat: int) -> Rematch:
    """A command to start a rematch."""
    return Rematch(id=game.new_id(), version=game.table.version, seat=seat)
