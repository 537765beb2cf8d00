"""Turns with announcements: Yamb with its points by the number of the roll and its lines."""

import pytest

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.base.language import language
from fivedice.game.action import Announce
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.players import Greedy
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.views.card import card_view, offer_views

YAMB = load_ruleset("yamb")
ALL_BUT_ANNOUNCED = ",".join(f"{box.id}={min(YAMB.attainable(box.category))}" for box in YAMB.boxes if box.column < 3)
ONLY_ANNOUNCED = f"yamb {ALL_BUT_ANNOUNCED}"


def at(text: str) -> Position:
    return parse_position(text)


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


REFUSED = f"""
yamb - 33345 r1 | announce threes_announced | a box is announced right after the first roll
yamb - 33345 r2 | announce threes_free | the boxes of this column are filled without an announcement
yamb - 33345 r2 | score threes_announced | it must be announced after the first roll
yamb - - r3 | announce threes_announced | the dice must be rolled first
yamb threes_announced=9 33345 r2 | announce threes_announced | the box is filled, with 9
yamb announced=ones_announced 33345 r2 | announce threes_announced | Ones (announced) is announced already
yamb announced=ones_announced 33345 r1 | score threes_free | Ones (announced) is announced, so this turn must fill it
{ONLY_ANNOUNCED} 33345 r2 | keep 333 | only boxes that must be announced are open; announce one of them first
"""


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_what_cannot_be_announced_kept_or_scored_is_refused_with_the_reason(row: str) -> None:
    line, action, why = row.split(" | ")
    with pytest.raises(IllegalError) as caught:
        at(line).play(parse_action(action))
    assert str(caught.value).split(": ")[-1] == why


IMPOSSIBLE = f"""
yamb announced=ones_free 33345 r2 | want an open box that can be announced
yamb announced=ones_announced - r3 | only the seat to move announces, after its first roll
yamb announced=ones_announced/- @1 33345 r2 | only the seat to move announces
yamb announced=ones_announced,announced=twos_announced 33345 r2 | want it once
yamb announced=one 33345 r2 | yamb has no box 'one'
{ONLY_ANNOUNCED} 33345 r1 | a box was announced after the first roll; write announced=BOX
"""


@pytest.mark.parametrize("row", IMPOSSIBLE.strip().splitlines())
def test_an_impossible_announcement_in_a_position_is_refused(row: str) -> None:
    line, why = row.split(" | ")
    with pytest.raises((IllegalError, MalformedError, UnknownError), match=why):
        at(line)


def test_the_greedy_player_announces_what_is_worth_most() -> None:
    filled = ",".join(
        f"{box.id}={min(YAMB.attainable(box.category))}" for box in YAMB.boxes if box.column < 3 and box.id != "ones_up"
    )
    assert Greedy().choose(at(f"yamb {filled} 66666 r2")) == Announce("yamb_announced")


def test_the_view_of_offers_tells_what_may_be_announced_and_what_it_would_score() -> None:
    position = at("yamb - 33345 r2")
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
    assert card_view(at("yamb ones_free=2,maximum_free=25,minimum_free=10 - r3").card).columns[1].lines == [30]


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ("[columns.a]\nannounced = true\n", ""),
        ("[categories.ones]\npays = [9, 5]\n", "points by the number of the roll are for the lower section only"),
        ("[categories.chance]\npays = []\n", "want points from 1 to 10,000"),
        ("[lines.a]\nplus = 'chance'\nminus = 'chance'\ntimes = 'ones'\n", "want three categories"),
        ("[lines.a]\nplus = 'chance'\nminus = 'ones'\ntimes = 'twos'\n", "want one of three_of_a_kind"),
        ("[lines.ones]\nplus = 'chance'\nminus = 'yahtzee'\ntimes = 'ones'\n", "a category has this id, too"),
    ],
)
def test_impossible_keys_are_refused_with_the_reason(keys: str, why: str) -> None:
    text = f'id = "x"\nlike = "yahtzee"\n{keys}'
    if not why:
        assert parse_ruleset(text).announceable_boxes
        return
    with pytest.raises(MalformedError, match=why):
        parse_ruleset(text)


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
