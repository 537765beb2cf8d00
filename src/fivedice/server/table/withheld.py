"""`is_withheld`: whether a table's setting of advice forbids exact advice on a position while its game is in progress.

A position is compared by what its values depend on, so that another score with the same total, or a card without the
other seats, is the same position. Nobody can prevent a player from asking another program.
"""

from collections.abc import Callable, Hashable, Iterable

from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.server.table.state import State, Table

StateOf = Callable[[ScoreCard], Hashable]
"""What the values of a card's turns depend on: filled boxes, capped upper totals and so on."""


def withholds_advice(table: Table) -> bool:
    """Whether there are positions on which this table allows no advice now."""
    return table.state is State.PLAYING and table.help in ("none", "after")


def is_withheld(
    table: Table, asked: Position, state_of: StateOf, earlier: Iterable[Position] = (), *, is_exact: bool = False
) -> bool:
    """Whether `asked` is a position of this game on which its table allows no advice now.

    These are the turn that is being decided or can still be taken back, what can follow in it, and the cards, without
    dice, after a score there. `earlier` are the positions of earlier decisions, which a table without advice withholds
    too. With `is_exact`, only decisions that were or must be made are withheld, not what can follow.
    """
    if not withholds_advice(table) or asked.is_over:
        return False
    state = state_of(asked.card)
    if any(_belongs_to(turn, asked, state, state_of, is_exact=is_exact) for turn in _undecided(table)):
        return True
    return table.help == "none" and any(
        (one.dice, one.rolls_left) == (asked.dice, asked.rolls_left) and state_of(one.card) == state for one in earlier
    )


def _undecided(table: Table) -> list[Position]:
    turns = [table.turn, table.undo]
    return [turn.position for turn in turns if turn and turn.places]


def _belongs_to(current: Position, asked: Position, state: Hashable, state_of: StateOf, *, is_exact: bool) -> bool:
    """Whether a position can follow in a turn, or is a card after it, whose value is that of the score."""
    if state == state_of(current.card):
        is_later = not is_exact and asked.rolls_left < current.rolls_left and bool(asked.dice)
        return is_later or (asked.dice, asked.rolls_left) == (current.dice, current.rolls_left)
    if is_exact or asked.dice:
        return False  # dice belong to a later turn
    positions = (current, *map(current.announce, current.announcements()))
    after = (position.take(offer).cards[current.seat] for position in positions for offer in position.offers())
    return any(state == state_of(card) for card in after)
