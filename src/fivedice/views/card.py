"""Score cards as JSON: a card with its sums, and what each open box would score with the dice."""

from functools import lru_cache

from msgspec import Struct

from fivedice.game.action import expensive_zeros
from fivedice.game.card import ScoreCard
from fivedice.game.joker import ClosedBy, rule_on, why_closed
from fivedice.game.position import Position


class ColumnView(Struct, frozen=True):
    """The sums of one column of a card, before its multiplier.

    `to_bonus` is the number of upper points missing for the next bonus, or null if no further bonus can be reached.
    `pace` is then how far the filled upper boxes are ahead of their even share of it, rounded; negative if behind. The
    even share of a bonus at 63 is three of each face. `lines` has the points of each line, null until its boxes are
    filled, and `lower` includes them.
    """

    upper: int
    bonus: int
    to_bonus: int | None
    pace: int | None
    lower: int
    lines: list[int | None]


class CardView(Struct, frozen=True):
    """A score card: the points of the filled boxes by id, the sums of each column, that of the card, and the total.

    `sum` and `total` differ only where the rules convert the sum at the end of the game. `announced` is the box that
    the current turn must fill, or null; `elsewhere` is noted where the rules ask whether the first equal dice were
    scored outside their box.
    """

    points: dict[str, int]
    columns: list[ColumnView]
    extras: int
    extra_bonus: int
    saved: int
    announced: str | None
    elsewhere: bool
    awards: list[int]
    """The points of each award of the conversion so far."""
    sum: int
    total: int


class OfferView(Struct, frozen=True):
    """An unfilled box and what it would score now; 0 points and no bonus if it is closed to this roll.

    A box with `can_announce` is closed, too, but it may be announced now and then score these points.
    """

    box: str
    points: int
    bonus: int
    is_open: bool
    is_joker: bool
    is_forced: bool
    """Whether the joker rule leaves no other box."""
    stands_out: bool
    """Whether it pays most now that no roll is left; while one is, points alone do not say where to score."""
    is_expensive_zero: bool
    """Whether a page should ask for confirmation before writing this zero."""
    can_scratch: bool
    """Whether the rules also allow a voluntary zero here."""
    can_announce: bool
    closed_by: ClosedBy | None
    """The rule that closes it to this roll: the order of its column, the joker rule (which wants a lower box, the upper
    box of these dice, or a joker below), that a roll must score, that the box must be announced, or that another one is
    announced."""
    instead: str | None
    """The only box that this rule leaves."""


@lru_cache(maxsize=8_192)
def card_view(card: ScoreCard) -> CardView:
    """A card with its sums. Cached, because only one card of a table changes at a time."""
    num_lines = len(card.ruleset.lines)
    columns = [
        ColumnView(
            upper=card.section_total("upper", column),
            bonus=card.upper_bonus(column),
            to_bonus=card.to_bonus(column),
            pace=_pace(card, column),
            lower=card.section_total("lower", column) + card.line_total(column),
            lines=[card.line(column * num_lines + number) for number in range(num_lines)],
        )
        for column in range(len(card.ruleset.columns))
    ]
    return CardView(
        points={box.id: points for box, points in card.entries()},
        columns=columns,
        extras=card.extras,
        extra_bonus=card.extra_bonus,
        saved=card.saved,
        announced=card.announced or None,
        elsewhere=card.elsewhere,
        awards=[card.award(number) for number in range(len(card.ruleset.conversion))],
        sum=card.sum,
        total=card.total,
    )


def _pace(card: ScoreCard, column: int) -> int | None:
    to_bonus = card.to_bonus(column)
    if to_bonus is None:
        return None
    boxes, most = card.ruleset.section_boxes["upper", column], card.ruleset.most_by_box
    filled = sum(most[index] for index in boxes if card.boxes[index] is not None)
    total = card.section_total("upper", column)
    return total - round((total + to_bonus) * (filled / sum(most[index] for index in boxes)))


def offer_views(position: Position) -> list[OfferView]:
    """Every unfilled box in the order of the card, with what it would score; empty before the first roll."""
    offers, announceable = position.offers(), {action.box for action in position.announcements()}
    if not offers and not announceable:
        return []
    card = position.card
    by_box = {offer.action.box: offer for offer in offers if not offer.action.is_scratch}
    scratchable = {offer.action.box for offer in offers if offer.action.is_scratch}
    expensive = expensive_zeros(position.ruleset, offers)
    unfilled = [index for index, points in enumerate(card.boxes) if points is None]
    ruling = rule_on(card, position.dice) if len(by_box) < len(unfilled) else None
    playable = set(card.playable()) if ruling else set()
    is_by_joker = ruling is not None and ruling.reason is not None and ruling.reason.closed_by != "score"
    is_forced = ruling is not None and is_by_joker and len(ruling.allowed) == 1 < len(playable)
    most = max((offer.points + offer.bonus for offer in by_box.values()), default=0)

    views = []
    for index in unfilled:
        id = position.ruleset.boxes[index].id
        offer = by_box.get(id)
        reason = None if offer else why_closed(card, position.dice, index)
        can_announce = offer is None and id in announceable
        instead = reason.instead if reason else None
        views.append(
            OfferView(
                box=id,
                points=offer.points if offer else position.points_if_announced(id) if can_announce else 0,
                bonus=offer.bonus if offer else 0,
                is_open=offer is not None,
                is_joker=offer is not None and offer.is_joker,
                is_forced=offer is not None and is_forced,
                stands_out=offer is not None and not position.rolls_left and 0 < most == offer.points + offer.bonus,
                is_expensive_zero=id in expensive,
                can_scratch=id in scratchable,
                can_announce=can_announce,
                closed_by=reason.closed_by if reason else None,
                instead=None if instead is None else position.ruleset.boxes[instead].id,
            )
        )
    return views
