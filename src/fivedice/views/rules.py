"""The `RulesView` of a ruleset: what a page needs to know of it, so that the page itself has no rules inside."""

from functools import lru_cache

from msgspec import Struct

from fivedice.explain.words import needs, pays
from fivedice.ruleset import Box, Ruleset, Section


class BoxView(Struct, frozen=True):
    """A box of every card, as its rules have it."""

    id: str
    category: str
    name: str
    section: Section
    column: int
    face: int | None
    """For an upper box: the face it collects."""
    about: str
    """What it takes and gives, in a line."""
    highest: int
    """The most points that it can hold."""


class RulesView(Struct, frozen=True):
    """A ruleset as a page needs it; `columns` are multipliers, `tiers` pairs of an upper total and its bonus."""

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


@lru_cache(maxsize=256)
def rules_view(ruleset: Ruleset) -> RulesView:
    """A ruleset as a page shows it."""
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
    )


def _box(ruleset: Ruleset, box: Box) -> BoxView:
    category = box.category
    return BoxView(
        id=box.id,
        category=category.id,
        name=box.name,
        section=category.section,
        column=box.column,
        face=category.arguments.get("face"),
        about=f"{needs(category, ruleset)}: {pays(category)}",
        highest=max(ruleset.attainable(category)),
    )
