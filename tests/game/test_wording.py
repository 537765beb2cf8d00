"""Actions in words: the names on the card, made unique."""

import pytest

from fivedice.base.language import ENGLISH
from fivedice.game.action import Keep, Score
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.game.wording import doing, to_do
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.rulesets.ruleset import Ruleset
from fivedice.testing import TINY

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


def test_scoring_zero_is_called_scratching() -> None:
    position = parse_position("tiny_first_roll - 22 r1", TINY["tiny_first_roll"])
    assert to_do(position, Score("twos")) == "score Twos"
    assert to_do(position, Score("twos", is_scratch=True)) == "scratch Twos"


@pytest.mark.parametrize("ruleset", [*TINY.values(), load_ruleset("triple_yahtzee"), TWINS], ids=str)
def test_names_of_boxes_are_unique(ruleset: Ruleset) -> None:
    assert len({box_title(ruleset, box.id, ENGLISH) for box in ruleset.boxes}) == len(ruleset.boxes)


def test_boxes_with_the_same_name_are_distinguished_by_column_or_id() -> None:
    columns = parse_ruleset('id = "x"\nlike = "crag"\n[columns.left]\n[columns.right]\n')
    assert [box_title(columns, id, ENGLISH) for id in ("crag_left", "crag_right")] == ["Crag (left)", "Crag (right)"]
    assert [box_title(TWINS, id, ENGLISH) for id in ("one", "other", "ones")] == ["Any (one)", "Any (other)", "Ones"]


def test_words_for_actions_are_unique() -> None:
    for ruleset in (*TINY.values(), TWINS):
        position = Position.start(ruleset).roll((1,) * ruleset.dice)
        actions = position.actions()
        assert len({to_do(position, action) for action in actions}) == len(actions)
        assert to_do(position, Keep(position.dice)) == f"keep {'1' * ruleset.dice}"
