"""The view of a table has the numbers of the engine, and no secret before the end."""

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings

from fivedice.analysis.advice import Advice, Advised
from fivedice.game.action import Action, Keep, Offer, Score
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.server.table.bots import bot_step
from fivedice.server.table.commands import Close, StandIn
from fivedice.server.table.create import NewTable
from fivedice.server.table.events import Scored
from fivedice.server.table.messages import TableView
from fivedice.server.table.state import State, Table
from fivedice.server.table.view import ranks_of, view
from fivedice.testing import positions
from fivedice.views.advice import advice_view
from fivedice.views.card import OfferView, card_view, offer_views
from fivedice.views.rules import RulesView, rules_view
from tests.amount import amount
from tests.server.scripted import SECRET, Live, Scripted, computers, people

DICE = {(turn, roll): "34363" for turn in range(30) for roll in range(3)}


def live(advice: str = "always") -> Live:
    wanted = NewTable(seats=[*people("Ann", "Bob"), *computers("greedy")], silence=60)
    return Live(msgspec.structs.replace(wanted, advice=advice), chance=Scripted(DICE))


def shown(table: Table) -> TableView:
    """The view as a page receives it."""
    return msgspec.json.decode(msgspec.json.encode(view(table, secret=SECRET)), type=TableView)


def offers_at(line: str) -> dict[str, OfferView]:
    return {offer.box: offer for offer in offer_views(parse_position(line))}


# Boxes


@settings(max_examples=amount(60, full=150), deadline=None)
@given(positions())
def test_the_offers_of_a_view_equal_those_of_the_engine(position: Position) -> None:
    card = position.card
    views = offer_views(position)
    if not position.offers():
        assert views == []
        return
    open_boxes = [box.id for box, points in zip(card.ruleset.boxes, card.boxes, strict=True) if points is None]
    assert [offer.box for offer in views] == open_boxes
    found: list[Offer] = []
    for shown in views:
        if shown.is_open:
            assert (shown.closed_by, shown.points >= 0) == (None, True)
            wins = any(offer.wins for offer in position.offers() if offer.action == Score(shown.box))
            found.append(Offer(Score(shown.box), shown.points, shown.bonus, shown.is_joker, wins))
            if shown.can_scratch:
                found.append(Offer(Score(shown.box, is_scratch=True), 0, shown.bonus))
        else:
            assert shown.closed_by
            assert shown.reason
            assert (shown.points, shown.bonus, shown.is_joker, shown.can_scratch) == (0, 0, False, False)
            assert not any(offer.action.box == shown.box for offer in position.offers())
    assert found == position.offers()
    num_open = sum(shown.is_open for shown in views)
    assert any(shown.is_forced for shown in views) == (
        num_open == 1 and any(shown.closed_by == "joker" for shown in views)
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


def test_offers_include_boxes_that_score_zero() -> None:
    offers = offers_at("yahtzee - 13336 r1")
    assert {box: offer.points for box, offer in offers.items()} == {
        "ones": 1,
        "twos": 0,
        "threes": 9,
        "fours": 0,
        "fives": 0,
        "sixes": 6,
        "three_of_a_kind": 16,
        "four_of_a_kind": 0,
        "full_house": 0,
        "small_straight": 0,
        "large_straight": 0,
        "yahtzee": 0,
        "chance": 16,
    }
    # A zero is expensive in a box that can hold 20 points.
    assert [box for box, offer in offers.items() if offer.is_expensive_zero] == [
        "fours",
        "fives",
        "four_of_a_kind",
        "full_house",
        "small_straight",
        "large_straight",
        "yahtzee",
    ]


def test_no_zero_is_expensive_if_every_box_scores_zero() -> None:
    card = "ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18,three_of_a_kind=20,four_of_a_kind=20,full_house=25"
    offers = offers_at(f"yahtzee {card},chance=20 12356 r0")
    assert {box: (offer.points, offer.is_expensive_zero) for box, offer in offers.items()} == {
        "small_straight": (0, False),
        "large_straight": (0, False),
        "yahtzee": (0, False),
    }


def test_boxes_forced_or_closed_by_the_joker_rule_have_a_reason() -> None:
    offers = offers_at("yahtzee yahtzee=50 44444 r0")
    why = "an extra Yahtzee goes in Fours while it is open"
    assert offers["fours"] == OfferView("fours", 20, 0, 100, True, False, True, False, False, False, None, why)
    closed = {box: (offer.closed_by, offer.reason) for box, offer in offers.items() if not offer.is_open}
    assert len(closed) == 11
    assert set(closed.values()) == {("joker", why)}


def test_the_only_box_left_by_the_order_is_not_forced() -> None:
    offers = offers_at("yahtzee[joker=lower_first,order=up] yahtzee=50,chance=20 44444 r0")
    assert offers["large_straight"] == OfferView(
        "large_straight", 40, 0, 100, True, True, False, False, False, False, None, ""
    )
    assert {offer.closed_by for offer in offers.values() if not offer.is_open} == {"order"}


def test_joker_boxes_are_marked_and_score_full_points() -> None:
    offers = offers_at("yahtzee fours=12,yahtzee=0 44444 r0")
    jokers = {box: offer.points for box, offer in offers.items() if offer.is_joker}
    assert jokers == {
        "three_of_a_kind": 20,
        "four_of_a_kind": 20,
        "full_house": 25,
        "small_straight": 30,
        "large_straight": 40,
        "chance": 20,
    }
    assert not any(offer.is_forced or offer.bonus for offer in offers.values())
    assert offers["ones"].closed_by == "joker"


def test_boxes_out_of_order_are_closed() -> None:
    offers = offers_at("yahtzee[order=down] ones=3 13336 r1")
    assert offers["twos"].is_open
    assert not offers["twos"].is_forced
    assert (offers["threes"].closed_by, offers["threes"].reason) == (
        "order",
        "the boxes of this column are filled down",
    )


def test_a_voluntary_zero_is_offered_in_addition_to_the_points() -> None:
    offers = offers_at("yatzy_american[voluntary_zero=true] - 13336 r1")
    assert offers["threes"].can_scratch
    assert not offers["twos"].can_scratch


# The table


def test_the_turn_has_the_dice_in_their_places() -> None:
    game = live()
    before = shown(game.table)
    assert before.turn
    assert (before.state, before.turn.dice, before.turn.rolls_left, before.turn.roll_id) == (State.PLAYING, [], 3, 0)
    game.do(game.roll())
    game.do(game.roll("x.x.."))
    turn = shown(game.table).turn
    assert turn
    assert (turn.dice, turn.kept) == ([3, 4, 3, 6, 3], [True, False, True, False, False])
    assert (turn.number, turn.seat, turn.round, turn.rolls_left, turn.rolls, turn.roll_id) == (0, 0, 1, 1, 3, 3)
    assert shown(game.table).line == "yahtzee -/-/- 33346 r1"


def test_undo_restores_the_dice_and_their_roll_id() -> None:
    game = live()
    game.do(game.roll())
    game.do(game.score("threes"))
    after = shown(game.table)
    assert after.turn
    assert (after.can_undo, after.turn.dice, after.turn.roll_id) == ([0], [], 2)
    game.do(game.undo(0))
    back = shown(game.table)
    assert back.turn
    assert (back.can_undo, back.turn.dice, back.turn.roll_id) == ([], [3, 4, 3, 6, 3], 2)


def test_there_is_no_turn_before_all_seats_are_taken_and_after_the_end() -> None:
    game = Live(NewTable(seats=people("Ann", ""), rules="yahtzee[rounds=1]"), chance=Scripted(DICE))
    assert (shown(game.table).state, shown(game.table).turn) == (State.OPEN, None)
    assert [seat.is_open for seat in shown(game.table).seats] == [False, True]
    game.do(game.sit(1, "Bob"))
    assert not shown(game.table).has_begun
    for step in (game.roll, lambda: game.score("chance")) * 2:
        game.do(step())
    end = shown(game.table)
    assert (end.state, end.turn, end.can_undo, end.has_begun) == (State.OVER, None, [], True)
    assert [seat.rank for seat in end.seats] == [1, 1]


def test_the_view_includes_the_secret_only_after_the_end() -> None:
    game = live()
    game.do(game.roll())
    assert SECRET.hex().encode() not in msgspec.json.encode(view(game.table, secret=SECRET))
    for seat in (0, 1):
        game.do(StandIn(id=game.new_id(), version=game.table.version, seat=seat))
    game.do(Close(id=game.new_id(), version=game.table.version, seat=0))
    assert shown(game.table).proof.secret == SECRET.hex()


def test_a_skip_is_marked_at_its_seat() -> None:
    game = live()
    game.do(StandIn(id=game.new_id(), version=1, seat=0, turns=1))
    game.do(StandIn(id=game.new_id(), version=2, seat=1, player="random"))
    assert [(seat.stand_in, seat.is_skip) for seat in shown(game.table).seats] == [
        ("greedy", True),
        ("random", False),
        (None, False),
    ]
    assert game.table.silent_at(game.now) is None


def test_the_view_includes_when_the_seat_to_move_is_idle() -> None:
    game = live()
    assert view(game.table, secret=SECRET, silent_at=game.table.silent_at(game.now)).silent_at == game.now + 60


@pytest.mark.parametrize(
    ("totals", "won", "ranks"),
    [
        ((9, 6, 12), None, [2, 3, 1]),
        ((9, 9, 6), None, [1, 1, 3]),
        ((6, 9, 9), None, [3, 1, 1]),
        ((6, 6, 6), None, [1, 1, 1]),
        ((9, 6, 12), 1, [3, 1, 2]),
    ],
)
def test_tied_seats_share_a_rank(totals: tuple[int, ...], won: int | None, ranks: list[int]) -> None:
    position = Position.start(load_ruleset("yahtzee[rounds=1]"), 3)
    index = position.ruleset.box_index["threes"]
    cards = [
        replace(card.fill(index, (), points, bonus=0, saved=0, won=False), won=seat == won)
        for seat, (card, points) in enumerate(zip(position.cards, totals, strict=True))
    ]
    assert ranks_of(replace(position, cards=tuple(cards))) == ranks
    assert ranks_of(position) == [None, None, None]


# Advice


def advice_on(position: Position) -> Advice:
    """Made-up advice on a position."""
    actions: tuple[Action, ...] = (Keep((3, 3, 3)), Score("threes"), Keep(()))
    return Advice(
        position, 250.0, tuple(Advised(action, 250.0 - i, float(i), None) for i, action in enumerate(actions))
    )


def test_advice_marks_the_places_of_kept_dice() -> None:
    game = live()
    game.do(game.roll())
    advice = view(game.table, secret=SECRET, advice=advice_on(game.table.position)).advice
    assert advice
    assert advice.value == 250.0
    assert [(action.action, action.kept, action.box, action.loss) for action in advice.actions] == [
        ("keep 333", [True, False, True, False, True], None, 0.0),
        ("score threes", None, "threes", 1.0),
        ("keep -", [False] * 5, None, 2.0),
    ]
    assert advice == advice_view(advice_on(game.table.position), game.table.turn.places, game.table.turn.kept)


@pytest.mark.parametrize("mode", ["never", "after"])
def test_a_table_without_advice_shows_none(mode: str) -> None:
    game = live(mode)
    game.do(game.roll())
    assert not game.table.wants_advice
    assert view(game.table, secret=SECRET, advice=advice_on(game.table.position)).advice is None


def test_advice_on_another_position_is_not_shown() -> None:
    game = live()
    game.do(game.roll())
    advice = advice_on(game.table.position)
    game.do(game.roll("x...."))
    assert view(game.table, secret=SECRET, advice=advice).advice is None


def test_there_is_no_advice_for_computer_players_or_without_dice() -> None:
    game = live()
    assert not game.table.wants_advice
    game.do(game.roll())
    assert game.table.wants_advice
    game.do(StandIn(id=game.new_id(), version=game.table.version, seat=0))
    assert not game.table.wants_advice


@pytest.mark.parametrize(("mode", "is_shown"), [("never", False), ("after", True), ("always", True)])
def test_the_loss_of_the_last_decision_is_shown_if_the_table_gives_advice(mode: str, is_shown: bool) -> None:
    game = live(mode)
    game.do(game.roll())
    assert game.table.decision is None  # the first roll of a turn is not a decision
    game.do(game.roll("x.x.x"))
    assert game.table.decision
    assert (str(game.table.decision.action), game.table.judged is not None) == ("keep 333", is_shown)
    last = view(game.table, secret=SECRET, last_loss=(1.25, Score("threes"))).last
    assert (last is not None) == is_shown
    if last:
        assert (last.seat, last.action, last.loss, last.best) == (0, "keep 333", 1.25, "score threes")
    event = game.do(game.score("threes"))
    assert isinstance(event, Scored)
    assert str(game.table.decision.action) == "score threes"


def test_a_score_is_judged_when_it_can_no_longer_be_taken_back() -> None:
    loss = (1.25, Score("threes"))
    game = live("after")
    game.do(game.roll())
    game.do(game.roll("x.x.x"))
    game.do(game.score("chance"))
    assert shown(game.table).can_undo == [0]
    assert view(game.table, secret=SECRET, last_loss=loss).last is None
    game.do(game.undo(0))
    assert view(game.table, secret=SECRET, last_loss=loss).last is None, "it may be decided again"
    game.do(game.score("threes"))
    game.do(game.roll())
    last = view(game.table, secret=SECRET, last_loss=loss).last
    assert last
    assert (last.seat, last.action) == (0, "score threes")
    assert shown(game.table).can_undo == []


def test_a_score_before_computer_players_is_judged_at_the_next_roll_of_a_person() -> None:
    game = live("after")
    game.do(game.roll())
    game.do(StandIn(id=game.new_id(), version=game.table.version, seat=1, player="random"))
    game.do(game.score("threes"))
    chance = Scripted(DICE)
    while step := bot_step(game.table, lambda _, position: position.offers()[0].action, chance, game.now):
        game.table = step.table
        assert game.table.judged is None or game.table.judged.position.seat != 0
    assert game.table.undoer == 0
    game.do(game.roll())
    assert game.table.judged
    assert (game.table.judged.position.seat, str(game.table.judged.action)) == (0, "score threes")


def test_the_last_score_of_a_game_is_judged_at_once() -> None:
    wanted = NewTable(seats=people("Ann"), rules="yahtzee[rounds=1]", advice="after")
    game = Live(wanted, chance=Scripted(DICE))
    game.do(game.roll())
    game.do(game.score("threes"))
    assert game.table.state is State.OVER
    assert game.table.judged
    assert str(game.table.judged.action) == "score threes"


# Rules


@pytest.mark.parametrize("ref", [*ruleset_ids(), "yahtzee[joker=free,rolls=4]"])
def test_the_view_of_every_ruleset_is_complete(ref: str) -> None:
    ruleset = load_ruleset(ref)
    rules = msgspec.json.decode(msgspec.json.encode(rules_view(ruleset)), type=RulesView)
    assert (rules.ref, rules.digest, rules.name) == (str(ruleset), ruleset.digest, ruleset.name)
    assert [box.id for box in rules.boxes] == [box.id for box in ruleset.boxes]
    assert {box.column for box in rules.boxes} == set(range(len(rules.columns)))
    assert all(box.highest > 0 and box.about and box.name for box in rules.boxes)


def test_a_box_of_a_rules_view_has_its_face_points_and_description() -> None:
    boxes = {box.id: box for box in rules_view(load_ruleset("yahtzee")).boxes}
    assert (boxes["threes"].face, boxes["threes"].highest, boxes["threes"].section) == (3, 15, "upper")
    assert boxes["yahtzee"].about == "all five dice equal: 50"
    assert rules_view(load_ruleset("yahtzee")).tiers == [(63, 35)]


def test_the_first_of_two_boxes_is_closed_and_the_points_of_the_others_count_both() -> None:
    offers = offers_at("double_cameroon - 2345666666 r1")
    assert all(offer.can_announce and not offer.is_open for offer in offers.values())
    assert (offers["sixes"].points, offers["large_cameroon"].points, offers["full_house"].points) == (30, 30, 0)
    offers = offers_at("double_cameroon announced=large_cameroon 2345666666 r0")
    assert (offers["five_of_a_kind"].points, offers["five_of_a_kind"].first_points) == (80, 30)
    assert (offers["large_cameroon"].closed_by, offers["large_cameroon"].is_open) == ("announced", False)
