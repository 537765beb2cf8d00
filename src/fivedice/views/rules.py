"""Rules as JSON: a ruleset in a list, a ruleset for a page to draw its cards, and a ruleset explained."""

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import asdict

from fivedice.analysis.reviews.marks import SHOWN_LOSS
from fivedice.base.language import ENGLISH, Language
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.rulesets.box import Box, Order, Section
from fivedice.rulesets.dice import format_dice
from fivedice.rulesets.explanation.boxes import category_name
from fivedice.rulesets.explanation.joker import joker_sentences
from fivedice.rulesets.explanation.page import prose
from fivedice.rulesets.explanation.words import needs, pays
from fivedice.rulesets.options import GENERIC_OPTIONS
from fivedice.rulesets.ruleset import Family, Ruleset
from fivedice.solver.saved.saved_table import has_approximation


class ChoiceView(Struct, frozen=True):
    """A value of an option, as text, a sentence about it, and whether it is the default."""

    value: str
    about: str
    default: bool


class RulesetView(Struct, frozen=True):
    """A shipped ruleset. `options` are the choices it declares, by option; `max_seats` is the size of its tables."""

    ref: str
    name: str
    about: str
    family: Family
    digest: str
    options: dict[str, list[ChoiceView]]
    max_seats: int


class BoxView(Struct, frozen=True):
    """A box of the score card."""

    id: str
    category: str
    name: str
    names: dict[str, str]
    """The category's names in other languages, where the ruleset's file gives them."""
    section: Section
    column: int
    face: int | None
    """For an upper box: the face it collects."""
    about: str
    """Which dice it needs and what it pays, in one line."""
    highest: int
    """The most points it can hold."""


class LineView(Struct, frozen=True):
    """A sum of each column: the points in the box of one category, minus those in another, times those in a third.

    The first two boxes count only here.
    """

    id: str
    name: str
    names: dict[str, str]
    """Its names in other languages, where the ruleset's file gives them."""
    plus: str
    minus: str
    times: str


class AwardView(Struct, frozen=True):
    """An award of the conversion of a card: for the boxes of a category, or null for all boxes together."""

    category: str | None
    name: str
    names: dict[str, str]


class RulesView(Struct, frozen=True):
    """What a page needs to know about a ruleset, so that it contains no rules itself.

    `columns` are multipliers, which `column_names` may hide behind names of their own; `announced` tells of each column
    whether its boxes must be announced, and `orders` in which order they are filled. `converts` means that the total
    is not the sum of the card, but what the rules convert it to. `tiers` are pairs of an upper total and its bonus.
    Of rules with `is_custom`, a server knows only those of its tables: ask for them with the id of the table.
    Losses below `shown_loss` points are shown as none. `is_approximate`: values and losses are learned, not exact.
    """

    ref: str
    is_custom: bool
    name: str
    about: str
    digest: str
    dice: int
    faces: int
    rolls: int
    rounds: int
    columns: list[int]
    column_names: list[str]
    announced: list[bool]
    orders: list[Order]
    lines: list[LineView]
    converts: bool
    awards: list[AwardView]
    boxes: list[BoxView]
    tiers: list[tuple[int, int]]
    extra_bonus: int
    joker_category: str | None
    """The category of the box for equal dice, whose name an extra bonus has."""
    saved_rolls: bool
    voluntary_zero: bool
    colours: dict[str, list[int]]
    face_names: list[str]
    """What the faces show, from the lowest up; empty if that is their number."""
    shown_loss: float
    is_approximate: bool


class CategoryView(Struct, frozen=True):
    """A category: which dice it needs, and what it pays."""

    id: str
    name: str
    section: Section
    needs: str
    pays: str


class JokerView(Struct, frozen=True):
    """The joker rule: its order, the category that makes a joker, and the rule in sentences."""

    order: str
    category: str | None
    sentences: list[str]


class ExampleView(Struct, frozen=True):
    """A worked example from the ruleset's file; `points` is null where the box may not be filled."""

    says: str
    card: str
    dice: str
    box: str
    points: int | None
    bonus: int
    first_roll: bool
    roll: int
    """The number of the roll in its turn, from 1; 0 for the last."""
    options: str
    """The options that it is played with, as in `joker=free`; empty for none."""


class ExplainedRulesView(RulesView, frozen=True):
    """A ruleset explained: its source, categories, joker rule, options, examples, and where rule books differ.

    `options` are the choices it declares, `chosen_options` those in effect, and `generic_options` how to write the
    options that every ruleset has.
    """

    id: str
    source: str
    column_ids: list[str]
    categories: list[CategoryView]
    joker: JokerView
    options: dict[str, list[ChoiceView]]
    chosen_options: dict[str, str]
    generic_options: dict[str, str]
    examples: list[ExampleView]
    notes: list[str]


def ruleset_view(ruleset: Ruleset, to: Language = ENGLISH) -> RulesetView:
    """A ruleset in a list, in a language as far as its file has it."""
    return RulesetView(
        ref=str(ruleset),
        name=prose(ruleset, ruleset.name, to).text,
        about=prose(ruleset, ruleset.about, to).text,
        family=ruleset.family,
        digest=ruleset.digest,
        options=_options(ruleset, to),
        max_seats=MAX_SEATS,
    )


def text_of(ruleset: Ruleset) -> str:
    """Part of the key of caches of texts: equal rulesets from different files may have different names and notes."""
    return ruleset.file.text if ruleset.file else ruleset.name


def rules_view(ruleset: Ruleset) -> RulesView:
    """A ruleset as a page needs it."""
    return _rules_view(ruleset, text_of(ruleset))


@lru_cache(maxsize=256)
def _rules_view(ruleset: Ruleset, _: str) -> RulesView:
    return RulesView(
        ref=str(ruleset),
        is_custom=not ruleset.is_shipped,
        name=ruleset.name,
        about=ruleset.about,
        digest=ruleset.digest,
        dice=ruleset.dice,
        faces=ruleset.faces,
        rolls=ruleset.rolls,
        rounds=ruleset.rounds,
        columns=[column.multiplier for column in ruleset.columns],
        column_names=[column.title for column in ruleset.columns],
        announced=[column.announced for column in ruleset.columns],
        orders=[column.order for column in ruleset.columns],
        lines=[LineView(**vars(line), names=names_of(ruleset, line.name)) for line in ruleset.lines],
        converts=bool(ruleset.conversion),
        awards=[_award(ruleset, award.category) for award in ruleset.conversion],
        boxes=[_box(ruleset, box) for box in ruleset.boxes],
        tiers=[(tier.at, tier.points) for tier in ruleset.upper_bonus],
        extra_bonus=ruleset.extra_bonus,
        joker_category=ruleset.joker_category or None,
        saved_rolls=ruleset.saved_rolls,
        voluntary_zero=ruleset.voluntary_zero,
        colours={name: list(faces) for name, faces in ruleset.colours},
        face_names=list(ruleset.face_names),
        shown_loss=SHOWN_LOSS,
        is_approximate=has_approximation(ruleset),
    )


def explained_rules_view(ruleset: Ruleset, to: Language = ENGLISH) -> ExplainedRulesView:
    """A ruleset with everything that `fivedice rules NAME` explains, in a language."""

    def told(text: str) -> str:
        return prose(ruleset, text, to).text

    rules = {**asdict(rules_view(ruleset)), "name": told(ruleset.name), "about": told(ruleset.about)}
    return ExplainedRulesView(
        **rules,
        id=ruleset.id,
        source=told(ruleset.source),
        column_ids=[column.id for column in ruleset.columns],
        categories=[
            CategoryView(c.id, category_name(c, ruleset, to), c.section, needs(c, ruleset, to), pays(c, ruleset, to))
            for c in ruleset.categories
        ],
        joker=JokerView(str(ruleset.joker), ruleset.joker_category or None, joker_sentences(ruleset, to)),
        options=_options(ruleset, to),
        chosen_options=dict(ruleset.options),
        generic_options={key: f"{key}={form}" for key, (_, form) in GENERIC_OPTIONS.items()},
        examples=[
            ExampleView(
                **{**vars(one), "says": told(one.says), "dice": format_dice(one.dice)}, first_roll=one.roll == 1
            )
            for one in ruleset.examples
        ],
        notes=[told(note) for note in ruleset.notes],
    )


def _award(ruleset: Ruleset, category: str) -> AwardView:
    name = next((found.name for found in ruleset.categories if found.id == category), "")
    return AwardView(category or None, name, names_of(ruleset, name))


def _box(ruleset: Ruleset, box: Box) -> BoxView:
    category = box.category
    return BoxView(
        id=box.id,
        category=category.id,
        name=box.name,
        names=names_of(ruleset, category.name),
        section=category.section,
        column=box.column,
        face=category.arguments.get("face"),
        about=f"{needs(category, ruleset)}: {pays(category, ruleset)}",
        highest=max(ruleset.attainable(category)),
    )


def names_of(ruleset: Ruleset, name: str) -> dict[str, str]:
    """A name in other languages, where the ruleset's file gives it."""
    return {language: texts[name] for language, texts in ruleset.translations.items() if name in texts}


def _options(ruleset: Ruleset, to: Language) -> dict[str, list[ChoiceView]]:
    return {
        key: [ChoiceView(choice.value, prose(ruleset, choice.about, to).text, choice.is_default) for choice in choices]
        for key, choices in ruleset.choices
    }
