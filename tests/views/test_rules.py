"""The JSON of rules, and what is shown before a game: samples, computed with the rules shown, and hands of dice."""

import msgspec
import pytest

from fivedice.base.language import ENGLISH
from fivedice.game.action import Score
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.rulesets.options import GENERIC_OPTIONS
from fivedice.views.offered import rules_page_view, sample_view
from fivedice.views.rules import RulesView, explained_rules_view, rules_view, ruleset_view


@pytest.mark.parametrize("ref", [*ruleset_ids(), "yahtzee[joker=free,rolls=4]"])
def test_views_of_rules_have_every_category_option_example_note_and_box(ref: str) -> None:
    ruleset = load_ruleset(ref)
    data = msgspec.to_builtins(explained_rules_view(ruleset))
    assert (data["id"], data["digest"]) == (ruleset.id, ruleset.digest)
    assert [category["id"] for category in data["categories"]] == [category.id for category in ruleset.categories]
    assert all(category["needs"] and category["pays"] for category in data["categories"])
    assert data["joker"]["order"] == ruleset.joker
    assert data["options"].keys() == {key for key, _ in ruleset.choices}
    assert data["generic_options"].keys() == GENERIC_OPTIONS.keys()
    assert len(data["examples"]) == len(ruleset.examples)
    assert data["notes"] == list(ruleset.notes)
    rules = msgspec.json.decode(msgspec.json.encode(rules_view(ruleset)), type=RulesView)
    assert (rules.ref, rules.digest, rules.name) == (str(ruleset), ruleset.digest, ruleset.name)
    assert [box.id for box in rules.boxes] == [box.id for box in ruleset.boxes]
    assert {box.column for box in rules.boxes} == set(range(len(rules.columns)))
    assert all(box.highest > 0 and box.about and box.name for box in rules.boxes)


def test_a_box_has_the_names_that_its_file_gives_in_other_languages() -> None:
    ruleset = parse_ruleset('id = "x"\nlike = "crag"\ncategories.crag.name = { en = "Cliff", sv = "Klippa" }')
    names = {box.category: box.names for box in rules_view(ruleset).boxes}
    assert (names["crag"], names["ones"]) == ({"sv": "Klippa"}, {})


def test_equal_rules_from_different_files_keep_their_own_texts() -> None:
    text = 'id = "own"\nname = "{0}"\nnotes = ["by {0}"]\n[categories]\nany = {{ scorer = "any_dice", name = "{0}" }}\n'
    ann, ben = (parse_ruleset(text.format(name)) for name in ("Ann", "Ben"))
    assert ann == ben
    for ruleset, name in ((ann, "Ann"), (ben, "Ben")):
        rules, page = rules_view(ruleset), rules_page_view(ruleset, ENGLISH)
        assert (rules.name, rules.boxes[0].name, page.name.text) == (name, name, name)
        [notes] = [section.prose[0].text for section in page.sections if section.id == "notes"]
        assert notes == f"by {name}"


def test_every_view_of_a_ruleset_uses_the_same_names_and_values() -> None:
    ruleset = load_ruleset("yahtzee[joker=free]")
    explained = msgspec.to_builtins(explained_rules_view(ruleset))
    for view in (rules_view(ruleset), ruleset_view(ruleset)):
        data = msgspec.to_builtins(view)
        assert {key: explained.get(key, value) for key, value in data.items()} == data
    assert explained["chosen_options"] == {"joker": "free"}


def test_a_box_of_a_rules_view_has_its_face_points_and_description() -> None:
    boxes = {box.id: box for box in rules_view(load_ruleset("yahtzee")).boxes}
    assert (boxes["threes"].face, boxes["threes"].highest, boxes["threes"].section) == (3, 15, "upper")
    assert boxes["yahtzee"].about == "all five dice equal: 50"
    assert rules_view(load_ruleset("yahtzee")).tiers == [(63, 35)]


@pytest.mark.parametrize("id", ruleset_ids())
def test_sample_dice_pay_what_the_rules_say(id: str) -> None:
    ruleset = load_ruleset(id)
    sample = sample_view(ruleset)
    position = Position(ruleset, (ScoreCard.empty(ruleset),), 0, tuple(sample.dice), 0)
    assert [box.points for box in sample.boxes] == [position.offer_for(Score(box.box)).points for box in sample.boxes]
    assert len(sample.boxes) <= 2
    assert bool(sample.boxes) == any(offer.points for offer in position.offers())
    if id in ("yahtzee", "yatzy"):  # the hand in which they differ
        assert sample.boxes[-1].box in ("full_house", "house")
