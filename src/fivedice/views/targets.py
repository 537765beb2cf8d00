"""Targets as JSON: the best chance of every final score, and of every action in a position."""

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from fivedice.analysis.odds.targets import UtilityAdvice


class TargetActionView(Struct, frozen=True):
    """An action in notation, its chance of reaching the target, its loss of chance, and its value: the expected final
    score if later actions maximise that. `points` is null for a keep."""

    action: str
    chance: float
    loss: float
    value: float
    points: int | None


class TargetAdviceView(Struct, frozen=True):
    """A position in notation, a target, the best chance of reaching it, and the legal actions, best first."""

    position: str
    measure: str
    target: int
    chance: float
    actions: list[TargetActionView]


def target_advice_view(advice: "UtilityAdvice", target: int, top: int | None = None) -> TargetAdviceView:
    """Advice for a target, limited to the `top` best actions."""
    actions = [TargetActionView(str(a.action), a.utility, a.loss, a.value, a.points) for a in advice.actions[:top]]
    return TargetAdviceView(str(advice.position), "chance_of_target", target, advice.utility, actions)
