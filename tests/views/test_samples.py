"""What is shown before a game is computed with the rules shown, and the hands of five dice are counted right."""

import pytest

from fivedice.game.action import Score
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.views.samples import hand_views, sample_view


@pytest.mark.parametrize("id", ruleset_ids())
def test_sample_dice_pay_what_the_rules_say(id: str) -> None:
    ruleset = load_ruleset(id)
    sample = sample_view(ruleset)
    position = Position(ruleset, (ScoreCard.empty(ruleset),), 0, tuple(sample.dice), 0)
    assert [box.points for box in sample.boxes] == [position.offer_for(Score(box.box)).points for box in sample.boxes]
    assert len(sample.boxes) <= 2
    assert bool(sample.boxes) == any(offer.points for offer in position.offers())


def test_a_full_house_is_counted_with_the_rules_shown() -> None:
    found = {id: sample_view(load_ruleset(id)).boxes[-1] for id in ("yahtzee", "yatzy")}
    assert {id: (box.box, box.points) for id, box in found.items()} == {
        "yahtzee": ("full_house", 25),
        "yatzy": ("house", 19),
    }


def test_every_roll_of_five_dice_is_one_hand() -> None:
    hands = hand_views()
    assert sum(1 / hand.one_in for hand in hands) == pytest.approx(1)
    assert sum(len(hand.rolls) for hand in hands) == 252
    assert [(hand.hand, round(hand.one_in)) for hand in hands][:2] == [("five", 1296), ("four", 52)]
    hand_of = {tuple(roll): hand.hand for hand in hands for roll in hand.rolls}
    rolls = {"12345": "large_straight", "34566": "small_straight", "13566": "pair", "12456": "mixed"}
    assert {text: hand_of[tuple(map(int, text))] for text in rolls} == rolls
