"""Replies about lessons: positions to decide again, and the grade of an answer."""

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Annotated

import msgspec

from fivedice.game.action import Action
from fivedice.server.config.limits import MAX_POSITION_CHARACTERS
from fivedice.views.action import AnyAction, action_parts
from fivedice.views.card import card_view
from fivedice.views.lessons import GradeView, LessonsView, LessonView
from fivedice.views.rules import rules_view
from fivedice.views.table import turn_of_position

if TYPE_CHECKING:
    from fivedice.analysis.learning.lessons import Grade, Lesson


class LessonAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a lesson: an action, in notation or in parts.

    `day` is when it was given, if that was without the server (UTC). It then counts unless the lesson has been answered
    since, so that it can be sent again.
    """

    line: Annotated[str, msgspec.Meta(max_length=MAX_POSITION_CHARACTERS)]
    action: AnyAction
    table: Annotated[str, msgspec.Meta(max_length=64)] = ""
    day: date | None = None


def lesson_view(lesson: "Lesson", table: str, due: date | None = None) -> LessonView:
    """A lesson of a table, empty if it has none here, with the day of its next repetition."""
    position = lesson.position
    return LessonView(
        table=table,
        line=str(position),
        rules=position.ruleset.digest,
        card=card_view(position.card),
        turn=turn_of_position(position),
        chosen=str(lesson.chosen),
        loss=lesson.loss,
        due=due,
    )


def lessons_view(
    found: Iterable[tuple["Lesson", str, date | None]],
    *,
    due: int = 0,
    new: int = 0,
    learnt: int = 0,
    next: date | None = None,
) -> LessonsView:
    """Lessons, each with its table and the day on which it is due, and their rules."""
    asked = list(found)
    rulesets = {lesson.position.ruleset.digest: lesson.position.ruleset for lesson, _, _ in asked}
    return LessonsView(
        lessons=[lesson_view(*one) for one in asked],
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
