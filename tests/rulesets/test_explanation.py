"""The rules in sentences: docs/rules.md has those of every shipped ruleset, and here are options, a user's file, and
random changes of shipped rulesets, of which what is explained is what the engine allows."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivedice.base.errors import MalformedError, UnknownError
from fivedice.base.language import LANGUAGES, language
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.rulesets.explanation import explain, rules_markdown
from fivedice.rulesets.explanation.joker import JokerStep, joker_sentences, joker_steps
from fivedice.rulesets.explanation.page import RulesPage, rules_page
from fivedice.rulesets.explanation.words import needs, pays
from fivedice.rulesets.ruleset import Ruleset
from fivedice.testing import random_step
from tests.amount import amount
from tests.repository import ROOT

DOCS = ROOT / "docs"


FACTS = """
yahtzee_plain[five_as_house=true] | five_as_house=true Five equal dice are a full house too. (played here)
yahtzee_plain[five_as_house=true] | Full House three and two equal dice, or five equal 25
yahtzee_plain[five_as_house=true] | Played here with five_as_house=true.
kniffel[extra_bonus=100]   | A roll of equal dice is an extra Kniffel once the Kniffel box is filled
kniffel[second_kniffel=joker] | In the upper box of its face it earns a bonus of 50
kniffel[second_kniffel=joker] | After a zero in the Kniffel box it earns the bonus, too.
yatzy_american[rounds=14]  | taken 14 turns. Then one box of each card is still open.
yatzy_american[rounds=1]   | taken one turn. Then 14 boxes of each card are still open.
yatzy_american[rounds=13]  | taken 13 turns. Then two boxes of each card are still open.
yatzy[order=down]          | The boxes must be filled from the top of the card down.
maxi_yatzy[saved_rolls=true] | they are added to your next turn, without limit
crag[rolls=1]   | A turn has one roll, of all the dice. - The roll is then scored
yahtzee[order=down]        | only its next box counts as open
generala[first_roll_generala=wins] | Generala on the first roll of a turn wins the game at once.
"""


@pytest.mark.parametrize("fact", FACTS.strip().splitlines())
def test_an_explanation_states_the_rules_of_options(fact: str) -> None:
    ref, words = (part.strip() for part in fact.split("|"))
    assert words in " ".join(explain(load_ruleset(ref)).split())


@pytest.mark.parametrize("num", range(1, 6))
def test_a_bonus_is_said_not_to_be_multiplied_wherever_several_columns_are(num: int) -> None:
    columns = "".join(f"columns.x{number} = {{ multiplier = {number} }}\n" for number in range(1, num + 1))
    house = f'like = "yahtzee"\nid = "house"\nabout = "Ours."\n{columns}'
    said = "This bonus is not multiplied." in " ".join(joker_sentences(parse_ruleset(house, "house.toml")))
    assert said is (num > 1)


ATTIC = f"""
id = "attic"
name = "{"Attic " * 30}"
about = "{"x" * 300}"
dice = 4
faces = 8
rolls = 1
saved_rolls = true
colours = {{ dark = [1, 3, 5, 7], light = [2, 4, 6, 8] }}
joker = "forced"
joker_category = "all"
[columns.left]
order = "down"
[columns.right]
order = "up"
multiplier = 5
[categories]
eights = {{ scorer = "sum_of_face", face = 8, pays = 9, name = "{"Eight " * 20}" }}
run = {{ scorer = "straight", length = 3, pays = 10, first_roll_wins = true }}
twins = {{ scorer = "pairs", n = 2, same_colour = true, pays = "matched", plus = 3 }}
big = {{ scorer = "full_house", small = 1, same_colour = true }}
one = {{ scorer = "n_of_a_kind", n = 1 }}
flush = {{ scorer = "flush", section = "upper" }}
all = {{ scorer = "n_of_a_kind", n = 4, pays = 40 }}
[[examples]]
says = "{"A long story. " * 20}"
card = "eights_left=9"
dice = "1234"
box = "run_left"
points = 10
"""


def test_a_users_file_with_unusual_rules_is_explained() -> None:
    ruleset = parse_ruleset(ATTIC, "attic.toml")
    text = explain(ruleset)
    line = " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    for words in (
        "You play with four dice that have the faces 1 to 8. The game has 14 rounds.",
        "A turn has one roll, of all the dice. With saved rolls you may then keep any of the dice, or none, and roll",
        "1, 3, 5 and 7 dark; 2, 4, 6 and 8 light",
        "by 1 in column left and by 5 in column right",
        "The boxes of column left must be filled from the top of the card down.",
        "The boxes of column right must be filled from the bottom of the card up.",
        "it may go in any open upper box, where it scores like any other roll.",
        "Twins (sum of these dice + 3)",
        "An extra All earns no bonus.",
    ):
        assert words in line
    rules = {category.id: (needs(category, ruleset), pays(category, ruleset)) for category in ruleset.categories}
    assert rules == {
        "eights": ("dice that show 8", "9"),
        "run": ("three faces in sequence", "10; wins the game on the first roll"),
        "twins": ("two pairs of different faces, all of one colour", "sum of these dice + 3"),
        "big": ("three equal dice and one of another face, all of one colour", "total of all dice"),
        "one": ("any dice", "total of all dice"),
        "flush": ("all dice of one colour", "total of all dice"),
        "all": ("all four dice equal", "40"),
    }


def test_the_page_of_rules_is_current() -> None:
    command = ".venv/bin/python -m fivedice.rulesets.explanation > docs/rules.md"
    page = (DOCS / "rules.md").read_text(encoding="utf-8")
    assert page == rules_markdown(), f"docs/rules.md is out of date: run {command}"


def test_the_file_shown_on_the_page_is_valid() -> None:
    page = (DOCS / "rulesets.md").read_text(encoding="utf-8")
    family = parse_ruleset(page.split("```toml\n")[1].split("```")[0])
    assert family.examples[0].points == next(c for c in family.categories if c.id == "two_pairs").score((2, 2, 5, 5, 6))


PAYS = st.sampled_from((7, "total", "matched", "none"))
RULES: list[dict[str, Any]] = [
    {"scorer": "any_dice"},
    {"scorer": "n_of_a_kind", "n": 3},
    {"scorer": "n_of_a_kind", "n": 2, "pays": "matched"},
    {"scorer": "pairs", "n": 1, "pays": "matched"},
    {"scorer": "straight", "length": 3, "pays": 12},
    {"scorer": "straight", "faces": ["135", "246"], "plus": 2},
    {"scorer": "listed", "hands": ["11116", "22225", "33"], "pays": 45},
    {"scorer": "sum_is", "total": 11, "pays": 30},
    {"scorer": "sum_of_face", "face": 6, "section": "lower"},
]
FLAGS = "voluntary_zero forced_score first_in_box wild_while_open bonus_by_column bonus_in_upper bonus_after_zero"
KEYS: dict[str, st.SearchStrategy[Any]] = {
    "rolls": st.sampled_from((1, 2, "none")),
    "rounds": st.integers(1, 10),
    "order": st.sampled_from(("down", "up")),
    "joker": st.sampled_from(("none", "free", "forced", "wild", "lower_first")),
    "extra_bonus": st.sampled_from((50, "none")),
    "upper_bonus": st.sampled_from(("10@20", "5@9/20@40", "none")),
    **dict.fromkeys(FLAGS.split(), st.just(True)),
    "columns": st.just({"a": {"multiplier": 2}, "b": {"order": "down"}}),
}


@st.composite
def overlays(draw: st.DrawFn) -> str:
    """The text of a file that changes a shipped ruleset in a few ways, valid or not."""
    base = draw(st.sampled_from(ruleset_ids()))
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


@settings(derandomize=True, deadline=None, max_examples=amount(30, full=1_500), suppress_health_check=list(HealthCheck))
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
        assert category.score(rule.dice) == rule.points > 0
        if rule.pays.isdigit():
            assert rule.points == int(rule.pays)


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
    of = {box.id: box.category for box in ruleset.boxes}
    upper = {id for id in playable if of[id].section == "upper"}
    matching = {id for id in upper if of[id].arguments.get("face") == dice[0]}
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


@pytest.mark.parametrize("tag", [tag for tag in LANGUAGES if tag != "en"])
def test_the_rules_of_every_shipped_ruleset_are_whole_in_every_language(tag: str) -> None:
    for id in ruleset_ids():
        page = rules_page(load_ruleset(id), language(tag))
        own = [section for section in page.sections if section.id != "source"]
        texts = [page.about, *(text for section in own for text in section.prose)]
        texts += [example.says for section in own for example in section.examples]
        texts += [option.about for section in own for option in section.options]
        assert [text.text for text in texts if text.lang != tag] == [], id
