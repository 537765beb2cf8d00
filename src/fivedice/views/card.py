"""`CardView` and `OfferView`: a score card with its sums, and what each open box would score with the dice."""

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from fivedice.game.action import expensive_zeros
from fivedice.game.card import ScoreCard
from fivedice.game.joker import rule_on
from fivedice.game.position import Position


class ColumnView(Struct, frozen=True):
    """The sums of one column of a card, before its multiplier.

    `to_bonus` is what the upper section still lacks for its next bonus, None if there is none that it can reach.
    `pace` is then how far the filled upper boxes are ahead of their even share of it, rounded: behind if negative.
    The even share of a bonus at 63 is three of each face.
    """

    upper: int
    bonus: int
    to_bonus: int | None
    pace: int | None
    lower: int


class CardView(Struct, frozen=True):
    """A score card: box id → points for the filled boxes, the sums of each column, and the total."""

    points: dict[str, int]
    columns: list[ColumnView]
    extras: int
    extra_bonus: int
    saved: int
    total: int


ClosedBy = Literal["order", "joker"]


class OfferView(Struct, frozen=True):
    """What a box that is not filled would take now: 0 points and no bonus where this roll may not fill it."""

    box: str
    points: int
    bonus: int
    is_open: bool
    is_joker: bool
    is_forced: bool
    """Whether the joker rule leaves no other box."""
    is_expensive_zero: bool
    """Whether a page should ask once before this zero is written."""
    can_scratch: bool
    """Whether the rules also allow a voluntary zero here."""
    closed_by: ClosedBy | None
    """What closes it to this roll: the order of its column, or the joker rule."""
    reason: str
    """The same in a few words; also why the joker rule leaves no other box than this one."""


@lru_cache(maxsize=8_192)
def card_view(card: ScoreCard) -> CardView:
    """A card with its sums. Kept, because one card of a table changes while all are shown."""
    columns = [
        ColumnView(
            upper=card.section_total("upper", column),
            bonus=card.upper_bonus(column),
            to_bonus=card.to_bonus(column),
            pace=_pace(card, column),
            lower=card.section_total("lower", column),
        )
        for column in range(len(card.ruleset.columns))
    ]
    return CardView(
        points={box.id: points for box, points in card.entries()},
        columns=columns,
        extras=card.extras,
        extra_bonus=card.extra_bonus,
        saved=card.saved,
        total=card.total,
    )


def _pace(card: ScoreCard, column: int) -> int | None:
    to_bonus = card.to_bonus(column)
    if to_bonus is None:
        return None
    upper = [
        (max(card.ruleset.attainable(box.category)), points is not None)
        for box, points in zip(card.ruleset.boxes, card.boxes, strict=True)
        if box.column == column and box.category.section == "upper"
    ]
    total = card.section_total("upper", column)
    share = sum(highest for highest, is_filled in upper if is_filled) / sum(highest for highest, _ in upper)
    return total - round((total + to_bonus) * share)


def offer_views(position: Position) -> list[OfferView]:
    """Every box that is not filled, in the order of the card, with what the dice bring there; none without dice."""
    offers = position.offers()
    if not offers:
        return []
    card = position.card
    by_box = {offer.action.box: offer for offer in offers if not offer.action.is_scratch}
    scratchable = {offer.action.box for offer in offers if offer.action.is_scratch}
    dear = expensive_zeros(position.ruleset, offers)
    open_boxes = [index for index, points in enumerate(card.boxes) if points is None]
    ruling = rule_on(card, position.dice) if len(by_box) < len(open_boxes) else None
    playable = set(card.playable()) if ruling else set()
    is_forced = ruling is not None and len(ruling.allowed) == 1 < len(playable)

    views = []
    for index in open_boxes:
        id = position.ruleset.boxes[index].id
        offer = by_box.get(id)
        if offer is None:
            closed_by: ClosedBy = "joker" if index in playable else "order"
            reason = position.why_closed(index)
            views.append(OfferView(id, 0, 0, False, False, False, False, False, closed_by, reason))
            continue
        reason = ruling.reason if ruling and is_forced else ""
        is_dear, can_scratch = id in dear, id in scratchable
        views.append(
            OfferView(
                id, offer.points, offer.bonus, True, offer.is_joker, is_forced, is_dear, can_scratch, None, reason
            )
        )
    return views
