"""Lessons as JSON: positions to decide again, and the grade of an answer."""

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING

import msgspec

from fivedice.game.action import Action
from fivedice.views.action import ActionParts, action_parts
from fivedice.views.card import CardView, card_view
from fivedice.views.rules import RulesView, rules_view
from fivedice.views.table import TurnView, turn_of_position

if TYPE_CHECKING:
    from fivedice.analysis.lessons import Grade, Lesson


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


def lessons_view(
    found: Iterable[tuple["Lesson", str, date | None]],
    *,
    due: int = 0,
    new: int = 0,
    learnt: int = 0,
    next: date | None = None,
) -> LessonsView:
    """Lessons, each with its table, empty if it has none here, and the day on which it is due; and their rules."""
    asked = list(found)
    rulesets = {lesson.position.ruleset.digest: lesson.position.ruleset for lesson, _, _ in asked}
    return LessonsView(
        lessons=[
            LessonView(
                table=table,
                line=str(position),
                rules=position.ruleset.digest,
                card=card_view(position.card),
                turn=turn_of_position(position),
                chosen=str(lesson.chosen),
                loss=lesson.loss,
                due=day,
            )
            for lesson, table, day in asked
            for position in [lesson.position]
        ],
        rulesets=[rules_view(ruleset) for ruleset in rulesets.values()],
        due=due,
        new=new,
        learnt=learnt,
        next=next,
    )


def grade_view(given: "Grade", chosen: Action, chosen_loss: float, due: date | None) -> GradeView:
    """A grade beside what was chosen in the game, with the day of the next repetition."""
    return GradeView(
        action=str(given.action),
        action_parts=action_parts(given.action),
        loss=given.loss,
        is_accepted=given.is_accepted,
        is_best=given.is_best,
        limit=given.limit,
        best=str(given.best),
        best_parts=action_parts(given.best),
        chosen=str(chosen),
        chosen_parts=action_parts(chosen),
        chosen_loss=chosen_loss,
        due=due,
    )
