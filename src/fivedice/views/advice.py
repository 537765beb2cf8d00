"""`AdviceView`: the value of a position and of every legal action."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fivedice.dice import Dice
from fivedice.game.action import Keep
from fivedice.game.placed import places_of

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advice


class ActionView(Struct, frozen=True):
    """An action in notation with its value (expected final score) and loss: a keep as `kept` places, or a box."""

    action: str
    value: float
    loss: float
    kept: list[bool] | None = None
    box: str | None = None
    scratch: bool = False


class AdviceView(Struct, frozen=True):
    """The value of the position, and every legal action, best first (equal keeps once, with the first places)."""

    value: float
    actions: list[ActionView]


def advice_view(advice: "Advice", places: Dice, kept: Sequence[bool]) -> AdviceView:
    """Advice for dice that lie at these places, of which some were kept before."""
    actions = []
    for advised in advice.actions:
        action = advised.action
        if isinstance(action, Keep):
            marks = list(places_of(action, places, kept))
            actions.append(ActionView(str(action), advised.value, advised.loss, kept=marks))
        else:
            box, scratch = action.box, action.is_scratch
            actions.append(ActionView(str(action), advised.value, advised.loss, box=box, scratch=scratch))
    return AdviceView(advice.value, actions)
