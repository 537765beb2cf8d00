"""Advice as JSON: the value of a position and of every legal action in it, for points, a win or a target."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from fivedice.game.action import Action, Keep
from fivedice.game.placed_turn import places_of
from fivedice.rulesets.dice import Dice
from fivedice.views.action import ActionParts, action_parts

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advice, Advised
    from fivedice.analysis.chances import Outright


EXPECTED_SCORE = "expected_score"
"""The measure of advice for points: with best play, the final score on average."""


class AdvisedActionView(Struct, frozen=True):
    """An action in notation, its value (the expected final score) and its loss; `points` is null for a keep.

    Only under rules where a first roll can win the game, `outright` is its chance to win so, now or later, and `score`
    the final score on average: the value also has what an outright win counts beside the score.
    """

    action: str
    value: float
    loss: float
    points: int | None
    outright: float | UnsetType = UNSET
    score: float | UnsetType = UNSET


class AdvisedPositionView(Struct, frozen=True):
    """A position in notation, its value, and its legal actions, best first; `measure` says what the numbers are.

    Only if values are not exact, `exact` is there, and false, with `standard_error`, what they are wrong by, about.
    """

    position: str
    measure: str
    value: float
    actions: Sequence[AdvisedActionView]
    exact: bool | UnsetType = UNSET
    standard_error: float | UnsetType = UNSET


class ChanceActionView(Struct, frozen=True):
    """An action in notation, its chance to win, where a tie counts half, or to reach a target, and its loss of chance;
    `points` is null for a keep. With a target, `value` is the expected final score if later actions maximise that."""

    action: str
    chance: float
    loss: float
    points: int | None
    value: float | UnsetType = UNSET


class ChanceAdviceView(Struct, frozen=True):
    """A position in notation, the best chance to win against the other cards, or to reach a `target`, and its legal
    actions, best first."""

    position: str
    measure: str
    chance: float
    actions: list[ChanceActionView]
    target: int | UnsetType = UNSET


class ActionView(AdvisedActionView, frozen=True, kw_only=True):
    """An action at a table: a keep has the places of its dice in `kept`, a score or an announcement has its box.

    `wins` means that it wins the game at once.
    """

    parts: ActionParts
    kept: list[bool] | None = None
    box: str | None = None
    scratch: bool = False
    wins: bool = False


class AdviceView(Struct, frozen=True):
    """The value of a table's position, and its legal actions, best first. Equal keeps are listed once.

    Only if values are not exact, `exact` is there, and false, with `standard_error`, what they are wrong by, about.
    """

    value: float
    actions: list[ActionView]
    exact: bool | UnsetType = UNSET
    standard_error: float | UnsetType = UNSET


def advised_position_view(
    advice: "Advice", top: int | None = None, outright: "Mapping[Action | None, Outright] | None" = None
) -> AdvisedPositionView:
    """Advice on a position, limited to the `top` best actions; `outright` has the part of outright wins in values."""
    actions = [AdvisedActionView(str(a.action), a.value, a.loss, a.points) for a in advice.actions[:top]]
    if outright and advice.actions:
        parts = [outright[a.action] for a in advice.actions[:top]]
        actions = [
            replace(a, outright=part.chance, score=a.value - part.points)
            for a, part in zip(actions, parts, strict=True)
        ]
    exact, error = False if advice.error else UNSET, advice.error or UNSET
    return AdvisedPositionView(str(advice.position), EXPECTED_SCORE, advice.value, actions, exact, error)


def chance_advice_view(advice: "Advice", target: int | None = None, top: int | None = None) -> ChanceAdviceView:
    """Advice to win, or to reach a target, whose values are chances, limited to the `top` best actions."""
    shown, position = advice.actions[:top], str(advice.position)
    if target is None:
        actions = [ChanceActionView(str(a.action), a.value, a.loss, a.points) for a in shown]
        return ChanceAdviceView(position, "chance_to_win", advice.value, actions)
    actions = [ChanceActionView(str(a.action), a.value, a.loss, a.points, a.score or 0.0) for a in shown]
    return ChanceAdviceView(position, "chance_of_target", advice.value, actions, target)


def advice_view(advice: "Advice", places: Dice, kept: Sequence[bool]) -> AdviceView:
    """Advice for dice at these places, of which those marked in `kept` were kept before."""
    actions = [_action_view(advised, places, kept) for advised in advice.actions]
    return AdviceView(advice.value, actions, False if advice.error else UNSET, advice.error or UNSET)


def _action_view(advised: "Advised", places: Dice, kept: Sequence[bool]) -> ActionView:
    action = advised.action
    parts = action_parts(action)
    return ActionView(
        str(action),
        advised.value,
        advised.loss,
        advised.points,
        parts=parts,
        kept=list(places_of(action, places, kept)) if isinstance(action, Keep) else None,
        box=parts.box,
        scratch=parts.verb == "scratch",
        wins=advised.wins,
    )
