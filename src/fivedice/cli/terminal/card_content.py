"""A `CardContent`: everything that the score cards show at one time."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fivedice.cli.terminal.board import Board
from fivedice.game.action import Offer
from fivedice.game.joker import rule_on
from fivedice.game.position import Position


@dataclass(frozen=True, slots=True)
class CardContent:
    """The content of all cards.

    `offers` are those of the seat to move, by box; `announcements` has what the boxes would score that may be
    announced. `best` is the offer that pays most once no roll is left, if any pays: until then, points alone do not say
    where to score. `cursor` is the selected box; with `has_calm_cursor` it does not stand out, because the player has
    not moved it and a roll is left. `closed` are the open boxes that the joker rule closes to this roll. `latest` is
    the seat and the box filled last.
    """

    position: Position
    names: tuple[str, ...]
    offers: Mapping[int, Offer] = field(default_factory=dict)
    announcements: Mapping[int, int] = field(default_factory=dict)
    best: int | None = None
    cursor: int | None = None
    has_calm_cursor: bool = False
    closed: frozenset[int] = frozenset()
    latest: tuple[int, int] | None = None


def card_content(board: Board, *, shows_offers: bool = True) -> CardContent:
    """The content for a board; without offers while the dice are still rolling."""
    position, turns = board.position, board.session.record.turns
    offers = board.offers if shows_offers else {}
    is_ruled = bool(offers) and bool(rule_on(position.card, position.dice).reason)
    closed = {box for box in position.card.playable() if is_ruled and box not in offers}
    done = [turn for turn in turns if turn.offer]
    latest = None
    if done and done[-1].offer:
        latest = (done[-1].seat, position.ruleset.box_index[done[-1].offer.action.box])
    announcements = board.announcements if shows_offers else {}
    cursor = board.cursor if board.is_human_turn and (offers or announcements) else None
    is_last = bool(offers) and not position.rolls_left
    best = board.best if is_last and any(offer.points for offer in offers.values()) else None
    return CardContent(
        position,
        board.session.names,
        offers,
        announcements,
        best=best,
        cursor=cursor,
        has_calm_cursor=bool(position.rolls_left) and not board.has_moved_cursor,
        closed=frozenset(closed),
        latest=latest,
    )
