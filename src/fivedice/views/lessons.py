"""Lessons as JSON: positions to decide again, and the grade of an answer."""

from datetime import date

import msgspec

from fivedice.views.action import ActionParts
from fivedice.views.card import CardView
from fivedice.views.rules import RulesView
from fivedice.views.table import TurnView


class LessonView(msgspec.Struct, frozen=True):
    """A position to decide again, as a game of one seat. `table` is empty for an imported game.

    `chosen` is the action that was chosen, and `loss` its loss. `due` is the day of the next repetition, or None until
    the first answer.
    """

    table: str
    line: str
    rules: str
    """The digest of the rules."""
    card: CardView
    turn: TurnView
    chosen: str
    loss: float
    due: date | None


class LessonsView(msgspec.Struct, frozen=True):
    """The lessons of a session, and their rules.

    `due`, `new` and `learnt` are numbers of all lessons: due today, never answered, and due later, the first of them on
    the day `next` (UTC). In a replay, `due` are those not answered today, and `learnt` the others.
    """

    lessons: list[LessonView]
    rulesets: list[RulesView]
    due: int
    new: int
    learnt: int
    next: date | None


class GradeView(msgspec.Struct, frozen=True):
    """The grade of an answer: its loss, the best action, and whether the loss is accepted, which is below `limit`.

    `best` is the answer itself if no action is better. `due` is the day of the next repetition (UTC), or None if the
    game is not this browser's, so that the answer is not stored.
    """

    action: str
    action_parts: ActionParts
    loss: float
    is_accepted: bool
    is_best: bool
    limit: float
    best: str
    best_parts: ActionParts
    chosen: str
    chosen_parts: ActionParts
    chosen_loss: float
    due: date | None
