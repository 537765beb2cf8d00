"""Rules as JSON: a ruleset in a list, a ruleset for a page to draw its cards, and a ruleset explained."""

from collections.abc import Hashable
from threading import Lock

from cachetools import LRUCache, cached
from msgspec import Struct
from msgspec.structs import asdict

from fivedice.analysis.marks import SHOWN_LOSS
from fivedice.dice import format_dice
from fivedice.explain.boxes import category_name
from fivedice.explain.joker import joker_sentences
from fivedice.explain.page import GENERIC, prose
from fivedice.explain.words import needs, pays
from fivedice.game.position import MAX_SEATS
from fivedice.language import ENGLISH, Language
from fivedice.ruleset import Box, Family, Order, Ruleset, Section


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


class RulesView(Struct, frozen=True):
    """What a page needs to know about a ruleset, so that it contains no rules itself.

    `columns` are multipliers; `tiers` are pairs of an upper total and its bonus. Losses below `shown_loss` points are
    shown as none.
    """

    ref: str
    name: str
    about: str
    digest: str
    dice: int
    faces: int
    rolls: int
    rounds: int
    columns: list[int]
    boxes: list[BoxView]
    tiers: list[tuple[int, int]]
    extra_bonus: int
    saved_rolls: bool
    voluntary_zero: bool
    colours: dict[str, list[int]]
    shown_loss: float


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


class ExplainedRulesView(RulesView, frozen=True):
    """A ruleset explained: its source, categories, joker rule, options, examples and doubtful readings.

    `options` are the choices it declares, `chosen_options` those in effect, and `generic_options` how to write the
    options that every ruleset has.
    """

    id: str
    source: str
    column_ids: list[str]
    column_orders: list[Order]
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


def by_text(ruleset: Ruleset, *others: Hashable) -> Hashable:
    """A key for caches of texts: equal rulesets from different files may have different names and notes."""
    return (ruleset, ruleset.file.text if ruleset.file else ruleset.name, *others)


@cached(LRUCache(256), key=by_text, lock=Lock())
def rules_view(ruleset: Ruleset) -> RulesView:
    """A ruleset as a page needs it."""
    return RulesView(
        ref=str(ruleset),
        name=ruleset.name,
        about=ruleset.about,
        digest=ruleset.digest,
        dice=ruleset.dice,
        faces=ruleset.faces,
        rolls=ruleset.rolls,
        rounds=ruleset.rounds,
        columns=[column.multiplier for column in ruleset.columns],
        boxes=[_box(ruleset, box) for box in ruleset.boxes],
        tiers=[(tier.at, tier.points) for tier in ruleset.upper_bonus],
        extra_bonus=ruleset.extra_bonus,
        saved_rolls=ruleset.saved_rolls,
        voluntary_zero=ruleset.voluntary_zero,
        colours={name: list(faces) for name, faces in ruleset.colours},
        shown_loss=SHOWN_LOSS,
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
        column_orders=[column.order for column in ruleset.columns],
        categories=[
            CategoryView(c.id, category_name(c, ruleset, to), c.section, needs(c, ruleset, to), pays(c, to))
            for c in ruleset.categories
        ],
        joker=JokerView(str(ruleset.joker), ruleset.joker_category or None, joker_sentences(ruleset, to)),
        options=_options(ruleset, to),
        chosen_options=dict(ruleset.options),
        generic_options=GENERIC,
        examples=[
            ExampleView(
                says=told(example.says),
                card=example.card,
                dice=format_dice(example.dice),
                box=example.box,
                points=example.points,
                bonus=example.bonus,
                first_roll=example.first_roll,
            )
            for example in ruleset.examples
        ],
        notes=[told(note) for note in ruleset.notes],
    )


def _box(ruleset: Ruleset, box: Box) -> BoxView:
    category = box.category
    return BoxView(
        id=box.id,
        category=category.id,
        name=box.name,
        names={lang: texts[category.name] for lang, texts in ruleset.translations.items() if category.name in texts},
        section=category.section,
        column=box.column,
        face=category.arguments.get("face"),
        about=f"{needs(category, ruleset)}: {pays(category)}",
        highest=max(ruleset.attainable(category)),
    )


def _options(ruleset: Ruleset, to: Language) -> dict[str, list[ChoiceView]]:
    return {
        key: [ChoiceView(choice.value, prose(ruleset, choice.about, to).text, choice.is_default) for choice in choices]
        for key, choices in ruleset.choices
    }
