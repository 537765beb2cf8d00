"""Announcements in words, in games on a terminal: of the box in which the turn must end, or of the first of two."""

from typing import NamedTuple

from fivedice.base.language import marked
from fivedice.cli.language import box_name, chosen, numbered, say
from fivedice.game.position import Position
from fivedice.game.turn import Turn
from fivedice.rulesets.ruleset import Ruleset


class Keys(NamedTuple):
    """What the terminal game calls an announcement, in its line of keys and in its help."""

    verb: str
    enter: str
    mark: str
    undone: str


_OF_THE_BOX = Keys(
    marked("announce"),
    marked("Enter on a box with ! announces it; u takes that back until your next roll"),
    marked("what an open box would score now, if you announce it"),
    marked("Your announcement is taken back."),
)
_OF_THE_FIRST = Keys(
    marked("first box"),
    marked("A turn fills two boxes: Enter takes the first, then the second"),
    marked("what the best half of the dice would score in the first box"),
    marked("Your choice of the first box is taken back."),
)


def keys_of(ruleset: Ruleset) -> Keys:
    """What an announcement is called under a ruleset."""
    return _OF_THE_FIRST if ruleset.divides_dice else _OF_THE_BOX


def announcement_line(position: Position) -> str:
    """A sentence on the box that was announced; empty if none was."""
    if not position.card.announced:
        return ""
    box = box_name(position.ruleset, position.card.announced)
    if position.ruleset.divides_dice:
        return say("{box} is the first box. Choose the second: its points count both.", box=box)
    return say("{box} is announced: this turn ends there.", box=box)


def announcing_lines(position: Position) -> list[str]:
    """A sentence on what was announced, or what can be; none under rules without announcements."""
    if line := announcement_line(position):
        return [line]
    names = {action.box: box_name(position.ruleset, action.box) for action in position.announcements()}
    if not names:
        return []
    if position.ruleset.divides_dice:
        boxes = [f"{name} {position.points_if_announced(box)}" for box, name in names.items()]
        return [say("Choose the first of two boxes: {boxes}.", boxes=", ".join(boxes))]
    listed = chosen().listed_or(names.values())
    if position.card.must_announce:
        return [say("You must announce {boxes}.", boxes=listed)]
    return [say("You may announce {boxes}.", boxes=listed)]


def entering(position: Position, box: str) -> str:
    """What Enter does on a box that may be announced."""
    name = box_name(position.ruleset, box)
    if not position.ruleset.divides_dice:
        return say("Enter announces {box}: this turn must then end there.", box=name)
    return numbered(
        "Enter takes {box} as the first of two boxes: 1 point.",
        "Enter takes {box} as the first of two boxes: {n} points.",
        position.points_if_announced(box),
        box=name,
    )


def announcement_step(ruleset: Ruleset, turn: Turn, *, is_over: bool) -> list[str]:
    """The announcement as a step of a turn that is told; none of the first of two boxes, which the end of it tells."""
    if not turn.announced or ruleset.divides_dice:
        return []
    box = box_name(ruleset, turn.announced.box)
    return [say("announced {box}", box=box) if is_over else say("announces {box}", box=box)]
