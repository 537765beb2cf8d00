"""Random changes of shipped rulesets: what `fivedice rules` explains is what the engine allows."""

import json
from random import Random
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivedice.base.errors import MalformedError, UnknownError
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.explanation.joker import JokerStep, joker_steps
from fivedice.rulesets.explanation.page import RulesPage, rules_page
from fivedice.rulesets.ruleset import Ruleset
from fivedice.testing import random_step
from tests.amount import amount

BASES = ruleset_ids()

PAYS = st.sampled_from((7, "total", "matched", "none"))
RULES: list[dict[str, Any]] = [
    {"scorer": "any_dice"},
    {"scorer": "n_of_a_kind", "n": 3},
    {"scorer": "n_of_a_kind", "n": 2, "pays": "matched"},
    {"scorer": "pairs", "n": 1, "pays": "matched"},
    {"scorer": "straight", "length": 3, "pays": 12},
    {"scorer": "straight", "faces": ["135", "246"], "plus": 2},
    {"scorer": "sum_is", "total": 11, "pays": 30},
    {"scorer": "sum_of_face", "face": 6, "section": "lower"},
]
KEYS = {
    "rolls": st.sampled_from((1, 2, "none")),
    "rounds": st.integers(1, 10),
    "order": st.sampled_from(("down", "up")),
    "joker": st.sampled_from(("none", "free", "forced", "wild", "lower_first")),
    "extra_bonus": st.sampled_from((50, "none")),
    "upper_bonus": st.sampled_from(("10@20", "5@9/20@40", "none")),
    "voluntary_zero": st.just(True),
    "forced_score": st.just(True),
    "first_in_box": st.just(True),
    "wild_while_open": st.just(True),
    "bonus_by_column": st.just(True),
    "columns": st.just({"a": {"multiplier": 2}, "b": {"order": "down"}}),
}


@st.composite
def overlays(draw: st.DrawFn) -> str:
    """The text of a file that changes a shipped ruleset in a few ways, valid or not."""
    base = draw(st.sampled_from(BASES))
    ids = [category.id for category in load_ruleset(base).categories]
    keys = draw(st.lists(st.sampled_from(sorted(KEYS)), unique=True, max_size=4))
    tree: dict[str, Any] = {"id": "mine", "like": base} | {key: draw(KEYS[key]) for key in keys}
    tree["drop"] = draw(st.lists(st.sampled_from(ids), unique=True, max_size=2))
    changed = draw(st.lists(st.sampled_from([*ids, *tree["drop"], "another"]), unique=True, max_size=3))
    tree["categories"] = {
        id: draw(st.sampled_from(RULES) | st.fixed_dictionaries({"pays": PAYS}) | st.just("none")) for id in changed
    }
    return "".join(f"{key} = {_toml(value)}\n" for key, value in tree.items())


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(item)}' for key, item in value.items())} }}"
    return json.dumps(value)


@settings(derandomize=True, deadline=None, max_examples=amount(60, full=1_500), suppress_health_check=list(HealthCheck))
@given(overlays(), st.integers(0, 2**32))
def test_what_the_rules_explain_is_what_is_legal(text: str, seed: int) -> None:
    try:
        ruleset = parse_ruleset(text, "mine.toml")
    except (MalformedError, UnknownError):
        assume(False)
    page, generator = rules_page(ruleset), Random(seed)
    _check_boxes(ruleset, page)
    sentences = {sentence for section in page.sections for sentence in section.sentences}
    for _ in range(2):
        position = Position.start(ruleset)
        while not position.is_over:
            if position.dice:
                _check_scores(position, sentences)
            position = random_step(position, generator)[1]


def _check_boxes(ruleset: Ruleset, page: RulesPage) -> None:
    """The explained boxes are those of the card, and each sample scores what is said."""
    explained = [rule for section in page.sections for rule in section.boxes]
    assert {rule.category for rule in explained} == {box.category.id for box in ruleset.boxes}
    for rule in explained:
        category = next(category for category in ruleset.categories if category.id == rule.category)
        assert category.score(rule.sample.dice) == rule.sample.points > 0
        if rule.pays.isdigit():
            assert rule.sample.points == int(rule.pays)


def _check_scores(position: Position, sentences: set[str]) -> None:
    ruleset, card, dice = position.ruleset, position.card, position.dice
    offers = position.offers()
    offered = {offer.action.box for offer in offers}
    expected = {ruleset.boxes[index].id for index in card.playable()}
    if ruleset.joker_category and card.is_extra(dice):
        expected = _by_steps(position, joker_steps(ruleset), expected)
    everything = " ".join(sentences)
    if "That is allowed only with a roll that scores in none of the boxes" in everything:
        if any(offer.points for offer in offers):
            assert all(offer.points for offer in offers)
            assert offered <= expected
            return
    else:
        may_scratch = "You may also choose to scratch a box" in everything
        assert {offer.action.box for offer in offers if offer.action.is_scratch} == (
            {offer.action.box for offer in offers if offer.points} if may_scratch else set()
        )
    assert offered == expected


def _by_steps(position: Position, steps: list[JokerStep], playable: set[str]) -> set[str]:
    """The boxes that the questions and answers of the joker order lead to."""
    ruleset, dice = position.ruleset, position.dice
    upper = {id for id in playable if _category(ruleset, id).section == "upper"}
    matching = {id for id in upper if _collects(ruleset, id, dice)}
    open_ones = {
        "Is the upper box of this face open?": matching,
        "Is a lower box open?": playable - upper,
        "": playable,
    }
    for step in steps:
        if not open_ones[step.question]:
            continue
        if step.answer == "Score it there.":
            return matching
        if step.answer.startswith("Score it in any open lower box"):
            return playable - upper
        if step.answer.startswith("Score it in any open box"):
            return playable
        assert "in any open upper box" in step.answer
        return upper
    return playable


def _category(ruleset: Ruleset, box: str) -> Any:
    return ruleset.boxes[ruleset.box_index[box]].category


def _collects(ruleset: Ruleset, box: str, dice: Dice) -> bool:
    return bool(_category(ruleset, box).arguments.get("face") == dice[0])
