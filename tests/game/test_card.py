"""What a card tells, the errors for illegal actions, and actions in words, with the names on the card made unique.
`tests/test_testing.py` compares totals, and which actions are legal, with a second reading of all rules."""

import pytest

from fivedice.base.errors import IllegalError
from fivedice.base.language import ENGLISH
from fivedice.game.action import Keep, Score, expensive_zeros
from fivedice.game.card import ScoreCard
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.wording import doing, to_do
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.explanation import explain
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.rulesets.ruleset import Ruleset
from fivedice.testing import TINY, check_ruleset
from tests.game.test_notation import ONLY_ANNOUNCED

YAHTZEE = load_ruleset("yahtzee")
TRIPLE = load_ruleset("triple_yahtzee[upper_bonus=35@63/50@80]")


def card_of(text: str, ruleset: Ruleset = YAHTZEE) -> ScoreCard:
    return parse_position(f"{ruleset} {text} - r{ruleset.rolls}", ruleset).card


@pytest.mark.parametrize(
    ("card", "missing"),
    [
        ("-", 63),
        ("ones=3,twos=6", 54),
        ("ones=3,twos=6,threes=9,fours=12,fives=15", 18),
        ("ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18", None),  # it has the bonus
        ("twos=0,threes=0,fives=0,fours=0,ones=5", None),  # five sixes are too few
        ("twos=0,threes=3,fours=0", 60),  # with five of each it is just reached
        ("twos=0,threes=0,fours=0", None),
    ],
)
def test_the_distance_to_the_bonus_is_given_while_it_can_be_reached(card: str, missing: int | None) -> None:
    assert card_of(card).to_bonus() == missing


def test_the_distance_is_to_the_next_bonus_of_each_column() -> None:
    card = card_of("fours_x1=12,fives_x1=25,sixes_x1=30,threes_x3=9", TRIPLE)
    assert [card.to_bonus(column) for column in range(3)] == [80 - 67, 63, 63 - 9]
    assert card_of("fours_x1=0,fives_x1=25,sixes_x1=30,threes_x1=9", TRIPLE).to_bonus() is None
    assert card_of("-", load_ruleset("yahtzee[upper_bonus=none]")).to_bonus() is None


def test_a_box_that_requires_another_scores_only_after_it() -> None:
    offers = {
        card: parse_position(f"generala[double=true] {card} 44444 r1").offers()[-1]
        for card in ("-", "generala=0", "generala=50")
    }
    assert {offer.action for offer in offers.values()} == {Score("double_generala")}
    assert [offer.points for offer in offers.values()] == [0, 0, 100]


def test_a_column_is_called_by_its_name_or_its_multiplier() -> None:
    names = [box.name for box in load_ruleset("balut").boxes[::7]]
    assert names == ["Fours (1)", "Fours (2)", "Fours (3)", "Fours (4)"]
    assert [column.title for column in TRIPLE.columns] == ["×1", "×2", "×3"]


def test_a_conversion_can_count_all_boxes_with_points() -> None:
    keys = 'conversion.crag = "4@0/9@5"\nconversion.total.boxes = "1@1/3@2"'
    ruleset = parse_ruleset(f'id = "converted"\nlike = "crag"\n{keys}', "converted")
    cards = ("-", "crag=50", "ones=1,crag=50", "ones=0,crag=0")
    assert [card_of(card, ruleset).total for card in cards] == [4, 10, 12, 4]
    check_ruleset(ruleset)
    assert "All boxes together earn 1 for one box with points and 3 for two boxes with points." in " ".join(
        explain(ruleset).split()
    )


ILLEGAL = f"""
yahtzee - 33456 r0 | keep 33 | no roll is left; choose a box to score
yahtzee - 33456 r1 | keep 333 | the roll 33456 does not contain 333
yahtzee - - r3 | keep - | the dice must be rolled first
yahtzee - - r3 | score twos | the dice must be rolled first
yahtzee twos=4 33456 r2 | score twos | the box is filled, with 4
yahtzee - 33456 r2 | scratch chance | this ruleset has no voluntary zero: score Chance instead
yahtzee - 33456 r2 | scratch twos | it scores 0 there: score Twos instead
yahtzee - 33456 r2 | score pair | the card has no box pair; its boxes: {", ".join(box.id for box in YAHTZEE.boxes)}
yahtzee yahtzee=50 33333 r2 | score chance | an extra Yahtzee goes in Threes while it is open
yahtzee yahtzee=50 33333 r2 | score fours | an extra Yahtzee goes in Threes while it is open
yahtzee threes=9,yahtzee=50 33333 r2 | score fours | an extra Yahtzee is a joker below while a lower box is open
tiny_first_roll - 12 r0 | scratch pair | it scores 0 there: score Pair instead
tiny_columns - 12 r0 | score chance_down | the boxes of this column are filled down
tiny_columns - 12 r0 | score ones_double | the boxes of this column are filled up
yahtzee_no_joker[zeros=last] - 23456 r0 | score yahtzee | a roll that scores in another box must be scored there
yamb - 33345 r1 | announce threes_announced | a box is announced right after the first roll
yamb - 33345 r2 | announce threes_free | the boxes of this column are filled without an announcement
yamb - 33345 r2 | score threes_announced | it must be announced after the first roll
yamb - - r3 | announce threes_announced | the dice must be rolled first
yamb threes_announced=9 33345 r2 | announce threes_announced | the box is filled, with 9
yamb announced=ones_announced 33345 r2 | announce threes_announced | Ones (announced) is announced already
yamb announced=ones_announced 33345 r1 | score threes_free | Ones (announced) is announced, so this turn must fill it
{ONLY_ANNOUNCED} 33345 r2 | keep 333 | only boxes that must be announced are open; announce one of them first
"""


@pytest.mark.parametrize("row", ILLEGAL.strip().splitlines())
def test_an_illegal_action_is_refused_with_the_reason(row: str) -> None:
    line, action, why = row.split(" | ")
    position, played = parse_position(line, TINY.get(line.split()[0])), parse_action(action)
    with pytest.raises(IllegalError) as caught:
        position.play(played, (1,) * 5 if isinstance(played, Keep) else ())
    assert str(caught.value) == f"{action} is not legal in {position}: {why}"


SCORES_NOWHERE = "ones=1,twos=2,threes=3,fours=4,sixes=6,three_of_a_kind=9,four_of_a_kind=9,chance=9,full_house=25"


@pytest.mark.parametrize(
    ("line", "boxes"),
    [
        (
            "yahtzee three_of_a_kind=9,four_of_a_kind=9,chance=9 11233 r0",
            "fours fives sixes full_house small_straight large_straight yahtzee",
        ),
        (
            "yahtzee[voluntary_zero=true] sixes=6,chance=20,fours=0,fives=0 66666 r0",
            "small_straight large_straight full_house",
        ),
        ("yahtzee yahtzee=0,fours=4 44444 r0", ""),  # an extra Yahtzee is a joker below
        (f"yahtzee {SCORES_NOWHERE} 11236 r0", ""),
        ("crag crag=50,thirteen=26,three_of_a_kind=25 124 r0", "low_straight high_straight odd_straight even_straight"),
    ],
)
def test_a_zero_is_expensive_in_a_box_that_can_hold_20_points(line: str, boxes: str) -> None:
    position = parse_position(line)
    assert expensive_zeros(position.ruleset, position.offers()) == set(boxes.split())


TWINS = parse_ruleset(
    'id = "twins"\n[categories]\none = { scorer = "any_dice", name = "Any" }\n'
    'other = { scorer = "any_dice", name = "Any" }\nones = { scorer = "sum_of_face", face = 1 }\n'
)


@pytest.mark.parametrize(
    ("line", "action", "advice", "done"),
    [
        ("yahtzee - 33456 r1", "keep 33", "keep 33", "keeping 33"),
        ("yahtzee - 33456 r1", "keep -", "keep nothing", "keeping nothing"),
        ("yahtzee - 33355 r1", "score full_house", "score Full House", "scoring 25 in Full House"),
        ("yahtzee - 33355 r1", "score ones", "scratch Ones", "scratching Ones"),
        ("yatzy_american - 33355 r1", "scratch chance", "scratch Chance", "scratching Chance"),
        ("triple_yahtzee - 33355 r1", "score threes_x3", "score Threes ×3", "scoring 9 in Threes ×3"),
        ("kniffel - 33345 r0", "score three_of_a_kind", "score Dreierpasch", "scoring 18 in Dreierpasch"),
    ],
)
def test_actions_are_worded_as_advice_and_as_done(line: str, action: str, advice: str, done: str) -> None:
    position, parsed = parse_position(line), parse_action(action)
    assert (to_do(position, parsed), doing(position, parsed)) == (advice, done)


def test_boxes_with_the_same_name_are_distinguished_by_column_or_id() -> None:
    columns = parse_ruleset('id = "x"\nlike = "crag"\n[columns.left]\n[columns.right]\n')
    assert [box_title(columns, id, ENGLISH) for id in ("crag_left", "crag_right")] == ["Crag (left)", "Crag (right)"]
    assert [box_title(TWINS, id, ENGLISH) for id in ("one", "other", "ones")] == ["Any (one)", "Any (other)", "Ones"]
