"""The rules of a ruleset for people as JSON: sections with sentences, boxes, dice to draw, and the joker order."""

from functools import lru_cache

from msgspec import Struct

from fivedice.base.language import Language
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.dice import format_dice
from fivedice.rulesets.explanation.page import BoxRule, ExampleRule, Prose, RulesSection, SectionId, rules_page
from fivedice.rulesets.ruleset import Example, Ruleset
from fivedice.views.rules import text_of


class ProseView(Struct, frozen=True):
    """A text from the ruleset's file, and its language, which is English if the file has no other."""

    text: str
    lang: str


class BoxRuleView(Struct, frozen=True):
    """The rule of a category: what it needs and pays, and a roll as an example.

    `dice` are in ascending order, `matching` says which of them the box needs, and `points` is what they score there.
    """

    category: str
    name: str
    face: int | None
    needs: str
    pays: str
    dice: list[int]
    matching: list[bool]
    points: int


class JokerStepView(Struct, frozen=True):
    """A question of the joker order, and what to do if the answer is yes. The last step has no question."""

    question: str
    answer: str


class OptionRuleView(Struct, frozen=True):
    """One choice of an option, such as `five_as_house=true`."""

    option: str
    about: ProseView
    is_played: bool


class ExampleRuleView(Struct, frozen=True):
    """A worked example: a text from the ruleset's file, what the card held before, the dice, and the outcome.

    `line` is its position in notation; empty for options of custom rules, which no position can name.
    """

    says: ProseView
    card: str
    dice: list[int]
    outcome: str
    line: str


class RulesSectionView(Struct, frozen=True):
    """A part of the rules with a title."""

    id: SectionId
    title: str
    sentences: list[str]
    boxes: list[BoxRuleView]
    steps: list[JokerStepView]
    options: list[OptionRuleView]
    examples: list[ExampleRuleView]
    prose: list[ProseView]


class RulesPageView(Struct, frozen=True):
    """The rules of a ruleset in one language. `played_with` says which options are in effect; it may be empty.

    `start` is the first position of a game, in notation.
    """

    ref: str
    start: str
    lang: str
    name: ProseView
    about: ProseView
    played_with: str
    num_dice: int
    colours: dict[str, list[int]]
    face_names: list[str]
    sections: list[RulesSectionView]


def rules_page_view(ruleset: Ruleset, to: Language) -> RulesPageView:
    """The rules of a ruleset in a language."""
    return _rules_page_view(ruleset, text_of(ruleset), to)


@lru_cache(maxsize=128)
def _rules_page_view(ruleset: Ruleset, _: str, to: Language) -> RulesPageView:
    page = rules_page(ruleset, to)
    return RulesPageView(
        ref=str(ruleset),
        start=str(Position.start(ruleset)),
        lang=to.tag,
        name=_prose(page.name),
        about=_prose(page.about),
        played_with=page.played_with,
        num_dice=ruleset.dice,
        colours={name: list(faces) for name, faces in ruleset.colours},
        face_names=list(ruleset.face_names),
        sections=[_section(section, ruleset) for section in page.sections],
    )


def _section(section: RulesSection, ruleset: Ruleset) -> RulesSectionView:
    return RulesSectionView(
        id=section.id,
        title=section.title,
        sentences=list(section.sentences),
        boxes=[_box(box) for box in section.boxes],
        steps=[JokerStepView(step.question, step.answer) for step in section.steps],
        options=[OptionRuleView(option.option, _prose(option.about), option.is_played) for option in section.options],
        examples=[
            _example(shown, example_line(example, ruleset))
            for shown, example in zip(section.examples, ruleset.examples if section.examples else (), strict=True)
        ],
        prose=[_prose(prose) for prose in section.prose],
    )


def _box(box: BoxRule) -> BoxRuleView:
    left = list(box.sample.matched)
    matching = []
    for die in box.sample.dice:
        matching.append(die in left)
        if die in left:
            left.remove(die)
    return BoxRuleView(
        category=box.category,
        name=box.name,
        face=box.face,
        needs=box.needs,
        pays=box.pays,
        dice=list(box.sample.dice),
        matching=matching,
        points=box.sample.points,
    )


def _example(example: ExampleRule, line: str) -> ExampleRuleView:
    return ExampleRuleView(_prose(example.says), example.card, list(example.dice), example.outcome, line)


def example_line(example: Example, ruleset: Ruleset) -> str:
    """The position of a worked example in notation; empty for options of rules that are not shipped."""
    if example.options and not (ruleset.file and ruleset.file.is_shipped):
        return ""
    played = load_ruleset(f"{ruleset.ref}[{example.options}]") if example.options else ruleset
    rolls_left = played.rolls - example.roll if example.roll else 0
    return f"{played} {example.card} {format_dice(example.dice)} r{rolls_left}"


def _prose(prose: Prose) -> ProseView:
    return ProseView(prose.text, prose.language)
