"""A `CardContent`: everything that the score cards show at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fivedice.cli.terminal.board import Board
from fivedice.game.action import Offer
from fivedice.game.joker import rule_on
from fivedice.game.position import Position


@dataclass(frozen=True, slots=True)
class CardContent:
    """What a card shows. `offers` are by box and for the seat to move, `cursor` is the box it has chosen,
    `closed` the open boxes that a joker rule closes to this roll, and `latest` the seat and box written last."""

    position: Position
    names: tuple[str, ...]
    offers: Mapping[int, Offer] = field(default_factory=dict)
    cursor: int | None = None
    closed: frozenset[int] = frozenset()
    latest: tuple[int, int] | None = None


def view_of(board: Board, *, shows_offers: bool = True) -> CardContent:
    """What the card shows of a board; without offers while the dice still tumble."""
    position, turns = board.position, board.session.record.turns
    offers = board.offers if shows_offers else {}
    is_ruled = bool(offers) and bool(rule_on(position.card, position.dice).reason)
    closed = {box for box in position.card.playable() if is_ruled and box not in offers}
    done = [turn for turn in turns if turn.offer]
    latest = None
    if done and done[-1].offer:
        latest = (done[-1].seat, position.ruleset.box_index[done[-1].offer.action.box])
    cursor = board.cursor if board.is_persons and offers else None
    names = tuple(seat.name for seat in board.session.record.seats)
    return CardContent(position, names, offers, cursor, frozenset(closed), latest)
