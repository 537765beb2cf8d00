"""The rules of a ruleset for people as JSON: sections with sentences, boxes, dice to draw, and the joker order."""

from functools import lru_cache

from msgspec import Struct

from fivedice.base.language import Language
from fivedice.game.position import Position
from fivedice.rulesets.explanation.page import Prose, RulesSection, rules_page
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.rules import text_of


class RulesPageView(Struct, frozen=True):
    """The rules of a ruleset in one language. `played_with` says which options are in effect; it may be empty.

    `start` is the first position of a game, in notation.
    """

    ref: str
    start: str
    lang: str
    name: Prose
    about: Prose
    played_with: str
    num_dice: int
    colours: dict[str, list[int]]
    face_names: list[str]
    sections: tuple[RulesSection, ...]


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
        name=page.name,
        about=page.about,
        played_with=page.played_with,
        num_dice=ruleset.dice,
        colours={name: list(faces) for name, faces in ruleset.colours},
        face_names=list(ruleset.face_names),
        sections=page.sections,
    )
