"""Dice to show before a game: what sample dice pay under some rules."""

from functools import lru_cache

from msgspec import Struct

from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.box import Box
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.rules import names_of


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
        [_box_view(ruleset, by_id[offer.action.box], offer.points) for offer in shown],
    )


def _box_view(ruleset: Ruleset, box: Box, points: int) -> SampleBoxView:
    category = box.category
    return SampleBoxView(box.id, category.id, box.name, names_of(ruleset, category.name), points)
