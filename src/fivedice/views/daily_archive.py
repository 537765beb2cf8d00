"""Past days of the daily as JSON: the archive, a ten to play without rank, and the proofs."""

import msgspec

from fivedice.views.daily import AnswerView, DayProofView, LevelPlaceView, QuestionView
from fivedice.views.rules import RulesView


class DayProofsView(msgspec.Struct, frozen=True):
    """The days whose commitments are published, the latest first: seven ahead, and past ones with their secrets."""

    days: list[DayProofView]


class ArchivedDayView(msgspec.Struct, frozen=True):
    """A past day: its number, and how many people completed the ten."""

    day: str
    number: int
    players: int


class ArchiveView(msgspec.Struct, frozen=True):
    """A part of the past days, the latest first. `next` is the `before` of the next part, null at the end."""

    days: list[ArchivedDayView]
    next: str | None


class ArchivedTenView(msgspec.Struct, frozen=True):
    """The ten of a past day to play without rank: the questions, or with `answers` what people chose.

    With `answers`, `action` of each answer is your own one of that day, or else a best one.
    """

    day: str
    number: int
    rules: str
    rulesets: list[RulesView]
    questions: list[QuestionView]
    answers: list[AnswerView]
    levels: list[LevelPlaceView]
