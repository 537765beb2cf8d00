"""The daily ten, the daily game and storms as JSON: days, also past ones, and a try with its answers and its result."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from fivedice.analysis.reviews.marks import verdict
from fivedice.base.language import Language
from fivedice.daily.puzzles import Puzzle, is_best, symbol
from fivedice.daily.results import Kind
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice
from fivedice.views.action import ActionParts, action_parts
from fivedice.views.card import CardView, card_view
from fivedice.views.rules import RulesView
from fivedice.views.table import TurnView, turn_of_position

MIN_CHOICES = 5
"""Shares of people are shown from so many on."""

_SHOWN_SHARE = 0.02


class QuestionView(msgspec.Struct, frozen=True):
    """A position to decide, as a game of one seat. It says nothing about the value of any action.

    `turn` has the dice in their places; `turn.kept` says which of them the last choice kept. Before the first roll of
    a turn there is no question: the server rolls.
    """

    number: int
    """From 1, in the order of the try."""
    line: str
    rules: str
    """The digest of the rules, which are in `rulesets`."""
    rung: int | None
    """The rung on the ladder of difficulty, from 0; null in a ten and a game."""
    card: CardView
    turn: TurnView


class ChoiceView(msgspec.Struct, frozen=True):
    """One action in an answered position: what it loses, in points, and the share of people who chose it."""

    action: str
    action_parts: ActionParts
    loss: float
    share: float | None
    """From 0 to 1; null while fewer than `MIN_CHOICES` people have answered."""


class AnswerView(msgspec.Struct, frozen=True):
    """A question with its stored answer. `sentence` grades it, in the language that was asked for.

    In a daily game, `loss`, `best`, `choices` and `sentence` are null or empty until the game is over.
    """

    question: QuestionView
    action: str
    action_parts: ActionParts
    loss: float | None
    is_best: bool | None
    mark: str
    """"✓" for a best action, else "?!", "?" or "??" by its loss; empty while `loss` is null."""
    sentence: str
    best: list[ActionParts]
    """All actions that lose nothing, the answer first if it is one of them."""
    choices: list[ChoiceView]
    """The best actions, the answer and what at least one person in fifty chose, by loss."""


class LevelPlaceView(msgspec.Struct, frozen=True):
    """What a computer level loses on the same ten positions or dice, in points, and the score of its game."""

    level: str
    """The kind of computer player, such as `level_4`."""
    name: str
    """In the language that was asked for."""
    lost: float
    score: int | None


class ResultView(msgspec.Struct, frozen=True):
    """The result of a try that is over, as anybody with its link may see it: no position, dice or answer.

    Places are by points lost and then by score; in storms and streaks by the number of positions solved. Tries with
    the same result share a place.
    """

    id: str
    path: str
    """The page of the result, `/d/ID`."""
    kind: Kind
    day: str
    number: int
    """The number of the day, as in #214."""
    rules: str
    """The reference of the rules."""
    name: str
    """The name of the rules, the same in every language."""
    is_ranked: bool
    """Whether it has a place: a try that was given up has none."""
    is_yours: bool
    best: int
    """How many answers were best; in a storm or streak, positions solved."""
    answered: int
    lost: float
    score: int | None
    """The points on the card of a daily game."""
    marks: list[str]
    """The mark of each answer; empty for a game, a storm and a streak."""
    place: int | None
    """Among the ranked tries of the day, from 1."""
    players: int
    """The number of these."""
    median_lost: float | None
    """What the middle one of these lost; null without any."""
    median_score: int | None
    levels: list[LevelPlaceView]
    """Weakest first: all nine for a finished ten; the perfect one for a game that you may see; else empty."""
    line: str
    """The line to share, without the link."""


class BestsView(msgspec.Struct, frozen=True):
    """The most positions solved in a storm or a streak: by anybody today and this week, and by you ever; 0 for none."""

    today: int
    week: int
    own: int


class TryView(msgspec.Struct, frozen=True):
    """A try: the answers so far, the question to answer next, and the result once it is over.

    An answer to a request that gives one has only that answer in `answers`.
    """

    id: str
    """Empty before the try has begun."""
    kind: Kind
    day: str
    number: int
    """The number of the day."""
    rules: str
    """The reference of the rules."""
    run: int
    """Which of your storms or streaks of the day it is, from 1; 1 for a ten and a game."""
    rulesets: list[RulesView]
    """The rules of the questions in this answer."""
    size: int | None
    """How many questions there are; null where that depends on the answers."""
    answers: list[AnswerView]
    question: QuestionView | None
    """Null once it is over."""
    mistakes: int
    max_mistakes: int | None
    """How many mistakes end a storm or a streak."""
    seconds_left: float | None
    """Of a storm, by the server's clock."""
    seconds_to_next: float
    """Until the day of the try ends, when a ten and a game end, too; 0 once it is over."""
    result: ResultView | None
    bests: BestsView | None
    """Of a storm or streak that is over."""


class TodayGameView(msgspec.Struct, frozen=True):
    """One kind under one ruleset today. `result` is that of your try, the best one of a storm or a streak."""

    kind: Kind
    rules: str
    name: str
    status: Literal["new", "begun", "over"]
    is_ready: bool
    """Whether it can begin at once; if not, it is being prepared. Under the daily ruleset of another language than the
    one that was asked for it may be false until somebody begins."""
    players: int
    result: ResultView | None


class DayProofView(msgspec.Struct, frozen=True):
    """The commitment to the secret of a day, in hexadecimal digits; the secret is null until the day is over."""

    day: str
    number: int
    commitment: str
    secret: str | None


class TodayView(msgspec.Struct, frozen=True):
    """The current day of the server. `games` has every kind under every daily ruleset; show those of `rules`.

    `rules` is the ruleset of the language that was asked for. `guest` is the name of the guest ruleset, on Sundays.
    """

    day: str
    number: int
    seconds_to_next: float
    rules: str
    guest: str
    games: list[TodayGameView]
    proof: DayProofView


def question_view(
    number: int,
    position: Position,
    rung: int | None = None,
    turn: int = 0,
    places: Dice = (),
    kept: tuple[bool, ...] = (),
) -> QuestionView:
    """A position as a question; `places` are its dice in their places, by default in ascending order."""
    return QuestionView(
        number=number,
        line=str(position),
        rules=position.ruleset.digest,
        rung=rung,
        card=card_view(position.card),
        turn=turn_of_position(position, turn, places, kept),
    )


def answer_view(
    question: QuestionView, puzzle: Puzzle, action: Action, counts: Mapping[str, int], to: Language
) -> AnswerView:
    """A graded answer; `counts` is how many people chose each action, in notation."""
    loss, people = puzzle.loss(action), sum(counts.values())
    best = sorted(puzzle.best, key=lambda one: one != action)
    shown = {*best, action, *(one for one in puzzle.losses if counts.get(str(one), 0) >= _SHOWN_SHARE * people > 0)}
    return AnswerView(
        question=question,
        action=str(action),
        action_parts=action_parts(action),
        loss=loss,
        is_best=is_best(loss),
        mark=symbol(loss),
        sentence=verdict(puzzle.position, action, None if is_best(loss) else loss, best[0], to),
        best=[action_parts(one) for one in best],
        choices=[
            ChoiceView(
                str(one),
                action_parts(one),
                puzzle.loss(one),
                counts.get(str(one), 0) / people if people >= MIN_CHOICES else None,
            )
            for one in puzzle.losses
            if one in shown
        ],
    )


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
