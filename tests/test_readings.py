"""Readings that are options because rule books differ: what they allow and pay, and their expected scores."""

import re

import pytest

from fivedice.base.errors import IllegalError
from fivedice.game.action import Score
from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset
from tests.amount import cases
from tests.repository import ROOT
from tests.solutions import solution_of


def offers(line: str) -> str:
    """What a roll may fill, with points, and the bonus after a plus sign."""
    found = parse_position(line).offers()
    return " ".join(f"{o.action.box}={o.points}" + (f"+{o.bonus}" if o.bonus else "") for o in found)


WILD, FREE = "yahtzee_wild[first_yahtzee=in_box]", "yahtzee_free[first_yahtzee=in_box]"


@pytest.mark.parametrize("ref", [WILD, FREE])
def test_a_first_yahtzee_scored_elsewhere_is_noted_and_ends_all_bonuses(ref: str) -> None:
    after = parse_position(f"{ref} - 66666 r0").play(Score("sixes"))
    assert str(after) == f"{ref} sixes=30,elsewhere=1 - r3"
    assert parse_position(str(after)) == after
    second = after.roll((5,) * 5).play(Score("yahtzee"))
    assert {offer.bonus for offer in second.roll((4,) * 5).offers()} == {0}


@pytest.mark.parametrize("ref", [WILD, FREE])
def test_a_first_yahtzee_in_its_box_earns_the_bonuses_after_it(ref: str) -> None:
    after = parse_position(f"{ref} sixes=30 66666 r0").play(Score("yahtzee"))
    assert str(after) == f"{ref} sixes=30,yahtzee=50 - r3"
    assert {offer.bonus for offer in after.roll((4,) * 5).offers()} == {100}


def test_a_first_yahtzee_scored_elsewhere_is_not_noted_where_it_does_not_matter() -> None:
    after = parse_position("yahtzee_wild - 66666 r0").play(Score("sixes"))
    assert str(after) == "yahtzee_wild sixes=30 - r3"


SECOND = "yahtzee_wild[wild_cards=from_second]"


def test_a_second_yahtzee_can_be_a_wild_card_while_the_yahtzee_box_is_open() -> None:
    lower = "three_of_a_kind=30,four_of_a_kind=30,full_house=25,small_straight=30,chance=30"
    filled = f"threes=9,sixes=30,{lower}"
    boxes = "ones=0 twos=0 fours=0 fives=0 large_straight={} yahtzee=50"
    assert offers(f"{SECOND} {filled} 33333 r0") == boxes.format(0)
    assert offers(f"{SECOND} {filled},elsewhere=1 33333 r0") == boxes.format(40)
    assert offers(f"{SECOND} sixes=30,elsewhere=1 33333 r0") == "threes=15"
    after = parse_position(f"{SECOND} {filled},elsewhere=1 33333 r0").play(Score("yahtzee"))
    assert {offer.bonus for offer in after.roll((3,) * 5).offers()} == {100}


def test_zeros_are_refused_while_another_box_fits() -> None:
    lower = "three_of_a_kind=0,four_of_a_kind=0,full_house=0,small_straight=0,yahtzee=0"
    ref = "yahtzee_no_joker[zeros=last]"
    assert offers(f"{ref} {lower},twos=4,fours=4 23456 r0") == "threes=3 fives=5 sixes=6 large_straight=40 chance=20"
    assert (
        offers(f"{ref} {lower},large_straight=0,chance=9,ones=1 11111 r0") == "twos=0 threes=0 fours=0 fives=0 sixes=0"
    )
    with pytest.raises(IllegalError, match="a roll that scores in another box must be scored there"):
        parse_position(f"{ref} - 23456 r0").play(Score("yahtzee"))


def test_a_roll_that_fits_nothing_else_must_go_in_yarborough() -> None:
    upper = "ones=1,twos=2,threes=3,fours=4,fives=5,sixes=6"
    assert offers(f"kismet[yarborough=forced] {upper} 12346 r0") == "yarborough=16"
    assert len(offers(f"kismet {upper} 12346 r0").split()) == 9
    filled = f"{upper},yarborough=16,two_pair_same_colour=0,flush=0"
    assert len(offers(f"kismet[yarborough=forced] {filled} 12346 r0").split()) == 6


def test_the_extra_bonus_of_triple_yahtzee_can_count_by_column_if_the_roll_scores() -> None:
    fours = "fours_x1=4,fours_x2=4,fours_x3=4"
    yahtzees = "yahtzee_x1=50,yahtzee_x2=50,yahtzee_x3=50"
    for ref, bonuses in (
        ("triple_yahtzee", {"x1": 100, "x2": 100, "x3": 100}),
        ("triple_yahtzee[extra_yahtzee=by_column]", {"x1": 100, "x2": 200, "x3": 300}),
    ):
        position = parse_position(f"{ref} {fours},{yahtzees} 44444 r0")
        found = {offer.action.box: offer for offer in position.offers()}
        assert {column: found[f"large_straight_{column}"].bonus for column in bonuses} == bonuses
        after = position.play(Score("large_straight_x3")).card
        assert after.total - position.card.total == 3 * 40 + bonuses["x3"]
        assert parse_position(str(position.play(Score("large_straight_x3")))).card == after
    ruleset = load_ruleset("triple_yahtzee[extra_yahtzee=by_column]")
    lower = ",".join(
        f"{box.id}={50 if box.category.id == 'yahtzee' else max(ruleset.attainable(box.category))}"
        for box in ruleset.boxes
        if box.category.section == "lower"
    )
    zeros = parse_position(f"{ruleset} {fours},{lower} 44444 r0").offers()
    assert {(offer.points, offer.bonus) for offer in zeros} == {(0, 0)}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("yahtzee sixes=30,elsewhere=1 - r3", "does not ask"),
        (f"{WILD} elsewhere=1 - r3", "elsewhere=1: want elsewhere=1 beside a box that equal dice can have filled"),
        (f"{WILD} sixes=18,elsewhere=1 - r3", "elsewhere=1: want"),
        (f"{WILD} sixes=30,elsewhere=2 - r3", "elsewhere=2: want"),
        (f"{WILD} sixes=30,fives=25,yahtzee=50,elsewhere=1,+1 - r3", "no bonus is earned after the first equal dice"),
    ],
)
def test_a_card_that_no_game_can_have_is_refused(line: str, says: str) -> None:
    with pytest.raises(IllegalError, match=re.escape(says)):
        parse_position(line)


TABLE = re.findall(
    r"\| `(\w+\[[a-z_=,]+\])` \| .* \| ([0-9.]+) \| ([+\u2212-]?[0-9.]+) \|",
    (ROOT / "docs" / "rulesets.md").read_text(encoding="utf-8"),
)


def test_the_docs_have_the_expected_score_of_every_reading_that_can_be_solved() -> None:
    assert len(TABLE) >= 10
    # The rulesets with readings that can be solved and differ in what they are worth.
    for id in ("yahtzee_wild", "yahtzee_1956", "yahtzee_no_joker", "yahtzee_free", "kismet", "generala"):
        for key, choices in load_ruleset(id).choices:
            for choice in choices:
                variant = f"{id}[{key}={choice.value}]"
                is_reading = id != "generala" or key == "wrap_around"
                assert choice.is_default or not is_reading or variant in {ref for ref, _, _ in TABLE}


@pytest.mark.parametrize("ref", cases(["generala[wrap_around=true]"], full=[ref for ref, _, _ in TABLE]))
def test_a_reading_has_the_expected_score_in_the_docs(ref: str) -> None:
    value, difference = next((value, difference) for name, value, difference in TABLE if name == ref)
    found = solution_of(ref).expected_score
    assert f"{found:.4f}" == value
    assert float(difference.replace("\u2212", "-")) == round(found - solution_of(ref.split("[")[0]).expected_score, 4)
