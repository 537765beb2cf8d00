"""A position as JSON, with advice on it, and the reason why one action is better than another."""

from typing import Annotated

import msgspec

from fivedice.analysis.why import Why, component_name
from fivedice.base.language import ENGLISH, Language
from fivedice.game.changed import CardEntries
from fivedice.views.advice import AdviceView
from fivedice.views.card import CardView, OfferView
from fivedice.views.rules import RulesView


class CardEntriesView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a card holds: the points of its filled boxes by id, the number of extra bonuses, and the saved rolls.

    `announced` and `elsewhere` are notes of the card, which are left out where they no longer fit.
    """

    points: dict[str, Annotated[int, msgspec.Meta(ge=0, le=999_999)]]
    extras: Annotated[int, msgspec.Meta(ge=0, le=999_999)] = 0
    saved: Annotated[int, msgspec.Meta(ge=0, le=999_999)] = 0
    announced: str | None = None
    elsewhere: bool = False

    def entries(self) -> CardEntries:
        """The same as the notation of a card lists it."""
        announced = [f"announced={self.announced}"] * bool(self.announced)
        return CardEntries(self.points, self.extras, self.saved, (*["elsewhere=1"] * self.elsewhere, *announced))


class PositionView(msgspec.Struct, frozen=True):
    """A position. `line` is its notation; `dice` are in ascending order, empty before the first roll.

    `attainable` are the points that each box can hold, by its id, in ascending order.

    `advice` is None while the rules have no values; if there can be none, `refusal` is the reason. It is None, too, for
    a client that wants no advice.
    `playing` is the table of an unfinished game of this browser's in which advice is off; None without one.
    """

    line: str
    rules: RulesView
    seat: int
    cards: list[CardView]
    dice: list[int]
    rolls_left: int
    rolls: int
    """Those of the whole turn, with saved ones."""
    is_over: bool
    offers: list[OfferView]
    attainable: dict[str, list[int]]
    advice: AdviceView | None
    refusal: str
    playing: str | None


class PositionLineView(msgspec.Struct, frozen=True):
    """A position in notation."""

    line: str


class PositionLinesView(msgspec.Struct, frozen=True):
    """Positions in notation."""

    lines: list[str]


class PartView(msgspec.Struct, frozen=True):
    """Points from one source: the id of a box, "upper_bonus" or "extra_bonus"; in a browser also "this_turn" or
    "later_turns". `name` is its display name."""

    source: str
    name: str
    points: float


class WhyView(msgspec.Struct, frozen=True):
    """The difference in value between two actions: in words, as a number, and by source."""

    sentence: str
    difference: float
    parts: list[PartView]


def why_view(found: Why, to: Language = ENGLISH) -> WhyView:
    """What an action gains and gives up, in a language."""
    ruleset = found.position.ruleset
    parts = [PartView(id, component_name(ruleset, id, to), points) for id, points in found.parts.items()]
    return WhyView(found.in_language(to), found.total, parts)
