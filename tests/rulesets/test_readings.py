"""What single rulesets have: joker orders, readings that are options because rule books differ, the announcements and
points by roll of Yamb, and the named faces of Poker Dice."""

import re

import pytest

from fivedice.base.errors import IllegalError
from fivedice.base.language import language
from fivedice.cli.game.input import typed_action
from fivedice.cli.game.lines import dice_line
from fivedice.game.action import Announce, Score
from fivedice.game.notation import parse_position
from fivedice.players import Greedy
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.rulesets.explanation.dice import dice_in_words, dice_text
from fivedice.rulesets.ruleset import Joker
from fivedice.views.card import card_view, offer_views
from tests.amount import cases
from tests.repository import ROOT
from tests.solutions import solution_of

# On these cards Ones is open, and Fours, Full House, Large Straight and Chance are open or filled as in the table;
# everything else is filled. `lower open` leaves the three lower boxes open.
ELSEWHERE = "twos=6,threes=9,fives=15,sixes=18,three_of_a_kind=20,four_of_a_kind=20,small_straight=30"
FOURS = {"open": "", "filled": ",fours=12"}
LOWER = {"open": "", "full": ",full_house=25,large_straight=40,chance=20"}
TABLE = """
ruleset           fours   lower  may be filled with 44444
yahtzee           open    open   fours=20
yahtzee           open    full   fours=20
yahtzee           filled  open   full_house=25 large_straight=40 chance=20
yahtzee           filled  full   ones=0

yahtzee_wild      open    open   fours=20
yahtzee_wild      open    full   fours=20
yahtzee_wild      filled  open   ones=0 full_house=25 large_straight=40 chance=20
yahtzee_wild      filled  full   ones=0

yahtzee_1956      open    open   full_house=25 large_straight=40 chance=20
yahtzee_1956      open    full   ones=0 fours=20
yahtzee_1956      filled  open   full_house=25 large_straight=40 chance=20
yahtzee_1956      filled  full   ones=0

yahtzee_free      open    open   ones=0 fours=20 full_house=0 large_straight=0 chance=20
yahtzee_free      open    full   ones=0 fours=20
yahtzee_free      filled  open   ones=0 full_house=25 large_straight=40 chance=20
yahtzee_free      filled  full   ones=0

yahtzee_no_joker  open    open   ones=0 fours=20 full_house=0 large_straight=0 chance=20
yahtzee_no_joker  open    full   ones=0 fours=20
yahtzee_no_joker  filled  open   ones=0 full_house=0 large_straight=0 chance=20
yahtzee_no_joker  filled  full   ones=0
"""
ROWS = [line.split(maxsplit=3) for line in TABLE.strip().splitlines()[1:] if line]
SPECIAL = sorted({row[0] for row in ROWS})


def offers(line: str) -> str:
    """What a roll may fill, with points, and the bonus after a plus sign."""
    found = parse_position(line).offers()
    return " ".join(f"{o.action.box}={o.points}" + (f"+{o.bonus}" if o.bonus else "") for o in found)


@pytest.mark.parametrize(("ref", "fours", "lower", "boxes"), ROWS)
def test_an_extra_yahtzee_goes_by_the_joker_order_and_earns_a_bonus_after_50(
    ref: str, fours: str, lower: str, boxes: str
) -> None:
    for yahtzee, bonus in (("50", "+100"), ("0", "")):
        line = f"{ref} {ELSEWHERE},yahtzee={yahtzee}{FOURS[fours]}{LOWER[lower]} 44444 r0"
        assert offers(line).split() == [box + bonus for box in boxes.split()]


def test_the_table_has_every_ruleset_with_a_joker_or_an_extra_bonus() -> None:
    special = {id for id in ruleset_ids() if (r := load_ruleset(id)).joker is not Joker.NONE or r.extra_bonus}
    assert special == {*SPECIAL, "triple_yahtzee"}


@pytest.mark.parametrize(
    ("left_open", "yahtzees", "boxes"),
    [
        ("fours_x3", "50 50 50", "fours_x3=20+100"),
        ("fours_x2 fours_x3", "50 50 50", "fours_x2=20+100 fours_x3=20+100"),
        ("", "50 50 50", "large_straight_x2=40+100"),
        ("", "50 0 50", "large_straight_x2=40"),
        ("yahtzee_x2", "50 - 50", "ones_x1=0 large_straight_x2=0 yahtzee_x2=50"),
        ("fours_x1 yahtzee_x3", "50 50 -", "ones_x1=0 fours_x1=20 large_straight_x2=0 yahtzee_x3=50"),
    ],
)
def test_an_extra_yahtzee_in_triple_yahtzee_with_ones_and_a_large_straight_open(
    left_open: str, yahtzees: str, boxes: str
) -> None:
    ruleset = load_ruleset("triple_yahtzee")
    points = {box.id: str(min(ruleset.attainable(box.category))) for box in ruleset.boxes}
    points |= zip(("yahtzee_x1", "yahtzee_x2", "yahtzee_x3"), yahtzees.split(), strict=True)
    for box in ("ones_x1", "large_straight_x2", *left_open.split()):
        del points[box]
    card = ",".join(f"{box}={written}" for box, written in points.items())
    assert offers(f"triple_yahtzee {card} 44444 r0") == boxes


@pytest.mark.parametrize("ref", ["yahtzee_wild[first_yahtzee=in_box]", "yahtzee_free[first_yahtzee=in_box]"])
def test_a_first_yahtzee_scored_elsewhere_is_noted_and_ends_all_bonuses(ref: str) -> None:
    after = parse_position(f"{ref} - 66666 r0").play(Score("sixes"))
    assert str(after) == f"{ref} sixes=30,elsewhere=1 - r3"
    second = after.roll((5,) * 5).play(Score("yahtzee"))
    assert {offer.bonus for offer in second.roll((4,) * 5).offers()} == {0}


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


def test_a_roll_that_fits_nothing_else_must_go_in_yarborough() -> None:
    upper = "ones=1,twos=2,threes=3,fours=4,fives=5,sixes=6"
    assert offers(f"kismet[yarborough=forced] {upper} 12346 r0") == "yarborough=16"
    assert len(offers(f"kismet {upper} 12346 r0").split()) == 9
    filled = f"{upper},yarborough=16,two_pair_same_colour=0,flush=0"
    assert len(offers(f"kismet[yarborough=forced] {filled} 12346 r0").split()) == 6


DOCUMENTED = re.findall(
    r"\| `(\w+\[[a-z_=,]+\])` \| .* \| ([0-9.]+) \| ([+\u2212-]?[0-9.]+) \|",
    (ROOT / "docs" / "rulesets.md").read_text(encoding="utf-8"),
)


def test_the_docs_have_the_expected_score_of_every_reading_that_can_be_solved() -> None:
    assert len(DOCUMENTED) >= 10
    # The rulesets with readings that can be solved and differ in what they are worth.
    for id in ("yahtzee_wild", "yahtzee_1956", "yahtzee_no_joker", "yahtzee_free", "kismet", "generala"):
        for key, choices in load_ruleset(id).choices:
            for choice in choices:
                variant = f"{id}[{key}={choice.value}]"
                is_reading = id != "generala" or key == "wrap_around"
                assert choice.is_default or not is_reading or variant in {ref for ref, _, _ in DOCUMENTED}


@pytest.mark.parametrize("ref", cases(["generala[wrap_around=true]"], full=[ref for ref, _, _ in DOCUMENTED]))
def test_a_reading_has_the_expected_score_in_the_docs(ref: str) -> None:
    value, difference = next((value, difference) for name, value, difference in DOCUMENTED if name == ref)
    found = solution_of(ref).expected_score
    assert f"{found:.4f}" == value
    assert float(difference.replace("\u2212", "-")) == round(found - solution_of(ref.split("[")[0]).expected_score, 4)


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
    assert (announced.can_announce, announced.closed_by, announced.points) == (True, "announce", 9)
    assert (free.can_announce, free.is_open, offers["threes_down"].closed_by) == (False, True, "down")
    after = position.play(Announce("threes_announced"))
    assert card_view(after.card).announced == "threes_announced"
    closed = {offer.closed_by for offer in offer_views(after) if offer.box != "threes_announced"}
    assert closed == {"announced"}
    lines = parse_position("yamb ones_free=2,maximum_free=25,minimum_free=10 - r3").card
    assert card_view(lines).columns[1].lines == [30]


def test_points_for_rolls_that_a_turn_lacks_change_nothing() -> None:
    rules = [
        parse_ruleset(f'id = "x"\nlike = "yahtzee"\nrolls = 2\n[categories.chance]\npays = {pays}')
        for pays in ("[9, 5]", "[9, 5, 3]", "[9, 5, 5]")
    ]
    assert len({ruleset.digest for ruleset in rules}) == 1


def test_a_column_whose_name_is_a_symbol_is_named_by_how_it_is_filled() -> None:
    assert box_title(YAMB, "sixes_announced", language("de")) == "Sechser (angesagt)"
    assert box_title(YAMB, "sixes_up", language("sv")) == "Sexor (uppåt)"


def test_faces_have_their_names_in_texts_and_their_digits_in_notation() -> None:
    rules, position = load_ruleset("poker_dice"), parse_position("poker_dice - 11346 r2")
    assert dice_text(rules, position.dice) == "9 9 J Q A"
    assert dice_in_words(rules, (2, 2)) == "10 10"
    assert dice_line(position) == "Dice: 9 9 J Q A; 2 rolls left."
    assert str(position) == "poker_dice - 11346 r2"


@pytest.mark.parametrize(
    ("typed", "dice", "kept"),
    [(typed, "11346", "11") for typed in ("9 9", "99", "keep 9,9", "11", "keep 1 1")] + [("aj10", "12346", "236")],
)
def test_dice_may_be_typed_by_name_also_in_small_letters_or_by_digit(typed: str, dice: str, kept: str) -> None:
    position = parse_position(f"poker_dice - {dice} r2")
    assert str(typed_action(typed, position)) == f"keep {kept}"
    with pytest.raises(IllegalError, match="does not contain 5"):
        typed_action("keep k", position)
    with pytest.raises(IllegalError, match="keep 7 is not legal here"):
        typed_action("7", position)  # a digit of no face


def test_the_names_of_faces_change_no_digest() -> None:
    plain = parse_ruleset('id = "plain"\nlike = "poker_dice"\nfaces = 6')
    assert plain.digest == load_ruleset("poker_dice").digest
