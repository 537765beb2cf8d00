"""The JSON of rules, cards, advice and reviews, and what is shown before a game."""

from collections.abc import Iterator
from typing import get_args

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings

from benchmarks.solo_games import Policy, play_games, records_of
from fivedice.analysis.advice import advise
from fivedice.analysis.lessons import ACCEPTED
from fivedice.analysis.reviews.marks import LEVELS, LevelName, Mark
from fivedice.analysis.reviews.review import Review, review
from fivedice.base.language import ENGLISH
from fivedice.game.action import Offer, Score, expensive_zeros
from fivedice.game.card import ScoreCard
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.rulesets.options import GENERIC_OPTIONS
from fivedice.testing import positions
from fivedice.views.advice import ActionView, advice_view, advised_position_view
from fivedice.views.card import OfferView, card_view, offer_views
from fivedice.views.offered import rules_page_view, sample_view
from fivedice.views.review import MarksView, review_view
from fivedice.views.rules import RulesView, explained_rules_view, rules_view, ruleset_view
from tests.amount import amount
from tests.solutions import solution_of


@pytest.mark.parametrize("ref", [*ruleset_ids(), "yahtzee[joker=free,rolls=4]"])
def test_views_of_rules_have_every_category_option_example_note_and_box(ref: str) -> None:
    ruleset = load_ruleset(ref)
    data = msgspec.to_builtins(explained_rules_view(ruleset))
    assert (data["id"], data["digest"]) == (ruleset.id, ruleset.digest)
    assert [category["id"] for category in data["categories"]] == [category.id for category in ruleset.categories]
    assert all(category["needs"] and category["pays"] for category in data["categories"])
    assert data["joker"]["order"] == ruleset.joker
    assert data["options"].keys() == {key for key, _ in ruleset.choices}
    assert data["generic_options"].keys() == GENERIC_OPTIONS.keys()
    assert len(data["examples"]) == len(ruleset.examples)
    assert data["notes"] == list(ruleset.notes)
    rules = msgspec.json.decode(msgspec.json.encode(rules_view(ruleset)), type=RulesView)
    assert (rules.ref, rules.digest, rules.name) == (str(ruleset), ruleset.digest, ruleset.name)
    assert [box.id for box in rules.boxes] == [box.id for box in ruleset.boxes]
    assert {box.column for box in rules.boxes} == set(range(len(rules.columns)))
    assert all(box.highest > 0 and box.about and box.name for box in rules.boxes)


def test_equal_rules_from_different_files_keep_their_own_texts() -> None:
    text = 'id = "own"\nname = "{0}"\nnotes = ["by {0}"]\n[categories]\nany = {{ scorer = "any_dice", name = "{0}" }}\n'
    ann, ben = (parse_ruleset(text.format(name)) for name in ("Ann", "Ben"))
    assert ann == ben
    for ruleset, name in ((ann, "Ann"), (ben, "Ben")):
        rules, page = rules_view(ruleset), rules_page_view(ruleset, ENGLISH)
        assert (rules.name, rules.boxes[0].name, page.name.text) == (name, name, name)
        [notes] = [section.prose[0].text for section in page.sections if section.id == "notes"]
        assert notes == f"by {name}"


def test_every_view_of_a_ruleset_uses_the_same_names_and_values() -> None:
    ruleset = load_ruleset("yahtzee[joker=free]")
    explained = msgspec.to_builtins(explained_rules_view(ruleset))
    for view in (rules_view(ruleset), ruleset_view(ruleset)):
        data = msgspec.to_builtins(view)
        assert {key: explained.get(key, value) for key, value in data.items()} == data
    assert explained["chosen_options"] == {"joker": "free"}


def test_a_box_of_a_rules_view_has_its_face_points_description_and_names_in_other_languages() -> None:
    boxes = {box.id: box for box in rules_view(load_ruleset("yahtzee")).boxes}
    assert (boxes["threes"].face, boxes["threes"].highest, boxes["threes"].section) == (3, 15, "upper")
    assert boxes["yahtzee"].about == "all five dice equal: 50"
    assert rules_view(load_ruleset("yahtzee")).tiers == [(63, 35)]
    ruleset = parse_ruleset('id = "x"\nlike = "crag"\ncategories.crag.name = { en = "Cliff", sv = "Klippa" }')
    names = {box.category: box.names for box in rules_view(ruleset).boxes}
    assert (names["crag"], names["ones"]) == ({"sv": "Klippa"}, {})


@pytest.mark.parametrize("id", ruleset_ids())
def test_sample_dice_pay_what_the_rules_say(id: str) -> None:
    ruleset = load_ruleset(id)
    sample = sample_view(ruleset)
    position = Position(ruleset, (ScoreCard.empty(ruleset),), 0, tuple(sample.dice), 0)
    assert [box.points for box in sample.boxes] == [position.offer_for(Score(box.box)).points for box in sample.boxes]
    assert len(sample.boxes) <= 2
    assert bool(sample.boxes) == any(offer.points for offer in position.offers())
    if id in ("yahtzee", "yatzy"):  # the hand in which they differ
        assert sample.boxes[-1].box in ("full_house", "house")


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


def test_boxes_forced_or_closed_by_the_joker_rule_or_the_order_have_a_reason() -> None:
    offers = offers_at("yahtzee yahtzee=50 44444 r0")
    assert offers["fours"] == OfferView("fours", 20, 100, True, False, True, True, False, False, False, None, None)
    closed = {box: (offer.closed_by, offer.instead) for box, offer in offers.items() if not offer.is_open}
    assert len(closed) == 11
    assert set(closed.values()) == {("upper", "fours")}
    offers = offers_at("yahtzee[joker=lower_first,order=up] yahtzee=50,chance=20 44444 r0")
    assert offers["large_straight"] == OfferView(
        "large_straight", 40, 100, True, True, False, True, False, False, False, None, None
    )
    assert {offer.closed_by for offer in offers.values() if not offer.is_open} == {"up"}
    offers = offers_at("yahtzee[order=down] ones=3 13336 r1")
    assert offers["twos"].is_open
    assert not offers["twos"].is_forced
    assert (offers["threes"].closed_by, offers["threes"].instead) == ("down", None)


DATE = "2026-11-21T10:00:00+00:00"


@pytest.fixture(scope="module")
def reviewed() -> Review:
    crag = solution_of("crag")
    games = play_games(crag, Policy("slips", crag, 0.3), 1, np.random.default_rng(11))
    return review(crag, next(records_of(games, Seat("Ann", "human"), DATE)))


def test_names_of_marks_and_levels_are_those_of_the_analysis() -> None:
    assert MarksView.__struct_fields__ == tuple(Mark)
    assert get_args(LevelName) == tuple(level.name for level in LEVELS)


def test_the_turns_of_a_review_add_up_and_decisions_have_the_points_that_they_write(reviewed: Review) -> None:
    [seat] = review_view(None, reviewed).seats
    assert [turn.number for turn in seat.turns] == list(range(1, 14))
    assert sum(turn.luck or 0 for turn in seat.turns) == pytest.approx(seat.luck)
    assert sum(turn.loss for turn in seat.turns) == pytest.approx(seat.loss)
    assert sum(turn.points or 0 for turn in seat.turns) == seat.score
    assert seat.turns[-1].value == pytest.approx(seat.score)
    assert {turn.box_id for turn in seat.turns} == {box.id for box in reviewed.record.ruleset.boxes}
    worst = [max((d.loss for d in seat.decisions if d.turn == turn.turn), default=0.0) for turn in seat.turns]
    assert [turn.card.total if turn.card else None for turn in seat.turns] == [
        sum(turn.points or 0 for turn in seat.turns[:number]) for number in range(13)
    ]
    assert [turn.mark is not None for turn in seat.turns] == [loss >= 1.5 for loss in worst]
    written = [decision.points for decision in seat.decisions if decision.points is not None]
    assert written == [turn.points for turn in seat.turns]
    assert all((decision.best_points is None) == decision.best.startswith("keep") for decision in seat.decisions)


def test_whole_points_add_up_and_praise_names_what_went_well(reviewed: Review) -> None:
    [seat] = review_view(None, reviewed).seats
    whole = seat.whole
    assert whole
    assert whole.start + whole.luck - whole.loss == whole.value == seat.score
    assert (whole.start, whole.loss) == (round(seat.start_value), round(seat.loss))
    assert whole.luck == pytest.approx(seat.luck, abs=1)
    best = next(turn for turn in seat.turns if turn.number == seat.best_turn)
    assert best.loss < ACCEPTED
    assert best.luck
    assert best.luck == max(turn.luck or 0 for turn in seat.turns if turn.loss < ACCEPTED) > 0
    assert 0 < seat.hard_found < seat.unforced_decisions
    assert any(decision.loss >= ACCEPTED for decision in seat.decisions)
    assert seat.has_lessons


def test_a_turn_in_progress_has_no_box_and_no_points() -> None:
    crag = solution_of("crag")
    start = Record.start(crag.ruleset, (Seat("Ann", "human"),), DATE)
    [seat] = review_view(None, review(crag, start.roll((4, 4, 5)))).seats
    [turn] = seat.turns
    assert (turn.number, turn.turn, turn.box_id, turn.points, turn.mark) == (1, 0, None, None, None)


def test_advice_of_a_table_extends_the_advice_of_the_command_line(reviewed: Review) -> None:
    def shared(view: ActionView) -> Iterator[object]:
        return (getattr(view, name) for name in ("action", "value", "loss", "points"))

    for _, position, _ in reviewed.record.decisions():
        advice = advise(solution_of("crag"), position)
        plain = advised_position_view(advice)
        table = advice_view(advice, position.dice, (False,) * len(position.dice))
        assert [tuple(msgspec.to_builtins(action).values()) for action in plain.actions] == [
            tuple(shared(action)) for action in table.actions
        ]
