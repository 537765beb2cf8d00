"""Turns with announcements: Yamb with its points by the number of the roll and its lines."""

import pytest

from fivedice.base.language import language
from fivedice.game.action import Announce
from fivedice.game.notation import parse_position
from fivedice.players import Greedy
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.views.card import card_view, offer_views

YAMB = load_ruleset("yamb")


@pytest.mark.parametrize(
    ("keys", "points"),
    [
        ("rolls = 1", {0, 66}),
        ("rolls = 2", {0, 56, 66}),
        ("rolls = 2\nsaved_rolls = true", {0, 46, 56, 66}),  # a third roll comes with a saved one
        ("rolls = 1\nsaved_rolls = true", {0, 66}),  # there is none to save
    ],
)
def test_a_box_that_pays_by_roll_holds_only_the_points_of_rolls_that_there_are(keys: str, points: set[int]) -> None:
    run = 'run = { scorer = "straight", length = 5, pays = [66, 56, 46] }'
    ruleset = parse_ruleset(f'id = "by_roll"\n{keys}\n[categories]\n{run}\nany = {{ scorer = "any_dice" }}\n')
    assert ruleset.attainable(ruleset.categories[0]) == points


def test_the_greedy_player_announces_what_is_worth_most() -> None:
    filled = ",".join(
        f"{box.id}={min(YAMB.attainable(box.category))}" for box in YAMB.boxes if box.column < 3 and box.id != "ones_up"
    )
    assert Greedy().choose(parse_position(f"yamb {filled} 66666 r2")) == Announce("yamb_announced")


def test_the_view_of_offers_tells_what_may_be_announced_and_what_it_would_score() -> None:
    position = parse_position("yamb - 33345 r2")
    offers = {offer.box: offer for offer in offer_views(position)}
    announced, free = offers["threes_announced"], offers["threes_free"]
    assert (announced.can_announce, announced.is_open, announced.closed_by, announced.points) == (
        True,
        False,
        "announce",
        9,
    )
    assert (free.can_announce, free.is_open, offers["threes_down"].closed_by) == (False, True, "down")
    after = position.play(Announce("threes_announced"))
    assert card_view(after.card).announced == "threes_announced"
    closed = {offer.closed_by for offer in offer_views(after) if offer.box != "threes_announced"}
    assert closed == {"announced"}
    assert card_view(parse_position("yamb ones_free=2,maximum_free=25,minimum_free=10 - r3").card).columns[1].lines == [
        30
    ]


def test_points_for_rolls_that_a_turn_lacks_change_nothing() -> None:
    rules = [
        parse_ruleset(f'id = "x"\nlike = "yahtzee"\nrolls = 2\n[categories.chance]\npays = {pays}')
        for pays in ("[9, 5]", "[9, 5, 3]", "[9, 5, 5]")
    ]
    assert len({ruleset.digest for ruleset in rules}) == 1


def test_a_column_whose_name_is_a_symbol_is_named_by_how_it_is_filled() -> None:
    yamb = load_ruleset("yamb")
    assert box_title(yamb, "sixes_announced", language("de")) == "Sechser (angesagt)"
    assert box_title(yamb, "sixes_up", language("sv")) == "Sexor (uppåt)"
