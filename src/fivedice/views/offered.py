"""Rules as JSON with what can be had under them: advice, chances and computer players."""

from functools import lru_cache

import msgspec
from msgspec import Struct

from fivedice.base.language import Language
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.explanation.page import Prose, RulesSection, rules_page
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.rules import RulesetView, names_of, text_of


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


class AvailableView(msgspec.Struct, frozen=True):
    """What can be had under some rules. Each text is a sentence that says why it cannot, or empty.

    `solution` stands for exact values; `advice` for all help but "none", for lessons and for reviews of whole games, by
    exact or approximate values; `review` for reviews of at least the last turns; `chances` for the chances to win and
    of final scores; `players` has every kind of computer player.
    """

    solution: str
    advice: str
    review: str
    chances: str
    players: dict[str, str]


class OfferedRulesetView(RulesetView, frozen=True):
    """A shipped ruleset with what can be had under it."""

    available: AvailableView
    browser_advice: bool
    """Whether a browser can keep its solution, and advise by it without the server."""
    browser_reasons: bool
    """Whether it can keep its breakdown, too, and explain the advice."""


class OfferedRulesPageView(RulesPageView, frozen=True):
    """The rules of a ruleset in one language, with what can be had under them."""

    available: AvailableView


class CheckedView(msgspec.Struct, frozen=True):
    """Rules with their options, and what can be had under them. `ref` is their reference in notation."""

    ref: str
    name: str
    digest: str
    available: AvailableView


class PlayerView(msgspec.Struct, frozen=True):
    """A kind of computer player, with a description."""

    kind: str
    about: str


class TableRulesView(msgspec.Struct, frozen=True):
    """The rules of a table as a request for a new one takes them, and their name."""

    rules: str
    options: dict[str, str]
    toml: str
    name: str


class SolutionFileView(msgspec.Struct, frozen=True):
    """A file with the solution of a ruleset or its breakdown, in the format of `fivedice export --portable`.

    `digest` is that of the rules; `bytes` is the size of the file, and `sha256` its digest in hexadecimal digits. The
    file at `path` never changes.
    """

    id: str
    digest: str
    bytes: int
    sha256: str
    path: str


class SampleBoxView(Struct, frozen=True):
    """A box, by its id and its category's, with what the sample dice score there."""

    box: str
    category: str
    name: str
    names: dict[str, str]
    points: int


class SampleView(Struct, frozen=True):
    """Dice on a new card with no roll left, and up to two boxes with what they pay, the better last.

    `rolls` are those of a turn, and `bonus` is the first bonus: an upper total and the points that it earns, or null.
    """

    dice: list[int]
    rolls: int
    bonus: tuple[int, int] | None
    face_names: list[str]
    colours: dict[str, list[int]]
    boxes: list[SampleBoxView]


@lru_cache(maxsize=64)
def sample_view(ruleset: Ruleset) -> SampleView:
    """What twos and high equal faces, as in 2 2 5 5 5, pay on a new card."""
    high = max(ruleset.faces - 1, 1)
    dice = (min(2, high),) * min(2, ruleset.dice - 1) + (high,) * max(ruleset.dice - 2, 1)
    position = Position(ruleset, (ScoreCard.empty(ruleset),), 0, dice, 0)
    # Of boxes that pay the same, the last one is anything goes, such as Chance.
    offers = sorted((offer for offer in reversed(position.offers()) if offer.points), key=lambda offer: offer.points)
    by_id = {box.id: box for box in ruleset.boxes}
    of_face = [offer for offer in offers if by_id[offer.action.box].category.arguments.get("face") == high]
    others = [offer for offer in offers if offer not in of_face]
    shown = sorted([*of_face[-1:], *others[-1:]], key=lambda offer: offer.points)
    return SampleView(
        list(dice),
        ruleset.rolls,
        next(((tier.at, tier.points) for tier in ruleset.upper_bonus if tier.points > 0), None),
        list(ruleset.face_names),
        {name: list(faces) for name, faces in ruleset.colours},
        [
            SampleBoxView(box.id, box.category.id, box.name, names_of(ruleset, box.category.name), offer.points)
            for offer in shown
            for box in [by_id[offer.action.box]]
        ],
    )
