"""The joker orders: the boxes for a roll of five fours, in every ruleset with special rules for extra Yahtzees."""

import pytest

from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Joker

# On these cards Ones is open, and Fours, Full House, Large Straight and Chance are open or filled as in the table;
# everything else is filled. `lower open` leaves the three lower boxes open.
ELSEWHERE = "twos=6,threes=9,fives=15,sixes=18,three_of_a_kind=20,four_of_a_kind=20,small_straight=30"
FOURS = {"open": "", "filled": ",fours=12"}
LOWER = {"open": "", "full": ",full_house=25,large_straight=40,chance=20"}
YAHTZEE = {"50": ",yahtzee=50", "0": ",yahtzee=0", "open": ""}

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


def _offers(ref: str, card: str, dice: str = "44444") -> tuple[str, set[int]]:
    """The boxes that may be filled, with their points, and the bonuses earned."""
    offers = parse_position(f"{ref} {card} {dice} r0").offers()
    return " ".join(f"{offer.action.box}={offer.points}" for offer in offers), {offer.bonus for offer in offers}


@pytest.mark.parametrize(("ref", "fours", "lower", "boxes"), ROWS)
def test_an_extra_yahtzee_goes_by_the_joker_order_and_earns_a_bonus_after_50(
    ref: str, fours: str, lower: str, boxes: str
) -> None:
    for yahtzee, bonus in (("50", 100), ("0", 0)):
        assert _offers(ref, ELSEWHERE + YAHTZEE[yahtzee] + FOURS[fours] + LOWER[lower]) == (boxes, {bonus})


@pytest.mark.parametrize("ref", SPECIAL)
@pytest.mark.parametrize(
    ("fours", "lower", "boxes"),
    [
        ("open", "open", "ones=0 fours=20 full_house=0 large_straight=0 yahtzee=50 chance=20"),
        ("open", "full", "ones=0 fours=20 yahtzee=50"),
        ("filled", "open", "ones=0 full_house=0 large_straight=0 yahtzee=50 chance=20"),
        ("filled", "full", "ones=0 yahtzee=50"),
    ],
)
def test_no_joker_order_applies_while_the_yahtzee_box_is_open(ref: str, fours: str, lower: str, boxes: str) -> None:
    assert _offers(ref, ELSEWHERE + YAHTZEE["open"] + FOURS[fours] + LOWER[lower]) == (boxes, {0})


def test_the_table_has_every_ruleset_with_a_joker_or_an_extra_bonus() -> None:
    special = {id for id in ruleset_ids() if (r := load_ruleset(id)).joker is not Joker.NONE or r.extra_bonus}
    assert special == {*SPECIAL, "triple_yahtzee"}


def test_the_table_has_every_joker_order() -> None:
    assert {load_ruleset(id).joker for id in SPECIAL} == set(Joker)


# The boxes expected are those of Yahtzee, which other rulesets without a joker do not have.
@pytest.mark.parametrize("ref", ["yahtzee_plain", "kniffel"])
def test_without_bonus_and_joker_a_second_yahtzee_is_an_ordinary_roll(ref: str) -> None:
    boxes = "ones=0 full_house=0 large_straight=0 chance=20"
    assert _offers(ref, f"{ELSEWHERE},yahtzee=50,fours=12") == (boxes, {0})


def test_any_ruleset_accepts_a_joker_order_and_a_bonus_as_options() -> None:
    ref = "yatzy[extra_bonus=100,joker=forced]"
    assert _offers(ref, "fours=12,yatzy=50") == (
        "one_pair=8 two_pairs=20 three_of_a_kind=12 four_of_a_kind=16"
        " small_straight=15 large_straight=20 house=20 chance=20",
        {100},
    )


def test_only_equal_dice_are_a_joker() -> None:
    boxes = "ones=0 full_house=0 large_straight=0 chance=21"
    assert _offers("yahtzee", f"{ELSEWHERE},yahtzee=50,fours=12", "44445") == (boxes, {0})


# Of Triple Yahtzee's 39 boxes only these are open: Ones ×1, Large Straight ×2, and those in the table.
TRIPLE = """
open                     yahtzee boxes  may be filled with 44444                bonus
fours_x3                 50 50 50       fours_x3=20                             100
fours_x2 fours_x3        50 50 50       fours_x2=20 fours_x3=20                 100
-                        50 50 50       large_straight_x2=40                    100
-                        50  0 50       large_straight_x2=40                    0
yahtzee_x2               50  - 50       ones_x1=0 large_straight_x2=0 yahtzee_x2=50  0
fours_x1 yahtzee_x3      50 50  -       ones_x1=0 fours_x1=20 large_straight_x2=0 yahtzee_x3=50  0
"""
"""The boxes, the points of the three Yahtzee boxes, the offers in the order of the card, and the bonus."""


@pytest.mark.parametrize("line", TRIPLE.strip().splitlines()[1:])
def test_an_extra_yahtzee_in_triple_yahtzee(line: str) -> None:
    ruleset = load_ruleset("triple_yahtzee")
    fields = line[:25], line[25:40], line[40:]
    left_open = {"ones_x1", "large_straight_x2", *fields[0].split()}
    yahtzees = dict(zip(("yahtzee_x1", "yahtzee_x2", "yahtzee_x3"), fields[1].split(), strict=True))
    *boxes, bonus = fields[2].split()
    least = {box.id: str(min(ruleset.attainable(box.category))) for box in ruleset.boxes}
    filled = {id: yahtzees.get(id, points) for id, points in least.items() if id not in left_open}
    card = ",".join(f"{box}={points}" for box, points in filled.items())
    assert _offers("triple_yahtzee", card) == (" ".join(boxes), {int(bonus)})
