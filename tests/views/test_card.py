"""The views of a card and of what the dice would score."""

import pytest
from hypothesis import given, settings

from fivedice.game.action import Offer, Score, expensive_zeros
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.testing import positions
from fivedice.views.card import OfferView, card_view, offer_views
from tests.amount import amount


def offers_at(line: str) -> dict[str, OfferView]:
    return {offer.box: offer for offer in offer_views(parse_position(line))}


@settings(max_examples=amount(60, full=150), deadline=None)
@given(positions() | positions(load_ruleset("yatzy_american"), max_seats=1))
def test_the_offers_of_a_view_equal_those_of_the_engine(position: Position) -> None:
    card = position.card
    views = offer_views(position)
    if not position.offers():
        assert views == []
        return
    open_boxes = [box.id for box, points in zip(card.ruleset.boxes, card.boxes, strict=True) if points is None]
    assert [offer.box for offer in views] == open_boxes
    found: list[Offer] = []
    most = max((shown.points + shown.bonus for shown in views if shown.is_open), default=0)
    for shown in views:
        pays_most = shown.is_open and shown.points + shown.bonus == most > 0
        assert shown.stands_out == (pays_most and not position.rolls_left)
        if shown.is_open:
            assert (shown.closed_by, shown.points >= 0) == (None, True)
            wins = any(offer.wins for offer in position.offers() if offer.action == Score(shown.box))
            found.append(Offer(Score(shown.box), shown.points, shown.bonus, shown.is_joker, wins))
            if shown.can_scratch:
                found.append(Offer(Score(shown.box, is_scratch=True), 0, shown.bonus))
        else:
            assert shown.closed_by
            assert (shown.points, shown.bonus, shown.is_joker, shown.can_scratch) == (0, 0, False, False)
            assert not any(offer.action.box == shown.box for offer in position.offers())
    assert found == position.offers()
    expensive = {shown.box for shown in views if shown.is_expensive_zero}
    assert expensive == expensive_zeros(card.ruleset, position.offers())
    num_open = sum(shown.is_open for shown in views)
    assert any(shown.is_forced for shown in views) == (
        num_open == 1 and any(shown.closed_by in ("lower", "upper", "joker") for shown in views)
    )


@settings(max_examples=amount(40, full=100), deadline=None)
@given(positions())
def test_the_sums_of_a_card_add_up_to_its_total(position: Position) -> None:
    for card in position.cards:
        shown = card_view(card)
        columns = zip(card.ruleset.columns, shown.columns, strict=True)
        total = sum(column.multiplier * (sums.upper + sums.bonus + sums.lower) for column, sums in columns)
        assert total + shown.extra_bonus == shown.total == card.total
        assert shown.points == {box.id: points for box, points in card.entries()}
        assert all(sums.to_bonus is None or sums.to_bonus > 0 for sums in shown.columns)


@pytest.mark.parametrize(
    ("line", "to_bonus", "pace"),
    [
        ("yahtzee - - r3", 63, 0),
        ("yahtzee threes=9,sixes=18 - r3", 36, 0),
        ("yahtzee threes=12,sixes=18 - r3", 33, 3),
        ("yahtzee ones=2,twos=4,threes=12,fives=10,chance=30 - r3", 35, -5),
        ("yahtzee twos=8,threes=9,fours=12,fives=20,sixes=18 - r3", None, None),
        ("yahtzee ones=0,twos=0,threes=0,fours=0,fives=0 - r3", None, None),
        ("maxi_yatzy ones=4,sixes=18 - r3", 62, -6),
        ("kismet fours=16,fives=20,sixes=30 - r3", 5, 15),
        ("crag sixes=12 - r2", None, None),
    ],
)
def test_the_pace_of_the_bonus_counts_from_an_even_share_of_each_face(
    line: str, to_bonus: int | None, pace: int | None
) -> None:
    (column,) = card_view(parse_position(line).card).columns
    assert (column.to_bonus, column.pace) == (to_bonus, pace)


def test_boxes_forced_or_closed_by_the_joker_rule_have_a_reason() -> None:
    offers = offers_at("yahtzee yahtzee=50 44444 r0")
    assert offers["fours"] == OfferView("fours", 20, 100, True, False, True, True, False, False, False, None, None)
    closed = {box: (offer.closed_by, offer.instead) for box, offer in offers.items() if not offer.is_open}
    assert len(closed) == 11
    assert set(closed.values()) == {("upper", "fours")}


def test_the_only_box_left_by_the_order_is_not_forced() -> None:
    offers = offers_at("yahtzee[joker=lower_first,order=up] yahtzee=50,chance=20 44444 r0")
    assert offers["large_straight"] == OfferView(
        "large_straight", 40, 100, True, True, False, True, False, False, False, None, None
    )
    assert {offer.closed_by for offer in offers.values() if not offer.is_open} == {"up"}
    offers = offers_at("yahtzee[order=down] ones=3 13336 r1")
    assert offers["twos"].is_open
    assert not offers["twos"].is_forced
    assert (offers["threes"].closed_by, offers["threes"].instead) == ("down", None)
