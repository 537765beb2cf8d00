"""Actions as JSON, taken apart, so that a page reads no notation."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from fivedice.game.action import Action, Announce, Keep, Score
from fivedice.game.notation import parse_action
from fivedice.rulesets.dice import MAX_DICE, MAX_FACES

Verb = Literal["keep", "score", "scratch", "announce"]


class ActionParts(Struct, frozen=True, forbid_unknown_fields=True):
    """An action: its verb, the dice that a keep keeps, in ascending order, and the box of any other action.

    `dice` is empty and `box` null where the verb has none.
    """

    verb: Verb
    dice: Annotated[list[Annotated[int, Meta(ge=1, le=MAX_FACES)]], Meta(max_length=MAX_DICE)] = []
    box: Annotated[str, Meta(max_length=81)] | None = None


AnyAction: TypeAlias = Annotated[str, Meta(max_length=100)] | ActionParts
"""An action, in notation or in parts."""


def action_parts(action: Action) -> ActionParts:
    """The parts of an action.

    >>> action_parts(Keep("33"))
    ActionParts(verb='keep', dice=[3, 3], box=None)
    """
    if isinstance(action, Keep):
        return ActionParts("keep", list(action.dice))
    if isinstance(action, Announce):
        return ActionParts("announce", box=action.box)
    return ActionParts("scratch" if action.is_scratch else "score", box=action.box)


def action_of(given: AnyAction) -> Action:
    """The action in this notation, or with these given.

    >>> str(action_of(ActionParts("scratch", box="ones")))
    'scratch ones'
    """
    if isinstance(given, str):
        return parse_action(given)
    if given.verb == "keep":
        return Keep(given.dice)
    if given.verb == "announce":
        return Announce(given.box or "")
    return Score(given.box or "", is_scratch=given.verb == "scratch")
