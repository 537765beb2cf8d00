"""Actions as JSON, taken apart, so that a page reads no notation."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from fivedice.dice import MAX_DICE, MAX_FACES
from fivedice.game.action import Action, Announce, Keep, Score

Verb = Literal["keep", "score", "scratch", "announce"]


class ActionParts(Struct, frozen=True, forbid_unknown_fields=True):
    """An action: its verb, the dice that a keep keeps, in ascending order, and the box of any other action.

    `dice` is empty and `box` null where the verb has none.
    """

    verb: Verb
    dice: Annotated[list[Annotated[int, Meta(ge=1, le=MAX_FACES)]], Meta(max_length=MAX_DICE)] = []
    box: Annotated[str, Meta(max_length=81)] | None = None


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


def action_of(parts: ActionParts) -> Action:
    """The action with these parts.

    >>> str(action_of(ActionParts("scratch", box="ones")))
    'scratch ones'
    """
    if parts.verb == "keep":
        return Keep(parts.dice)
    if parts.verb == "announce":
        return Announce(parts.box or "")
    return Score(parts.box or "", is_scratch=parts.verb == "scratch")
