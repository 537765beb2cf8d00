"""Two games on the same dice as JSON, decision by decision."""

import msgspec

from fivedice.views.action import ActionParts
from fivedice.views.daily import ResultView


class ComparedDecisionView(msgspec.Struct, frozen=True):
    """A decision of one of two games on the same dice: the turn from 1, the dice, the choice and its loss.

    `total` is the total of the card after it.
    """

    turn: int
    rolls_left: int
    dice: list[int]
    action: str
    action_parts: ActionParts
    loss: float
    total: int


class ComparedPairView(msgspec.Struct, frozen=True):
    """The decisions of two games at the same turn and roll; null where one of them made none.

    `gain` is the loss of the second minus that of the first. `sentence` tells the difference where both had to decide
    the same position and chose otherwise; it is empty elsewhere.
    """

    first: ComparedDecisionView | None
    second: ComparedDecisionView | None
    is_same_position: bool
    gain: float
    sentence: str


class ComparisonView(msgspec.Struct, frozen=True):
    """Your daily game beside another one on the same dice, decision by decision. `second` is null for perfect play."""

    first: ResultView
    second: ResultView | None
    second_lost: float
    second_score: int
    pairs: list[ComparedPairView]
