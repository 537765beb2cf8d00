"""What a card tells besides its totals and bonuses, which `tests/test_testing.py` compares with a second reading of all
rules."""

import pytest

from fivedice.game.action import Score
from fivedice.game.card import ScoreCard
from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.explanation import explain
from fivedice.rulesets.ruleset import Ruleset
from fivedice.testing import check_ruleset

YAHTZEE = load_ruleset("yahtzee")

TRIPLE = parse_ruleset(
    """
    id = "triple"
    dice = 2
    faces = 3
    upper_bonus = "4@3/9@5"
    joker_category = "pair"
    extra_bonus = 10
    [categories]
    ones = { scorer = "sum_of_face", face = 1 }
    threes = { scorer = "sum_of_face", face = 3 }
    pair = { scorer = "n_of_a_kind", n = 2, pays = 5 }
    [columns]
    single = {}
    triple = { multiplier = 3 }
    """,
    ref="triple",
)


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
    card = card_of("ones_single=1,threes_triple=3", TRIPLE)
    assert (card.to_bonus(0), card.to_bonus(1)) == (2, 2)
    assert card_of("threes_single=6", TRIPLE).to_bonus(0) is None
    assert card_of("-", load_ruleset("yahtzee[upper_bonus=none]")).to_bonus() is None


BALUT = load_ruleset("balut")


def test_a_box_that_requires_another_scores_only_after_it() -> None:
    offers = {
        card: parse_position(f"generala[double=true] {card} 44444 r1").offers()[-1]
        for card in ("-", "generala=0", "generala=50")
    }
    assert {offer.action for offer in offers.values()} == {Score("double_generala")}
    assert [offer.points for offer in offers.values()] == [0, 0, 100]


def test_a_column_is_called_by_its_name_or_its_multiplier() -> None:
    assert [box.name for box in BALUT.boxes[::7]] == ["Fours (1)", "Fours (2)", "Fours (3)", "Fours (4)"]
    assert [column.title for column in TRIPLE.columns] == ["×1", "×3"]


def test_a_conversion_can_count_all_boxes_with_points() -> None:
    text = """
    id = "converted"
    dice = 2
    faces = 3
    [categories]
    ones = { scorer = "sum_of_face", face = 1 }
    pair = { scorer = "n_of_a_kind", n = 2, pays = 5 }
    [conversion]
    pair = "4@0/9@5"
    total = { boxes = "1@1/3@2" }
    """
    ruleset = parse_ruleset(text, "converted")
    cards = ("-", "pair=5", "ones=1,pair=5", "ones=0,pair=0")
    assert [parse_position(f"converted {card} - r3", ruleset).card.total for card in cards] == [4, 10, 12, 4]
    check_ruleset(ruleset)
    assert "All boxes together earn 1 for one box with points and 3 for two boxes with points." in " ".join(
        explain(ruleset).split()
    )
